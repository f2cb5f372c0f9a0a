"""Random numbers: from a seed or a generator, and what to record of them."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from precall.location.match import generator

__all__ = ["Rng", "generator", "seed_of"]

Rng: TypeAlias = int | np.random.Generator | None


def seed_of(source: np.random.Generator) -> int | None:
    """The entropy that a generator began with: as rng= it gives the same digits again.

    Examples
    --------
    >>> int(generator(1).integers(100)), seed_of(generator(1))
    (47, 1)
    """
    found = getattr(source.bit_generator.seed_seq, "entropy", None)
    return found if isinstance(found, int) else None
