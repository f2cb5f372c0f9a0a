"""The names and the numbers of other tools, each in a module that is imported by its whole name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from precall import fetching

__all__ = ["ir_measures", "lingpipe", "pytrec_eval", "sklearn", "trec_eval"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = fetching(__name__, {name: name for name in __all__})
