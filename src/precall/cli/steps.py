"""`precall explain MEASURE --on FILE`: the steps of the sum behind a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from precall.cli.kinds import typed_parameters
from precall.core.errors import MeasureError, UsageError

if TYPE_CHECKING:
    from precall.core.notes import Note
    from precall.evaluation.steps import MeasureSteps
    from precall.measures import Measure

#: Options of `explain` that need none of the files.
_WITHOUT_FILES = ("words", "form", "output", "plugins", "help")
#: Options that are of one kind of input.
_OF_CASES = ("label", "score", "positive", "lower_is_better", "missed", "input_format")
_OF_RUNS = ("qrels", "topic")


@dataclass(frozen=True, slots=True)
class StepsInput:
    """The rows to compute a measure from: those of cases, or of one topic of a run."""

    file: str
    label: str | None
    score: str | None
    positive: str | None
    lower_is_better: bool
    missed: int
    input_format: str | None
    qrels: str | None
    topic: str | None

    @property
    def files(self) -> list[str]:
        """All files that are read."""
        return [self.file, *([self.qrels] if self.qrels is not None else [])]

    def check(self, context: click.Context) -> None:
        """Refuse options that do not go together, or are missing."""
        of_run = self.qrels is not None or self.topic is not None
        for parameter in typed_parameters(context):
            if parameter.name in (_OF_CASES if of_run else _OF_RUNS):
                kind = "scored cases" if of_run else "a run, with --qrels"
                raise UsageError(
                    argument=parameter.opts[0], what=f"applies to {kind}", remedy="leave it out"
                )
        needed = {"--qrels": self.qrels, "--topic": self.topic}
        if not of_run:
            needed = {"--label": self.label, "--score": self.score}
        for option, value in needed.items():
            if value is None:
                both = "--label and --score of cases, or --qrels and --topic of a run"
                raise UsageError(
                    argument="--on", what=f"also needs {option}", remedy=f"give {both}"
                )

    def steps(self, measure: Measure) -> tuple[MeasureSteps, dict[str, Any], list[Note]]:
        """The steps, the conventions that they depend on, and notes on the data."""
        from precall.core.notes import run_and_collect

        if self.qrels is None:
            (steps, conventions), notes = run_and_collect(lambda: self._of_cases(measure))
        else:
            (steps, conventions), notes = run_and_collect(lambda: self._of_run(measure))
        return steps, conventions, list(notes)

    def _of_cases(self, measure: Measure) -> tuple[MeasureSteps, dict[str, Any]]:
        from precall.cases import curve
        from precall.cases.table import read_cases
        from precall.core.conventions import describe_classes, describe_ties
        from precall.evaluation.steps import steps_of_curve

        assert self.label is not None
        assert self.score is not None
        good = not self.lower_is_better
        table = read_cases(
            self.file,
            self.label,
            [self.score],
            positive=self.positive,
            missed=self.missed,
            higher_is_better=good,
            format=self.input_format,
        )
        made = curve(
            table.relevant, table.scores[self.score], missed=self.missed, higher_is_better=good
        )
        steps = steps_of_curve(made, measure)
        by_order = measure.of_path(made) is None
        return steps, {
            "file": table.source,
            "label": self.label,
            "positive": self.positive,
            "score": self.score,
            "good": table.asked["good"],
            "ties": "expected" if by_order else describe_ties("block"),
            "cases": describe_classes(int(made.relevant), int(made.other)),
        }

    def _of_run(self, measure: Measure) -> tuple[MeasureSteps, dict[str, Any]]:
        from precall.evaluation.steps import steps_of_run

        assert self.qrels is not None
        assert self.topic is not None
        steps = steps_of_run(self.qrels, self.file, self.topic, measure)
        return steps, {
            "qrels": self.qrels,
            "run": self.file,
            "topic": self.topic,
            "ties": "docno",
            "grade": f">={measure.parameters.get('grade', 1)}",
        }


def refuse_without_file(context: click.Context) -> None:
    """Refuse options that say how a file is read, if there is none."""
    for parameter in typed_parameters(context):
        if parameter.name not in _WITHOUT_FILES:
            raise UsageError(
                argument=parameter.opts[0],
                what="applies to --on FILE",
                remedy="also give it, or leave this out",
            )


def measure_of(name: str) -> Measure:
    """The measure that a name or a word means."""
    from precall.cli.explanations import measure_of_word
    from precall.measures import measure

    try:
        return measure(name)
    except MeasureError as error:
        if error.fault != "unknown":
            raise
        return measure(measure_of_word(name))


def write(
    name: str, rows: StepsInput, plot: str | None, everything: bool, form: str, output: str | None
) -> int:
    """Print the steps to the value of a measure; returns the exit code."""
    from precall.cli import files, outputs
    from precall.evaluation.steps_sheet import SHOWN, draw_as_text, sheet_of_steps

    rows.check(click.get_current_context())
    outputs.check_picture(plot, None)
    files.check(rows.files, output, plot=plot)
    steps, conventions, notes = rows.steps(measure_of(name))
    if plot is not None:
        if steps.bars is None:
            raise UsageError(
                argument="--plot",
                what=f"{steps.measure} is no sum of rectangles",
                allowed="AP, AUC, IAP, DCG, nDCG and measures of diversity",
                remedy="leave it out",
            )
        from precall.plot import Rectangles

        bars = steps.bars
        drawn = Rectangles(
            bars.left, bars.right, [bars.start, bars.end], names=(bars.across, bars.upwards)
        )
        outputs.draw(drawn.plot(title=f"{steps.measure} = {steps.value:.4f}"), plot)
    sheet = sheet_of_steps(steps, conventions, tuple(notes), None if everything else SHOWN)

    def text() -> str:
        bold, width = outputs.screen(output)
        table = outputs.render(sheet, "table", bold=bold, width=width)
        return table if steps.bars is None else f"{table}\n{draw_as_text(steps.bars)}\n"

    return outputs.write_sheet(sheet, form, output, text=text)
