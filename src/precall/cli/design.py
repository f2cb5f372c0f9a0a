"""What `precall power` means: which of power, topics, items and difference is asked for, and its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from precall.errors import UsageError

if TYPE_CHECKING:
    from precall.reporting.sheets import Cell, Sheet

FORMAT = "precall.power/1"


@dataclass(frozen=True, slots=True)
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
        from precall.cli import output
        from precall.cli.cases import written

        self._check()
        output.check(self.output, list(self.inputs))
        return written(self.sheet(), self.form, self.output)

    def sheet(self) -> Sheet:
        """The answer, without writing it."""
        from precall.reporting.sheets import Block, Line, Sheet
        from precall.version import __version__

        found = self._found()
        blocks = tuple(
            Block("", (title, "value"), tuple(Line(name, (value,)) for name, value in lines.items()))
            for title, lines in found.items()
        )
        tidy = tuple((title, name, value) for title, lines in found.items() for name, value in lines.items())
        said = {"precall": __version__, "power": f"{self.power:g}", "level": f"{self.level:g}"}
        if self.seed is not None:
            said["seed"] = str(self.seed)
        return Sheet(FORMAT, said, blocks, (), {"designs": found}, ("design", "quantity", "value"), tidy)

    def _found(self) -> dict[str, dict[str, Cell]]:
        if self.inputs:
            return self._of_runs()
        if self.only_a is not None or self.only_b is not None:
            return {"McNemar's test": self._of_decisions()}
        if self.systems is not None:
            return {"analysis of variance": self._of_systems()}
        if self.deviation is None:
            raise UsageError(
                "give --deviation, or QRELS and two runs to take it from; --systems with --variance; or --only-a "
                "and --only-b; see 'precall power --help'"
            )
        return {"paired t test": self._of_topics(self.deviation, self.topics)}

    def _of_topics(self, deviation: float, topics: int | None) -> dict[str, Cell]:
        from precall.infer import power

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
        from precall.infer import power

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
        from precall.infer import power

        if self.only_a is None or self.only_b is None:
            raise UsageError("--only-a and --only-b belong together; give both")
        found: dict[str, Cell] = {"only a right": self.only_a, "only b right": self.only_b}
        if self.only_a != self.only_b:
            found["items needed"] = power.items(self.only_a, self.only_b, self.power, self.level)
        if self.items is not None:
            found |= {
                "items": self.items, "power": power.of_mcnemar(self.items, self.only_a, self.only_b, self.level),
            }  # fmt: skip
        return found

    def _of_runs(self) -> dict[str, dict[str, Cell]]:
        from precall.comparison import topic_values
        from precall.evaluation import evaluate
        from precall.infer import power
        from precall.infer.paired import deviation
        from precall.infer.pairing import aligned, differences

        qrels, *runs = self.inputs
        report = evaluate(qrels, list(runs), list(self.measures) or ["AP"])
        found: dict[str, dict[str, Cell]] = {}
        for measure in report.measures:
            values, _, _ = aligned(topic_values(report, measure))
            apart = differences(values[:, 0], values[:, 1])
            spread = deviation(apart)
            if not spread > 0:
                raise UsageError(
                    f"{measure}: the runs differ alike in every topic, so there is no deviation to plan with"
                )
            lines: dict[str, Cell] = {"pilot topics": len(apart), "pilot difference": float(apart.mean())}
            lines |= self._of_topics(spread, self.topics or len(apart))
            if self.difference is not None:
                size: Any = self.topics or len(apart)
                chance, error = power.of_randomization(
                    apart, self.difference, size, self.level, rng=self.seed
                )
                lines |= {"power of randomization": chance, "its standard error": error}
            found[measure] = lines
        return found

    def _check(self) -> None:
        if self.inputs and len(self.inputs) != 3:
            raise UsageError(f"give QRELS and two runs, or none of them; got {len(self.inputs)} files")
        if self.inputs and (
            self.deviation is not None or self.systems is not None or self.only_a is not None
        ):
            raise UsageError(
                "the runs say what the deviation is; leave --deviation, --systems and --only-a out"
            )
        if self.inputs.count("-") > 1 or "" in self.inputs:
            raise UsageError("inputs: an empty path, or standard input more than once")
        if not 0 < self.level < 1:
            raise UsageError(f"--level: must be a number between 0 and 1, such as 0.95, got {self.level:g}")
        if not 0 < self.power < 1:
            raise UsageError(f"--power: must be a number between 0 and 1, such as 0.8, got {self.power:g}")
        if self.seed is not None and self.seed < 0:
            raise UsageError(f"--seed: must be an integer >= 0, got {self.seed}")
