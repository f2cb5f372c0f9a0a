"""Sheets of posteriors: of one measure, and of two systems side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from precall.core.conventions import describe_conventions
from precall.core.notes.of_null import HigherBy, HigherOfTwo, RightAlone
from precall.results.blocks import Block, Line, Row, block_of_values
from precall.results.sheets import Sheet
from precall.stats.quantiles import ENDS, QUANTILES

if TYPE_CHECKING:
    from precall.stats.tests.bare_counts import CountPosteriors, WinPosterior
    from precall.stats.tests.bayes import Posterior
    from precall.stats.tests.joint_posteriors import Better, JointPosteriors


def posterior_sheet(posterior: Posterior) -> Sheet:
    """The sheet of one posterior: its mean and three quantiles."""
    values = (posterior.mean, *posterior.ppf(list(QUANTILES)).tolist())
    statistics = dict(zip(("mean", *ENDS), values, strict=True))
    return Sheet(
        "precall.posterior/2",
        describe_conventions(),
        (block_of_values(("posterior", posterior.name), statistics),),
        (),
        {"posterior": posterior.name, "statistics": statistics},
        ("posterior", "statistic", "value"),
        tuple((posterior.name, *row) for row in statistics.items()),
    )


_OF_BETTER = ("measure", "a", "b", "difference", "low", "high", "paired", "independent")


def joint_sheet(posteriors: JointPosteriors) -> Sheet:
    """The sheet of two systems: posterior means of precision, recall and F, and the probability
    that the first is higher.
    """
    first, second = posteriors.names
    rows = tuple(map(_better, posteriors.measures))
    right, f = posteriors.right, posteriors.f
    higher_of_two = HigherOfTwo("", first, second, f.paired.how, posteriors.prior / 2)
    of_right = RightAlone("", right.how)
    block = Block(
        "",
        ("posterior mean", first, second, *_OF_BETTER[3:6], "P(higher)"),
        _lines([row[:-1] for row in rows]),
        legends=(higher_of_two,),
    )
    own = Block(
        "",
        ("P(higher)", "same items", "own items"),
        _lines([(row[0], *row[-2:]) for row in rows]),
        detail="probabilities for independent items",
    )
    right_alone = block_of_values(
        ("right alone", "value"),
        {f"P({first} more often)": right.greater, f"P({second} more often)": right.less},
    )
    conventions = describe_conventions(
        prior=f"{posteriors.prior:g}",
        level=f"{f.level:.12g}",
        samples=str(posteriors.samples),
        seed=str(posteriors.seed),
    )
    notes = (
        higher_of_two,
        of_right,
        *posteriors.notes,
    )
    higher, p = (first, f.greater) if f.greater >= f.less else (second, f.less)
    body = {
        "a": first,
        "b": second,
        "counts": posteriors.counts,
        "measures": [dict(zip(_OF_BETTER, row, strict=True)) for row in rows],
        "right alone": {"greater": right.greater, "less": right.less},
    }
    tidy = tuple(
        (measure, name, value)
        for measure, *row in rows
        for name, value in zip(_OF_BETTER[1:], row, strict=True)
    )
    more = (("right alone", "paired", right.greater),)
    return Sheet(
        "precall.posteriors/2",
        conventions,
        (
            block,
            own,
            replace(right_alone, detail="items of which one is right", legends=(of_right,)),
        ),
        notes,
        body,
        ("measure", "statistic", "value"),
        tidy + more,
        f"{higher} has the higher {f.name} with probability {p:.4g}.",
    )


def better_sheet(better: Better) -> Sheet:
    """The sheet of one measure of two systems."""
    row = _better(better)
    block = Block("", ("posterior mean", *_OF_BETTER[1:]), _lines([row]))
    conventions = describe_conventions(level=f"{better.level:.12g}")
    notes = (HigherBy("", better.paired.how, better.independent.how),)
    return Sheet(
        "precall.posteriors/2",
        conventions,
        (block,),
        notes,
        dict(zip(_OF_BETTER, row, strict=True)),
        _OF_BETTER,
        (row,),
    )


def _better(better: Better) -> Row:
    means = better.a.mean, better.b.mean
    return (
        better.name,
        *means,
        better.difference,
        better.low,
        better.high,
        better.paired.greater,
        better.independent.greater,
    )


def _lines(rows: Sequence[Row]) -> tuple[Line, ...]:
    return tuple(Line(str(name), tuple(values)) for name, *values in rows)


def counts_sheet(found: CountPosteriors) -> Sheet:
    """The sheet of posteriors from bare counts: a row for each measure."""
    columns = ("measure", "value", "low", "median", "high")
    table = (found.value, found.low, found.median, found.high)
    numbers = zip(*(column.tolist() for column in table), strict=True)
    rows: tuple[Row, ...] = tuple(
        (name, *values) for name, values in zip(found.measures, numbers, strict=True)
    )
    cells = dict(zip(("tp", "fp", "fn", "tn"), found.counts, strict=True))
    counted = ", ".join(
        f"{name} {count:.12g}" for name, count in cells.items() if count is not None
    )
    return Sheet(
        "precall.count-posteriors/2",
        describe_conventions(
            counts=counted, prior=f"{found.prior:.12g} for each", level=f"{found.level:.12g}"
        ),
        (Block("", columns, _lines(rows)),),
        (),
        {
            "counts": cells,
            "prior": found.prior,
            "level": found.level,
            "measures": [dict(zip(columns, row, strict=True)) for row in rows],
        },
        columns,
        rows,
    )


def wins_sheet(found: WinPosterior) -> Sheet:
    """The sheet of wins, ties and losses: the probabilities, and the difference of the shares."""
    counted = {"wins": found.wins, "ties": found.ties, "losses": found.losses}
    three = ("first better", "practically equal", "second better")
    better = (found.better.greater, found.better.equivalent, found.better.less)
    most = (found.most.greater, found.most.equivalent, found.most.less)
    chances = block_of_values(("probability", "value"), dict(zip(three, better, strict=True)))
    share = Block(
        "",
        ("share of wins - losses", "mean", "low", "high"),
        (Line("", (found.difference, found.low, found.high)),),
    )
    greatest = block_of_values(
        ("the greatest share has", "probability"), dict(zip(counted, most, strict=True))
    )
    conventions = describe_conventions(
        counts=", ".join(f"{count:.12g} {name}" for name, count in counted.items()),
        prior=", ".join(f"{weight:.12g}" for weight in found.prior),
        rope=f"{found.rope:.12g}",
        level=f"{found.level:.12g}",
    )
    side, chance = max(zip(three, better, strict=True), key=lambda pair: pair[1])
    body = {
        "counts": counted,
        "prior": list(found.prior),
        "rope": found.rope,
        "level": found.level,
        "difference": found.difference,
        "low": found.low,
        "high": found.high,
        "better": dict(zip(_WAYS, better, strict=True)),
        "most": dict(zip(counted, most, strict=True)),
    }
    tidy = (
        *((name, chance) for name, chance in zip(_WAYS, better, strict=True)),
        ("difference", found.difference),
        ("low", found.low),
        ("high", found.high),
        *((f"most {name}", chance) for name, chance in zip(counted, most, strict=True)),
    )
    words = {"first better": "The first is better", "second better": "The second is better"}
    verdict = f"{words.get(side, 'They are practically equal')} with probability {chance:.4g}."
    return Sheet(
        "precall.wins/2",
        conventions,
        (chances, share, greatest),
        (),
        body,
        ("statistic", "value"),
        tidy,
        verdict,
    )


_WAYS = ("greater", "equivalent", "less")
