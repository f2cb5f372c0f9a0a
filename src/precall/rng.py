"""Randomness: what `rng=` means, and the seed that results keep and print.

`rng` is a seed (an integer >= 0), a NumPy Generator or a SeedSequence; 0 is the default everywhere, so that
a call repeated gives the same digits, and None asks for a fresh seed. Whatever is given, a result draws from
one seed, and that seed as `rng=` gives the result again. A Generator gives one number, which is the seed: it
moves on, and the next call with it draws other numbers. One that nothing was drawn from gives the seed it was
made of, so that `default_rng(5)` is 5, once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numpy as np

from precall.checks import is_whole
from precall.errors import UsageError
from precall.text import written

__all__ = ["Rng", "by_seed", "check_rng", "generator", "seed_of", "seeded", "told"]

# As text: numpy.random, which takes 12 ms to import, waits until something is drawn.
Rng: TypeAlias = "int | np.random.Generator | np.random.SeedSequence | None"

#: Seeds made here are below this, so that every reader of JSON keeps their digits.
_SEEDS = 2**53
#: What other libraries call it.
_ELSEWHERE = {"seed", "random_state"}

_P = ParamSpec("_P")
_T = TypeVar("_T")


def seed_of(rng: Rng) -> int:
    """The seed of a result: as `rng=` it gives the same digits again.

    Raises
    ------
    UsageError
        It is neither a seed nor a source of one.

    Examples
    --------
    >>> seed_of(7), seed_of(np.random.SeedSequence(7))
    (7, 7)
    >>> source = np.random.default_rng(7)
    >>> seed_of(source), seed_of(source) == 7
    (7, False)
    """
    check_rng(rng)
    if rng is None:
        return _word(np.random.SeedSequence())
    if isinstance(rng, int | np.integer):
        return int(rng)
    if isinstance(rng, np.random.SeedSequence):
        whole = isinstance(rng.entropy, int) and not rng.spawn_key
        return int(rng.entropy) if whole else _word(rng)  # type: ignore[arg-type]
    seed, drawn = _unused(rng), int(rng.integers(_SEEDS))
    return drawn if seed is None else seed


def check_rng(rng: Any) -> None:
    """Raise unless it is a seed or a source of one, also where nothing is drawn."""
    if is_whole(rng) and rng >= 0:
        return
    if rng is not None and not isinstance(rng, np.random.SeedSequence | np.random.Generator):
        raise UsageError(
            f"rng: must be a seed, an integer >= 0, or a numpy Generator or SeedSequence, or None for a fresh seed; "
            f"got {written(rng)}"
        )


def generator(rng: Rng) -> np.random.Generator:
    """The generator that a result draws from."""
    return seeded(rng)[0]


def seeded(rng: Rng) -> tuple[np.random.Generator, int]:
    """The generator that a result draws from, and its seed, to be kept with the result."""
    seed = seed_of(rng)
    return np.random.default_rng(seed), seed


def told(seed: int | None) -> str:
    """How a line of text ends that tells of a result."""
    return "" if seed is None else f", seed {seed}"


def by_seed(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """The function, with an error that names `rng` for the names that other libraries have for it."""

    @wraps(function)
    def named(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        for name in kwargs.keys() & _ELSEWHERE:
            given = kwargs[name]
            raise UsageError(f"{name}: got {given!r}, but it is called rng here; pass rng={given!r}")
        for name in kwargs.keys() & {"metrics", "metric"}:
            raise UsageError(f"{name}: got {kwargs[name]!r}, but it is called measures here; pass measures=")
        if "rng" in kwargs:
            check_rng(kwargs["rng"])
        return function(*args, **kwargs)

    return named


def _unused(rng: np.random.Generator) -> int | None:
    """The seed that `default_rng` made the generator of, if nothing was drawn from it since."""
    bits, source = rng.bit_generator, rng.bit_generator.seed_seq
    if type(bits) is not np.random.PCG64 or not isinstance(source, np.random.SeedSequence):
        return None
    seed = source.entropy
    known = isinstance(seed, int) and not source.n_children_spawned
    return seed if known and bits.state == np.random.PCG64(seed).state else None  # type: ignore[return-value]


def _word(source: np.random.SeedSequence) -> int:
    return int(source.generate_state(1, np.uint64)[0]) % _SEEDS
