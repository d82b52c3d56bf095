"""Opens each image of a crash, NUMBER-OLD-NEW.h5, with h5py: it must be in the old or the new state."""

import pathlib
import sys

import h5py
import numpy as np

ROWS = 5
n_old = n_new = 0
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    _, old, new = path.stem.split("-")
    with h5py.File(path, "r") as file:
        seq = int(file.attrs["seq"])
        assert seq in (int(old), int(new)), path
        n_old += seq == int(old)
        n_new += seq == int(new)
        want = (np.arange(seq * ROWS) * 7 + 3) % 120
        assert (file["rows"][:] == want).all(), path
        assert (file["filtered"][:] == want).all(), path
        texts = ["" if n % 5 == 0 else "text %d \u00e4\u4e16" % n for n in want]
        assert list(file["a/text"].asstr()[:]) == texts, path
        assert (file["a/vectors"][:] == want[:, None].astype("f4")).all(), path
        marks = np.zeros(64, dtype="u4")
        for k in range(1, seq + 1):
            marks[2 * (k % 30) : 2 * (k % 30) + 2] = k
        assert (file["mutable"][:] == marks).all(), path
        if seq:
            assert sorted(file["groups"]) == sorted("g%d" % k for k in range(1, seq + 1)), path
print("h5py: %d in the old state, %d in the new one" % (n_old, n_new))
