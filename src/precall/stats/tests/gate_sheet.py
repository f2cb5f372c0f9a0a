"""Sheets of gates, and JUnit XML, which continuous-integration servers show as tests.

junit: a `testsuite` with one `testcase` per gate. Its name is the condition of the gate, its
`classname` the measure; a `failure` has the sentence that says why. Notes and conventions are
`properties`. Times are 0, so that the same gates give the same file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from xml.sax.saxutils import escape, quoteattr

from precall.core.conventions import describe_conventions
from precall.core.notes import Note, sentences
from precall.core.notes.of_comparisons import GateDecision
from precall.core.text import visible
from precall.results.blocks import Block, Line
from precall.results.forms import form
from precall.results.sheets import Sheet
from precall.stats.tests.comparisons import p_text
from precall.stats.tests.equivalence import Gate
from precall.stats.tests.gating import Gates, facts, questions

#: Up to this number of gates each has its line and sentence in the short answer.
FEW = 3
COLUMNS = ("measure", "a", "b", "value", "bound", "p", "passed", "text")


def gates_sheet(gates: Gates) -> Sheet:
    """The sheet of several gates."""
    return Sheet(
        "precall.gates/2",
        dict(gates.conventions) or describe_conventions(),
        told_blocks(gates.gates),
        (*decisions_of(gates.gates), *gates.notes),
        {"passed": gates.passed, "gates": list(map(facts, gates.gates))},
        COLUMNS,
        tuple(_row(gate) for gate in gates.gates),
        gates.verdict,
        source=gates,
    )


def decisions_of(gates: Iterable[Gate]) -> list[Note]:
    """Notes that say why each gate passed or failed."""
    return [GateDecision("", gate.text, gate.passed) for gate in gates]


def gate_sheet(gate: Gate) -> Sheet:
    """The sheet of one gate; it looks like that of several."""
    return gates_sheet(Gates((gate,)))


def gate_blocks(gates: tuple[Gate, ...]) -> tuple[Block, ...]:
    """A block with a line for each gate, failed ones first; empty if there are no gates."""
    heading = ("gate", "verdict", "system", "against", "gain", "least gain", "p")
    lines = tuple(
        Line(
            gate.label,
            (
                "passed" if gate.passed else "failed",
                *gate.names,
                gate.value,
                gate.bound,
                p_text(gate.p),
            ),
        )
        for gate in sorted(gates, key=lambda gate: gate.passed)
    )
    return (Block("", heading, lines, left=4),) if gates else ()


def told_blocks(gates: tuple[Gate, ...]) -> tuple[Block, ...]:
    """The blocks of gates. A few have a line and a sentence each. Of more gates the short answer
    counts the passed and failed ones of each measure, and has the sentences of failed ones if they
    are few; each gate and its sentence is a detail.
    """
    blocks = tuple(
        replace(block, legends=tuple(decisions_of(gates))) for block in gate_blocks(gates)
    )
    if len(gates) <= FEW:
        return blocks
    failed = [gate for gate in gates if not gate.passed]
    legends = tuple(decisions_of(failed)) if len(failed) <= FEW else ()
    counts = replace(_counts(gates), legends=legends)
    return (counts, *(replace(block, detail="each gate, with reasons") for block in blocks))


def _counts(gates: tuple[Gate, ...]) -> Block:
    """A line for each measure and margin, those with failed gates first: how many passed and
    failed, and the system with the lowest gain.
    """
    has_margin = any(gate.margin is not None for gate in gates)
    lines: list[Line] = []
    order = sorted(questions(gates).items(), key=lambda item: all(gate.passed for gate in item[1]))
    for (label, _, baseline), gates_of_line in order:
        failed = sum(not gate.passed for gate in gates_of_line)
        worst = min(gates_of_line, key=lambda gate: (gate.passed, gate.value))
        values = (baseline, len(gates_of_line) - failed, failed, worst.names[0], worst.value)
        least_gain = (worst.bound,) * has_margin
        lines.append(Line(label, (*values, *least_gain, p_text(worst.p))))
    more = ("least gain",) * has_margin
    heading = ("gate", "against", "passed", "failed", "lowest", "gain", *more, "p")
    return Block("", heading, tuple(lines), left=2)


def _row(gate: Gate) -> tuple[str | float | int | None, ...]:
    return (gate.label, *gate.names, gate.value, gate.bound, gate.p, int(gate.passed), gate.text)


@form("junit", ".xml", of="precall.gates/2")
def junit(sheet: Sheet) -> str:
    """JUnit XML, a test case per gate."""
    gates: tuple[Gate, ...] = sheet.source.gates
    failed = sum(not gate.passed for gate in gates)
    counts = f'tests="{len(gates)}" failures="{failed}" errors="0"'
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuites name="precall" {counts} time="0">',
    ]
    lines.append(f'  <testsuite name="precall" {counts} skipped="0" time="0">')
    facts = {
        **sheet.conventions,
        **{f"note {index}": note for index, note in enumerate(sentences(sheet.source.notes), 1)},
    }
    properties = "".join(
        f"\n      <property name={_in(name)} value={_in(text)}/>" for name, text in facts.items()
    )
    lines.append(f"    <properties>{properties}\n    </properties>")
    for gate in gates:
        head = f'    <testcase classname={_in(gate.label)} name={_in(gate.name)} time="0"'
        if gate.passed:
            lines += [
                f"{head}>",
                f"      <system-out>{_clean(gate.text)}</system-out>",
                "    </testcase>",
            ]
        else:
            failure = (
                f"      <failure message={_in(gate.text)} "
                f'type="worse">{_clean(gate.text)}</failure>'
            )
            lines += [f"{head}>", failure, "    </testcase>"]
    return "\n".join([*lines, "  </testsuite>", "</testsuites>", ""])


def _clean(text: str) -> str:
    """The text with escapes for characters that XML cannot hold, or that would change the direction
    of the text around them.
    """
    return escape(visible(text, "\t"))


def _in(text: str) -> str:
    return quoteattr(visible(text, "\t"))
