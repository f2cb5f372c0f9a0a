"""The values of the curves of many groups, as columns: formulas take all groups at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from precall.cases.points import measure_of_curves
from precall.cases.ranking_curves import Curves, GroupCurves
from precall.core.counts import Counts
from precall.core.ragged import Bool, Float64, Int64, integer_sums_of_parts
from precall.measures import areas, measure, weighted
from precall.measures.best_points import BREAK_EVEN, are_left_early, best_row_of_each
from precall.results.blocks import AtMost, Cell, Cells, Threshold

if TYPE_CHECKING:
    from precall.measures import Measure

#: Rows of curves that are measured together: columns of these still fit into the cache.
_ROWS = 1 << 16
#: Groups whose values are Python's numbers at one time.
_GROUPS = 1 << 10
#: Values of a group are columns of an array, or lists of what is no number of a type of its own.
Column: TypeAlias = Sequence[Cell] | Float64 | Int64


class ValuesOfGroups(Mapping[str, Cells]):
    """The values of each group by its name, in sections, made from columns when they are read.

    Parameters
    ----------
    names : the groups.
    columns : section → name of a value → its column, a value for each group.
    """

    def __init__(
        self, names: Mapping[str, int], columns: Mapping[str, Mapping[str, Column]]
    ) -> None:
        self._names = names
        self.columns: Mapping[str, Mapping[str, Column]] = columns
        self._part: tuple[int, dict[str, dict[str, list[Any]]]] = (-1, {})

    def __getitem__(self, group: str) -> Cells:
        # Groups are read one after another: the numbers of some are made at once.
        number, row = divmod(self._names[group], _GROUPS)
        held_number, lists = self._part
        if held_number != number:
            rows = slice(number * _GROUPS, (number + 1) * _GROUPS)
            lists = {
                section: {name: as_list(column[rows]) for name, column in line.items()}
                for section, line in self.columns.items()
            }
            self._part = (number, lists)
        return {
            section: {name: column[row] for name, column in line.items()}
            for section, line in lists.items()
        }

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def as_list(column: Column) -> list[Any]:
    """A column as a list of Python's numbers."""
    return column.tolist() if isinstance(column, np.ndarray) else list(column)


@dataclass(frozen=True, slots=True, eq=False)
class GroupColumns:
    """Values that every curve has, a column for each; see `measure_groups`."""

    counts: dict[str, Column]
    best_f: dict[str, Column]
    break_even: dict[str, Column]
    of_ranks: dict[str, Column]
    areas: dict[str, Column]
    levels: dict[str, Column]
    early: int
    """Groups in which precision equals recall only before the first hit."""
    turned: Bool
    """Whether relevant cases of a group score worse than others."""


def measure_groups(groups: GroupCurves, ties: str, more: Sequence[Measure]) -> GroupColumns:
    """The values of each group's curve, equal to the bit to those of the curve alone.

    `ties` and `more` are of measures of ranks, which are R-precision, RR and what `more` has.
    """
    parts = [_measure(part, ties, more) for part in groups.columns.chunks(_ROWS)]
    columns: dict[str, dict[str, Column]] = {
        section: {
            name: np.concatenate([part[section][name] for part in parts])
            for name in parts[0][section]
        }
        for section in parts[0]
    }
    kind = Threshold if groups.higher_is_better else AtMost
    best, notes = columns["best"], columns["notes"]
    sign = 1 if groups.higher_is_better else -1
    # Adding 0 shows a threshold of -0 as 0.
    best["max F threshold"] = [
        kind(sign * threshold + 0.0) for threshold in as_list(best["max F threshold"])
    ]
    return GroupColumns(
        columns["counts"],
        best,
        columns["break-even"],
        columns["ranks"],
        columns["areas"],
        columns["levels"],
        sum(as_list(notes["early"])),
        np.asarray(notes["turned"], np.bool_),
    )


@np.errstate(divide="ignore", invalid="ignore", over="ignore")
def _measure(curves: Curves, ties: str, more: Sequence[Measure]) -> dict[str, dict[str, Any]]:
    """All values of some curves, by section."""
    relevant, others = curves.relevant, curves.fp[curves.start[1:] - 1]
    relevant_in_lists, size = relevant - curves.missed, np.diff(curves.start)
    last = Counts(relevant_in_lists, others, curves.missed, np.zeros(len(curves), np.int64))
    values: dict[str, dict[str, Any]] = {
        "counts": {
            "cases": relevant_in_lists + others,
            "relevant": relevant,
            "missed": curves.missed,
            "thresholds": size - 1,
        }
    }
    row, best = best_row_of_each(curves, weighted("F", 1.0))
    # A group without relevant cases has no best threshold, as nothing is accepted.
    row = np.where(relevant > 0, row, curves.start[:-1])
    best = np.where(relevant > 0, best, np.nan)
    tp, fp = curves.tp[row], curves.fp[row]
    at_best = Counts(tp, fp, relevant - tp, others - fp)
    in_blocks = {name: measure(name).of_paths(curves) for name in ("AP", "AUC")}
    values["best"] = {
        "prevalence": measure("Prevalence").of_table(last),
        **in_blocks,
        "max F": best,
        "max F threshold": curves.threshold[row],
        "max F precision": measure("P").of_table(at_best),
        "max F recall": measure("R").of_table(at_best),
    }
    values["break-even"] = {
        f"break-even {method}": measure(f"BEP(method={method})").of_paths(curves)
        for method in BREAK_EVEN
    }
    values["ranks"] = {
        "R-precision": curves.measured(measure("Rprec"), ties),
        "RR": curves.measured(measure("RR"), ties),
        **{
            each.name: curves.measured(measure_of_curves(each), None if each.has_blocks else ties)
            for each in more
        },
    }
    values["areas"] = {
        **{
            f"pr {method}": measure(
                "AUPRG" if method == "gain" else f"AreaPR(method={method})"
            ).of_paths(curves)
            for method in areas.PR_METHODS
        },
        **{
            f"roc {method}": measure(f"AUC(method={method})").of_paths(curves)
            for method in areas.ROC_METHODS
        },
    }
    levels = np.where(relevant[:, None] > 0, areas.eleven_points_of_each(curves), np.nan)
    values["levels"] = {f"{i / 10:.1f}": levels[:, i] for i in range(11)}
    values["notes"] = {"early": are_left_early(curves), "turned": _are_turned(curves)}
    return values


def _are_turned(curves: Curves) -> Bool:
    """Whether each curve's area under ROC is further below .5 than by chance; see
    `has_wrong_direction`.
    """
    tp, fp, start = curves.tp, curves.fp, curves.start
    below, above = fp[1:] * tp[:-1], fp[:-1] * tp[1:]
    # A curve begins where nothing is accepted, so products with the row before add nothing.
    gaps = np.append(0, below - above)
    gaps[start[:-1]] = 0
    hits, others = tp[start[1:] - 1].astype(np.float64), fp[start[1:] - 1].astype(np.float64)
    variance = hits * others * (hits + others + 1) / 12
    return np.asarray(integer_sums_of_parts(gaps, start) / 2 < -4 * np.sqrt(variance))
