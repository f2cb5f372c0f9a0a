"""What was meant: from typed options to a report, and where it is written."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from precall.errors import UsageError

if TYPE_CHECKING:
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
    input_format: str | None
    threads: int | None
    plugins: tuple[str, ...]

    def run(self) -> int:
        """Evaluate and write the report; returns the exit code."""
        from precall.cli import output

        self._check()
        # Said now, not after an hour of work.
        output.check(self.output, [self.qrels, *self.runs])
        load(self.plugins)
        report = self.report()
        from precall.report import rendered

        screen = self.output in (None, "-") and sys.stdout.isatty()
        bold = screen and not os.environ.get("NO_COLOR")
        width = os.get_terminal_size(sys.stdout.fileno()).columns if screen else 80
        text = rendered(report, self.form, per_topic=self.per_topic, bold=bold, width=width)
        output.write(text, self.output)
        return 0

    def report(self) -> Report:
        """The values, without writing them."""
        from precall.cli.progress import Progress
        from precall.evaluation import DEFAULT, evaluate

        options = {"duplicates": self.duplicates, "threads": self.threads, **self._reading()}
        with Progress() as progress:
            return evaluate(
                self.qrels, list(self.runs), self.measures or DEFAULT, ties=self.ties, topics=self.topics,
                undefined=self.undefined, grade=self.grade, judged_only=self.judged_only, depth=self.depth,
                aggregate=self.aggregate, score_dtype=self.score_dtype, rng=self.seed, progress=progress, **options,
            )  # fmt: skip

    def _check(self) -> None:
        inputs = [self.qrels, *self.runs]
        if inputs.count("-") > 1:
            raise UsageError(f"- (standard input) was given {inputs.count('-')} times; it can be read once")
        twice = [path for path in self.runs if self.runs.count(path) > 1]
        if twice:
            raise UsageError(f"{twice[0]} was given {len(twice)} times; name each run once")
        if self.grade < 1:
            raise UsageError(f"--grade: must be an integer >= 1, got {self.grade}")
        if self.seed is not None and self.ties != "random":
            raise UsageError(f"--seed is for --ties random only, got --ties {self.ties}; leave one out")
        if self.ties == "random" and self.seed is None:
            raise UsageError("--ties random needs --seed N, so that the numbers can be made again")

    def _reading(self) -> dict[str, Any]:
        said: dict[str, Any] = {}
        if self.columns is not None:
            said["columns"] = columns(self.columns)
        if self.input_format is not None:
            said["form"] = self.input_format
        return said


def columns(text: str) -> dict[str, str]:
    """The value of --columns.

    Examples
    --------
    >>> columns("topic=qid,item=docid")
    {'topic': 'qid', 'item': 'docid'}
    """
    found: dict[str, str] = {}
    for part in text.split(","):
        name, sign, column = part.partition("=")
        if not (name and sign and column) or name in found:
            raise UsageError(f"--columns: got {part!r}; write each column once, as in topic=qid,item=docid")
        found[name] = column
    return found


def load(plugins: tuple[str, ...]) -> None:
    """Import the modules of --plugin; the working directory is searched first."""
    from importlib import import_module

    for name in plugins:
        place = os.getcwd()
        if place not in sys.path:
            sys.path.insert(0, place)
        try:
            import_module(name)
        except ModuleNotFoundError as error:
            hint = "write the module's name, without .py or /" if name.endswith(".py") or "/" in name else "check its name"
            raise UsageError(f"--plugin {name}: {error}; {hint}, it is searched in {place} and among installed modules") from error
        except (TypeError, ValueError) as error:
            if not name.strip(".") or name.startswith("."):
                raise UsageError(f"--plugin {name!r}: not a module's name; write it as in 'import NAME'") from error
            raise


def trec_eval(arguments: list[str]) -> int:
    """`precall trec_eval`: all of it is in `precall.compat.trec_eval`."""
    from precall.compat.trec_eval import main

    return main(arguments, sys.stdout, sys.stderr)


def measures(form: str, plugins: tuple[str, ...]) -> int:
    """`precall measures`."""
    from precall.cli import output
    from precall.report.catalogue import listed

    load(plugins)
    output.write(listed(form), None)
    return 0


def explain(name: str, plugins: tuple[str, ...]) -> int:
    """`precall explain`."""
    from precall.cli import output
    from precall.report.catalogue import explained

    load(plugins)
    output.write(explained(name), None)
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
