"""Finalizers that empty a dict while the kernel reads it.

A key that UTF-8 cannot encode, or an integer beyond every float, makes an exception; making it may
start the collector, and a finalizer then emptied the dict before its keys and values were held:
memory was used after it was freed. The old tests changed dicts in `__float__` and `__hash__` only,
which run after that point.
"""

from __future__ import annotations

import os
import subprocess
import sys
from types import ModuleType

import pytest

from tests.native.kernels import EITHER

# Freed memory is overwritten by PYTHONMALLOC=debug, so that its use shows.
SCRIPT = """
import gc, importlib, sys
from precall.core.errors import Malformed

kernel = importlib.import_module(sys.argv[1])

class Trap:
    def __init__(self, mapping):
        self.mapping, self.itself = mapping, self

    def __del__(self):
        self.mapping.clear()

def read(make, reader, given, count):
    run = make()
    topics = [items for items in run.values() if isinstance(items, dict)]
    gc.collect()
    gc.disable()
    traps = [Trap(mapping) for mapping in (run, *topics)]
    del traps, topics
    gc.set_threshold(count, 1, 1)
    gc.enable()
    try:
        reader(run, *given)
    except Malformed:
        pass
    finally:
        gc.set_threshold(700)

gc.freeze()
KEYS = {
    "lone surrogates": lambda: {"t": {f"x\\udc80{i}": i + 0.5 for i in range(30)}},
    "topics": lambda: {f"x\\udc80{i}": {} for i in range(30)},
    "no strings": lambda: {"t": {(i, i): i + 0.5 for i in range(30)}},
    "letters": lambda: {"t": {f"\\u00e9{i}": i << 70 for i in range(30)}},
    "large integers": lambda: {"t": {f"d{i}": (i + 1) << 2000 for i in range(30)}},
    "texts": lambda: {"t": {f"d{i}": f"text {i}" for i in range(30)}, "u": None},
}
for make in KEYS.values():
    for count in range(1, 80):
        read(make, kernel.run_from_dict, (False,), count)
        read(make, kernel.qrels_from_dict, (), count)
print("alive")
"""


@pytest.mark.nightly
@EITHER
def test_a_finalizer_empties_the_dict_at_every_allocation(kernel: ModuleType) -> None:
    environment = {**os.environ, "PYTHONMALLOC": "debug"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, kernel.__name__],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "alive\n", "")


class Exhausted:
    """A value that takes more memory than there is."""

    def __float__(self) -> float:
        raise MemoryError

    def __index__(self) -> int:
        raise MemoryError


@EITHER
def test_a_lack_of_memory_is_no_fault_of_the_value(kernel: ModuleType) -> None:
    with pytest.raises(MemoryError):
        kernel.run_from_dict({"t": {"d": Exhausted()}}, False)
    with pytest.raises(MemoryError):
        kernel.qrels_from_dict({"t": {"d": Exhausted()}})
