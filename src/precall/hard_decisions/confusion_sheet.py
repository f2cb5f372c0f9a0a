"""A confusion matrix → a sheet: the matrix if it fits, and the most frequent errors."""

from __future__ import annotations

from dataclasses import replace

from precall.core.arguments import check_choice
from precall.core.conventions import describe_conventions
from precall.core.notes import Note
from precall.core.notes.of_decisions import LargeMatrix
from precall.core.text import many
from precall.hard_decisions.confusion import NORMALIZE, SHARES, Confusion
from precall.results.base import Sheet
from precall.results.blocks import Block, Line, Row

#: Most categories of a matrix that is printed, and most errors that are listed.
WIDEST, MOST = 12, 10


def confusion_sheet(
    confusion: Confusion, normalize: str | None = None, conventions: dict[str, str] | None = None
) -> Sheet:
    """The matrix, as counts or as shares of `normalize`, and the most frequent errors."""
    check_choice("normalize", normalize, NORMALIZE)
    names = [str(name) for name in confusion.categories]
    cells = (confusion.counts if normalize is None else confusion.shares(normalize)).tolist()
    blocks, notes = [_errors(confusion)], list[Note](confusion.notes)
    if len(names) <= WIDEST:
        rows = zip(names, cells, confusion.counts.sum(axis=1).tolist(), strict=True)
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
    shares = [confusion.shares(of).ravel().tolist() for of in SHARES]
    table = confusion.table.to_dict()
    tidy: tuple[Row, ...] = tuple(zip(*table.values(), *shares, strict=True))
    return Sheet(
        "precall.confusion/2",
        describe_conventions() if conventions is None else conventions,
        tuple(block for block in blocks if block.lines),
        tuple(notes),
        {
            "categories": names,
            "items": confusion.items,
            "right": confusion.right,
            "counts": confusion.counts.tolist(),
        }
        | ({} if normalize is None else {"normalize": normalize, "shares": cells}),
        ("truth", "predicted", "items", "share_of_truth", "share_of_predicted", "share_of_all"),
        tidy,
        _verdict(confusion),
    )


def _verdict(confusion: Confusion) -> str:
    items, right = confusion.items, confusion.right
    share = f" ({100 * right / items:.1f} %)" if items else ""
    sentence = f"{right} of {many(items, 'item')} right{share}"
    errors = confusion.errors()
    if not errors:
        return f"{sentence}."
    truth, predicted, times = errors[0]
    first = f"{truth} is taken for {predicted} ({many(times, 'item')})"
    return f"{sentence}; most often {first}."


def _errors(confusion: Confusion) -> Block:
    errors = confusion.errors()
    totals = dict(zip(confusion.categories, confusion.counts.sum(axis=1).tolist(), strict=True))
    lines = tuple(
        Line(str(truth), (str(predicted), times, times / totals[truth]))
        for truth, predicted, times in errors[:MOST]
    )
    title = "most frequent errors" + (f", {MOST} of {len(errors)}" if len(errors) > MOST else "")
    heading: tuple[str, ...] = ("truth", "predicted", "items", "share of the truth")
    return Block(title, heading, lines, left=2)
