"""The inputs of `eval`, `compare` and `report`: qrels and runs, checked, and read when it is their turn."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from precall.conventions import Conventions
from precall.errors import UsageError

if TYPE_CHECKING:
    from precall.cli.progress import Progress
    from precall.read import Qrels
    from precall.results import Report


@dataclass(frozen=True, slots=True)
class Inputs:
    """Qrels, runs, and how they are read."""

    qrels: str
    runs: tuple[str, ...]
    conventions: Conventions
    qrels_columns: dict[str, str] | None
    input_format: str | None
    threads: int | None

    @property
    def paths(self) -> list[str]:
        """All of them."""
        return [self.qrels, *self.runs]

    def check(self) -> None:
        """Refuse, before anything is read, what cannot be."""
        if self.paths.count("-") > 1:
            raise UsageError(
                f"- (standard input) was given {self.paths.count('-')} times; it can be read once"
            )
        if "" in self.paths:
            raise UsageError("empty path; name a file, or - for standard input")
        self._check_runs()
        for option, columns, paths in (
            ("--columns", self.conventions.columns, self.paths),
            ("--qrels-columns", self.qrels_columns, [self.qrels]),
        ):
            if columns is not None and not any("columns" in self._reading(path) for path in paths):
                what = "all inputs are" if option == "--columns" else "the qrels are"
                raise UsageError(
                    f"{option}: {what} TREC text, which has none; leave it out or give --input-format"
                )

    def _check_runs(self) -> None:
        seen: dict[str, str] = {}
        for path in self.runs:
            if (times := self.runs.count(path)) > 1:
                raise UsageError(f"{path} was given {times} times; name each run once")
            other = seen.setdefault(path if path == "-" else os.path.realpath(path), path)
            if other != path:
                raise UsageError(f"{other} and {path} are one file; name each run once")

    def evaluate(self, measures: tuple[str, ...], progress: Progress, seed: int, **interval: Any) -> Report:
        """`precall.evaluate` of these inputs; what it says is a note of the report, which is printed with it."""
        from precall.evaluation import evaluate
        from precall.notes import listening

        qrels, runs = self.read(measures)
        with listening():
            return evaluate(
                qrels, runs, measures, rng=seed, threads=self.threads,
                progress=lambda done, *_: progress(done, self.runs[done]), **self.conventions.keywords(), **interval,
            )  # fmt: skip

    def read(self, measures: tuple[str, ...]) -> tuple[Qrels, dict[str, Any]]:
        """The judgements, and functions that read the runs, by the runs' names."""
        from precall.cli.measure_names import known
        from precall.read import read_qrels

        for name in measures:
            known(name)  # a typing error is said before a gigabyte is read
        shared: dict[str, Any] = {"duplicates": self.conventions.duplicates, "threads": self.threads}
        return read_qrels(self.qrels, **self._reading(self.qrels), **shared), self._sources(shared)

    def _sources(self, shared: dict[str, Any]) -> dict[str, Any]:
        """What reads each run; standard input, which names itself, is read at once."""
        from precall.evaluation import names_of
        from precall.read import read_run

        names = names_of(self.runs)
        sources: dict[str, Any] = {}
        for name, path in zip(names, self.runs, strict=True):
            read = partial(
                read_run, path, score_dtype=self.conventions.score_dtype, **self._reading(path), **shared
            )
            if path != "-":
                sources[name] = partial(read, name=name)
                continue
            run = read()
            # Its tag may be the name of another.
            run = replace(run, name=run.source) if run.name in names else run
            sources[run.name] = run
        return sources

    def _reading(self, path: str) -> dict[str, Any]:
        """What to tell the reader about the form of one input."""
        from precall.read.sources import format_of

        options: dict[str, Any] = {}
        # The form of standard input cannot be told from a name, so there the option is about it.
        if self.input_format is not None and (path == "-" or "-" not in self.paths):
            options["format"] = self.input_format
        columns = self.conventions.columns
        if path == self.qrels and self.qrels_columns:
            columns = self.qrels_columns
        if columns is not None and format_of(path, options.get("format")) != "trec":
            options["columns"] = columns
        return options
