"""A confusion matrix → a sheet: the matrix if it fits, and the most frequent errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import repeat
from typing import Any

import numpy as np

from precall.core.arguments import check_choice
from precall.core.conventions import describe_conventions
from precall.core.notes import Note
from precall.core.notes.of_decisions import LargeMatrix
from precall.core.text import many
from precall.hard_decisions.confusion import NORMALIZE, Confusion
from precall.results.blocks import Block, Cell, LazyData, LazyRows, Line
from precall.results.sheets import Sheet

#: Most categories of a matrix that is printed, and most errors that are listed.
WIDEST, MOST = 12, 10
#: What `Confusion.errors` returns.
Errors = list[tuple[Any, Any, int]]


def confusion_sheet(
    confusion: Confusion, normalize: str | None = None, conventions: dict[str, str] | None = None
) -> Sheet:
    """The matrix, as counts or as shares of `normalize`, and the most frequent errors."""
    check_choice("normalize", normalize, NORMALIZE)
    names, errors = [str(name) for name in confusion.categories], confusion.errors()
    blocks, notes = [_errors(confusion, errors)], list[Note](confusion.notes)
    if len(names) <= WIDEST:
        cells = confusion.counts if normalize is None else confusion.shares(normalize)
        rows = zip(names, cells.tolist(), _of_truth(confusion), strict=True)
        lines = tuple(Line(name, (*row, total)) for name, row, total in rows)
        counted = (
            "items"
            if normalize is None
            else f"share of {'all' if normalize == 'all' else f'the {normalize}'}"
        )
        title = f"{counted}: true categories downwards, predicted ones across"
        matrix = Block(title, ("truth", *names, "all"), lines)
        blocks = [matrix, replace(blocks[0], detail="the most frequent errors")]
    else:
        notes.append(LargeMatrix("", len(names)))
    return Sheet(
        "precall.confusion/2",
        describe_conventions() if conventions is None else conventions,
        tuple(block for block in blocks if block.lines),
        tuple(notes),
        LazyData(lambda: _body(confusion, normalize)),
        ("truth", "predicted", "items", "share_of_truth", "share_of_predicted", "share_of_all"),
        LazyRows(lambda: _rows(confusion), len(names) ** 2),
        _verdict(confusion, errors),
    )


def _body(confusion: Confusion, normalize: str | None) -> dict[str, Any]:
    body = {
        "categories": [str(name) for name in confusion.categories],
        "items": confusion.items,
        "right": confusion.right,
        "counts": confusion.counts.tolist(),
    }
    if normalize is not None:
        body |= {"normalize": normalize, "shares": confusion.shares(normalize).tolist()}
    return body


def _rows(confusion: Confusion) -> Iterator[tuple[Iterable[Cell], ...]]:
    """The columns of each row of the matrix, with every cell; the matrix itself is not made."""
    names, cells = [str(name) for name in confusion.categories], confusion.cells
    size = len(names)
    begin = np.searchsorted(cells.truth, np.arange(size + 1))
    of_predicted, items = cells.totals("predicted", size), confusion.items
    for row, (name, of_truth) in enumerate(zip(names, _of_truth(confusion), strict=True)):
        held = slice(begin[row], begin[row + 1])
        counts = np.zeros(size, np.int64)
        counts[cells.predicted[held]] = cells.items[held]
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = [counts / np.asarray(total) for total in (of_truth, of_predicted, items)]
        yield (repeat(name, size), names, *(column.tolist() for column in (counts, *shares)))


def _of_truth(confusion: Confusion) -> list[int]:
    """The items that are truly in each category."""
    totals: list[int] = confusion.cells.totals("truth", len(confusion.categories)).tolist()
    return totals


def _verdict(confusion: Confusion, errors: Errors) -> str:
    items, right = confusion.items, confusion.right
    share = f" ({100 * right / items:.1f} %)" if items else ""
    sentence = f"{right} of {many(items, 'item')} right{share}"
    if not errors:
        return f"{sentence}."
    truth, predicted, times = errors[0]
    first = f"{truth} is taken for {predicted} ({many(times, 'item')})"
    return f"{sentence}; most often {first}."


def _errors(confusion: Confusion, errors: Errors) -> Block:
    totals = dict(zip(confusion.categories, _of_truth(confusion), strict=True))
    lines = tuple(
        Line(str(truth), (str(predicted), times, times / totals[truth]))
        for truth, predicted, times in errors[:MOST]
    )
    title = "most frequent errors" + (f", {MOST} of {len(errors)}" if len(errors) > MOST else "")
    heading: tuple[str, ...] = ("truth", "predicted", "items", "share of the truth")
    return Block(title, heading, lines, left=2)
