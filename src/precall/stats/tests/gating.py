"""Gates together: what is asked of systems before one takes the place of another, and whether all
of it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from precall.core.notes import Note, each, plain
from precall.core.notes.of_comparisons import OfSkewness
from precall.core.text import many
from precall.results.base import Presented
from precall.results.equality import Equal
from precall.stats.tests.equivalence import Gate


@dataclass(frozen=True, slots=True, eq=False)
class Gates(Equal, Presented):
    """Several gates, one per measure and system.

    Parameters
    ----------
    gates : in the order of the systems and measures.
    conventions : every choice that the numbers rest on.
    noticed : what should be known of the data, such as topics that a run lacks.

    Examples
    --------
    >>> from precall.stats.tests.equivalence import gate
    >>> from precall.stats.tests.paired import paired
    >>> import numpy as np
    >>> old, new = [0.5, 0.7, 0.9, 0.4, 0.8, 0.6], [0.4, 0.5, 0.7, 0.3, 0.6, 0.5]
    >>> gates = Gates((gate(paired(new, old, measure="AP"), np.subtract(new, old)),))
    >>> gates.passed, gates.verdict
    (False, 'Failed: AP of a is worse than that of b.')
    """

    gates: tuple[Gate, ...]
    conventions: Mapping[str, str] = field(default_factory=dict)
    noticed: tuple[Note, ...] = ()

    @property
    def failed(self) -> tuple[Gate, ...]:
        """Those that did not pass."""
        return tuple(gate for gate in self.gates if not gate.passed)

    @property
    def passed(self) -> bool:
        """Whether all passed."""
        return not self.failed

    @property
    def verdict(self) -> str:
        """What they come to, in one sentence; of failed ones, which."""
        return "{}: {}.".format(*self.pieces)

    @property
    def pieces(self) -> tuple[str, str]:
        """The sentence in two: whether they passed, and how many, or which failed."""
        if self.passed:
            return "Passed", many(len(self.gates), "gate")
        lost = "; ".join(map(lost_in_words, self.failed))
        rest = f" ({len(self.failed)} of {len(self.gates)} gates)" if len(self.gates) > 1 else ""
        return "Failed", lost + rest

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader should know of the data and of them, each once."""
        return tuple(dict.fromkeys((*self.noticed, *notes_of_gates(self.gates, self.noticed))))

    def to_junit(self) -> str:
        """As JUnit XML, a test case for each gate."""
        return self._text("junit")

    def beside(self, known: Iterable[Note]) -> Gates:
        """These gates without what is said of the data, and without what stands beside them.

        Parameters
        ----------
        known : notes of the comparisons that they were made of.
        """
        own = [replace(gate, notes=tuple(notes_of_gates([gate], known))) for gate in self.gates]
        return replace(self, gates=tuple(own), noticed=())

    def __repr__(self) -> str:
        return f"<Gates: {len(self.gates)}, {len(self.failed)} failed>"


def notes_of_gates(gates: Iterable[Gate], known: Iterable[Note] = ()) -> list[Note]:
    """What is to be known of each gate, the shape of differences by measure and pair; without what
    is `known` of a pair.
    """
    told = [
        (_alone(note), set(note.context)) for note in each(known) if isinstance(note, OfSkewness)
    ]
    notes: list[Note] = []
    for gate in gates:
        pair = " - ".join(gate.names)
        places = {pair, gate.label, gate.label.removeprefix("log ")}
        of_pair = [note for note, context in told if context <= places]
        for note in gate.notes:
            if not isinstance(note, OfSkewness) or note.context:
                notes.append(note)
            elif note not in of_pair:
                notes.append(note.within(pair).within(gate.label))
    return notes


def _alone(note: Note) -> Note:
    """A note without what its subject is in."""
    return type(note)(**note.facts)


def lost_in_words(gate: Gate) -> str:
    """What a failed gate says, without its numbers."""
    system, other = gate.names
    if gate.margin is None:
        return f"{gate.label} of {system} is worse than that of {other}"
    return (
        f"a loss of {gate.margin:g} or more of {gate.label} against {other} could not be ruled "
        f"out for {system}"
    )


def facts(gate: Gate) -> dict[str, Any]:
    """A gate as plain data."""
    return {
        "a": gate.names[0],
        "b": gate.names[1],
        "measure": gate.measure,
        "name": gate.name,
        "value": gate.value,
        "bound": gate.bound,
        "margin": gate.margin,
        "passed": gate.passed,
        "p": gate.p,
        "text": gate.text,
        "notes": plain(gate.notes),
    } | ({"head": gate.head} if gate.head else {})
