"""Several gates together: conditions on a system before it replaces another, and whether all of
them hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from precall.core.notes import Note, iterate_notes, notes_to_json
from precall.core.notes.of_comparisons import NeverFails, OfSkewness
from precall.core.text import join_in_sentence, many, printable
from precall.results.equality import Equal
from precall.results.sheets import Presented
from precall.stats.tests.equivalence import Gate


@dataclass(frozen=True, slots=True, eq=False)
class Gates(Equal, Presented):
    """Several gates, one per measure and system.

    Parameters
    ----------
    gates : the gates, in the order of the systems and measures.
    conventions : every choice that the numbers depend on.
    noticed : notes on the data, such as topics that a run lacks.

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
        """The gates that did not pass."""
        return tuple(gate for gate in self.gates if not gate.passed)

    @property
    def passed(self) -> bool:
        """Whether all gates passed."""
        return not self.failed

    @property
    def verdict(self) -> str:
        """The outcome in one sentence, with the names of failed gates."""
        return "{}: {}.".format(*self.pieces)

    @property
    def pieces(self) -> tuple[str, str]:
        """The two parts of the sentence: whether all passed; and how many there are, or which
        failed.
        """
        if self.passed:
            return self._tell_all_pass()
        failed_gates = printable("; ".join(losses_in_words(self.failed)))
        count = f" ({len(self.failed)} of {len(self.gates)} gates)" if len(self.gates) > 1 else ""
        return "Failed", failed_gates + count

    def _tell_all_pass(self) -> tuple[str, str]:
        """The two parts of the sentence if all passed; also whether they could have failed."""
        count, idle = many(len(self.gates), "gate"), self.idle
        if not idle:
            return "Passed", count
        few = f"({NeverFails.in_brackets([note for _, note in idle])})"
        if len(idle) == len(self.gates):
            return "Passed, but could not have failed", f"{count} {few}"
        return "Passed", f"{count}, but {len(idle)} of them could not have failed {few}"

    @property
    def idle(self) -> tuple[tuple[Gate, NeverFails], ...]:
        """The gates that could not have failed, because too few topics differ; each with the note
        that says so.
        """
        return tuple(
            (gate, note)
            for gate in self.gates
            for note in gate.notes
            if isinstance(note, NeverFails)
        )

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes on the data and on the gates, each once."""
        return tuple(dict.fromkeys((*self.noticed, *notes_of_gates(self.gates, self.noticed))))

    def to_junit(self) -> str:
        """JUnit XML with a test case for each gate."""
        return self._text("junit")

    def without_notes(self, known: Iterable[Note]) -> Gates:
        """These gates without the notes on the data, and without notes that are shown beside them.

        Parameters
        ----------
        known : notes of the comparisons that the gates were made from.
        """
        own = [replace(gate, notes=tuple(notes_of_gates([gate], known))) for gate in self.gates]
        return replace(self, gates=tuple(own), noticed=())

    def __repr__(self) -> str:
        return f"<Gates: {len(self.gates)}, {len(self.failed)} failed>"


def notes_of_gates(gates: Iterable[Gate], known: Iterable[Note] = ()) -> list[Note]:
    """The notes of each gate; notes on skewness have their measure and pair, and are left out if
    they are `known` for the pair.
    """
    known_notes = [
        (_alone(note.with_interval(False)), set(note.context))
        for note in iterate_notes(known)
        if isinstance(note, OfSkewness)
    ]
    notes: list[Note] = []
    for gate in gates:
        pair = " - ".join(gate.names)
        contexts = {pair, gate.label, gate.label.removeprefix("log ")}
        of_pair = [note for note, context in known_notes if context <= contexts]
        for note in gate.notes:
            if not isinstance(note, OfSkewness) or note.context:
                notes.append(note)
            elif note.with_interval(False) not in of_pair:
                notes.append(note.within(pair).within(gate.label))
    return notes


def _alone(note: Note) -> Note:
    """A note without its context."""
    return type(note)(**note.facts).in_words_of(note.vocabulary)


def questions(gates: Iterable[Gate]) -> dict[tuple[str, float | None, str], list[Gate]]:
    """The gates by measure, margin and baseline; these differ only in the system."""
    by_question: dict[tuple[str, float | None, str], list[Gate]] = {}
    for gate in gates:
        by_question.setdefault((gate.label, gate.margin, gate.names[1]), []).append(gate)
    return by_question


def losses_in_words(gates: Iterable[Gate]) -> Iterator[str]:
    """The failures of gates in words, without their numbers; a text for each measure, margin and
    baseline.
    """
    for (label, margin, baseline), failed in questions(gates).items():
        systems = join_in_sentence([gate.names[0] for gate in failed])
        yield (
            f"{label} of {systems} is worse than that of {baseline}"
            if margin is None
            else f"a loss of {margin:g} or more of {label} against {baseline} could not be ruled "
            f"out for {systems}"
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
        "notes": notes_to_json(gate.notes),
    } | ({"head": gate.head} if gate.head else {})
