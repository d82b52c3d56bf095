"""h5py's side of the speed table, by its low-level API: h5py_low_level.py WORKLOAD FOLDER REPEATS VERSION.

Prints the nanoseconds of each repeat on one line, and what was read last on the next. Files are deleted outside of what is timed; nothing is synced.
"""

import os
import sys
import time

import numpy as np
from h5py import h5a, h5d, h5f, h5g, h5p, h5s, h5t

ROWS, DIM, ROWS_CHUNK, N_APPENDED, GRID, GRID_CHUNK = 100_000, 384, 256, 1000, 512, 64
name, folder, repeats, version = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
is_read = name in ("attribute", "read", "sum")
path = os.path.join(folder, "%s.h5" % (name if is_read else "h5py")).encode()
access = h5p.create(h5p.FILE_ACCESS)
access.set_fclose_degree(h5f.CLOSE_STRONG)
if version == "latest":
    access.set_libver_bounds(h5f.LIBVER_LATEST, h5f.LIBVER_LATEST)
F32 = h5t.IEEE_F32LE


def load(file, shape):
    return np.fromfile(os.path.join(folder, file), dtype="<f4").reshape(shape)


if name == "filtered":
    values = load("grid.f32", (GRID, GRID))
elif name in ("contiguous", "growing", "growing small", "append"):
    values = load("vectors.f32", (ROWS, DIM))
warm = np.ones((ROWS, DIM), dtype="<f4") if name in ("read", "sum") else None


def create():
    return h5f.create(path, h5f.ACC_TRUNC, fapl=access)


def attributes():
    file = create()
    space = h5s.create(h5s.SCALAR)
    for k in range(128):
        attribute = h5a.create(file, b"attribute %d" % k, h5t.STD_I64LE, space)
        attribute.write(np.array(k, dtype="<i8"))
    file.close()


def groups():
    file = create()
    for k in range(64):
        h5g.create(file, b"group %d" % k)
    file.close()


def attribute():
    file = h5f.open(path, h5f.ACC_RDONLY, fapl=access)
    value = np.zeros((), dtype="<i8")
    h5a.open(file, b"attribute 77").read(value)
    file.close()
    return float(value)


def dataset(file, shape, chunk=None, filtered=False, growing=False):
    creation = h5p.create(h5p.DATASET_CREATE)
    if chunk:
        creation.set_chunk(chunk)
    if filtered:
        creation.set_shuffle()
        creation.set_deflate(6)
    space = h5s.create_simple(shape, (h5s.UNLIMITED if growing else shape[0],) + shape[1:])
    return h5d.create(file, b"values", F32, space, creation)


def write_all(shape, chunk=None, filtered=False, growing=False):
    file = create()
    dataset(file, shape, chunk, filtered, growing).write(h5s.ALL, h5s.ALL, values)
    file.close()


def empty_growing():
    file = create()
    dataset(file, (0, DIM), (ROWS_CHUNK, DIM), growing=True)
    file.close()


def append():
    file = h5f.open(path, h5f.ACC_RDWR, fapl=access)
    opened = h5d.open(file, b"values")
    row = h5s.create_simple((1, DIM))
    for n in range(N_APPENDED):
        opened.set_extent((n + 1, DIM))
        space = opened.get_space()
        space.select_hyperslab((n, 0), (1, DIM))
        opened.write(row, space, values[n : n + 1])
    file.close()


def read():
    file = h5f.open(path, h5f.ACC_RDONLY, fapl=access)
    h5d.open(file, b"values").read(h5s.ALL, h5s.ALL, warm)
    file.close()
    return float(warm[-1, -1])


def total():
    read()
    return float(warm.sum(dtype="f4"))


run = {
    "attributes": attributes,
    "groups": groups,
    "attribute": attribute,
    "filtered": lambda: write_all((GRID, GRID), (GRID_CHUNK, GRID_CHUNK), filtered=True),
    "contiguous": lambda: write_all((ROWS, DIM)),
    "growing": lambda: write_all((ROWS, DIM), (ROWS_CHUNK, DIM), growing=True),
    "growing small": lambda: write_all((ROWS, DIM), (16, DIM), growing=True),
    "append": append,
    "read": read,
    "sum": total,
}[name]
times = []
for _ in range(repeats):
    if not is_read and os.path.exists(path):
        os.unlink(path)
    if name == "append":
        empty_growing()
    start = time.perf_counter_ns()
    answer = run()
    times.append(time.perf_counter_ns() - start)
print(*times)
print(answer or 0)
