"""The kernel: reading and locating, the only heavy work.

Two implementations have equal signatures, bits and errors: `_kernel` (C++, built at install) and
`twin` (NumPy and plain Python; the oracle of the first, and its fallback). `PRECALL_KERNEL`
chooses: `auto` (default), `native` (an error if it is missing) or `twin`.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from precall.core.arguments import check_choice
from precall.core.errors import KernelMissing, UsageError
from precall.core.text import typed_integer

if TYPE_CHECKING:
    from precall.native.signatures import Kernel

CHOICES = ("auto", "native", "twin")


@cache
def kernel() -> Kernel:
    """The kernel in use, chosen once per process."""
    choice = os.environ.get("PRECALL_KERNEL", "auto")
    check_choice("PRECALL_KERNEL", choice, CHOICES)
    if choice != "twin":
        try:
            return cast("Kernel", import_module("precall.native._kernel"))
        except ImportError as error:
            if choice == "native":
                raise KernelMissing(
                    f"PRECALL_KERNEL=native, but the native kernel cannot be loaded ({error}); "
                    "reinstall precall where a C++20 compiler is found, with pip's "
                    "--no-cache-dir, or unset PRECALL_KERNEL"
                ) from error
    from precall.native import twin

    return cast("Kernel", twin)


def kernel_name() -> str:
    """`native` or `twin`."""
    return "twin" if kernel().__name__.endswith("twin") else "native"


#: More threads than this are of no use.
MOST_THREADS = 1024


def thread_count(threads: int | None = None) -> int:
    """The number of threads that a kernel may use: the given one, else PRECALL_THREADS, else the
    number of processors granted.
    """
    name = "threads"
    if threads is None:
        text = os.environ.get("PRECALL_THREADS", "")
        if not text:
            granted = (
                len(os.sched_getaffinity(0))
                if hasattr(os, "sched_getaffinity")
                else os.cpu_count() or 1
            )
            return min(granted, MOST_THREADS)
        try:
            name, threads = "PRECALL_THREADS", typed_integer(text)
        except ValueError:
            raise UsageError(
                argument="PRECALL_THREADS", allowed="an integer >= 1", got=text
            ) from None
    count: object = threads
    if not isinstance(count, int) or count < 1:
        raise UsageError(argument=name, allowed="an integer >= 1", got=threads)
    if count > MOST_THREADS:
        raise UsageError(argument=name, allowed=f"at most {MOST_THREADS}", got=threads)
    return threads
