"""Several intervals by name, as one result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from precall.infer.interval.interval import Interval
from precall.notes import merged, warn
from precall.results import Presented, Table
from precall.text import printable


class Intervals(Presented, Mapping[Any, Interval]):
    """Intervals by measure, or by (run, measure) where there are several runs.

    `notes` are those of the intervals, each thing once with the names of all that it was said of.

    Examples
    --------
    >>> found = Intervals({"AP": Interval(0.5, 0.25, 0.75, 0.95, "t", "AP")})
    >>> found["AP"].low, len(found)
    (0.25, 1)
    >>> print(found)
    measure  estimate     low    high  level  method
    AP         0.5000  0.2500  0.7500   0.95       t
    <BLANKLINE>
    precall ...
    """

    def __init__(
        self, intervals: Mapping[Any, Interval], asked: Mapping[str, str] | None = None,
        notes: Sequence[str] | None = None, over: str = "run",
    ) -> None:  # fmt: skip
        if notes is None:
            notes = merged(note for interval in intervals.values() for note in interval.notes)
        self.notes = tuple(notes)
        self._over = over
        self._found: dict[Any, Interval] = dict(intervals)
        self._asked = dict(asked or {})

    def __getitem__(self, key: Any) -> Interval:
        given: Any = key
        if isinstance(key, str):
            given = self._asked.get(key, key)
        elif isinstance(key, tuple) and len(key) == 2:
            given = (key[0], self._asked.get(key[1], key[1]))
            if given not in self._found and given[1] in self._found:
                given = given[1]
        if given not in self._found:
            raise KeyError(f"{key!r}: there are {', '.join(map(str, self._found))}")
        return self._found[given]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        names = [" ".join(key) if isinstance(key, tuple) else str(key) for key in self._found]
        more = f" and {len(names) - 6} more" if len(names) > 6 else ""
        return printable(f"<Intervals: {', '.join(names[:6])}{more}>")

    def aloud(self) -> Intervals:
        """The same, after one warning that says all notes."""
        if self.notes:
            warn("; ".join(self.notes))
        return self

    @staticmethod
    def _names(key: Any) -> tuple[str, str]:
        """Run or category, and measure; the first is empty where the measure is of all together."""
        return key if isinstance(key, tuple) else ("", str(key))

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON: what each interval is of, its numbers, and the notes of all."""
        names = (self._over, "measure")
        intervals = [
            dict(zip(names, self._names(key), strict=True)) | interval.to_dict()
            for key, interval in self.items()
        ]
        return {"intervals": intervals, "notes": list(self.notes)}

    @property
    def table(self) -> Table:
        """Columns run (or category; empty where there is one), measure, estimate, low, high, level, method, seed, notes."""
        import numpy as np

        columns: dict[str, Any] = {
            name: [self._names(key)[place] for key in self]
            for place, name in enumerate((self._over, "measure"))
        }
        for name in ("estimate", "low", "high", "level"):
            columns[name] = np.array([getattr(interval, name) for interval in self.values()], np.float64)
        notes = ["; ".join(interval.notes) for interval in self.values()]
        # As texts: where nothing was drawn, there is none.
        seeds = ["" if interval.seed is None else str(interval.seed) for interval in self.values()]
        methods = [interval.method for interval in self.values()]
        return Table(columns | {"method": methods, "seed": seeds, "notes": notes})
