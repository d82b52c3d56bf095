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


def make():
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


if verb == "make":
    make()
else:
    # The C library gives a fill value of variable length only where it may write.
    with h5py.File(path("copy"), "r+") as file:
        check_filled(file)
    print("the copy is as it should be")
