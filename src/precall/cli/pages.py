"""What `precall report` means: from typed options to a record, and to a page or to what a page holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from precall.errors import UsageError

if TYPE_CHECKING:
    from precall.page.record import Record


@dataclass(frozen=True, slots=True)
class PageCommand:
    """`precall report` as typed; the fields are its options, and `typed` is the command line."""

    inputs: tuple[str, ...]
    output: str | None
    title: str | None
    measures: tuple[str, ...]
    test: str
    correction: str
    level: float
    seed: int | None
    resamples: int
    unpaired: str
    topics: str
    ties: str
    undefined: str
    grade: int
    judged_only: bool
    depth: int | None
    duplicates: str
    columns: Mapping[str, str] | None
    qrels_columns: dict[str, str] | None
    threads: int | None
    chance: str
    cases: str | None
    label: str | None
    scores: tuple[str, ...]
    positive: str | None
    group: str | None
    weight: str | None
    missed: int
    lower_is_better: bool
    truth: str | None
    pattern: str | None
    policy: str | None
    separator: str | None
    input_format: str | None
    source: str | None
    form: str | None
    typed: tuple[str, ...]

    def execute(self) -> int:
        """Write the page, or what one holds; returns the exit code."""
        from precall.cli import outputs

        self._check()
        if self.source is not None:
            outputs.check(self.output, [self.source])
            bold, width = outputs.screen(self.output)
            text = self._retold(self.source, bold, width)
            outputs.write(text, self.output, bold=bold and self._form() == "table")
            return 0
        if self.output is None:
            raise UsageError("--output: there is none; name the page's file, such as -o report.html")
        outputs.check(self.output, self.files())
        from precall.page.document import html

        outputs.write(html(self.record()), self.output)
        return 0

    def files(self) -> list[str]:
        """The inputs."""
        return [*self.inputs, *([self.cases] if self.cases is not None else [])]

    def record(self) -> Record:
        """What the page says."""
        from precall.cli import page_sources
        from precall.page.files import described
        from precall.page.record import record
        from precall.page.writing import title_of

        make = {
            "runs": page_sources.of_runs,
            "cases": page_sources.of_cases,
            "categories": page_sources.of_categories,
        }
        section, headline, warnings = make[self.kind](self)
        return record(
            self.title or title_of([section]), headline, warnings, [section], command=self._command(),
            files=[described(path) for path in self.files() if path != "-"],
        )  # fmt: skip

    @property
    def kind(self) -> str:
        """What the inputs are."""
        if self.cases is not None:
            return "cases"
        return "categories" if self.truth is not None or self.pattern is not None else "runs"

    def _command(self) -> str:
        from shlex import join

        return join(["precall", *self.typed]) if self.typed else ""

    def _retold(self, path: str, bold: bool, width: int) -> str:
        from precall.errors import DataError, PrecallError, Problem
        from precall.page.blocks import told
        from precall.page.record import AGAIN, check, read_record
        from precall.text import printable

        record, label = read_record(path), printable(path)
        check(record, label)
        try:
            return told(record, self._form(), bold=bold, width=width)
        except PrecallError:
            raise
        # The record is not of our making: parts that do not fit together are no defect of precall.
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            what = f"the parts of its record do not fit together ({type(error).__name__}: {str(error)[:100]})"
            raise DataError([Problem(label, None, what, AGAIN)]) from error

    def _form(self) -> str:
        """The form that is asked for, or that the name of the output says."""
        return self.form or ("html" if str(self.output).endswith((".html", ".htm")) else "table")

    def _check(self) -> None:
        if self.source is not None:
            if self.inputs or self.cases is not None:
                raise UsageError("--from: reads a page back; leave the inputs out, or --from")
            return
        if self.form is not None:
            raise UsageError("--format: is for --from; a page is always HTML, leave it out")
        self._check_inputs()

    def _check_inputs(self) -> None:
        if self.policy is not None and self.kind != "categories":
            raise UsageError(
                "--policy: decides by scores of categories; give --truth and --scores, or leave it out"
            )
        if self.kind == "cases":
            if self.inputs or self.truth is not None or self.pattern is not None:
                raise UsageError("--cases FILE: has all inputs; leave other files, --truth and --scores out")
            if self.label is None or not self.scores:
                raise UsageError("--cases needs --label COLUMN and --score COLUMN; give both")
            if self.correction == "tukey":
                raise UsageError(
                    "--correction tukey: is of runs and their topics; take holm, hochberg, bh, by or none"
                )
            return
        if self.label is not None or self.scores:
            raise UsageError("--label and --score are for --cases FILE; name the file so, or leave them out")
        if self.kind == "categories":
            if self.truth is None or self.pattern is None:
                raise UsageError("--truth COLUMN and --scores 'PATTERN' belong together; give both")
            if len(self.inputs) != 1:
                raise UsageError(f"--truth and --scores are of one FILE, got {len(self.inputs)}; name one")
        elif len(self.inputs) < 2:
            raise UsageError(
                f"QRELS and a RUN or more are needed, got {len(self.inputs)} files; name them, or give --cases or --truth"
            )
