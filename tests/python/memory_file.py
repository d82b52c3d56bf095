"""Runs the lines of Python that FORMAT.md shows on a memory, and what h5py may do beside a server."""

import os
import pathlib
import re
import sys

import h5py

format_page, memory = map(pathlib.Path, sys.argv[1:3])
is_open_elsewhere = sys.argv[3] == "open"

(block,) = re.findall(r"```python\n(.*?)```", format_page.read_text(), re.S)
os.chdir(memory.parent)
shown = {}
exec(block, shown)
assert list(shown["texts"]) == ["The boat is red", "Ann sails it", "It floats"], list(shown["texts"])
assert list(shown["living"]) == [False, True, True], shown["living"]
assert set(shown["scopes"]) == {"user"}, shown["scopes"]
for name in ("id", "born", "died", "scope", "importance", "valid_from"):
    assert shown["f"]["memory"][name].shape == (3,), name
shown["f"].close()
for mode in ("r+", "a"):
    try:
        h5py.File(memory, mode).close()
        refused = False
    except OSError:
        refused = True
    assert refused == is_open_elsewhere, f"{mode}: {refused}"
print("read")
