"""Cases with labels of people and of a judge, and what systems say of them: how they are given, and
the result of several systems and measures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from precall.core.conventions import describe_conventions
from precall.core.errors import Fact, UsageError
from precall.core.notes import Severity, warn, warn_all
from precall.core.notes.of_judges import FewUnitsByPeople
from precall.core.ragged import Bool, Float64
from precall.core.text import as_text
from precall.judges.columns import (
    check_all_judged,
    check_binary,
    choice_of,
    column_of_units,
    columns_of,
)
from precall.judges.learning import (
    FEW,
    Question,
    check_choice_of_people,
    describe,
    notes_of_values,
)
from precall.judges.results import (
    JudgeAgreement,
    Judged,
    JudgedPair,
    JudgedValue,
    agreement_result,
)
from precall.measures.registry import Measure, direction_of
from precall.stats.double_sampling import Choice, agreement


class LabelledCases(NamedTuple):
    """The names of the cases, whether people labelled them, people's labels and the judge's."""

    names: Sequence[Any]
    seen: Bool
    people: Float64
    judge: Float64

    @classmethod
    def of(cls, people: object, judge: object) -> LabelledCases:
        """The cases as they were given; labels that are not allowed are refused."""
        names, own, other = columns_of(people, judge)
        seen = ~np.isnan(own)
        check_binary(own[seen], "people", "labels 0 and 1")
        check_all_judged(names, seen, other, "case")
        odd = other[(other < 0) | (other > 1)]
        if len(odd):
            raise UsageError(
                argument="judge",
                allowed="labels 0 and 1, or probabilities between them;",
                got=float(odd[0]),
                remedy="divide grades by the greatest one",
            )
        return cls(names, seen, own[seen], other)

    def question(
        self, of: str, level: float, probability: object, strata: object, groups: object
    ) -> Question:
        """What is to be learned, and how people's cases were chosen."""
        choice = choice_of(
            self.names,
            self.seen,
            "case",
            probability=probability,
            strata=strata,
            groups=groups,
        )
        check_choice_of_people(choice, of, "case")
        return Question(choice, of, level, "case")

    def systems(self, given: object, argument: str, noun: str) -> dict[str, Float64]:
        """By system, its number of each case; a single system has the name "".

        Parameters
        ----------
        given : one column, or {name: column}.
        argument : what it was given as.
        noun : what a system says of a case, a decision or a score.
        """
        if hasattr(type(given), "columns"):
            raise UsageError(
                argument=argument,
                allowed=f"a column, or {{name: column}} with a {noun} of each system;",
                got=Fact("a table"),
                remedy="pass {name: table[name] for name in its columns}",
            )
        several = isinstance(given, Mapping) and any(
            isinstance(each, Mapping) or (not np.isscalar(each) and each is not None)
            for each in given.values()
        )
        by_name: dict[Any, Any] = dict(given) if several else {"": given}  # type: ignore[call-overload]
        found: dict[str, Float64] = {}
        for name, each in by_name.items():
            place = f"{argument}[{as_text(name)!r}]" if several else argument
            column = column_of_units(each, self.names, place, "case")
            lacking = np.flatnonzero(np.isnan(column))
            if len(lacking):
                raise UsageError(
                    argument=place,
                    what=f"case {{got}} has no {noun}",
                    got=self.names[lacking[0]],
                    remedy=f"give every case a {noun}",
                )
            if noun == "decision":
                check_binary(column, place, "decisions 0 and 1")
            found[as_text(name)] = column
        return found

    def agreement(self, choice: Choice) -> JudgeAgreement | None:
        """Of labels; None if the judge gives probabilities."""
        if np.any((self.judge != 0) & (self.judge != 1)):
            return None
        weighted = choice.are_weighted or len(choice.parts) > 1
        found = agreement(
            self.people == 1,
            self.judge[choice.seen] == 1,
            weight=choice.share if weighted else None,
            group=None if choice.group is None else choice.group[choice.seen],
        )
        return agreement_result(found)


def measures_by_name(
    given: object, find: Callable[[str | Measure], Measure]
) -> tuple[list[Measure], dict[str, str]]:
    """The measures, each once, and their names by the names that were asked.

    Parameters
    ----------
    given : one or several.
    find : the measure of a name.
    """
    several: list[tuple[Any, Measure]] = []
    for name in [given] if isinstance(given, str) or not isinstance(given, Iterable) else given:
        if not isinstance(name, str | Measure):
            raise UsageError(
                argument="measures", allowed="names, or measures that measure() made", got=given
            )
        several.append((name, find(name)))
    if not several:
        raise UsageError("none given", argument="measures", remedy="name at least one")
    return (
        list({measure.name: measure for _, measure in several}.values()),
        {as_text(name): measure.name for name, measure in several},
    )


def judged_cases(
    values: Mapping[tuple[str, str], JudgedValue],
    pairs: Sequence[JudgedPair],
    asked: Question,
    names: Mapping[str, str],
    labels: JudgeAgreement | None,
    **conventions: str,
) -> Judged:
    """The result of several systems and measures.

    Parameters
    ----------
    values : by system and measure.
    pairs : of systems.
    asked : what was to be learned.
    names : the measures by the names that were asked.
    labels : how the labels agree.
    conventions : choices that the numbers depend on, beside those of the question.
    """
    runs = tuple(dict.fromkeys(run for run, _ in values))
    measures = tuple(dict.fromkeys(measure for _, measure in values))
    notes = tuple(dict.fromkeys(notes_of_values(values, pairs)))
    warn_all(note for note in notes if note.severity < Severity.INFORMATIVE)
    return Judged(
        values,
        tuple(pairs),
        runs,
        measures,
        labels,
        describe_conventions(**describe(asked), **conventions),
        dict(names),
        tuple(direction_of(measure) for measure in measures),
        notes,
    )


def with_source(found: Judged, file: str, columns: Mapping[str, str]) -> Judged:
    """The result, with the file and the columns of labels among its conventions.

    Parameters
    ----------
    found : the result.
    file : the name of the file.
    columns : the columns of people's and of the judge's labels.
    """
    described = dict(found.conventions)
    return replace(
        found,
        conventions={"precall": described.pop("precall"), "file": file, **columns, **described},
    )


def note_size(measure: str, asked: Question) -> None:
    """Note that people labelled few cases, or cases of few groups."""
    choice, units = asked.choice, len(asked.choice.share)
    if units < FEW:
        warn(FewUnitsByPeople(measure, units, f"{asked.unit}s"))
    elif choice.group is not None and choice.groups < FEW:
        warn(FewUnitsByPeople(measure, choice.groups, "groups"))
