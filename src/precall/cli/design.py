"""What `precall power` means: which of power, topics, items and difference is asked for, and its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from precall.errors import DataError, UsageError

if TYPE_CHECKING:
    from precall.ragged import Float64
    from precall.results import Report
    from precall.sheet.sheets import Cell, Sheet

FORMAT = "precall.power/1"
#: The options that each design takes; another one would say nothing, and is refused.
_TAKES = {
    "runs": ("measures", "difference", "topics", "width", "seed"),
    "decisions": ("only_a", "only_b", "items"),
    "systems": ("systems", "variance", "difference", "topics"),
    "topics": ("deviation", "difference", "topics", "width"),
}
_OPTIONS = tuple(dict.fromkeys(name for names in _TAKES.values() for name in names))
_SAID = {
    "runs": "the runs say what the deviation is", "decisions": "--only-a and --only-b plan a comparison of decisions",
    "systems": "--systems and --variance plan an analysis of variance", "topics": "the design is that of the paired t test",
}  # fmt: skip


@dataclass(frozen=True)
class PowerCommand:
    """`precall power` as typed; the fields are its options."""

    inputs: tuple[str, ...]
    measures: tuple[str, ...]
    difference: float | None
    deviation: float | None
    topics: int | None
    width: float | None
    systems: int | None
    variance: float | None
    only_a: float | None
    only_b: float | None
    items: int | None
    power: float
    level: float
    seed: int | None
    form: str
    output: str | None

    def execute(self) -> int:
        """Compute and write; returns the exit code."""
        from precall.cli import outputs

        self._check()
        outputs.check(self.output, list(self.inputs))
        return outputs.write_sheet(self.sheet(), self.form, self.output)

    def sheet(self) -> Sheet:
        """The answer, without writing it."""
        from precall.sheet.sheets import Block, Line, Sheet
        from precall.version import __version__

        found = self._found()
        blocks = tuple(
            Block("", (title, "value"), tuple(Line(name, (value,)) for name, value in lines.items()))
            for title, lines in found.items()
        )
        tidy = tuple((title, name, value) for title, lines in found.items() for name, value in lines.items())
        said = {"precall": __version__, "power": f"{self.power:g}", "level": f"{self.level:g}"}
        if self.simulated:
            said["seed"] = str(self.seed or 0)
        return Sheet(FORMAT, said, blocks, (), {"designs": found}, ("design", "quantity", "value"), tidy)

    @property
    def simulated(self) -> bool:
        """Whether random numbers are drawn."""
        return bool(self.inputs) and self.difference is not None

    def _design(self) -> str:
        """Which design is asked for, by what was given."""
        if self.inputs:
            return "runs"
        if any(one is not None for one in (self.only_a, self.only_b, self.items)):
            return "decisions"
        return "topics" if self.systems is None and self.variance is None else "systems"

    def _found(self) -> dict[str, dict[str, Cell]]:
        design = self._design()
        if design == "runs":
            return self._of_runs()
        if design == "decisions":
            return {"McNemar's test": self._of_decisions()}
        if design == "systems":
            return {"analysis of variance": self._of_systems()}
        if self.deviation is None:
            raise UsageError(
                "give --deviation, or QRELS and two runs to take it from; --systems with --variance; or --only-a "
                "and --only-b; see 'precall power --help'"
            )
        return {"paired t test": self._of_topics(self.deviation, self.topics)}

    def _of_topics(self, deviation: float, topics: int | None) -> dict[str, Cell]:
        from precall.infer.compare import power

        found: dict[str, Cell] = {"deviation": deviation}
        if self.width is not None:
            found["width"] = self.width
            found["topics for the width"] = power.topics_for_interval(self.width, deviation**2, self.level)
        if self.difference is not None:
            found["difference"] = self.difference
            found["topics needed"] = power.topics(self.difference, deviation, self.power, self.level)
        if topics is not None:
            found["topics"] = topics
            found["least difference detected"] = power.detectable(topics, deviation, self.power, self.level)
            if self.difference is not None:
                found["power"] = power.of_t(topics, self.difference, deviation, self.level)
        if len(found) == 1:
            raise UsageError("give --difference, --topics or --width: what is to be reached")
        return found

    def _of_systems(self) -> dict[str, Cell]:
        from precall.infer.compare import power

        if self.variance is None or self.difference is None or self.systems is None:
            raise UsageError(
                "--systems needs --variance (within systems) and --difference (of best and worst)"
            )
        given = self.systems, self.difference, self.variance
        found: dict[str, Cell] = {"systems": given[0], "difference": given[1], "variance": given[2]}
        found["topics needed"] = power.topics_for_anova(*given, self.power, self.level)
        if self.topics is not None:
            found |= {"topics": self.topics, "power": power.of_anova(self.topics, *given, self.level)}
        return found

    def _of_decisions(self) -> dict[str, Cell]:
        from precall.infer.compare import power

        if self.only_a is None or self.only_b is None:
            raise UsageError("--only-a and --only-b belong together; give both")
        found: dict[str, Cell] = {"only a right": self.only_a, "only b right": self.only_b}
        if self.only_a != self.only_b or self.items is None:
            found["items needed"] = power.items(self.only_a, self.only_b, self.power, self.level)
        if self.items is not None:
            found |= {
                "items": self.items, "power": power.of_mcnemar(self.items, self.only_a, self.only_b, self.level),
            }  # fmt: skip
        return found

    def _of_runs(self) -> dict[str, dict[str, Cell]]:
        from precall.evaluation import evaluate
        from precall.infer.compare import power
        from precall.infer.compare.paired import deviation
        from precall.infer.compare.pairing import differences

        qrels, *runs = self.inputs
        report = evaluate(qrels, list(runs), list(self.measures) or ["AP"])
        found: dict[str, dict[str, Cell]] = {}
        for measure in report.measures:
            values = self._values(report, measure)
            apart = differences(values[:, 0], values[:, 1])
            spread = deviation(apart)
            if len(apart) < 2:
                raise UsageError(f"{measure}: the runs share one topic; a deviation takes two or more")
            if not spread > 0:
                raise UsageError(
                    f"{measure}: the runs differ alike in every topic, so there is no deviation to plan with"
                )
            lines: dict[str, Cell] = {"pilot topics": len(apart), "pilot difference": float(apart.mean())}
            lines |= self._of_topics(spread, self.topics or len(apart))
            if self.difference is not None:
                size: Any = self.topics or len(apart)
                chance, error = power.of_randomization(
                    apart, self.difference, size, self.level, rng=self.seed or 0
                )
                lines |= {"power of randomization": chance, "its standard error": error}
            found[measure] = lines
        return found

    def _values(self, report: Report, measure: str) -> Float64:
        """Topics x the two runs."""
        from precall.comparison import topic_values
        from precall.infer.compare.pairing import aligned

        try:
            return aligned(topic_values(report, measure))[0]
        except DataError as error:
            todo = "give runs of the same topics, or the --deviation to plan with"
            raise DataError([one._replace(todo=todo) for one in error.problems], error.total) from None

    def _check(self) -> None:
        if self.inputs and len(self.inputs) != 3:
            raise UsageError(f"give QRELS and two runs, or none of them; got {len(self.inputs)} files")
        design = self._design()
        given = [name for name in _OPTIONS if getattr(self, name) not in (None, ())]
        if unused := [f"--{name.replace('_', '-')}" for name in given if name not in _TAKES[design]]:
            raise UsageError(
                f"{_SAID[design]}; leave {' and '.join(unused).replace('measures', 'measure')} out"
            )
        if self.inputs.count("-") > 1 or "" in self.inputs:
            raise UsageError("inputs: an empty path, or standard input more than once")
        if not 0 < self.level < 1:
            raise UsageError(f"--level: must be a number between 0 and 1, such as 0.95, got {self.level:g}")
        if not 0 < self.power < 1:
            raise UsageError(f"--power: must be a number between 0 and 1, such as 0.8, got {self.power:g}")
        if self.seed is not None and self.seed < 0:
            raise UsageError(f"--seed: must be an integer >= 0, got {self.seed}")
