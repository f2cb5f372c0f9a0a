"""Sheets of posteriors: of one measure, and of two systems side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from precall.core.conventions import describe_conventions
from precall.core.notes.of_null import HigherBy, HigherOfTwo, RightAlone
from precall.results.base import Sheet
from precall.results.blocks import Block, Line, Row, block_of_values
from precall.stats.quantiles import ENDS, QUANTILES

if TYPE_CHECKING:
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
