"""Random numbers: from a seed or a generator, and what to record of them."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from precall.errors import UsageError

Rng: TypeAlias = int | np.random.Generator | None


def generator(rng: Rng) -> np.random.Generator:
    """A NumPy generator from a seed, or the one given; from the system's entropy for None.

    Examples
    --------
    >>> int(generator(1).integers(100)), seed_of(generator(1))
    (47, 1)
    """
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise UsageError(
            f"rng: must be a seed, an integer >= 0, or a numpy Generator; got {rng!r} ({error})"
        ) from None


def seed_of(source: np.random.Generator) -> int | None:
    """The entropy that a generator began with: as rng= it gives the same digits again."""
    found = getattr(source.bit_generator.seed_seq, "entropy", None)
    return found if isinstance(found, int) else None
