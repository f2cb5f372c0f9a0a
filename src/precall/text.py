"""Plain text tables: columns aligned, wrapped into blocks that fit a line."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH = 80


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1, width: int = WIDTH
) -> list[str]:
    """Lines of a table; the first `left` columns are flush left and repeated in every block.

    Examples
    --------
    >>> print("\\n".join(table(["run", "AP"], [["bm25", "0.2500"], ["a", "0.1"]])))
    run       AP
    bm25  0.2500
    a        0.1
    """
    lines = [list(header), *map(list, rows)]
    size = [max(columns_of(line[column]) for line in lines) for column in range(len(header))]
    fixed = sum(size[:left]) + 2 * (left - 1)
    blocks: list[list[int]] = []
    room = -1
    for column in range(left, len(header)):
        if room < size[column] + 2:
            blocks.append([])
            room = width - fixed
        blocks[-1].append(column)
        room -= size[column] + 2
    result: list[str] = []
    for block in blocks or [[]]:
        if result:
            result.append("")
        for line in lines:
            parts = [line[column] + " " * (size[column] - columns_of(line[column])) for column in range(left)]
            parts += [" " * (size[column] - columns_of(line[column])) + line[column] for column in block]
            result.append("  ".join(parts).rstrip())
    return result


def columns_of(text: str) -> int:
    """Columns that a terminal gives to a text: two for a wide character, none for one that combines."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1
        for one in text
    )
