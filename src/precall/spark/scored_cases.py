"""Curves of scored cases on Spark, from files that the workers read or from a data frame."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, overload

from precall.cases.columns import CaseColumns
from precall.cases.curves import Curve
from precall.cases.scan import ScannedCases, check_request, scanned_of
from precall.core.arguments import check_choice, check_kind
from precall.core.errors import Kind, UsageError
from precall.read.columns import warn_of_lowest
from precall.read.sources import is_path
from precall.spark.cluster_scan import ClusterScan
from precall.spark.sources import FileFeed, FrameFeed, of_frame, of_paths
from precall.spark.validate import Wanted

ROUTES = ("gaps", "range")


def scan(
    paths: object,
    *,
    label: str,
    score: str | Iterable[str],
    positive: object = None,
    group: str | None = None,
    weight: str | None = None,
    thresholds: Iterable[float] = (),
    accept: Iterable[int] = (),
    missed: int = 0,
    higher_is_better: bool = True,
    memory: int | None = None,
    route: str | None = None,
    session: object = None,
) -> ScannedCases:
    """Curves of the scored cases in Parquet files.

    The workers read the files themselves, which takes a third of the work of a data frame. Every
    number equals that of one machine to the last digit, whatever the partitions. Sums of real
    weights depend on their order, by 1e-12.

    Parameters
    ----------
    paths : a path or several: Parquet files, folders of them or patterns, or URIs (s3://, hdfs://),
        as the workers see them. Folders called name=value, as Hive and Spark write them, are
        columns. A data frame is also accepted.
    label : the column of labels: true and false, 0 and 1, -1 and 1, or values of which one is
        `positive`.
    score : the column of scores, or several.
    positive : the label that counts as relevant.
    group : the column of groups; there is a curve for each.
    weight : the column of weights, finite and >= 0. Integers repeat a case; floats, also whole
        ones, are sampling weights.
    thresholds : scores that `curve.at(threshold=)` will be asked for. Other thresholds between
        relevant scores are refused, never rounded.
    accept : counts of accepted cases that `curve.at(accept=)` will be asked for. Others are refused
        in the same way.
    missed : relevant cases that were never scored.
    higher_is_better : False if low scores are good.
    memory : bytes that the relevant scores may take on the driver, about 96 each (default: a
        quarter of the free memory). If they need more, they and the curve go to disk there
        (TMPDIR).
    route : "gaps" sends all distinct relevant scores to every task, which counts the others between
        them; "range" sends each case to a bucket of scores, in one shuffle of about 8 bytes a case.
        None: "gaps" for at most 4 million relevant scores, else "range".
    session : the Spark session (default: the active one, or that of `SparkSession.builder`).

    Returns
    -------
    ScannedCases
        The same as of `ScoredCases.scan`; `asked["read"]` has the route, the passes and the tasks.

    Raises
    ------
    DataError
        Labels, scores, weights or groups are null or NaN (the message has their numbers), a label
        is not allowed, a file is missing or not Parquet, or all cases are of one class. UsageError
        A column is missing, there are too many relevant scores for the route, the cases differ from
        pass to pass, the workers run another Python, or an argument is not allowed.

    Examples
    --------
    >>> import precall.spark as spark
    >>> scanned = spark.scan("cases/*.parquet", label="label", score="score")  # doctest: +SKIP
    >>> scanned.average_precision(), scanned.curve().at(max="F1").threshold  # doctest: +SKIP
    (0.8333333333333333, 0.7)
    """
    check_kind("score", score, Iterable, "a list")
    names = [score] if isinstance(score, str) else list(dict.fromkeys(score))
    if not names:
        raise UsageError(argument="score", what="name at least one column")
    wanted = Wanted(label, tuple(names), positive, group, weight, higher_is_better)
    if hasattr(paths, "mapInArrow"):
        feed: FrameFeed | FileFeed = of_frame(paths, wanted)
    else:
        feed = of_paths(_session() if session is None else session, _paths(paths), wanted)
    check_choice("route", route, (None, *ROUTES))
    requested = check_request(thresholds, accept, missed, higher_is_better, memory)
    warn_of_lowest(names if higher_is_better else ())
    return _scan(ClusterScan(lambda: (), True, requested, feed=feed, wanted=wanted, route=route))


@overload
def curve(
    df: object,
    label: str,
    score: str,
    *,
    weight: str | None = None,
    group: None = None,
    **options: Any,
) -> Curve: ...


@overload
def curve(
    df: object, label: str, score: str, *, weight: str | None = None, group: str, **options: Any
) -> ScannedCases: ...


def curve(
    df: object,
    label: str,
    score: str,
    *,
    weight: str | None = None,
    group: str | None = None,
    **options: Any,
) -> Curve | ScannedCases:
    """The curve of the scored cases in a data frame of Spark; with `group` a curve of each.

    Only `mapInArrow`, `applyInArrow` and `collect` are used, so it also works over Spark Connect.
    The data frame is read two or three times: persist it if it is costly to compute, random or
    changing.

    Parameters
    ----------
    df : a data frame.
    label, score, weight, group : as for `scan`.
    options : `positive`, `thresholds`, `accept`, `missed`, `higher_is_better`, `memory` and
        `route`, as for `scan`.

    Returns
    -------
    Curve
        It equals that of `precall.curve` in every number, but its table of operating points has
        only those that areas, best points and intervals need. With `group` the result is
        `ScannedCases`.

    Raises
    ------
    DataError, UsageError
        As `scan` does.

    Examples
    --------
    >>> import precall.spark as spark
    >>> curve = spark.curve(df, "label", "score")  # doctest: +SKIP
    >>> curve.average_precision(), curve.area_under_roc()  # doctest: +SKIP
    (0.7, 0.5833333333333334)
    """
    if not hasattr(df, "mapInArrow"):
        raise UsageError(
            argument="df",
            allowed="a data frame of Spark",
            got=Kind(df),
            remedy="of paths see precall.spark.scan",
        )
    if not isinstance(score, str):
        raise UsageError(
            argument="score",
            allowed="the name of a column",
            got=score,
            remedy="of several see precall.spark.scan",
        )
    scanned = scan(df, label=label, score=score, weight=weight, group=group, **options)
    return scanned.curve() if group is None else scanned


def _scan(passes: ClusterScan) -> ScannedCases:
    wanted, curves = passes.wanted, passes.curves()
    columns = CaseColumns(
        wanted.label, list(wanted.scores), wanted.positive, wanted.group, wanted.weight
    )
    columns.labels = passes.facts.labels
    read = f"by Spark, route {passes.route}, {passes.passes} passes over {passes.facts.tasks} tasks"
    in_order = sorted(curves, key=lambda part: wanted.scores.index(part[0]))
    sourced = {part: _with_source(curves[part], read) for part in in_order}
    return scanned_of(passes.feed.name, passes, columns, sourced, read)


def _with_source(made: Curve, read: str) -> Curve:
    assert made.asked is not None
    return replace(made, asked=made.asked._replace(read=read))


def _paths(given: object) -> list[str]:
    """The paths as texts."""
    several = [given] if is_path(given) else given
    if (
        not isinstance(several, Iterable)
        or not (listed := list(several))
        or not all(map(is_path, listed))
    ):
        raise UsageError(
            argument="paths", allowed="a path or several, or a data frame of Spark", got=Kind(given)
        )
    return [os.fspath(path) for path in listed]


def _session() -> Any:
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession() or SparkSession.builder.getOrCreate()
