"""What was meant: from typed options to a report, and where it is written."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from precall.errors import MeasureError, UsageError
from precall.notes import listening

if TYPE_CHECKING:
    from collections.abc import Callable

    from precall.cli.progress import Progress
    from precall.read import Qrels, Run
    from precall.results import Report


@dataclass(frozen=True, slots=True)
class Evaluation:
    """`precall eval` as typed; the fields are its options."""

    qrels: str
    runs: tuple[str, ...]
    measures: tuple[str, ...]
    per_topic: bool
    form: str
    output: str | None
    ties: str
    seed: int | None
    topics: str
    undefined: str
    grade: int
    judged_only: bool
    depth: int | None
    aggregate: str | None
    duplicates: str
    score_dtype: str
    columns: str | None
    qrels_columns: str | None
    input_format: str | None
    threads: int | None
    interval: str | None
    level: float
    plugins: tuple[str, ...]

    def execute(self) -> int:
        """Evaluate and write the report; returns the exit code."""
        from precall.cli import output
        from precall.cli.plugins import load
        from precall.cli.progress import Progress
        from precall.sheet.forms import rendered

        self.check()
        # Said now, not after an hour of work.
        output.check(self.output, [self.qrels, *self.runs])
        load(self.plugins)
        with Progress(len(self.runs)) as progress:
            report = self.report(progress)
        if self.interval is not None:
            from precall.intervals.reports import with_intervals

            with listening():
                report = with_intervals(report, self.interval, self.level, self.seed or 0)
        bold, width = output.screen(self.output)
        text = rendered(report.sheet(per_topic=self.per_topic), self.form, bold=bold, width=width)
        output.write(text, self.output, bold=bold and self.form == "table")
        if self.form in ("csv", "trec"):
            self._comment(report)
        return 0

    @staticmethod
    def _comment(report: Report) -> None:
        """What these forms have no place for, on standard error."""
        from precall.cli.main import say

        say("note", "\n".join([*report.notes(), report.signature]))

    def report(self, progress: Progress, seen: Callable[[Qrels, Run], None] | None = None) -> Report:
        """The values, without writing them: run by run, so that only one is in memory; `seen` may look at each."""
        from precall.cli.names import known
        from precall.evaluation import DEFAULT, evaluate
        from precall.read import read_qrels, read_run

        names = self.measures or DEFAULT
        for name in names:
            known(name)  # a typing error is said before a gigabyte is read
        shared: dict[str, Any] = {"duplicates": self.duplicates, "threads": self.threads}
        qrels = read_qrels(self.qrels, **self._form(self.qrels), **shared)
        parts = []
        for done, path in enumerate(self.runs):
            progress(done, path)
            run = read_run(
                path, name=self._name(path), score_dtype=self.score_dtype, **self._form(path), **shared
            )
            if path == "-" and run.name in map(self._name, self.runs):
                run = replace(run, name=run.source)  # its tag is another's name
            with listening():
                # What evaluate() says is a note of the report, which is printed with it.
                part = evaluate(
                    qrels, run, names, ties=self.ties, rng=self.seed or 0, topics=self.topics,
                    undefined=self.undefined, grade=self.grade, judged_only=self.judged_only, depth=self.depth,
                    aggregate=self.aggregate, duplicates=self.duplicates, score_dtype=self.score_dtype, threads=self.threads,
                )  # fmt: skip
            parts.append(part)
            if seen is not None:
                seen(qrels, run)
        return replace(parts[0], runs=tuple(run for part in parts for run in part.runs))

    def _name(self, path: str) -> str | None:
        """A run's name: its file's, without the ending; the whole path where two would be alike."""
        from precall.read import stem

        if path == "-":
            return None  # the run's own tag
        stems = [stem(one) for one in self.runs]
        return path if stems.count(stem(path)) > 1 else stem(path)

    def _form(self, path: str) -> dict[str, Any]:
        """What to tell the reader about the form of one input."""
        from precall.read import columns_of
        from precall.read.sources import format_of

        said: dict[str, Any] = {}
        # The form of standard input cannot be told from a name, so there the option is about it.
        if self.input_format is not None and (path == "-" or "-" not in (self.qrels, *self.runs)):
            said["format"] = self.input_format
        columns = self.qrels_columns if path == self.qrels and self.qrels_columns else self.columns
        if columns is not None and format_of(path, said.get("format")) != "trec":
            said["columns"] = columns_of(columns)
        return said

    def check(self) -> None:
        """Refuse, before anything is read, what cannot be."""
        inputs = [self.qrels, *self.runs]
        if inputs.count("-") > 1:
            raise UsageError(f"- (standard input) was given {inputs.count('-')} times; it can be read once")
        if "" in inputs:
            raise UsageError("empty path; name a file, or - for standard input")
        self._check_runs()
        if not 0 < self.level < 1:
            raise UsageError(f"--level: must be between 0 and 1, such as 0.95, got {self.level}")
        if self.interval is not None and self.form == "trec":
            raise UsageError("--interval: --format trec has no place for intervals; choose another")
        if self.grade < 1:
            raise UsageError(f"--grade: must be an integer >= 1, got {self.grade}")
        if self.seed is not None and self.seed < 0:
            raise UsageError(f"--seed: must be an integer >= 0, got {self.seed}")
        drawn = self.interval in ("bca", "percentile")
        if self.seed is not None and self.ties != "random" and not drawn:
            raise UsageError(f"--seed is for --ties random, got --ties {self.ties}; leave one of them out")
        for option, named, paths in (
            ("--columns", self.columns, inputs),
            ("--qrels-columns", self.qrels_columns, [self.qrels]),
        ):
            if named is not None and not any("columns" in self._form(path) for path in paths):
                what = "all inputs are" if named is self.columns else "the qrels are"
                raise UsageError(
                    f"{option}: {what} TREC text, which has none; leave it out or give --input-format"
                )

    def _check_runs(self) -> None:
        twice = [path for path in self.runs if self.runs.count(path) > 1]
        if twice:
            raise UsageError(f"{twice[0]} was given {len(twice)} times; name each run once")
        seen: dict[str, str] = {}
        for path in self.runs:
            other = seen.setdefault(path if path == "-" else os.path.realpath(path), path)
            if other != path:
                raise UsageError(f"{other} and {path} are one file; name each run once")


def trec_eval(arguments: list[str]) -> int:
    """`precall trec_eval`: all of it is in `precall.compat.trec_eval`."""
    from precall.compat.trec_eval import main

    return main(arguments, sys.stdout, sys.stderr)


def measures(form: str, plugins: tuple[str, ...]) -> int:
    """`precall measures`."""
    from precall.cli import output
    from precall.cli.plugins import load
    from precall.sheet.catalogue import listed

    load(plugins)
    output.write(listed(form), None)
    return 0


def explain(name: str, plugins: tuple[str, ...]) -> int:
    """`precall explain`."""
    from precall.cli import output
    from precall.cli.names import advised
    from precall.cli.plugins import load
    from precall.sheet.catalogue import explained

    load(plugins)
    try:
        text = explained(name)
    except MeasureError as error:
        raise advised(name, error) from None
    output.write(text, None)
    return 0


def about(form: str) -> int:
    """`precall about`."""
    from precall.cli import output
    from precall.machine import about as facts

    found = facts()
    if form == "json":
        import json

        text = json.dumps({"format": "precall.about/1", **found}, indent=2) + "\n"
    else:
        size = max(map(len, found))
        text = "".join(f"{name:<{size}}  {value or '-'}\n" for name, value in found.items())
    output.write(text, None)
    return 0
