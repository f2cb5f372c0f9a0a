"""Modules that users take for functions."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import NoReturn

from precall.core.errors import UsageError


def refuse_calls(name: str, remedy: str) -> None:
    """Let a call of a module say which of its functions to call instead.

    Parameters
    ----------
    name : of the module, as `__name__` has it.
    remedy : what to call.
    """
    calls = "compare.bayes" if name.endswith(".bayes") else name.rpartition(".")[2]

    class Functions(ModuleType):
        def __call__(self, *given: object, **options: object) -> NoReturn:
            raise UsageError(f"{calls} is several functions", remedy=remedy)

    sys.modules[name].__class__ = Functions
