"""Which measure an oracle is of: each says it itself, so that a new one is one edit."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

Value = Fraction | float | None
F = TypeVar("F", bound=Callable[..., Value])

#: Of rankings: name → oracle of (ranked, judged, *, parameters).
RANKED: dict[str, Callable[..., Value]] = {}
#: Of counts: name → oracle of (tp, fp, fn, tn, *, parameters).
COUNTED: dict[str, Callable[..., Value]] = {}
#: Of counts, where it is a function of the whole table of several categories: name → oracle of rows
#: of counts, true categories by predicted ones.
JOINT: dict[str, Callable[..., Value]] = {}


def ranked(name: str) -> Callable[[F], F]:
    """An oracle of a measure of rankings."""
    return _kept(RANKED, name)


def counted(name: str) -> Callable[[F], F]:
    """An oracle of a measure of counts."""
    return _kept(COUNTED, name)


def joint(name: str) -> Callable[[F], F]:
    """An oracle of a measure of the whole table of several categories."""
    return _kept(JOINT, name)


def _kept(place: dict[str, Callable[..., Value]], name: str) -> Callable[[F], F]:
    def keep(oracle: F) -> F:
        assert name not in place, f"{name} has two oracles"
        place[name] = oracle
        return oracle

    return keep
