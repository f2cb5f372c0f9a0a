"""What people label next: units drawn at random, with their probability."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core.arguments import check_choice, check_whole
from precall.core.conventions import ConventionOptions, Conventions
from precall.core.errors import UsageError
from precall.core.notes import Note, collect_notes
from precall.core.ragged import Float64, Int64
from precall.core.rng import Rng, generator_and_seed
from precall.core.text import as_text, printable
from precall.evaluation.api import evaluate_by, measures_of, read_runs_of
from precall.evaluation.report import data_notes
from precall.judges.columns import by_unit, check_all_judged, codes_of, columns_of
from precall.judges.rankings import disagreement, items_to_label
from precall.judges.topics import (
    check_conventions,
    check_labels,
    conventions_of_read,
    read_labels,
    topics_of_all,
)
from precall.native import thread_count
from precall.results.equality import Equal
from precall.results.sheets import Presented
from precall.stats.double_planning import LEAST
from precall.stats.stratified_choice import allocate, draw, strata_by, weights_of

if TYPE_CHECKING:
    from typing import Unpack

    from precall.measures import Measure

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


def sample(
    judge: object,
    run: object = None,
    measure: str | Measure | None = None,
    *,
    n: int,
    by: str = "alike",
    strata: object = None,
    rng: Rng = 0,
    threads: int | None = None,
    **conventions: Unpack[ConventionOptions],
) -> JudgeSample:
    """What people label next: units drawn at random, with their probability.

    Of qrels and runs it draws topics, and lists the items of each that people must label. Of
    numbers it draws units, such as answers.

    Parameters
    ----------
    judge : the judge's qrels of all topics, as for `judge`; or its number of each unit, as for
        `judge.values`, without runs.
    run : the runs that will be measured, one or several; None if the judge has numbers.
    measure : the measure, which says how deep people must label: the first k of every run for
        P@k, everything that the judge labelled for AP, nDCG and recall. Of several, name the
        one that looks deepest.
    n : how many topics or units people will label; see `judge.plan`.
    by : "alike": all with the same probability; "judge": of up to four strata of the judge's
        numbers, each by its size; "systems": the more often, the more the runs disagree in a
        topic, for the difference of systems but not for their means; "doubt": of numbers that are
        chances, the more often, the nearer they are to a half, for labels that are rare.
    strata : the stratum of each unit, {unit: stratum} or a column, to draw from each by its
        size.
    rng : seed or NumPy Generator of the choice.
    threads : see `evaluate`.
    **conventions : those of `evaluate`, as `judge` will be asked with.

    Returns
    -------
    JudgeSample
        `sample.save("label.csv")` writes what to label. Filled in, it is people's labels for
        `judge`, which finds the probabilities in it.

    Raises
    ------
    DataError
        A file is not as it must be.
    UsageError
        `n` is below 10 or above the number of units; strata are too small; or an argument is
        not allowed.

    Notes
    -----
    A fixed number of each stratum is drawn without replacement, so that the probability is that
    number over the size of the stratum. With "systems" and "doubt" a fifth of the budget is the
    same for all units, and the rest in proportion to how far people may be from the judge
    (Neyman 1934): the root of the sum over items of the variance between runs of what an item
    counts, or sqrt(m (1 - m)) for a chance m.

    Examples
    --------
    >>> from precall import judge
    >>> run = {f"q{i}": ["a", "b", "c"] for i in range(40)}
    >>> llm = {f"q{i}": {"a": int(i % 3 > 0), "b": i % 2} for i in range(40)}
    >>> sample = judge.sample(llm, run, "P@2", n=12)
    >>> sample.drawn[:3], round(sample.probability["q0"], 2)
    (('q0', 'q1', 'q2'), 0.3)
    """
    if strata is not None and by != "alike":
        raise UsageError(
            argument="by",
            got=by,
            what="makes strata of its own",
            remedy="leave it out, or leave ⟨strata=⟩ out",
        )
    if run is not None:

        def strata_of(names: list[str]) -> tuple[Int64, list[str]]:
            return _named_codes(strata, names, "topic")

        return _sample_of_topics(
            judge,
            run,
            measure,
            Conventions(**conventions),
            n,
            by,
            None if strata is None else strata_of,
            rng,
            threads,
        )
    given = {"measure": measure, "threads": threads, **conventions}
    for name, value in given.items():
        if value is not None:
            raise UsageError(
                argument=name,
                got=value,
                what="is for runs, and there is none",
                remedy="give the runs, or leave it out",
            )
    names, number, _ = columns_of(judge, judge)
    check_all_judged(names, np.zeros(len(names), np.bool_), number)
    own = None if strata is None else _named_codes(strata, names, "unit")
    return _sample_of_units(names, number, n, by, own, rng)


def _sample_of_topics(
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
    wanted = {topics[place] for place in drawn}
    to_label = items_to_label(wanted, labels, runs, chosen, conventions)
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
        tuple(data_notes(report)),
    )


def _sample_of_units(
    names: Sequence[Any],
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


def _named_codes(given: object, names: Sequence[Any], unit: str) -> tuple[Int64, list[str]]:
    """The stratum of each unit, and the names of strata."""
    codes = codes_of(given, names, "strata", unit)
    values = by_unit(given, names, "strata", unit)
    by_code = dict(zip(codes.tolist(), values, strict=True))
    return codes, [as_text(by_code[code]) for code in range(len(by_code))]
