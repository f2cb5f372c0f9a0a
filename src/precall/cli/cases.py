"""What `precall curve` means: from typed options to curves, and to a sheet that is written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from precall.errors import DataError, TiesUnresolved, UsageError

if TYPE_CHECKING:
    from precall.cli.progress import Progress
    from precall.curves import Curve
    from precall.infer.blocks import Blocks
    from precall.infer.interval.interval import Interval
    from precall.read.cases import Columns
    from precall.read.cells import Reader
    from precall.sheet.chance import Chances
    from precall.sheet.sheets import Sheet

    #: By score and group.
    T = TypeVar("T")
    Parts: TypeAlias = dict[str, dict[str, T]]
    #: By measure.
    Bounds: TypeAlias = dict[str, Interval]


def source_of(path: str) -> str:
    """What messages call an input."""
    from precall.read.sources import STANDARD_INPUT
    from precall.text import printable

    return STANDARD_INPUT if path == "-" else printable(path)


def checked(path: str, output: str | None) -> None:
    """Refuse, before any work is done, paths that cannot be."""
    from precall.cli import output as outputs

    if not path:
        raise UsageError("empty path; name a file, or - for standard input")
    outputs.check(output, [path])


def written(sheet: Sheet, form: str, output: str | None) -> int:
    """Write a sheet; returns the exit code."""
    from precall.cli import output as outputs
    from precall.sheet.forms import rendered

    bold, width = outputs.screen(output)
    outputs.write(rendered(sheet, form, bold=bold, width=width), output, bold=bold and form == "table")
    return 0


def conventions(columns: Columns, **said: str | None) -> dict[str, str]:
    """What a sheet's numbers rest on; what was not said is left out."""
    from precall.native import kernel_name
    from precall.version import __version__

    given = {name.replace("_", " "): text for name, text in said.items() if text is not None}
    return {"precall": __version__, "file": columns.source, **given, "kernel": kernel_name()}


def ordered(labels: Any) -> list[str]:
    """Categories in order: of their numbers, if all are whole numbers.

    Examples
    --------
    >>> ordered({"10", "9", "-1"}), ordered({"b", "10", "9"})
    (['-1', '9', '10'], ['10', '9', 'b'])
    """
    found = set(labels)
    whole = all(one.isascii() and one.removeprefix("-").isdigit() and len(one) < 20 for one in found)
    return sorted(found, key=lambda one: (int(one), one)) if whole else sorted(found)


@contextmanager
def about(source: str) -> Iterator[None]:
    """Problems found after reading are those of the input, too."""
    try:
        yield
    except DataError as error:
        named = [
            problem._replace(source=source) if problem.source in ("decisions", "scores") else problem
            for problem in error.problems
        ]
        raise DataError(named, error.total) from None


@dataclass(frozen=True, slots=True)
class CurveCommand:
    """`precall curve` as typed; the fields are its options."""

    file: str
    label: str
    scores: tuple[str, ...]
    positive: str | None
    group: str | None
    compare: tuple[tuple[str, str], ...]
    seed: int | None
    weight: str | None
    missed: int
    lower_is_better: bool
    at: tuple[str, ...]
    ties: str
    undefined: str
    form: str
    output: str | None
    input_format: str | None
    interval: str | None = None
    level: float = 0.95
    plot: str | None = None
    plot_kind: str = "pr"
    null: bool = False
    measures: tuple[str, ...] = ()

    def execute(self) -> int:
        """Measure and write; returns the exit code."""
        from precall.cli.progress import Progress

        self.check()
        with Progress(1 + len(self._columns())) as progress:
            sheet, picture = self.measured(progress)
        if self.plot is not None:
            from precall.cli import output as outputs

            outputs.write_file(picture, self.plot)
        return written(sheet, self.form, self.output)

    def measured(self, progress: Progress) -> tuple[Sheet, bytes]:
        """The values and the picture, without writing them; no bytes where none was asked for."""
        from precall.cli.conditions import conditions
        from precall.cli.names import named_measures
        from precall.sheet.curves import Choices, curve_sheet

        at = conditions(self.at)
        columns, curves, blocks, relevant, scores = self.read(progress)
        choices = Choices(
            at, self.ties, self.undefined, not self.lower_is_better, named_measures(self.measures)
        )
        try:
            intervals, means, remarks = self._intervals(blocks)
            said = self.conventions(columns)
            chances = self._chances(curves)
            sheet = curve_sheet(curves, choices, said, columns.source, intervals, means, remarks, chances)
        except TiesUnresolved:
            raise UsageError(
                "--ties block: R-precision or RR ends inside a block of equal scores; choose --ties expected|best|worst"
            ) from None
        if self.compare:
            from precall.cli.comparisons import comparisons_of_cases
            from precall.sheet.comparisons import with_cases

            found = comparisons_of_cases(
                self.compare, relevant, scores, not self.lower_is_better, self.seed, self.level
            )
            sheet = with_cases(sheet, found)
        if self.plot is None:
            return sheet, b""
        from precall.cli import drawing

        good = not self.lower_is_better
        return sheet, drawing.rendered(curves, self.plot_kind, at, good, self.plot)

    def read(self, progress: Progress) -> tuple[Columns, Parts[Curve], Parts[Blocks], Any, dict[str, Any]]:
        """The columns, and of them the curves, blocks, labels and scores."""
        from precall.read.cases import named, read_columns

        wanted = [("--label", self.label), *(("--score", name) for name in self.scores)]
        wanted += [("--compare", name) for pair in self.compare for name in pair]
        wanted += [("--group", self.group)] if self.group is not None else []
        wanted += [("--weight", self.weight)] if self.weight is not None else []
        progress(0, self.file)
        columns = read_columns(self.file, named(wanted, source_of(self.file)), self.input_format)
        return columns, *self._curves(columns, progress)

    def _columns(self) -> list[str]:
        """The columns of scores, each once."""
        return list(dict.fromkeys([*self.scores, *(name for pair in self.compare for name in pair)]))

    def conventions(self, columns: Columns) -> dict[str, str]:
        """What the numbers rest on."""
        return conventions(
            columns, label=self.label, positive=self.positive, weight=self.weight, group=self.group,
            good="low scores" if self.lower_is_better else "high scores",
            ties=f"block (R-precision, RR: {self.ties})",
            undefined=None if self.group is None else self.undefined,
            seed=str(self.seed or 0) if self.compare or self.seed is not None else None,
            interval=None if self.interval is None else self._chosen_interval(),
            null=f"random selection, blocks of equal score fixed, {100 * self.level:g} %" if self.null else None,
        )  # fmt: skip

    def _chosen_interval(self) -> str:
        return f"{self.interval} {100 * self.level:g} % (seed {self.seed or 0})"

    def _intervals(
        self, blocks: Parts[Blocks]
    ) -> tuple[Parts[Bounds] | None, dict[str, Bounds] | None, tuple[str, ...]]:
        """By score, group and measure; of the means over groups, by score and measure; and what they warn of."""
        from precall.cli.bounds import of_groups
        from precall.intervals.scored import of_blocks
        from precall.notes import noted, together

        if self.interval is None:
            return None, None, ()
        method, level, seed = self.interval, self.level, self.seed or 0
        found: Parts[Bounds] = {}
        said: list[tuple[str, str]] = []
        for score, parts in blocks.items():
            found[score] = {}
            for group, one in parts.items():
                found[score][group], own = noted(partial(of_blocks, one, level, seed, method))
                said += [(f"{score}{f', group {group}' if group else ''}", remark) for remark in own]
        if self.group is None:
            return found, None, tuple(together(said))
        means: dict[str, Bounds] = {}
        for score, bounds in found.items():
            means[score], own = noted(partial(of_groups, bounds, self.undefined, level))
            said += [(score, remark) for remark in own]
        return found, means, tuple(together(said))

    def _chances(self, curves: Parts[Curve]) -> Parts[Chances] | None:
        from precall.sheet.chance import Chances

        if not self.null:
            return None
        return {
            score: {group: Chances.of(one, self.level) for group, one in parts.items()}
            for score, parts in curves.items()
        }

    def _curves(
        self, columns: Columns, progress: Progress
    ) -> tuple[Parts[Curve], Parts[Blocks], Any, dict[str, Any]]:
        import numpy as np

        from precall.curves import curve
        from precall.intervals.cases import blocks_of
        from precall.read.cells import Reader

        reader = Reader(columns)
        reader.refuse_swapped(self.label, self._columns(), self.positive)
        relevant = reader.relevance(self.label, self.positive)
        todo = "remove it, or count it by --missed if it is relevant"
        scores = {name: reader.numbers(name, todo) for name in self._columns()}
        weights = None if self.weight is None else reader.weights(self.weight)
        groups = [] if self.group is None else reader.texts(self.group)
        reader.check()
        self._refuse_one_class(reader, relevant if weights is None else relevant[weights > 0])
        known = ordered(groups)
        code = {name: place for place, name in enumerate(known)}
        member = np.array([code[name] for name in groups], np.int64)
        rows: dict[str, Any] = {name: np.flatnonzero(member == place) for name, place in code.items()}
        found: Parts[Curve] = {}
        blocks: Parts[Blocks] = {}
        for done, (name, score) in enumerate(scores.items(), 1):
            progress(done, name)
            found[name], blocks[name] = {}, {}
            for group, chosen in (rows or {"": slice(None)}).items():
                part = relevant[chosen], score[chosen]
                heavy = None if weights is None else weights[chosen]
                high = not self.lower_is_better
                found[name][group] = curve(*part, self.missed, heavy, higher_is_better=high)
                if self.interval is not None:
                    blocks[name][group] = blocks_of(*part, heavy, self.missed, higher_is_better=high)
        return found, blocks, relevant, scores

    def _refuse_one_class(self, reader: Reader, relevant: Any) -> None:
        """A curve of one class only says nothing: the label or --positive is wrong."""
        if not len(relevant):
            what = "all weights are 0, so no case is left"
            raise DataError([reader.columns.problem(None, str(self.weight), what, "check the weights")])
        if relevant.all() or not (relevant.any() or self.missed):
            every = "every case is relevant" if relevant.all() else "no case is relevant"
            what = f"{every}, a curve needs both relevant and other cases"
            raise DataError([reader.columns.problem(None, self.label, what, "check --label and --positive")])

    def check(self) -> None:
        """Refuse, before anything is read, what cannot be."""
        checked(self.file, self.output)
        if self.plot is not None:
            from precall.cli import drawing

            drawing.check(self.plot, [self.file], self.output)
        elif self.plot_kind != "pr":
            raise UsageError("--plot-kind: says what --plot FILE draws; name the file, too")
        twice = [name for name in self.scores if self.scores.count(name) > 1]
        if twice:
            raise UsageError(f"--score {twice[0]} was given {len(twice)} times; name each column once")
        self._check_compared()
        if not 0 < self.level < 1:
            raise UsageError(f"--level: must be between 0 and 1, such as 0.95, got {self.level}")
        if self.null and self.weight is not None:
            raise UsageError(
                "--null: random selection is of cases that count once each, not of weights; leave --weight out"
            )
        if self.missed < 0:
            raise UsageError(f"--missed: must be a count >= 0, got {self.missed}")
        if self.missed and self.group is not None:
            raise UsageError(
                "--missed: is of all cases, and --group measures each group by itself; leave one of them out"
            )

    def _check_compared(self) -> None:
        for first, second in self.compare:
            if first == second:
                raise UsageError(f"--compare: got {first} twice; name two columns of scores")
        given = {"--group": self.group, "--weight": self.weight, "--missed": self.missed or None}
        refused = [name for name, value in given.items() if value is not None]
        if self.compare and refused:
            raise UsageError(
                f"--compare is of whole lists of unweighted cases; leave {' and '.join(refused)} out"
            )
        if self.seed is None:
            return
        if self.seed < 0:
            raise UsageError(f"--seed: must be an integer >= 0, got {self.seed}")
        if not self.compare and self.interval is None:
            raise UsageError("--seed: is for --compare and --interval")
