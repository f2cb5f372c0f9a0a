"""The sheet of a cross-validation of thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from precall.core.conventions import describe_conventions, good_scores
from precall.results.blocks import Block, Line, Threshold
from precall.results.sheets import Sheet

if TYPE_CHECKING:
    from precall.hard_decisions.cross_validation import CrossValidation


def cross_validation_sheet(found: CrossValidation) -> Sheet:
    """The measure of the items learned from and of held-out ones, the thresholds over folds, and
    the folds.
    """
    values = {
        "apparent": found.apparent,
        "held out": found.held_out,
        "optimism": found.optimism,
        "sd over folds": float(np.std(found.tested, ddof=1)),
    }
    spread = found.spread.to_dict()
    names, ends = spread["category"], ("all", "least", "greatest", "sd")
    kind = found.thresholds.kind if found.thresholds.number is None else "number"
    thresholds = [
        Line(str(name), tuple(map(Threshold, row)))
        for name, *row in zip(names, *(spread[end] for end in ends), strict=True)
    ]
    folds = [
        (number, items, learned, tested)
        for number, (items, learned, tested) in enumerate(
            zip(found.items.tolist(), found.learned.tolist(), found.tested.tolist(), strict=True), 1
        )
    ]
    blocks = (
        Block("", (found.measure, *values), (Line("", tuple(values.values())),)),
        Block("", (kind, "of all items", *ends[1:]), tuple(thresholds), first=10),
        Block(
            "",
            ("fold", "items", "learned", "held out"),
            tuple(Line(str(number), row) for number, *row in folds),
            detail="the folds",
        ),
    )
    tidy = [
        *(("", name.replace(" ", "_"), value) for name, value in values.items()),
        *(
            (str(name), end, value)
            for name, *row in zip(names, *(spread[end] for end in ends), strict=True)
            for end, value in zip(ends, row, strict=True)
        ),
        *(
            (f"fold {number}", name, value)
            for number, *row in folds
            for name, value in zip(("items", "learned", "held_out"), row, strict=True)
        ),
    ]
    return Sheet(
        "precall.cross-validation/2",
        describe_conventions(
            policy=found.policy,
            measure=found.measure,
            folds=str(found.folds),
            good=None if found.higher_is_better else good_scores(False),
            seed=str(found.seed),
        ),
        blocks,
        found.notes,
        {
            "policy": found.policy,
            "measure": found.measure,
            "seed": found.seed,
            "apparent": found.apparent,
            "held_out": found.held_out,
            "optimism": found.optimism,
            "sd_over_folds": values["sd over folds"],
            "kind": kind,
            "thresholds": [
                {"category": str(name)} | dict(zip(ends, row, strict=True))
                for name, *row in zip(names, *(spread[end] for end in ends), strict=True)
            ],
            "folds": [
                {"items": items, "learned": learned, "held_out": tested}
                for _, items, learned, tested in folds
            ],
        },
        ("category", "statistic", "value"),
        tuple(tidy),
    )
