"""Category status values → a sheet: measures of each category's ranking, their means, and policies of decision."""

from __future__ import annotations

from typing import Any

import numpy as np

from precall.contingency import Status, Thresholds
from precall.errors import UsageError
from precall.measures.best_points import LEFT_EARLY, is_left_early
from precall.notes import listening
from precall.ragged import mean
from precall.sheet.decisions import Rows, decisions_sheet
from precall.sheet.sheets import (
    Block,
    Cell,
    Line,
    Row,
    Sheet,
    Threshold,
    block_of,
    cells_of,
    describe_conventions,
)

FORMAT = "precall.categories/1"
COLUMNS = ("AP", "AUC", "break-even", "max-f", "11-point")
_LEVELS = tuple(f"{i / 10:.1f}" for i in range(11))
_OVER = {"category": "categories", "item": "items"}


def senses(pivot: str = "category") -> dict[str, str]:
    """In which of their senses the sheet has measures that have several; see `precall explain`."""
    return {"break-even": "nearest", "11 points": f"mean over {_OVER[pivot]}"}


def categories_sheet(
    status: Status, policy: str | None = None, undefined: str = "zero", conventions: dict[str, str] | None = None,
    pivot: str = "category",
) -> Sheet:  # fmt: skip
    """The sheet of scores of many categories; with a policy, its thresholds and what they decide.

    `pivot` says what the 11 points are averaged over: "category" or "item".

    Examples
    --------
    >>> from precall.contingency import categorize
    >>> status = categorize(["a", "b", "b"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    >>> sheet = categories_sheet(status, "max-f", "zero", {})
    >>> sheet.body["averages"]["micro"]["AP"], sheet.body["thresholds"]["values"]
    (0.9166666666666666, {'a': 0.9, 'b': 0.4})
    """
    notes = [f"{status.truth.items} items"]
    names = [str(name) for name in status.categories]
    by_name, averages = _measured(status, names, undefined, notes)
    eleven = {form: _eleven(status, form, pivot, undefined) for form in ("yang", "trec")}
    empty = np.count_nonzero(status.truth.per_item() == 0)
    if pivot == "item" and empty:
        notes.append(f"11 points undefined in {empty} of {status.truth.items} items ({undefined})")
    body: dict[str, Any] = {
        "categories": by_name, "averages": averages, "eleven_point": eleven,
        "hand_till": _hand_till(status, undefined, notes),
    }  # fmt: skip
    blocks = [block_of("category", by_name), block_of("average", averages), *_more(body, pivot)]
    tidy = _rows(body)
    if policy is not None:
        learned = status.thresholds(policy)
        decided = decisions_sheet(status.decide(learned), undefined, {})
        body["thresholds"] = {"policy": policy, "kind": learned.kind, "values": _values(learned)}
        body["decisions"] = decided.body
        blocks += [_thresholds(learned), *decided.blocks]
        origin = ", learned from these same items" if learned.learned else ""
        notes += [f"decided by {policy}{origin}", *decided.notes[1:]]
        if learned.kind == "score" and learned.learned:
            notes.append(
                f"micro {policy} of the averages is of all pairs as one list, with one threshold; what is decided, and its "
                "micro P, R and F, has a threshold per category"
            )
        tidy += [("thresholds", name, learned.kind, None, value) for name, value in _values(learned).items()]
        tidy += [("decisions", *row) for row in decided.tidy]
    columns = ("section", "category", "measure", "average", "value")
    if conventions is None:
        learned_by = {"policy": policy} if policy else {}
        conventions = describe_conventions(**learned_by, ties="block", undefined=undefined) | senses(pivot)
    return Sheet(FORMAT, conventions, tuple(blocks), tuple(notes), body, columns, tuple(tidy))


def _measured(status: Status, names: list[str], undefined: str, notes: list[str]) -> tuple[Rows, Rows]:
    """Category → measure → value, and the same of the averages."""
    sizes = status.truth.per_category().tolist()
    by_name: Rows = {name: {"items": size} for name, size in zip(names, sizes, strict=True)}
    early = int(status.by_category(is_left_early).values.sum())
    if early:
        notes.append(f"{LEFT_EARLY} (in {early} of {len(names)} categories)")
    macro: dict[str, Cell] = {"items": sum(sizes)}
    micro: dict[str, Cell] = {"items": sum(sizes)}
    for measure in COLUMNS:
        per_category = status.by_category(measure)
        for name, value in zip(names, per_category.values.tolist(), strict=True):
            by_name[name][measure] = value
        if per_category.undefined:
            notes.append(
                f"{measure} undefined in {per_category.undefined} of {len(names)} categories ({undefined})"
            )
        macro[measure] = per_category.mean(undefined)
        with listening():
            micro[measure] = status.micro(measure)
    return by_name, {"macro": macro, "micro": micro}


def _eleven(status: Status, form: str, pivot: str, undefined: str) -> dict[str, Cell]:
    points = status.eleven_point(pivot, form, undefined)
    return {**dict(zip(_LEVELS, points.tolist(), strict=True)), "mean": mean(points)}


def _hand_till(status: Status, undefined: str, notes: list[str]) -> float:
    """Undefined, and said so, where items have none or several categories."""
    with listening() as told:
        try:
            value = status.hand_till(undefined)
        except UsageError as error:
            notes.append(f"Hand-Till AUC is undefined: {str(error).partition(': ')[2]}")
            return float("nan")
    notes += told
    return value


def _more(body: dict[str, Any], pivot: str) -> list[Block]:
    forms: Rows = body["eleven_point"]
    levels = [Line(level, tuple(line[level] for line in forms.values())) for level in (*_LEVELS, "mean")]
    corner = f"precision at recall, mean over {_OVER[pivot]}"
    return [
        Block("", ("measure", "value"), (Line("Hand-Till AUC", (body["hand_till"],)),)),
        Block("", (corner, *forms), tuple(levels)),
    ]


def _thresholds(learned: Thresholds) -> Block:
    heading = {"score": "least score", "rank": "categories per item", "proportion": "share of items"}
    return block_of(
        "category", {name: {heading[learned.kind]: value} for name, value in _values(learned).items()}
    )


def _values(learned: Thresholds) -> dict[str, Cell]:
    """By category; one number of all categories is called "all"."""
    numbers = list(map(Threshold, learned.values.tolist()))
    if learned.kind == "rank":
        return {"all": numbers[0]}
    return dict(zip(map(str, learned.categories), numbers, strict=True))


def _rows(body: dict[str, Any]) -> list[Row]:
    rows: list[Row] = [
        ("categories", name, measure, None, value) for name, measure, value in cells_of(body["categories"])
    ]
    rows += [("categories", "all", measure, way, value) for way, measure, value in cells_of(body["averages"])]
    rows += [
        ("eleven_point", "all", level, form, value) for form, level, value in cells_of(body["eleven_point"])
    ]
    return [*rows, ("categories", "all", "Hand-Till AUC", "macro", body["hand_till"])]
