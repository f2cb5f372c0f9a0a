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
from precall.results.base import Sheet
from precall.results.blocks import Block, Line
from precall.results.forms import form
from precall.stats.tests.comparisons import p_text
from precall.stats.tests.equivalence import Gate
from precall.stats.tests.gating import Gates, facts

#: Up to this number of gates all sentences are printed; of more gates only those of failed ones.
_TOLD = 3
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
    """The block of gates, with the sentences of failed ones below it. Those of passed ones are
    there if there are few gates; otherwise they are a detail.
    """
    is_few = len(gates) <= _TOLD
    told, passed = (
        decisions_of(gate for gate in gates if gate.passed == outcome and not is_few)
        for outcome in (False, True)
    )
    legends = tuple(decisions_of(gates) if is_few else told)
    blocks = tuple(replace(block, legends=legends) for block in gate_blocks(gates))
    if not passed:
        return blocks
    lines = tuple(Line(gate.label, (*gate.names, gate.margin)) for gate in gates if gate.passed)
    heading = ("passed", "system", "against", "margin")
    detail = "why each gate passed"
    return (*blocks, Block("", heading, lines, 3, detail=detail, legends=tuple(passed)))


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
