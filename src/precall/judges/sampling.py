"""What people label next: units drawn at random, with their probability."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from precall.core.arguments import check_choice, check_whole
from precall.core.conventions import Conventions
from precall.core.errors import UsageError
from precall.core.notes import Note, collect_notes
from precall.core.ragged import Float64, Int64
from precall.core.rng import Rng, generator_and_seed
from precall.core.text import printable
from precall.evaluation.api import evaluate_by, measures_of, read_runs_of
from precall.evaluation.report import data_notes
from precall.judges.rankings import disagreement, items_to_label
from precall.judges.topics import (
    check_conventions,
    check_labels,
    conventions_of_read,
    read_labels,
    topics_of_all,
)
from precall.native import thread_count
from precall.results.base import Presented
from precall.results.equality import Equal
from precall.stats.double_planning import LEAST
from precall.stats.stratified_choice import allocate, draw, strata_by, weights_of

#: By what units are drawn.
OF_TOPICS, OF_UNITS = ("judge", "systems", "alike"), ("judge", "doubt", "alike")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class JudgeSample(Equal, Presented):
    """What people label next, with the probability with which it was drawn.

    `sample.save("label.csv")` writes a table with a row for each label. With grades filled in,
    that file is people's labels for `judge`, which finds the probabilities in it.

    Attributes
    ----------
    drawn : the units to label.
    probability : of each unit, {unit: p}; of all units, those that were not drawn among them.
    stratum : of each unit, {unit: stratum}.
    items : by topic, the items to label in a random order; None if units have no items.
    by : by what units were drawn.
    seed : of the random choice.
    unit : the noun of a unit.
    measure : the measure whose depth decides which items are to be labelled.
    conventions : choices that the sample depends on.
    notes : what was noticed about the data.

    Examples
    --------
    >>> from precall import judge
    >>> run = {f"q{i}": ["a", "b", "c"] for i in range(40)}
    >>> llm = {f"q{i}": {"a": int(i % 3 > 0), "b": i % 2} for i in range(40)}
    >>> sample = judge.sample(llm, run, "P@2", n=12)
    >>> len(sample.drawn), sorted(sample.items[sample.drawn[0]])
    (12, ['a', 'b'])
    """

    drawn: tuple[Any, ...]
    probability: Mapping[Any, float]
    stratum: Mapping[Any, str]
    items: Mapping[Any, tuple[str, ...]] | None
    by: str
    seed: int
    unit: str = "topic"
    measure: str = ""
    conventions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return printable(
            f"<JudgeSample: {len(self.drawn)} of {len(self.probability)} {self.unit}s>"
        )


def sample_of_topics(
    judge: object,
    run: object,
    measure: object,
    conventions: Conventions,
    n: int,
    by: str,
    strata_of: Callable[[list[str]], tuple[Int64, list[str]]] | None,
    rng: Rng,
    threads: int | None,
) -> JudgeSample:
    """Topics, and the items of each that people must label.

    Parameters
    ----------
    judge : the judge's labels of all topics.
    run : one run, or several.
    measure : what will be measured.
    conventions : those of `evaluate`.
    n : how many topics.
    by : one of `OF_TOPICS`.
    strata_of : makes the stratum of each topic and the names of strata; None if they are made here.
    rng : seed of the choice.
    threads : see `precall.evaluate`.
    """
    check_choice("by", by, OF_TOPICS)
    check_conventions(conventions)
    threads = thread_count(threads)
    labels = read_labels(judge, conventions, threads, "judge")
    runs = read_runs_of(run, conventions, threads)
    if by == "systems" and len(runs) < 2:
        raise UsageError(
            argument="by",
            got="systems",
            what="a single run disagrees with none",
            remedy="name two runs or more, or take ⟨by='judge'⟩",
        )
    settled = conventions_of_read(conventions)
    with collect_notes():
        report = evaluate_by(settled, labels, runs, measure, 0, threads, None)  # type: ignore[arg-type]
    if len(report.measures) > 1:
        raise UsageError(
            argument="measure",
            what="each has items of its own that it looks at",
            got=", ".join(report.heads),
            remedy="name the one that looks deepest",
        )
    topics = topics_of_all(report)
    check_labels(topics, labels)
    chosen = measures_of(list(report.measures), conventions.grade)[0][0]
    _check_size(n, len(topics), "topic")
    values = report.values_by_run(report.measures[0])
    number = np.array([[values[name][topic] for name in runs] for topic in topics]).mean(axis=1)
    spread = disagreement(topics, runs, chosen, conventions.ties) if by == "systems" else None
    own = None if strata_of is None else strata_of(topics)
    drawn, probability, stratum, seed = _draw(number, spread, n, by, own, rng, "topic")
    generator = np.random.default_rng([seed, 1])
    items = {}
    to_label = items_to_label(labels, runs, chosen, conventions)
    for place in drawn:
        order = sorted(to_label(topics[place]))
        items[topics[place]] = tuple(order[i] for i in generator.permutation(len(order)))
    rest = {name: text for name, text in report.conventions.items() if name != "qrels"}
    return JudgeSample(
        tuple(topics[place] for place in drawn),
        dict(zip(topics, probability, strict=True)),
        dict(zip(topics, stratum, strict=True)),
        items,
        "strata" if own is not None else by,
        seed,
        "topic",
        report.heads[0],
        {**rest, **_described(by, own, seed)},
        data_notes(report),
    )


def sample_of_units(
    names: list[Any],
    number: Float64,
    n: int,
    by: str,
    own: tuple[Int64, list[str]] | None,
    rng: Rng,
) -> JudgeSample:
    """Units to which the judge gave a number each.

    Parameters
    ----------
    names : of the units.
    number : the judge's.
    n : how many units.
    by : one of `OF_UNITS`.
    own : the stratum of each unit and the names of strata; None if they are made here.
    rng : seed of the choice.
    """
    check_choice("by", by, OF_UNITS)
    _check_size(n, len(names), "unit")
    spread = _doubt(number) if by == "doubt" else None
    drawn, probability, stratum, seed = _draw(number, spread, n, by, own, rng, "unit")
    return JudgeSample(
        tuple(names[place] for place in drawn),
        dict(zip(names, probability, strict=True)),
        dict(zip(names, stratum, strict=True)),
        None,
        "strata" if own is not None else by,
        seed,
        "unit",
        "",
        _described(by, own, seed),
    )


def _described(by: str, own: object, seed: int) -> dict[str, str]:
    return {"drawn": "in strata that were given" if own is not None else by, "seed": str(seed)}


def _doubt(number: Float64) -> Float64:
    """The deviation of a label 0 or 1 whose chance is the judge's number."""
    if number.min() < 0 or number.max() > 1:
        raise UsageError(
            argument="by",
            got="doubt",
            what="takes the judge's numbers for chances, and some are not in [0, 1]",
            remedy="take ⟨by='judge'⟩",
        )
    spread: Float64 = np.sqrt(number * (1 - number))
    if not spread.any():
        raise UsageError(
            argument="by",
            got="doubt",
            what="the judge's numbers are all 0 or 1, and tell no doubt",
            remedy="take ⟨by='judge'⟩",
        )
    return spread


def _check_size(n: int, units: int, unit: str) -> None:
    check_whole("n", n, LEAST)
    if n > units:
        raise UsageError(
            argument="n", allowed=f"at most the {units} {unit}s that the judge labelled;", got=n
        )


def _draw(
    number: Float64,
    spread: Float64 | None,
    n: int,
    by: str,
    own: tuple[Int64, list[str]] | None,
    rng: Rng,
    unit: str,
) -> tuple[list[int], list[float], list[str], int]:
    """The units that are drawn; the probability and the stratum of each of all; and the seed."""
    generator, seed = generator_and_seed(rng)
    weight = None if spread is None else weights_of(spread)
    if own is not None:
        stratum, labels = own
        least = max(LEAST, len(labels) + 3)
        sizes = np.bincount(stratum)
        if n < max(least, 2 * len(labels)) or sizes.min() < 2:
            raise UsageError(
                argument="strata",
                got=f"{len(labels)} for {n} {unit}s, the smallest with {sizes.min()}",
                allowed=f"strata of two {unit}s or more, and two of each to label",
                remedy="join strata, or draw more",
            )
    else:
        stratum = np.zeros(len(number), np.int64)
        if by != "alike":
            stratum = strata_by(number if spread is None else spread, n, weight)
        labels = [str(each + 1) for each in range(int(stratum.max()) + 1)]
    drawn, probability = draw(stratum, allocate(stratum, n, weight), generator)
    return drawn.tolist(), probability.tolist(), [labels[each] for each in stratum], seed
