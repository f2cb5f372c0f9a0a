"""`compare.rbo`: rank-biased overlap of two runs, topic by topic and its mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from precall.core.arguments import check_number, check_whole
from precall.core.conventions import describe_conventions
from precall.core.errors import UsageError
from precall.core.notes import Note
from precall.core.ragged import Int64, changes
from precall.core.text import number, printable
from precall.location.items import ItemsByTopic, mates, order_of_rows
from precall.read.columns import Run
from precall.read.readers import read_run
from precall.results.blocks import block_of_rows, block_of_values
from precall.results.equality import Equal
from precall.results.sheets import Presented, Sheet, Table
from precall.stats.tests.pairing import align_values, check_two, tell_left_out

#: Columns of the table of topics: the overlap if the rankings went on as they began, the least one,
#: and how far it may be above the least.
_VALUES = ("rbo", "least", "residual")
_SHOWN = ("RBO", "least RBO", "residual")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Overlap(Equal, Presented):
    """Rank-biased overlap of two runs: 1 if their rankings are equal, 0 if they share no item.

    Attributes
    ----------
    runs : the names of both runs.
    p : the persistence.
    rbo : mean over topics of the overlap that is extrapolated from what both rankings show (RBO_EXT
        of the paper).
    least : mean of the least overlap that is possible, whatever follows below the rankings
        (RBO_MIN).
    residual : mean of the distance from the least to the greatest possible overlap (RBO_RES).
    per_topic : a table with the same three numbers of each topic.
    conventions : choices that the numbers depend on.
    notes : what was noticed about the runs.

    Examples
    --------
    >>> from precall import compare
    >>> found = compare.rbo({"q1": ["a", "b", "c"]}, {"q1": ["b", "a", "c"]}, p=0.5)
    >>> round(found.rbo, 4), round(found.least, 4), round(found.residual, 4)
    (0.5, 0.4544, 0.0456)
    >>> found.per_topic["topic"]
    ['q1']
    """

    runs: tuple[str, str]
    p: float
    rbo: float
    least: float
    residual: float
    per_topic: Table
    conventions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        first, second = self.runs
        return printable(f"<Overlap of {first} and {second}: RBO {number(self.rbo)}>")


def rbo(
    a: object,
    b: object,
    p: float = 0.9,
    *,
    depth: int | None = None,
    unpaired: str = "error",
    names: tuple[str, str] | None = None,
) -> Overlap:
    """Rank-biased overlap of two runs: how alike their rankings are, above all at the top, without
    any judgements.

    It is the mean share of common items of a reader who compares both rankings from the top, and
    goes on from each depth to the next with probability p. The first ten ranks have 86 % of the
    weight with p = .9, and 99.98 % with p = .5.

    Parameters
    ----------
    a : the first run, as `read_run` takes it: a path, {topic: {item: score}}, {topic: [item, ...]},
        a data frame or others.
    b : the second run.
    p : the persistence, in (0, 1).
    depth : compare the first items down to this rank only; None compares all.
    unpaired : how to treat topics that one run lacks, or for which it found nothing: "error", or
        "drop" them.
    names : names of the two runs, for printing (default: their own).

    Returns
    -------
    Overlap
        `rbo`, `least` and `residual` are means over topics, `per_topic` has each topic.

    Raises
    ------
    DataError
        A run cannot be read, or a topic is in one run only.
    UsageError
        An option is not allowed.

    Notes
    -----
    Rankings end, so the overlap below is unknown. `rbo` extrapolates: the agreement at the end of
    both rankings goes on. `least` and `least` + `residual` are its bounds. Items of equal score
    share the rank of the first of them, and the agreement at depth d is twice the number of common
    items over the numbers of items of both rankings down to rank d.

    References
    ----------
    Webber, Moffat & Zobel, "A similarity measure for indefinite rankings", ACM TOIS 28(4), 2010.

    Examples
    --------
    >>> from precall import compare
    >>> bm25 = {"q1": {"a": 3.0, "b": 2.0}, "q2": {"c": 1.0}}
    >>> dense = {"q1": {"a": 0.9, "c": 0.8}, "q2": {"c": 0.7}}
    >>> found = compare.rbo(bm25, dense, p=0.9)
    >>> found.per_topic["rbo"].round(4).tolist(), round(found.rbo, 4)
    ([0.55, 1.0], 0.775)
    """
    p = check_number("p", p)
    if not 0 < p < 1:
        raise UsageError(argument="p", got=p, allowed="a number > 0 and < 1")
    if depth is not None:
        depth = check_whole("depth", depth, 1)
    first, second = read_run(a), read_run(b)
    if names is None:
        same = first.name == second.name
        names = ("a", "b") if same else (first.name, second.name)
    names = check_two(names)
    above, below, common = _ranks_by_topic(first, second, depth)
    # Nothing can be extrapolated from an empty ranking: its run lacks the topic. If both are empty,
    # one of the runs is said to lack it, so that it is not left out in silence.
    present = (
        [topic for topic in above if len(above[topic]) or not len(below.get(topic, ()))],
        [topic for topic in below if len(below[topic])],
    )
    topics = {name: dict.fromkeys(of, 0.0) for name, of in zip(names, present, strict=True)}
    _, shared, dropped = align_values(topics, unpaired)
    values = np.array([_overlap(above[topic], below[topic], common[topic], p) for topic in shared])
    columns = {"topic": list(shared), **dict(zip(_VALUES, values.T, strict=True))}
    mean, least, residual = (float(column.mean()) for column in values.T)
    conventions = describe_conventions(
        runs=f"{names[0]} and {names[1]}",
        p=f"{p:g}",
        depth=None if depth is None else str(depth),
    )
    of_runs = zip(names, (first, second), strict=True)
    notes = [note.within(name) for name, run in of_runs for note in run.notes]
    notes += tell_left_out(dropped)
    return Overlap(names, p, mean, least, residual, Table(columns), conventions, tuple(notes))


def _ranks_by_topic(first: Run, second: Run, depth: int | None) -> list[dict[str, Int64]]:
    """By topic the ranks of the items of both runs, and the deeper rank of each common item."""
    ranks = [_ranks(run) for run in (first, second)]
    mate, _ = mates(
        *(ItemsByTopic(run.topics, run.row_start, run.items) for run in (first, second))
    )
    rows = np.flatnonzero(mate >= 0)
    common = np.maximum(ranks[0][rows], ranks[1][mate[rows]])
    parts = (
        (first, ranks[0], first.row_start),
        (second, ranks[1], second.row_start),
        (first, common, np.searchsorted(rows, first.row_start)),
    )
    by_topic = []
    for run, column, start in parts:
        pieces = np.split(column, start[1:-1])
        if depth is not None:
            pieces = [piece[piece <= depth] for piece in pieces]
        by_topic.append(dict(zip(run.topics.tolist(), pieces, strict=False)))
    return by_topic


def _ranks(run: Run) -> Int64:
    """The rank of each row; items of equal score have the first of their ranks."""
    size = np.diff(run.row_start)
    owner = np.repeat(np.arange(len(size)), size)
    order = order_of_rows(run.sort_key, owner)
    score, place = run.sort_key[order], np.arange(len(order)) - run.row_start[:-1][owner] + 1
    begins = changes(score, owner)
    rank = np.empty(len(order), np.int64)
    rank[order] = place[np.flatnonzero(begins)][np.cumsum(begins) - 1]
    return rank


class _Values(NamedTuple):
    """RBO_EXT, RBO_MIN and RBO_RES of one topic."""

    extrapolated: float
    least: float
    residual: float


def _overlap(a: Int64, b: Int64, common: Int64, p: float) -> _Values:
    """Webber et al. 2010, (11), (30) and (32), by the agreement at each depth.

    `a` and `b` are the ranks of all items, `common` the deeper ones of the items of both.
    """
    short, long = sorted((len(a), len(b)))
    # Below this depth the greatest agreement is 1: all items may be common.
    deepest = long + short - len(common)
    depth = np.arange(1, deepest + 1)
    seen = _running_counts(common, deepest)
    sizes = [_sizes(each, deepest) for each in (a, b)]
    total, room = sizes[0] + sizes[1], np.minimum(*sizes)
    weight = (1 - p) * p ** (depth - 1.0)
    above = slice(None, long)  # down to the end of the longer ranking
    least = float((2 * seen / total * weight)[above].sum())
    # Below both rankings the least overlap has the same common items at every depth.
    rest = -np.log1p(-p) - float((p ** depth[above] / depth[above]).sum())
    least += (1 - p) / p * len(common) * max(rest, 0.0)
    hidden = np.maximum(depth - len(a), 0) + np.maximum(depth - len(b), 0)
    greatest = float((2 * np.minimum(seen + hidden, room) / total * weight).sum()) + p**deepest
    # The shorter ranking goes on with the share of common items that it has at its end.
    share = seen[short - 1] / short
    agreement = 2 * (seen + share * np.maximum(depth - short, 0))[above] / total[above]
    extrapolated = float((agreement * weight[above]).sum() + agreement[-1] * p**long)
    return _Values(extrapolated, least, max(greatest - least, 0.0))


def _running_counts(ranks: Int64, deepest: int) -> Int64:
    """How many of these ranks are at most 1, 2, ..., deepest."""
    counts = np.bincount(ranks, minlength=deepest + 1)[1 : deepest + 1]
    return np.asarray(np.cumsum(counts), np.int64)


def _sizes(ranks: Int64, deepest: int) -> Int64:
    """Items down to each depth; below its end a ranking goes on without ties."""
    return np.maximum(_running_counts(ranks, deepest), np.arange(1, deepest + 1))


def overlap_sheet(found: Overlap, per_topic: bool = False) -> Sheet:
    """The means, and the topics behind them; the short answer has these only if asked for."""
    means = (found.rbo, found.least, found.residual)
    columns = ("topic", *_VALUES)
    rows = tuple(zip(*found.per_topic.to_dict().values(), strict=True))
    block = block_of_rows(("topic", *_SHOWN), rows, 1)
    return Sheet(
        "precall.overlap/2",
        dict(found.conventions),
        (
            block_of_values(("", "value"), dict(zip(_SHOWN, means, strict=True))),
            replace(block, long=True, detail="" if per_topic else "the topics"),
        ),
        found.notes,
        {
            "runs": list(found.runs),
            "p": found.p,
            **dict(zip(_VALUES, means, strict=True)),
            "per_topic": found.per_topic.to_dict(),
        },
        columns,
        (("all", *means), *rows),
    )
