"""The native kernel in another interpreter of the process: an ImportError.

It waited there forever. The old tests knew one interpreter.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.native.kernels import ABSENT

SCRIPT = """
import sys
try:
    import _interpreters as interpreters
    made = interpreters.create("legacy")
except ImportError:
    import _xxsubinterpreters as interpreters
    made = interpreters.create()
failed = interpreters.run_string(made, '''
import sys
sys.path[:] = %r
import importlib.machinery, importlib.util
loader = importlib.machinery.ExtensionFileLoader("precall.native._kernel", %r)
try:
    # From 3.12 on the first only makes the module, and the second runs it.
    loader.exec_module(importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader)))
except ImportError as error:
    print(error, flush=True)
''' % (sys.path, sys.argv[1]))
assert failed is None, failed
interpreters.destroy(made)
"""  # noqa: E501


@ABSENT
@pytest.mark.parametrize("before", ["", "import precall.native._kernel\n"])
def test_another_interpreter_does_not_wait_for_the_kernel(before: str) -> None:
    from precall.native import _kernel

    command = [sys.executable, "-c", before + SCRIPT, str(_kernel.__file__)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "the native kernel of precall runs in the main interpreter only\n",
        "",
    )
