"""Checks a file of `written.rs` with h5py and, where it is there, with h5dump.

Values follow from their places: element n of a dataset is (7 n + 3) mod 120, as its type has it.
"""

import subprocess
import sys
import tempfile

import h5py
import numpy as np

path, h5dump = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
checked = {"datasets": 0, "attributes": 0, "groups": 0, "dumped": 0}


def ramp(n):
    return (np.arange(n, dtype=np.int64) * 7 + 3) % 120


def text(n):
    return "" if n % 5 == 0 else "text %d \u00e4\u4e16" % n


def expected(dtype, n):
    base = ramp(n)
    if h5py.check_string_dtype(dtype) is not None:
        info = h5py.check_string_dtype(dtype)
        if info.length is None:
            return np.array([text(k) for k in base], dtype=object)
        return np.array([("s%d" % k).encode() for k in base], dtype=dtype)
    if dtype == np.dtype(bool):
        return base % 2 == 1
    if h5py.check_enum_dtype(dtype) is not None:
        return (base % 3).astype(dtype)
    if dtype.fields is not None:
        out = np.zeros(n, dtype=dtype)
        for name in dtype.names:
            out[name] = expected(dtype[name].base, n * int(np.prod(dtype[name].shape))).reshape(
                (n,) + dtype[name].shape
            )
        return out
    return base.astype(dtype)


def check_values(name, dataset):
    mode = dataset.attrs["expect"]
    if mode == "fill":
        assert (dataset[()] == dataset.fillvalue).all(), name
        return
    if mode == "one megabyte":
        values = dataset.asstr()[:]
        assert [len(v) for v in values] == [5, 1 << 20, 5], name
        return
    dtype = dataset.dtype
    shape = dataset.shape
    # h5py unfolds array types into dimensions of their own.
    if dtype.subdtype is not None:
        dtype, inner = dtype.subdtype
        shape = shape + inner
    n = int(np.prod(shape)) if shape else 1
    values = dataset.asstr()[()] if h5py.check_string_dtype(dtype) and not h5py.check_string_dtype(dtype).length else dataset[()]
    want = expected(dtype, n).reshape(shape)
    values = np.asarray(values)
    assert values.shape == want.shape, (name, values.shape, want.shape)
    assert (values == want).all(), (name, values.ravel()[:9], want.ravel()[:9])


def check_dump(name, dataset):
    if h5dump is None or dataset.size is None or dataset.size == 0 or dataset.dtype.kind not in "iuf":
        return
    if dataset.size > 3000 and "/plain/" not in name:
        return
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(
            [h5dump, "-d", name, "-b", "MEMORY", "-o", out.name, path],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        found = out.read()
    values = np.ascontiguousarray(dataset[()])
    if dataset.dtype == np.float16:
        values = values.astype(np.float32)  # 1.10 has no half of its own
    assert found == values.tobytes(), name
    checked["dumped"] += 1


def visit(name, thing):
    if isinstance(thing, h5py.Dataset):
        checked["datasets"] += 1
        check_values(name, thing)
        check_dump("/" + name, thing)
    else:
        checked["groups"] += 1


def check_attributes(group):
    # Counting them and going through them are two things to the C library.
    assert len(group.attrs) == len(list(group.attrs)), (group.name, len(group.attrs))
    for name, value in group.attrs.items():
        checked["attributes"] += 1
        kind, number = name.rstrip("0123456789"), name.lstrip("abcdefghijklmnopqrstuvwxyz\u00e4 ")
        number = int(number) if number else 0
        if kind == "number":
            assert value == number, name
        elif kind == "text":
            assert value == text(number), (name, value)
        elif kind == "texts":
            assert list(value) == [text(k) for k in range(number)], name
        elif kind == "list":
            assert (value == ramp(number)).all(), name
        elif kind == "null":
            assert isinstance(value, h5py.Empty), name
        else:
            raise AssertionError("unexpected attribute %s" % name)


with h5py.File(path, "r") as file:
    file.visititems(visit)
    for group in file["attributes"].values():
        check_attributes(group)
    for group in file["links"].values():
        wanted = int(group.attrs["n"])
        assert len(group) == wanted, group.name
        assert sorted(group) == sorted("link %d" % k for k in range(wanted)), group.name
        for k in range(wanted):
            assert isinstance(group["link %d" % k], h5py.Group)
    assert file["a soft link"] == file["links"]
    assert file["\u00e4\u4e16/\U0001f600"].attrs["\u00fc"] == "\u00e4"
if h5dump is not None:
    subprocess.run([h5dump, "-H", "-p", path], check=True, stdout=subprocess.DEVNULL)
    for name in ("/texts", "/attributes", "/types/compound", "/types/enum", "/types/array", "/unwritten"):
        subprocess.run([h5dump, "-g", name, path], check=True, stdout=subprocess.DEVNULL)
print(checked)
