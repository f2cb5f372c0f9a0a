"""A ranking of ids → a sheet: its counts, its measures and its operating points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from precall.cases.curve_sheet import cells_beside
from precall.cases.operating_points import OperatingPoints
from precall.cases.points_sheet import block_of_points
from precall.core.notes import Note
from precall.core.notes.of_curves import PopulationNotKnown
from precall.evaluation.single_ranking import DEFAULT
from precall.measures.lookup import heads_of
from precall.measures.registry import find
from precall.results.blocks import (
    Cell,
    Cells,
    LazyData,
    LazyLines,
    Row,
    block_of,
    block_of_values,
    cells_of,
)
from precall.results.sheets import Sheet

if TYPE_CHECKING:
    from precall.evaluation.single_ranking import Ranking

#: Default measures that the short answer leaves out.
_DETAILS = tuple(find(name).name for name in ("11pt", "BEP", "BEP(method=max-min)"))
COLUMNS = ("section", "rank", "item", "measure", "value")


#: The operating points that the long answer shows: the first and the last ten.
_ROWS = 20


def ranking_sheet(ranking: Ranking, rows: int | None = _ROWS) -> Sheet:
    """The sheet of one ranking, with `rows` of its operating points; with None all of them."""
    points, eleven = ranking.points(), _eleven_points(ranking)
    counts: dict[str, Cell] = {
        "ranked": len(ranking.items),
        "relevant": int(ranking.curve.relevant),
        "hits": int(ranking.curve.tp[-1]),
        "missed": len(ranking.missed),
    }
    measures: dict[str, Cell] = dict(ranking.values)
    intervals: Cells = {
        name: {
            "value": bounds.estimate,
            "low": bounds.ends[0],
            "high": bounds.ends[1],
            **_in_ranks(cells_beside(bounds), len(ranking.items)),
        }
        for name, bounds in ranking.intervals.items()
    }
    heads = dict(zip(measures, heads_of(measures, ranking.asked), strict=True))
    headed = {heads[name]: value for name, value in measures.items()}
    # The ranks themselves have no scores; JSON keeps the number that stands for one.
    columns = dict.fromkeys(
        column for row in intervals.values() for column in row if column != "threshold"
    )
    lines = {
        name: {column: row.get(column) for column in columns} for name, row in intervals.items()
    }
    # Measures that are not the default ones were asked for.
    is_default = tuple(ranking.values) == tuple(find(name).name for name in DEFAULT)
    hidden = {heads[name] for name in _DETAILS if is_default}
    blocks = [
        block_of_values(
            ("measure", "value"),
            {name: value for name, value in headed.items() if name not in hidden},
        )
    ]
    blocks += [block_of("interval", lines)] if intervals else []
    more = counts | {name: value for name, value in headed.items() if name in hidden}
    listed = block_of_points(points, points.parts[0], rows, "operating points")
    blocks += [
        replace(
            block_of_values(("more measures", "value"), more),
            detail="counts" + " and break-even" * is_default,
        ),
        replace(
            block_of_values(("precision at recall", "value"), eleven),
            detail="precision at 11 levels of recall",
        ),
        replace(listed, detail="operating points", legends=tuple(_notes_of_points(ranking))),
    ]
    plain = {"counts": counts, "measures": measures, "intervals": intervals, "11-point": eleven}
    body = LazyData(lambda: {**plain, "missed": list(ranking.missed), "points": points.to_dict()})
    sections: Cells = {"counts": counts, "measures": headed, "11-point": eleven}
    sections |= {f"interval {name}": cells for name, cells in intervals.items()}
    first = tuple((section, None, None, name, value) for section, name, value in cells_of(sections))
    size = len(first) + len(points) * (len(points.names) - 2) + len(ranking.missed)
    tidy: LazyLines[Row] = LazyLines(
        lambda: chain(first, _tidy_points(ranking.missed, points)), size
    )
    return Sheet(
        "precall.ranking/2",
        dict(ranking.conventions),
        tuple(blocks),
        ranking.notes,
        body,
        COLUMNS,
        tidy,
        _verdict(counts),
    )


def _in_ranks(cells: dict[str, Any], items: int) -> dict[str, Any]:
    """Cells of an interval with the rank that its threshold stands for: the first n items."""
    if "threshold" not in cells:
        return cells
    return {**cells, "first": items + 1 - int(cells["threshold"])}


def _eleven_points(ranking: Ranking) -> dict[str, Cell]:
    return {f"{i / 10:.1f}": value for i, value in enumerate(ranking.curve.eleven_point().tolist())}


def _notes_of_points(ranking: Ranking) -> Iterator[Note]:
    """The notes that concern the operating points only."""
    return (note for note in ranking.notes if isinstance(note, PopulationNotKnown))


def _verdict(counts: dict[str, Cell]) -> str:
    missed = f"; {counts['missed']} missed" if counts["missed"] else ""
    return "{hits} of {relevant} relevant items are among the {ranked} ranked".format(**counts) + (
        f"{missed}."
    )


def _tidy_points(missed: tuple[str, ...], points: OperatingPoints) -> Iterator[Row]:
    columns = points.to_dict()
    names = [name for name in columns if name not in ("rank", "item")]
    for row, (rank, item) in enumerate(zip(columns["rank"], columns["item"], strict=True)):
        for name in names:
            yield "operating points", rank, item, name, columns[name][row]
    for item in missed:
        yield "missed", None, item, "relevant", 1
