"""What `precall power` does: `pc.compare.plan`, and its sheet written."""

from __future__ import annotations

from typing import Any

from precall.errors import UsageError


def execute(inputs: tuple[str, ...], form: str, output: str | None, seed: int | None, **typed: Any) -> int:
    """Plan and write; returns the exit code."""
    from precall.cli import output as outputs
    from precall.cli.cases import written
    from precall.comparison import compare

    if inputs and len(inputs) != 3:
        raise UsageError(f"give QRELS and two runs, or none of them; got {len(inputs)} files")
    if inputs.count("-") > 1 or "" in inputs:
        raise UsageError("inputs: an empty path, or standard input more than once")
    if seed is not None and not inputs:
        raise UsageError("nothing is drawn at random without QRELS and two runs; leave --seed out")
    outputs.check(output, list(inputs))
    qrels, runs = (inputs[0], list(inputs[1:])) if inputs else (None, None)
    measures = list(typed.pop("measures")) or None
    found = compare.plan(qrels, runs, measures, **typed, rng=0 if seed is None else seed)
    return written(found.sheet(), form, output)
