"""What `precall compare` means: from typed options to comparisons and gates, and to a sheet that is written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from precall.errors import UsageError

if TYPE_CHECKING:
    from precall.cli.plan import Evaluation
    from precall.infer.compare.comparisons import Comparisons
    from precall.infer.compare.gate import Gate
    from precall.results import Report

#: A gate of --fail-if-worse that failed ends the process with this.
FAILED = 1


def gate_of(text: str) -> tuple[str, float | None]:
    """Measure and margin of --fail-if-worse.

    Examples
    --------
    >>> gate_of("AP"), gate_of("nDCG(gains={1:3})@10"), gate_of("AP:.01")
    (('AP', None), ('nDCG(gains={1:3})@10', None), ('AP', 0.01))
    """
    name, colon, tail = text.rpartition(":")
    if not colon or "}" in tail or ")" in tail:
        return text, None
    try:
        margin = float(tail)
    except ValueError:
        margin = math.nan
    if not name or not 0 < margin < math.inf:
        raise UsageError(f"--fail-if-worse {text}: the margin must be a number > 0, got {tail!r}")
    return name, margin


@dataclass(frozen=True, slots=True)
class CompareCommand:
    """`precall compare` as typed; the fields are its options."""

    qrels: str
    runs: tuple[str, ...]
    measures: tuple[str, ...]
    test: str
    correction: str
    baseline: str | None
    gates: tuple[str, ...]
    level: float
    seed: int | None
    resamples: int
    unpaired: str
    topics: str
    per_topic: bool
    form: str
    output: str | None
    ties: str
    undefined: str
    grade: int
    judged_only: bool
    depth: int | None
    duplicates: str
    columns: str | None
    qrels_columns: str | None
    input_format: str | None
    threads: int | None
    plugins: tuple[str, ...]
    plot: str | None = None
    plot_kind: str | None = None

    def execute(self) -> int:
        """Compare and write; returns the exit code, 1 if a gate failed."""
        from precall.cli import output
        from precall.cli.cases import written
        from precall.cli.main import say
        from precall.cli.plugins import load
        from precall.cli.progress import Progress
        from precall.sheet.comparisons import compare_sheet

        wanted = [gate_of(text) for text in self.gates]
        self._check()
        output.check(self.output, [self.qrels, *self.runs])
        load(self.plugins)
        evaluation = self._evaluation([name for name, _ in wanted])
        evaluation.check()
        with Progress(len(self.runs)) as progress:
            report = evaluation.report(progress)
        found = self.compared(report)
        gates = [one for name, margin in wanted for one in self.judged(report, found, name, margin)]
        sheet = compare_sheet(found, report if self.per_topic else None, gates)
        if self.plot is not None:
            from precall.cli.contrasts import rendered

            picture = rendered(found, report, self.plot_kind, self.unpaired, self.plot)
            output.write_file(picture, self.plot)
        code = written(sheet, self.form, self.output)
        lost = [one for one in gates if not one.passed]
        for one in lost:
            say("failed", str(one))
        return FAILED if lost else code

    def compared(self, report: Report) -> Comparisons:
        """All pairs, or all against the baseline."""
        from precall.comparison import compare

        return compare(
            report, test=self.test, correction=self.correction, baseline=self._baseline(report), level=self.level,
            rng=self.seed or 0, resamples=self.resamples, unpaired=self.unpaired,
        )  # fmt: skip

    def judged(self, report: Report, found: Comparisons, name: str, margin: float | None) -> list[Gate]:
        """The gates of one measure: every other run against the baseline."""
        from precall.compared_runs import topic_values
        from precall.infer.compare.gate import gate
        from precall.infer.compare.pairing import aligned, differences

        measure = report.asked.get(name, name)
        line = report.measures.index(measure)
        if not report.best[line]:
            raise UsageError(f"--fail-if-worse {name}: neither high nor low values of {measure} are good")
        values, _, _ = aligned(topic_values(report, measure), self.unpaired)
        place = {run.name: i for i, run in enumerate(report.runs)}
        label = f"log {measure}" if report.aggregates[line] == "geometric" else measure
        return [
            gate(
                one,
                report.best[line]
                * differences(values[:, place[one.names[0]]], values[:, place[one.names[1]]]),
                margin,
                self.seed or 0,
                self.resamples,
            )
            for one in found.pairs
            if one.measure == label
        ]

    def _baseline(self, report: Report) -> str | None:
        known = [run.name for run in report.runs]
        if self.baseline is not None and self.baseline not in known:
            raise UsageError(f"--baseline: got {self.baseline!r}, the runs are {', '.join(known)}")
        return known[0] if self.baseline is None and self.gates else self.baseline

    def _evaluation(self, gated: list[str]) -> Evaluation:
        from precall.cli.plan import Evaluation
        from precall.evaluation import DEFAULT

        measures = tuple(dict.fromkeys([*(self.measures or (() if gated else DEFAULT)), *gated]))
        return Evaluation(
            qrels=self.qrels, runs=self.runs, measures=measures, per_topic=self.per_topic, form=self.form,
            output=self.output, ties=self.ties, seed=self.seed if self.ties == "random" else None, topics=self.topics,
            undefined=self.undefined, grade=self.grade, judged_only=self.judged_only, depth=self.depth,
            aggregate=None, duplicates=self.duplicates, score_dtype="float64", columns=self.columns,
            qrels_columns=self.qrels_columns, input_format=self.input_format, threads=self.threads,
            interval=None, level=self.level, plugins=self.plugins,
        )  # fmt: skip

    def _check(self) -> None:
        if self.plot_kind is not None and self.plot is None:
            raise UsageError("--plot-kind: says what --plot FILE draws; name the file, too")
        if self.plot is not None:
            from precall.cli.drawing import check

            check(self.plot, [self.qrels, *self.runs], self.output)
        if len(self.runs) < 2:
            raise UsageError(f"there must be two runs or more to compare, got {', '.join(self.runs)}")
        if not 0 < self.level < 1:
            raise UsageError(f"--level: must be a number between 0 and 1, such as 0.95, got {self.level:g}")
        if self.resamples < 1:
            raise UsageError(f"--resamples: must be an integer >= 1, got {self.resamples}")
        if self.seed is not None and self.seed < 0:
            raise UsageError(f"--seed: must be an integer >= 0, got {self.seed}")


def comparisons_of_cases(
    wanted: tuple[tuple[str, str], ...], relevant: Any, scores: dict[str, Any], higher_is_better: bool, seed: int | None,
    level: float = 0.95,
) -> list[Any]:  # fmt: skip
    """AP and area under ROC of two columns of scores: `precall curve --compare`."""
    from precall.comparison import compare

    return [
        compare.cases(
            relevant, scores[a], scores[b], measure, higher_is_better=higher_is_better, rng=seed or 0, level=level,
            names=(a, b),
        )
        for a, b in wanted
        for measure in ("AP", "AUC")
    ]  # fmt: skip
