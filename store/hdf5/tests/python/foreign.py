"""Makes the files of `foreign.rs` in a folder, or checks there what was made of them."""

import os
import sys

import h5py
import numpy as np

verb, folder = sys.argv[1], sys.argv[2]
TEXT = h5py.string_dtype()
PAIR = np.dtype([("number", "i4"), ("text", TEXT)])
FILL = "not yet \u00e4"


def path(name):
    return os.path.join(folder, name + ".h5")


def filled(file):
    file.create_dataset("text", (10,), TEXT, chunks=(5,), maxshape=(None,), fillvalue=FILL)
    file["text"][0] = "zero"
    file.create_dataset("contiguous", (2,), TEXT, fillvalue=FILL)
    file.create_dataset("of attributes", (1,), "u1")
    file["of attributes"].attrs["texts"] = ["a", "", "\u00fc" * 5000]
    file["of attributes"].attrs.create("pairs", np.array([(1, "one"), (2, "two")], PAIR), dtype=PAIR)
    file["of attributes"].attrs.create("lists", np.array([np.arange(3), np.arange(1)], object), dtype=h5py.vlen_dtype("i2"))


def check_filled(file):
    assert list(file["text"].asstr()[:]) == ["zero"] + [FILL] * 9
    assert list(file["contiguous"].asstr()[:]) == [FILL] * 2
    assert file["text"].fillvalue.decode() == FILL
    attributes = file["of attributes"].attrs
    assert list(attributes["texts"]) == ["a", "", "\u00fc" * 5000]
    assert [t.decode() for t in attributes["pairs"]["text"]] == ["one", "two"]
    assert [list(v) for v in attributes["lists"]] == [[0, 1, 2], [0]]


N_FEW, N_MANY = 5, 40


def names(n):
    """Names whose order is not that of their making."""
    return [f"{(7 * k) % n:02} {k}" for k in range(n)]


def ordered(file):
    for n in (N_FEW, N_MANY):
        group = file.create_group(f"z {n}", track_order=True)
        for name in names(n):
            group[name] = h5py.SoftLink("/nowhere")
            group.attrs[name] = 1
        rows = group.create_dataset("rows", (2,), "i8", chunks=(4,), maxshape=(None,), track_order=True)
        for name in names(n):
            rows.attrs[name] = 1
    file.create_group("a")
    file.create_dataset("none", (2,), "i8", chunks=(4,), maxshape=(None,), track_order=True)


def check_ordered(file):
    assert list(file) == [f"z {N_FEW}", f"z {N_MANY}", "a", "none", "0"], list(file)
    for n in (N_FEW, N_MANY):
        group = file[f"z {n}"]
        left = names(n)[:2] + names(n)[3:]
        assert list(group) == left + ["rows", "0 new"], list(group)
        assert list(group.attrs) == left + ["0 new"], list(group.attrs)
        assert list(group["rows"].attrs) == names(n) + ["0 new"], list(group["rows"].attrs)
        flags = group.id.get_create_plist().get_link_creation_order()
        assert flags == h5py.h5p.CRT_ORDER_TRACKED | h5py.h5p.CRT_ORDER_INDEXED, flags
    assert list(file["none"].attrs) == ["0 new"]
    # The library goes on where we stopped.
    for n in (N_FEW, N_MANY):
        group = file[f"z {n}"]
        group["0 later"] = h5py.SoftLink("/nowhere")
        group.attrs["0 later"] = 1
        assert list(group)[-2:] == ["0 new", "0 later"]
        assert list(group.attrs)[-2:] == ["0 new", "0 later"]
        del group[names(n)[0]]


def several(file):
    rows = file.create_dataset("rows", data=np.arange(8), chunks=(4,), maxshape=(None,))
    rows.attrs["a"] = 1
    file["two"] = file["deep/three"] = rows
    group = file.create_group("group")
    group["inner"] = rows
    group["own"] = group["own again"] = file.create_dataset("outer", data=np.arange(3))
    file["same group"] = group


def count(thing):
    return h5py.h5o.get_info(thing.id).rc


def check_several(file):
    # Of rows, two, deep/three and group/inner the first went, then the group with both its names.
    assert count(file["two"]) == 2, count(file["two"])
    assert file["two"] == file["deep/three"] and "rows" not in file
    assert list(file["two"]) == list(range(8)) and file["two"].attrs["a"] == 1
    assert count(file["outer"]) == 1 and list(file["outer"]) == [0, 1, 2]
    assert "group" not in file and "same group" not in file
    del file["two"]
    assert count(file["deep/three"]) == 1
    assert list(file["deep/three"]) == list(range(8))


def make():
    with h5py.File(path("ordered"), "w", libver="latest", track_order=True) as file:
        ordered(file)
    with h5py.File(path("several latest"), "w", libver="latest") as file:
        several(file)
    h5py.File(path("several earliest"), "w", libver="latest").close()
    with h5py.File(path("several earliest"), "a") as file:
        several(file)
    with h5py.File(path("filled"), "w", libver="latest") as file:
        filled(file)
    # A new superblock before old object headers.
    for name in ("two names", "names"):
        h5py.File(path(name), "w", libver="latest").close()
    with h5py.File(path("two names"), "a") as file:
        file.create_dataset("rows", data=np.arange(8), chunks=(4,), maxshape=(None,))
        file["same rows"] = file["rows"]
        file.create_group("group")
        file["same group"] = file["group"]
        file.create_dataset("other", data=np.arange(2), chunks=(4,), maxshape=(None,))
    with h5py.File(path("names"), "a") as file:
        file.create_group("latin/inner")
        for name in (b"gr\xfcn", b"gr\xf6n"):
            file["latin"][name] = h5py.SoftLink("inner")
        file.create_group("attributes").attrs[b"gr\xfcn"] = 1
    # U+FFFD, in whose place a wrong byte is read, is a character like any other.
    with h5py.File(path("replaced"), "w", libver="latest") as file:
        file.create_group("a\ufffd").attrs["b\ufffd"] = np.array([(1,)], np.dtype([("c\ufffd", "i4")]))
        file["a\ufffd/soft"] = h5py.SoftLink("d\ufffd")


if verb == "make":
    make()
else:
    # The C library gives a fill value of variable length only where it may write.
    with h5py.File(path(sys.argv[3]), "r+") as file:
        {"filled": check_filled, "ordered": check_ordered, "several": check_several}[sys.argv[4]](file)
    print(sys.argv[3], "is as it should be")
