"""What `precall decisions` and `precall categories` mean: from typed options to sheets that are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from precall.cli.cases import about, checked, conventions, ordered, source_of, written
from precall.errors import DataError, Problem, UsageError

if TYPE_CHECKING:
    from precall.cli.progress import Progress
    from precall.contingency import Decisions, Status
    from precall.read.cases import Choice, Columns
    from precall.read.cells import Reader
    from precall.sheet.sheets import Sheet


@dataclass(frozen=True, slots=True)
class DecisionsCommand:
    """`precall decisions` as typed; the fields are its options."""

    file: str
    truth: str
    predicted: str
    separator: str | None
    positive: str | None
    undefined: str
    form: str
    output: str | None
    input_format: str | None
    measures: tuple[str, ...] = ()

    def execute(self) -> int:
        """Measure and write; returns the exit code."""
        from precall.cli.progress import Progress

        checked(self.file, self.output)
        _check_separator(self.separator)
        if self.separator is not None and self.positive is not None:
            raise UsageError("--separator and --positive exclude each other; leave one of them out")
        with Progress(2) as progress:
            sheet = self.sheet(progress)
        return written(sheet, self.form, self.output)

    def sheet(self, progress: Progress) -> Sheet:
        """The values, without writing them."""
        from precall.cli.names import named_measures
        from precall.read.cases import named, read_columns
        from precall.sheet.decisions import decisions_sheet

        measures = named_measures(self.measures)
        progress(0, self.file)
        wanted = [("--truth", self.truth), ("--predicted", self.predicted)]
        columns = read_columns(self.file, named(wanted, source_of(self.file)), self.input_format)
        progress(1, self.file)
        said = conventions(
            columns, truth=self.truth, predicted=self.predicted, separator=self.separator, positive=self.positive,
            undefined=self.undefined,
        )  # fmt: skip
        with about(columns.source):
            return decisions_sheet(self._decisions(columns), self.undefined, said, measures)

    def _decisions(self, columns: Columns) -> Decisions:
        from precall.contingency import decisions
        from precall.read.cells import Reader

        reader, names = Reader(columns), (self.truth, self.predicted)
        if self.separator is not None or any(map(reader.several, names)):
            sets = [reader.sets(name, self.separator) for name in names]
            reader.check()
            known = ordered(label for column in sets for labels in column for label in labels)
            if not known:
                todo = "check --truth and --separator"
                raise DataError([columns.problem(None, self.truth, "no item has a category", todo)])
            return decisions(list(sets[0]), list(sets[1]), known)
        if self.positive is not None:
            return decisions(*self._yes_or_no(reader, self.positive))
        if all(map(reader.binary, names)) and reader.alike(names):
            return decisions(reader.relevance(self.truth, None), reader.relevance(self.predicted, None))
        texts = [reader.texts(name) for name in names]
        reader.check()
        return decisions(texts[0], texts[1], ordered(label for column in texts for label in column))

    def _yes_or_no(self, reader: Reader, positive: str) -> list[list[bool]]:
        from precall.read.problems import listed, shown

        texts = [reader.texts(name) for name in (self.truth, self.predicted)]
        reader.check()
        known = ordered(label for column in texts for label in column)
        if positive not in known:
            what = f"no label is {shown(positive)}, the labels are {listed(known)}"
            todo = "name one of them with --positive"
            raise DataError([reader.columns.problem(None, self.truth, what, todo)])
        return [[text == positive for text in column] for column in texts]


@dataclass(frozen=True, slots=True)
class CategoriesCommand:
    """`precall categories` as typed; the fields are its options."""

    file: str
    truth: str
    scores: str
    separator: str | None
    policy: str | None
    undefined: str
    form: str
    output: str | None
    input_format: str | None
    pivot: str = "category"

    def execute(self) -> int:
        """Measure and write; returns the exit code."""
        from precall.cli.progress import Progress

        self.check()
        with Progress(2) as progress:
            sheet = self.sheet(progress)
        return written(sheet, self.form, self.output)

    def check(self) -> None:
        """Refuse, before anything is read, what cannot be."""
        checked(self.file, self.output)
        _check_separator(self.separator)
        if self.scores.count("*") != 1:
            raise UsageError(f"--scores: got {self.scores!r}; write one *, such as 'p*'")
        self._check_policy()

    def _check_policy(self) -> None:
        """Try the policy on a little example: what is wrong with it is said before anything is read."""
        from precall.contingency import categorize

        if self.policy is None:
            return
        try:
            categorize(["a", "b"], [[1.0, 0.0], [0.0, 1.0]]).thresholds(self.policy)
        except UsageError as error:
            raise UsageError(f"--policy: {str(error).removeprefix('method: ')}") from None

    def sheet(self, progress: Progress) -> Sheet:
        """The values, without writing them."""
        from precall.sheet.categories import categories_sheet

        columns = self.read(progress)
        with about(columns.source):
            status = self.status(columns)
            said = self.conventions(columns)
            return categories_sheet(status, self.policy, self.undefined, said, self.pivot)

    def read(self, progress: Progress) -> Columns:
        """The columns of the truth and of scores."""
        from precall.read.cases import read_columns

        progress(0, self.file)
        columns = read_columns(self.file, self._choice(source_of(self.file)), self.input_format)
        progress(1, self.file)
        return columns

    def conventions(self, columns: Columns) -> dict[str, str]:
        """What the numbers rest on."""
        from precall.sheet.categories import senses

        return conventions(
            columns, truth=self.truth, scores=self.scores, separator=self.separator, policy=self.policy,
            ties="block", undefined=self.undefined, **senses(self.pivot),
        )  # fmt: skip

    def _choice(self, source: str) -> Choice:
        from precall.read.cases import named
        from precall.read.problems import listed, shown

        def choose(columns: list[str]) -> list[str]:
            found = [name for name in columns if self._category(name) is not None]
            chosen = named([("--truth", self.truth), *(("--scores", name) for name in found)], source)(
                columns
            )
            if not found:
                what = f"no column is like {shown(self.scores)}, the columns are {listed(columns)}"
                raise DataError([Problem(source, None, what, "name those of scores with --scores")])
            return chosen

        return choose

    def _category(self, name: str) -> str | None:
        """What the star stands for in a column's name; None for the truth and for other columns."""
        before, _, after = self.scores.partition("*")
        fits = name.startswith(before) and name.endswith(after) and len(name) > len(before) + len(after)
        return name[len(before) : len(name) - len(after)] if fits and name != self.truth else None

    def status(self, columns: Columns) -> Status:
        """The scores of all items, with the truth."""
        import numpy as np

        from precall.contingency import categorize
        from precall.read.cells import Reader

        reader = Reader(columns)
        named = {self._category(name) or "": name for name in columns.cells if name != self.truth}
        known = ordered(named)
        several = self.separator is not None or reader.several(self.truth)
        truth: list[Any] = list(
            reader.sets(self.truth, self.separator) if several else reader.texts(self.truth)
        )
        scores = [reader.numbers(named[name], "give a number, or remove the item") for name in known]
        self._refuse_strangers(reader, truth, known)
        reader.check()
        return categorize(truth, np.stack(scores, axis=1), known)

    def _refuse_strangers(self, reader: Reader, truth: list[Any], known: list[str]) -> None:
        """One problem for each true category without scores, where it first stands."""
        from precall.read.problems import listed, shown

        seen = {*known, ""}
        for row, labels in enumerate(truth):
            for label in (labels,) if isinstance(labels, str) else labels:
                if label not in seen:
                    seen.add(label)
                    what = (
                        f"category {shown(label)} has no column of scores, there are those of {listed(known)}"
                    )
                    reader.add(row, self.truth, what, "correct it, or name the columns with --scores")


def _check_separator(separator: str | None) -> None:
    if separator == "":
        raise UsageError("--separator: is empty; give what parts categories, such as ';'")
