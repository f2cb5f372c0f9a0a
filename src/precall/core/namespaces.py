"""Modules that are public names, such as `precall.null`, and that people call as functions."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import NoReturn


def lead_on_calls(module: str, advice: str) -> None:
    """Let a module say what to call if somebody calls the module itself."""

    class Namespace(ModuleType):
        def __call__(self, *given: object, **named: object) -> NoReturn:
            raise TypeError(advice)

    sys.modules[module].__class__ = Namespace
