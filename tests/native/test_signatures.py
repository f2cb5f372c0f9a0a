"""What type checkers take for a kernel is what both kernels are."""

from __future__ import annotations

from precall.native import kernel, twin
from precall.native.signatures import Kernel


def test_signatures_name_every_function_of_a_kernel():
    names = {name for name in vars(Kernel) if not name.startswith("_")}
    assert names == set(twin.__all__) - {"COMPILER"}
    assert all(hasattr(kernel(), name) for name in names)
