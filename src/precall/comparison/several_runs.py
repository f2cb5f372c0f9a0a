"""`compare.seeds`: compares systems that have several runs each, such as one for each seed."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from precall.comparison.reports import compare_systems
from precall.core.arguments import check_kind
from precall.core.errors import Among, Fact, Mistake, UsageError
from precall.core.text import as_text, many
from precall.evaluation.report import Report
from precall.stats.tests.comparisons import Comparisons

#: Names in patterns of run names.
SYSTEM, SEED = "{system}", "{seed}"


def seeds(
    report: Report,
    systems: str | Mapping[str, str | Collection[str]],
    measures: Any = None,
    *,
    correction: str = "holm",
    baseline: str | None = None,
    level: float = 0.95,
    unpaired: str = "error",
) -> Comparisons:
    """Compare systems that have several runs each, such as one for each seed of a trained model:
    would the difference hold with other topics and other seeds?

    Parameters
    ----------
    report : what `evaluate` returned for all runs. If it has groups of topics, the systems are
        compared in each group, too.
    systems : the names of the runs of each system, `{"dense": ["dense.1", "dense.2"]}`; or a
        pattern of run names such as "{system}.{seed}". The last place that fits divides a name: run
        "v2.dense.1" is of system "v2.dense". A run that is not named, or does not fit, is a system
        with one run.
    measures : names; None is those of the report.
    correction : of p for the number of pairs of a measure: "holm", "hochberg", "bh", "by" or
        "none".
    baseline : a system; compare each other system with it only.
    level : nominal coverage of intervals; p is significant at 1 - level.
    unpaired : how to treat topics that a run lacks: "error", or "drop" them for all runs.

    Returns
    -------
    Comparisons
        `means` are over topics and runs. `seeds` has by measure and system the mean with its
        interval and standard error, the standard deviations of topics, runs and the rest, and
        `share_of_runs`, the part of the runs in the squared error. `pairs` have differences with
        intervals and p.

    Raises
    ------
    DataError
        A run lacks topics that another has.
    UsageError
        There are fewer than two systems, or each has one run; a run is in two systems, or not in
        the report.

    Notes
    -----
    Topics and runs are random, and all runs have the same topics. The number of runs may differ. A
    system with one run has no variance between runs; a note says so, and the difference then has
    that of the other system only. Two runs are enough for the nominal coverage, but with five the
    interval is much narrower: docs/how-to/seeds.md, and docs/why/tests.md for the coverage.

    References
    ----------
    Zou & Donner, "Construction of confidence limits about effect measures", Statistics in Medicine
    27, 2008. Bouthillier et al., "Accounting for variance in machine learning benchmarks", MLSys
    2021.

    Examples
    --------
    >>> from precall import compare, evaluate
    >>> qrels = {f"q{i}": {"x": 1} for i in range(30)}
    >>> runs = {
    ...     f"{name}.{seed}": {
    ...         f"q{i}": [f"d{j}" for j in range((i * seed + i) % width)] + ["x"] for i in range(30)
    ...     }
    ...     for name, width in (("dense", 2), ("sparse", 4))
    ...     for seed in (1, 2, 3)
    ... }
    >>> found = compare.seeds(evaluate(qrels, runs, "RR"), "{system}.{seed}")
    >>> found.means["RR"]["dense"], round(found.pairs[0].p, 4)
    (0.9166666666666666, 0.3292)
    """
    check_kind("report", report, Report, "what pc.evaluate() returns")
    runs = [run.name for run in report.runs]
    by_system = systems_of(runs, systems)
    if len(by_system) < 2:
        raise UsageError(
            argument="systems",
            got=Fact(many(len(by_system), "system")),
            allowed="two or more",
            remedy="evaluate runs of another system as well",
        )
    if len(by_system) == len(runs):
        raise UsageError(
            argument="systems",
            what="each system has one run",
            remedy="name several runs of a system, or compare the runs with pc.compare(report)",
        )
    compared = compare_systems(
        report,
        by_system,
        measures,
        correction=correction,
        baseline=baseline,
        level=level,
        unpaired=unpaired,
    )
    text = ", ".join(f"{name} ({many(len(of), 'run')})" for name, of in by_system.items())
    return replace(compared, conventions={**compared.conventions, "systems": text})


def systems_of(runs: Collection[str], systems: object) -> dict[str, tuple[str, ...]]:
    """The runs of each system, in their order; runs of none are systems by themselves.

    Examples
    --------
    >>> systems_of(["dense.1", "dense.2", "bm25"], "{system}.{seed}")
    {'dense': ('dense.1', 'dense.2'), 'bm25': ('bm25',)}
    """
    named = (
        _by_pattern(runs, systems) if isinstance(systems, str) else _by_name(list(runs), systems)
    )
    of_run: dict[str, str] = {}
    for system, names in named.items():
        for run in names:
            if run in of_run:
                raise Mistake(
                    "run {got} is named twice", "name each run once, in one system", got=run
                ).error("systems")
            of_run[run] = system
    for run in runs:
        if run not in of_run:
            if run in named:
                remedy = "give the system another name, or name this run in it"
                raise Mistake(
                    "run {got} is in no system, and a system has its name", remedy, got=run
                ).error("systems")
            named[run] = [run]
    # Systems in the order of their first runs, whatever the order of their names.
    place = {run: index for index, run in enumerate(runs)}
    ordered = {system: sorted(names, key=place.__getitem__) for system, names in named.items()}
    first = sorted(ordered, key=lambda system: place[ordered[system][0]])
    return {system: tuple(ordered[system]) for system in first}


def _by_pattern(runs: Collection[str], pattern: str) -> dict[str, list[str]]:
    """The runs of each system by a pattern of names."""
    if pattern.count(SYSTEM) != 1 or pattern.count(SEED) != 1:
        raise UsageError(
            argument="systems",
            got=pattern,
            allowed=f"a pattern with {SYSTEM} and {SEED} once each, such as {SYSTEM}.{SEED}; or "
            "the runs of each system",
        )
    parts = re.split(r"(\{system\}|\{seed\})", pattern)
    fits = re.compile(
        "".join(
            f"(?P<{part[1:-1]}>.+)" if part in (SYSTEM, SEED) else re.escape(part) for part in parts
        ),
        re.DOTALL,
    )
    named: dict[str, list[str]] = {}
    for run in runs:
        if found := fits.fullmatch(run):
            named.setdefault(found["system"], []).append(run)
    if not named:
        raise UsageError(
            argument="systems",
            got=pattern,
            what="fits no name of a run",
            allowed=Among("runs are", tuple(runs)),
        )
    return named


def _by_name(runs: list[str], systems: object) -> dict[str, list[str]]:
    """The runs of each system as they were named."""
    what = "{system: [run, ...]}, or a pattern such as {system}.{seed}"
    check_kind("systems", systems, Mapping, what)
    assert isinstance(systems, Mapping)
    named: dict[str, list[str]] = {}
    for name, given in systems.items():
        several = [given] if isinstance(given, str) else given
        check_kind("systems", several, Collection, what)
        names = list(map(as_text, several))
        if not names:
            raise Mistake(
                "system {got} has no run", "name its runs, or leave it out", got=name
            ).error("systems")
        for run in names:
            if run not in runs:
                raise UsageError(
                    argument="systems", got=run, allowed=Among("runs are", tuple(runs))
                )
        named[as_text(name)] = names
    return named
