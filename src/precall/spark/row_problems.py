"""Problems in a worker's rows: their number, and the first of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from precall.core.errors import PROBLEM_LIMIT, Malformed
from precall.core.ragged import Bool, Float64, Int64
from precall.native.literals import EXACT, GRADE_HIGH, GRADE_LOW
from precall.read.problems import Findings, Found
from precall.read.values import round_to_float32, short_repr


class RowProblems:
    """Problems in rows of runs and of qrels."""

    def __init__(self, whole: bool, float32: bool) -> None:
        self._whole, self._float32 = whole, float32
        self._findings = {False: Findings(), True: Findings()}

    def facts(self) -> dict[bool, tuple[list[Found], int]]:
        """The first problems and their number; key True is for qrels, False for runs."""
        merged = {judged: findings.merge() for judged, findings in self._findings.items()}
        return {
            judged: (list(bad.problems), bad.total) for judged, bad in merged.items() if bad.total
        }

    def keep_valid_rows(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The valid rows; the others are noted."""
        judged = batch.column("judged").to_numpy(zero_copy_only=False)
        value = batch.column("value").to_numpy(zero_copy_only=False)
        bad = np.zeros(len(value), np.bool_)
        for kind, detail, wrong in (*_nulls(batch, judged), *self._wrong_values(value, judged)):
            self._note(batch, np.flatnonzero(wrong & ~bad), kind, detail)
            bad |= wrong
        if self._float32:
            narrow, beyond = round_to_float32(value)
            wrong = np.zeros(len(value), np.bool_)
            wrong[beyond] = True
            self._note(batch, np.flatnonzero(wrong & ~bad & ~judged), "float32-range", None)
            bad |= wrong & ~judged
            value = pa.array(np.where(judged, value, narrow))
            batch = batch.set_column(batch.schema.get_field_index("value"), "value", value)
        return batch.filter(pa.array(~bad)) if bad.any() else batch

    def add_repeated_items(self, bad: Malformed) -> None:
        """Add the items that a topic has twice, as the kernel reports them for a run or qrels."""
        judged = any(fact[1] == "conflict" for fact in bad.problems)
        # Rows have no numbers here, so the line of the first one has no meaning.
        facts = [
            (0, f"spark-{kind}", topic, item, *grades)
            for _, kind, topic, item, _, *grades in bad.problems
        ]
        self._add(judged, facts, bad.total)

    def _wrong_values(self, value: Float64, judged: Bool) -> Iterator[tuple[str, str | None, Bool]]:
        yield "nan", None, np.isnan(value) & ~judged
        yield "dict-grade", None, judged & ~np.isfinite(value)
        yield "spark-fraction", None, judged & np.isfinite(value) & (np.floor(value) != value)
        yield "grade-range", None, judged & ((value < GRADE_LOW) | (value > GRADE_HIGH))
        if self._whole:
            yield "inexact", None, ~judged & (np.abs(value) >= EXACT) & np.isfinite(value)

    def _note(self, batch: pa.RecordBatch, rows: Int64, kind: str, detail: str | None) -> None:
        """Count rows and keep the first ones: topic, item, and the missing field or the value."""
        if not len(rows):
            return
        judged = batch.column("judged").to_numpy(zero_copy_only=False)[rows]
        for side in (False, True):
            of_side = rows[judged == side]
            facts: list[Found] = []
            for row in of_side[:PROBLEM_LIMIT].tolist():
                topic, item, value = (
                    batch.column(name)[row].as_py() for name in ("topic", "item", "value")
                )
                facts.append((0, kind, _text(topic), _text(item), detail or _number(value)))
            self._add(side, facts, len(of_side))

    def _add(self, judged: bool, facts: list[Found], total: int) -> None:
        findings = self._findings[judged]
        for fact in facts:
            findings.add(*fact)
        findings.total += total - len(facts)


def _nulls(batch: pa.RecordBatch, judged: Bool) -> Iterator[tuple[str, str, Bool]]:
    """The rows with a missing field, by kind and field."""
    for name in ("topic", "item", "run", "value"):
        if name in batch.schema.names and batch.column(name).null_count:
            missing = batch.column(name).is_null().to_numpy(zero_copy_only=False)
            if name == "value":
                yield "spark-null", "grade", missing & judged
                yield "spark-null", "score", missing & ~judged
            else:
                # Judgements belong to no run, so theirs is always missing.
                yield "spark-null", name, missing & ~judged if name == "run" else missing


def _text(cell: str | None) -> str:
    return "null" if cell is None else cell


def _number(value: float | None) -> str:
    if value is None or value != value:
        return "nan"
    return short_repr(int(value) if value.is_integer() else value)
