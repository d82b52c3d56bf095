"""Opens a file again and again with h5py while it is published to, and counts what fails."""

import sys

import h5py
import numpy as np

path, n_openings = sys.argv[1], int(sys.argv[2])
failures = {}
last = 0
for _ in range(n_openings):
    try:
        with h5py.File(path, "r") as file:
            seq = int(file.attrs["seq"])
            rows = file["rows"]
            assert len(rows) == 5 * seq
            assert rows[-1:].sum() == ((5 * seq - 1) * 7 + 3) % 120 * (seq > 0)
            assert seq >= last
            last = seq
    except (OSError, RuntimeError, KeyError) as error:
        failures[str(error)[:120]] = failures.get(str(error)[:120], 0) + 1
print("%d openings, %d failed, last state %d" % (n_openings, sum(failures.values()), last), failures)
sys.exit(bool(failures))
