"""The message of a failed gate: the verdict, the reason, and the topics that lost most."""

from __future__ import annotations

from precall.comparison.baselines import pairs
from precall.comparison.reports import measure_of
from precall.core.notes import sentences
from precall.core.text import format_difference, many, number, printable, shorten_quotations, table
from precall.evaluation.report import Report, RunValues
from precall.stats.tests.equivalence import Gate
from precall.stats.tests.gating import Gates, notes_of_gates


def message(gates: Gates, report: Report, baseline: Report, label: str, listed: int) -> str:
    """The message for failed gates: the verdict, then the losses, worst first."""
    of_run = dict(zip([run.name for run in report.runs], pairs(report, baseline), strict=True))
    lines: list[str] = []
    for gate in gates.failed:
        run, old = of_run[gate.names[0]]
        lines += _of_gate(gate, run, old, report, baseline, listed)
    lines = [_verdict(gates, report, baseline, of_run), *lines]
    if passed := [gate for gate in gates.gates if gate.passed]:
        lines.append(f"not worse: {', '.join(_short(gate, gates) for gate in passed)}")
    lines += sentences([*gates.noticed, *notes_of_gates(gates.failed, gates.noticed)])
    lines.append(f"baseline: {label}; if the loss is meant, write it anew: pytest --precall-update")
    return "\n".join(printable(shorten_quotations(line)) for line in lines)


def _short(gate: Gate, gates: Gates) -> str:
    several = len({other.names[0] for other in gates.gates}) > 1
    return f"{gate.label} of {gate.names[0]}" if several else gate.label


def _verdict(
    gates: Gates, report: Report, baseline: Report, of_run: dict[str, tuple[RunValues, RunValues]]
) -> str:
    """The first failed gate with its numbers, and the other failed gates."""
    first, *others = gates.failed
    run, old = of_run[first.names[0]]
    now, then = (
        _mean(held, name, first.measure)
        for held, name in ((report, run.name), (baseline, old.name))
    )
    verdict = f"{first.label} of {run.name} is worse than its baseline"
    if first.margin is not None:
        verdict = (
            f"a loss of {first.margin:g} or more of {first.label} could not be ruled out for "
            f"{run.name}"
        )
    line = f"{verdict}: {number(now)}, was {number(then)}"
    line += f" ({format_difference(now - then)}, {many(len(run.topics), 'topic')})"
    rest = ", ".join(_short(gate, gates) for gate in others)
    return line + (f"; so {'is' if len(others) == 1 else 'are'} {rest}" if others else "")


def _mean(held: Report, run: str, measure: str) -> float:
    from precall.evaluation.per_topic import averages

    name = measure_of(held, measure)
    line = held.measures.index(name)
    values = next(each for each in held.runs if each.name == run).values[line]
    zero = held.zeros[line] if held.zeros else 0.0
    return averages(values, held.aggregates[line], held.conventions.get("undefined", "omit"), zero)


def _of_gate(
    gate: Gate, run: RunValues, old: RunValues, report: Report, baseline: Report, listed: int
) -> list[str]:
    """The reason why a gate failed, and the topics that lost, worst first."""
    name = measure_of(report, gate.measure)
    now, then = report.values_by_run(name)[run.name], baseline.values_by_run(name)[old.name]
    best = report.best[report.measures.index(name)]
    change = {topic: now[topic] - then[topic] for topic in now}
    lost = [topic for topic in change if best * change[topic] < 0]
    # Rounded, so that losses that differ only in the last digit are ordered by id.
    lost.sort(key=lambda topic: (round(best * change[topic], 12), topic))
    rows = [
        [topic, number(then[topic]), number(now[topic]), format_difference(change[topic])]
        for topic in lost[:listed]
    ]
    lines = [gate.text]
    if rows:
        lines.append(f"{len(lost)} of {many(len(now), 'topic')} lost, the worst first:")
        lines += [
            f"  {line}" for line in table([gate.label, "was", "is", "difference"], rows, width=78)
        ]
        lines += [f"  ... {len(lost) - listed} more"] if len(lost) > listed else []
    return lines
