"""The inputs on the command line: qrels and runs of `eval`, `compare` and `report`, measures,
plugins.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from precall.cli.files import one_file
from precall.core.conventions import Conventions
from precall.core.errors import Fact, MeasureError, PrecallError, UsageError, empty_path, read_again
from precall.core.text import join_in_sentence
from precall.read.formats import WITH_LISTS

if TYPE_CHECKING:
    from precall.cli.outputs import Progress
    from precall.evaluation.report import Report
    from precall.location import Located
    from precall.location.subtopics import JudgedSubtopics
    from precall.page.sections import SectionPart
    from precall.read.columns import Qrels


def refuse_one_run_twice(runs: Sequence[str]) -> None:
    """Refuse files of runs of which two are one."""
    if same := one_file(runs):
        first, other = same
        times = runs.count(other)
        problem = (
            f"{other} was given {times} times" if times > 1 else f"{first} and {other} are one file"
        )
        raise UsageError(problem, remedy="name each file once")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Inputs:
    """Qrels and runs: checked first, and read when they are needed."""

    qrels: str | None
    runs: tuple[str, ...]
    conventions: Conventions
    qrels_columns: Mapping[str, str] | None
    input_format: str | None
    threads: int | None
    lists: tuple[str, ...] = ()
    """Tables that each hold qrels and a run."""
    memory: int | None = None
    """The memory limit for a run."""
    worse: tuple[str, ...] = ()
    """Measures that only gates name."""
    qrels_format: str | None = None
    """The format of the qrels, if `input_format` is only that of the runs."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The files that hold runs."""
        return self.lists or self.runs

    @property
    def paths(self) -> list[str]:
        """All files."""
        return [*([] if self.lists or self.qrels is None else [self.qrels]), *self.systems]

    def check(self, runs: int = 1) -> None:
        """Refuse invalid inputs before anything is read, including fewer runs than needed."""
        if self.lists:
            self._check_lists()
        elif self.qrels is None or not self.runs:
            raise UsageError(
                "QRELS and a RUN or more are needed", remedy="name them, or give --lists FILE"
            )
        if len(self.systems) < runs and self.conventions.run_column is None:
            apart = (
                f"if {self.systems[0]} holds several, say which column tells them apart with "
                "--run-column"
            )
            why, remedy = "", "repeat --lists FILE" if self.lists else apart
            if self.qrels is not None and _looks_like_a_run(self.qrels):
                why = f"and {self.qrels}, which looks like a run, for the qrels"
                remedy = "name QRELS RUN RUN"
            raise UsageError(
                f"there must be two {'systems' if self.lists else 'runs'} or more to compare",
                got=Fact(self.systems[0]),
                why=why,
                remedy=remedy,
            )
        if (times := self.paths.count("-")) > 1:
            raise read_again(times)
        if "" in self.paths:
            raise empty_path()
        refuse_one_run_twice(self.systems)
        for option, problem, columns, paths in (
            ("--columns", "all inputs are", self.conventions.columns, self.paths),
            ("--qrels-columns", "the qrels are", self.qrels_columns, self.paths[:1]),
        ):
            if (
                columns is not None
                and not self.lists
                and not any("columns" in self.reading(path) for path in paths)
            ):
                raise UsageError(
                    argument=option,
                    what=f"{problem} TREC text, which has none",
                    remedy="leave it out or give --input-format",
                )

    def _check_lists(self) -> None:
        if self.qrels is not None:
            raise UsageError(
                argument="--lists FILE",
                what="has both the gold and the retrieved ids",
                remedy="leave QRELS and RUN out",
            )
        if self.input_format not in (None, *WITH_LISTS):
            raise UsageError(
                argument="--input-format",
                what=f"of --lists must be {join_in_sentence(WITH_LISTS, 'or')}",
                remedy="name one of them",
            )
        if self.conventions.run_column is not None:
            raise UsageError(
                argument="--run-column",
                what="a table of lists has one system",
                remedy="give each system a file of its own, --lists A --lists B",
            )
        if self.qrels_columns:
            raise UsageError(
                argument="--qrels-columns",
                what="--lists has one table",
                remedy="give --columns query=...,retrieved=...,gold=...",
            )
        if self.qrels_format:
            raise UsageError(
                argument="--qrels-format",
                what="--lists has one table",
                remedy="give --input-format",
            )

    def evaluate(
        self,
        measures: tuple[str, ...] | None,
        progress: Progress,
        seed: int,
        located: list[Located] | None = None,
        unjudged: str = "zero",
        **interval: Any,
    ) -> Report:
        """`precall.evaluate` of these inputs. Its warnings are notes of the report, which are
        printed with it. The rankings of each run are added to `located`, for a page.
        """
        from precall.core.notes import collect_notes
        from precall.evaluation.api import averaging_of, evaluate, evaluate_by
        from precall.evaluation.intervals import with_intervals, with_intervals_of_groups

        qrels, runs = self.read(measures)
        tell = self.telling(progress)
        with collect_notes():
            if located is None:
                return evaluate(
                    qrels,
                    runs,
                    measures,
                    rng=seed,
                    threads=self.threads,
                    progress=tell,
                    unjudged=unjudged,
                    **self.conventions.keywords(),
                    **interval,
                )
            averaging = averaging_of(interval.get("by"), interval.get("topic_weights"), unjudged)
            report = averaging(
                evaluate_by(
                    self.conventions,
                    qrels,
                    runs,
                    measures,
                    seed,
                    self.threads,
                    tell,
                    located.append,
                    unjudged=unjudged,
                )
            )
            asked = interval.get("interval")
            if not asked:
                return report
            method = None if asked is True else asked
            report = with_intervals_of_groups(report, method, interval["level"], seed)
            if method is None:
                return report  # the page has the usual intervals
            return with_intervals(report, method, interval["level"], seed)

    def section(
        self, report: Report, located: list[Located], level: float, seed: int, **comparing: Any
    ) -> SectionPart[Any]:
        """The section of the page of these inputs, once they are measured."""
        from precall.page.runs import section_of_located

        return section_of_located(
            self.conventions,
            report,
            located,
            level=level,
            rng=seed,
            compared=report.comparable,
            **comparing,
        )

    def telling(self, progress: Progress) -> Callable[[int, int, str], None]:
        """A function that reports how many runs are done, of how many, and the next task: a run by
        its file, if each file holds one.
        """

        def tell(done: int, total: int, what: str) -> None:
            files = self.systems if total == len(self.systems) else ()
            progress.total = total
            progress(done, files[done] if done < len(files) else what)

        return tell

    def _refuse_systems(self, names: Iterable[str]) -> None:
        """Refuse systems that gates name as measures."""
        if self.worse:
            from precall.comparison.gates import refuse_systems

            refuse_systems(self.worse, names)

    def read(
        self, measures: tuple[str, ...] | None
    ) -> tuple[Qrels | JudgedSubtopics, dict[str, Any]]:
        """The judgements, and functions that read the runs, by the names of the runs."""
        from precall.location.by_topic import read_run_for
        from precall.read.readers import read_qrels
        from precall.read.runs import names_of

        if self.conventions.run_column is None:
            self._refuse_systems(names_of(self.systems))
        # A typing error is said before a gigabyte is read.
        diverse = [_check_ranked(name) for name in measures or ()]
        shared: dict[str, Any] = {
            "duplicates": self.conventions.duplicates,
            "threads": self.threads,
        }
        if self.lists:
            from precall.read.list_tables import read_systems

            gold, systems = read_systems(
                self.lists,
                names_of(self.lists),
                format=self.input_format,
                columns=self.conventions.columns,
                **shared,
            )
            return gold, {run.name: run for run in systems}
        assert self.qrels is not None  # as `check` sees to
        of_qrels: Qrels | JudgedSubtopics
        if any(diverse):
            from precall.location.subtopics import read_judged

            of_qrels = read_judged(
                self.qrels,
                self.conventions.grade,
                self.conventions.duplicates,
                **self.reading(self.qrels),
            )
            qrels = of_qrels.qrels
        else:
            of_qrels = qrels = read_qrels(self.qrels, **self.reading(self.qrels), **shared)
        if (column := self.conventions.run_column) is not None:
            runs = self._apart(column, shared)
            self._refuse_systems(runs)
            return of_qrels, runs
        names, by_input = names_of(self.runs), self.conventions.ties == "input"
        sources: dict[str, Any] = {}
        for name, path in zip(names, self.runs, strict=True):
            read = partial(
                read_run_for,
                qrels,
                path,
                by_input,
                self.memory,
                score_dtype=self.conventions.score_dtype,
                lower_is_better=self.conventions.lower_is_better,
                **self.reading(path),
                **shared,
            )
            if path != "-":
                sources[name] = partial(read, name=name)
                continue
            # A run from standard input is named by its tag. If that is the name of another run, its
            # source names it.
            run = read()
            run = replace(run, name=run.source) if run.name in names else run
            sources[run.name] = run
        return of_qrels, sources

    def _apart(self, column: str, shared: dict[str, Any]) -> dict[str, Any]:
        """The runs of tables, separated by a column."""
        from precall.read.readers import merge_runs, read_runs

        runs: dict[str, Any] = {}
        for path in self.runs:
            parts = read_runs(
                path,
                column,
                score_dtype=self.conventions.score_dtype,
                lower_is_better=self.conventions.lower_is_better,
                **self.reading(path),
                **shared,
            )
            runs = merge_runs(runs, parts)
        return runs

    def reading(self, path: str) -> dict[str, Any]:
        """Keywords for the reader about the format of one input."""
        from precall.read.sources import format_of

        options: dict[str, Any] = {}
        # The format of standard input cannot be told from its name, so the option applies to it if
        # it is read.
        if path == self.qrels and self.qrels_format is not None:
            options["format"] = self.qrels_format
        elif self.input_format is not None and (path == "-" or "-" not in self.paths):
            options["format"] = self.input_format
        columns = (
            self.qrels_columns
            if path == self.qrels and self.qrels_columns
            else self.conventions.columns
        )
        if columns is not None and format_of(path, options.get("format")) != "trec":
            options["columns"] = columns
        return options


def _looks_like_a_run(path: str) -> bool:
    """Whether the first line of a file is one of a run in TREC format."""
    from precall.read.columns import RUN
    from precall.read.sources import is_plain

    with suppress(OSError):
        if is_plain(path):
            with open(path, "rb") as file:  # noqa: PTH123
                return len(file.readline(1 << 12).split()) == RUN.fields
    return False


def _check_ranked(name: str) -> bool:
    """Refuse a name that is not a measure of rankings. For names that only `precall trec_eval`
    knows, the error says so. Returns whether the measure is of judgements by subtopic.
    """
    from precall.measures import measure

    try:
        named = measure(name)
        if not named.of_subtopics:
            named.of_rankings()
    except MeasureError as error:
        raise advise(name, error) from None
    return named.of_subtopics


#: A comma outside brackets.
COMMA = r",(?![^()]*\))"


def advise(name: str, error: MeasureError) -> MeasureError:
    """The error about a name; a better one if the name is of a known kind but not a measure."""
    from precall.measures import REGISTRY
    from precall.measures.registry import FOREIGN

    if name in {entry.name for entry in REGISTRY} or name.strip() in FOREIGN:
        return error
    theirs = of_trec_eval(name)
    if theirs is not None:
        return MeasureError(
            "{got} is trec_eval's name",
            got=name,
            remedy=f"use `precall trec_eval -m {theirs} QRELS RUN`",
        )
    parts = [piece.strip() for piece in re.split(COMMA, name)]
    if len(parts) > 1 and all(parts):
        base, cut, _ = parts[0].rpartition("@")
        parts = [
            base + cut + piece if cut and piece.isascii() and piece.isdecimal() else piece
            for piece in parts
        ]  # P@5,10
        repeated = " ".join(f"-m {piece}" for piece in parts)
        return MeasureError(
            "no measure {got}", got=name, remedy=f"give each its own option: {repeated}"
        )
    return error


def of_trec_eval(name: str) -> str | None:
    """The spelling of a name for `precall trec_eval -m`; None if trec_eval does not know it
    either.
    """
    from precall.compat.trec_eval.arguments import VERSIONS
    from precall.compat.trec_eval.families import NICKNAMES, families

    table = families(VERSIONS[0])
    base, dot, _ = name.partition(".")
    if base in NICKNAMES[VERSIONS[0]] or (base in table and (not dot or table[base].parameters)):
        return name
    match = re.fullmatch(r"(\w+?)_([0-9][0-9.,]*)", name)
    if match and match[1] in table and table[match[1]].parameters:
        return f"{match[1]}.{match[2]}"
    return None


def load_plugins(names: tuple[str, ...]) -> list[str]:
    """Import the modules of --plugin, searching the working directory first. Returns the files of
    all modules that were imported.
    """
    # Not at the top: commands without a plugin must not wait for it.
    from pathlib import Path

    folder, loaded = str(Path.cwd()), set(sys.modules)
    for name in names:
        if not all(word.isidentifier() for word in name.split(".")) or name.endswith(".py"):
            raise UsageError(
                argument="--plugin",
                what="{got} is not a module's name",
                got=name,
                remedy="write it as after 'import', without .py",
            )
        if folder not in sys.path:
            sys.path.insert(0, folder)
        try:
            import_module(name)
        except ModuleNotFoundError as error:
            raise UsageError(
                argument=f"--plugin {name}", what=_missing(name, error, folder)
            ) from error
        except (Exception, SystemExit) as error:
            raise UsageError(
                argument=f"--plugin {name}", what=f"{_where(error)}{_what(error)}"
            ) from error
    imported = [
        module for name, module in sys.modules.items() if name not in loaded or name in names
    ]
    return [
        path for module in imported if isinstance(path := getattr(module, "__file__", None), str)
    ]


def _missing(name: str, error: ModuleNotFoundError, place: str) -> str:
    if error.name is not None and f"{name}.".startswith(f"{error.name}."):
        return f"{error}; check the name, it is searched in {place} and among what is installed"
    return f"{_where(error)}no module named {error.name!r}; install it, or correct the plugin"


def _where(error: BaseException) -> str:
    """File and line of the plugin at which the error occurred, if known."""
    import traceback
    from pathlib import Path

    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}:{error.lineno}: "
    ours = str(Path(__file__).resolve().parent.parent)
    frames = [
        (Path(frame.filename), frame.lineno)
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(("<", ours))
        and "importlib" not in Path(frame.filename).parts
    ]
    # The first frame is in the plugin. The last frame in its folder says more than those of other
    # code it calls.
    own = [(path, line) for path, line in frames if path.is_relative_to(frames[0][0].parent)]
    return f"{own[-1][0].name}:{own[-1][1]}: " if own else ""


def _what(error: BaseException) -> str:
    if isinstance(error, PrecallError):
        return "; ".join([str(error), *getattr(error, "__notes__", ())])
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    kind = type(error).__name__
    return f"{kind}: {text}; correct the plugin" if text else f"{kind}; correct the plugin"
