"""Scored cases of any size: a file or batches that memory does not hold → curves by score and
group.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from precall.cases.curves import Curve, Parts
from precall.cases.scored_cases import missed_count
from precall.core.arguments import check_choice, check_kind, check_numbers, check_whole
from precall.core.conventions import good_scores
from precall.core.errors import needs_cases_in_memory
from precall.core.notes import Note, run_and_warn
from precall.core.text import as_text, count_drawn, is_folder
from precall.read.columns import warn_of_lowest
from precall.read.distinct_labels import sort_texts
from precall.read.sizes import is_regular, memory_limit
from precall.read.sources import is_path, label_of
from precall.results.sheets import Presented

if TYPE_CHECKING:
    from precall.cases.columns import CaseColumns
    from precall.cases.scanning import Scan, ScanRequest
    from precall.stats.blocks import Blocks


@dataclass(frozen=True, slots=True, eq=False)
class ScannedCases(Presented):
    """Curves of cases that were read in batches; see `ScoredCases.scan`.

    Attributes
    ----------
    source : name of the data.
    parts : the curve of each score and group; without groups, the only group is called "".
    asked : the conventions that its numbers depend on.
    passes : number of passes over the data.
    cases : number of cases read.
    notes : what was noticed while reading.
    """

    source: str
    parts: Parts[Curve]
    asked: Mapping[str, str | None]
    higher_is_better: bool
    grouped: bool
    passes: int
    cases: int
    notes: tuple[Note, ...] = ()
    #: The cases are not in memory, so they can be neither shuffled nor compared.
    drawn: ClassVar[bool] = False
    paired: ClassVar[bool] = False

    def __repr__(self) -> str:
        names = ", ".join(self.parts)
        return (
            f"<ScannedCases: {count_drawn(self.cases, 'case')} of {names} in {self.passes} passes>"
        )

    @property
    def scores(self) -> list[str]:
        """The names of the scores."""
        return list(self.parts)

    def curves(self, names: Iterable[str] | None = None) -> Parts[Curve]:
        """The curve of each score and group."""
        return {name: self.parts[name] for name in (self.parts if names is None else names)}

    def curve(self, score: str | None = None, group: str = "") -> Curve:
        """The curve of one score and group; the score may be omitted if there is only one.

        Examples
        --------
        >>> from precall import ScoredCases
        >>> batches = [{"y": [1, 0], "s": [0.9, 0.8]}, {"y": [1], "s": [0.7]}]
        >>> ScoredCases.scan(batches, label="y", score="s").curve().average_precision()
        0.8333333333333333
        """
        names = list(self.parts)
        name: Any = names[0] if score is None and len(names) == 1 else score
        check_choice("score", name, names)
        check_choice("group", group, list(self.parts[name]))
        curve = self.parts[name][group]
        return replace(curve, noticed=(*self.notes, *curve.noticed))

    def average_precision(self) -> float:
        """Average precision of the only score."""
        return self.curve().average_precision()

    def area_under_roc(self) -> float:
        """Area under the ROC curve of the only score."""
        return self.curve().area_under_roc()

    def blocks(self, names: Iterable[str]) -> Parts[Blocks]:
        """Blocks of each score and group, from which intervals are computed; areas and AP do not
        depend on cases between relevant scores.
        """
        from precall.cases.intervals import blocks_of_curve

        chosen = self.curves(names)
        if any(curve.tp.dtype.kind == "f" for parts in chosen.values() for curve in parts.values()):
            raise needs_cases_in_memory("interval", "of real weights it ")
        return {
            name: {group: blocks_of_curve(curve) for group, curve in parts.items()}
            for name, parts in chosen.items()
        }

    def in_memory(self, what: str) -> NoReturn:
        """Raise: `what` needs the cases one by one."""
        raise needs_cases_in_memory(what)


def scan_cases(
    source: object,
    *,
    label: str | None = None,
    score: str | Iterable[str] | None = None,
    positive: object = None,
    group: str | None = None,
    weight: str | None = None,
    thresholds: Iterable[float] = (),
    accept: Iterable[int] = (),
    missed: int = 0,
    higher_is_better: bool = True,
    memory: int | None = None,
    format: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ScannedCases:
    """Curves of cases that memory does not hold; see `ScoredCases.scan`."""
    from precall.cases.columns import CaseColumns, batches_in
    from precall.cases.scanning import Scan

    check_kind("score", score or (), Iterable, "a list")
    request = check_request(thresholds, accept, missed, higher_is_better, memory, progress)
    names = [score] if isinstance(score, str) else list(score or ())
    columns = CaseColumns(label, names, positive, group, weight)
    if is_path(source):
        path = os.fspath(source)
        for name in names:
            check_kind("score", name, str, "a name of a column, or a list of them")
        warn_of_lowest(names if higher_is_better else ())
        scan = Scan(
            partial(columns.of_files, path, format), is_regular(path) or is_folder(path), request
        )
        label_of_source = label_of(path)
    else:
        batches = batches_in(source)
        scan = Scan(
            partial(columns.of_batches, batches), not isinstance(batches, Iterator), request
        )
        label_of_source = "cases"
    # Each pass over the cases gives the notes of its batches anew.
    curves, heard = run_and_warn(scan.curves)
    how = f"in batches, {scan.passes} passes"
    scanned = scanned_of(label_of_source, scan, columns, curves, how)
    return replace(scanned, notes=(*heard, *scanned.notes)) if heard else scanned


def check_request(
    thresholds: Iterable[float],
    accept: Iterable[int],
    missed: int,
    higher_is_better: bool,
    memory: int | None,
    progress: Callable[[int, int], None] | None = None,
) -> ScanRequest:
    """The request of a scan, checked."""
    from precall.cases.scanning import ScanRequest

    for name, several in (("thresholds", thresholds), ("accept", accept)):
        check_kind(name, several, Iterable, "a list")
    check_kind("progress", progress, (Callable, type(None)), "a function, or None")
    return ScanRequest(
        tuple(check_numbers("thresholds", list(thresholds)).tolist()),
        tuple(check_whole("accept", count, 0) for count in accept),
        int(missed_count(missed, False)),
        higher_is_better,
        memory_limit(memory),
        progress,
    )


def scanned_of(
    source: str,
    scan: Scan,
    columns: CaseColumns,
    curves: Mapping[tuple[str, str], Curve],
    read: str,
) -> ScannedCases:
    """The result of a scan, with the conventions that its numbers depend on; cases of one class
    only are refused.
    """
    request, positive = scan.asked, columns.positive
    _, notes = run_and_warn(
        lambda: columns.refuse_one_class(source, curves, request.missed, scan.seen.relevant)
    )
    parts: Parts[Curve] = {
        name: {
            group: curves[name, group]
            for group in sort_texts(group for score, group in curves if score == name)
        }
        for name in dict.fromkeys(name for name, _ in curves)
    }
    rests_on = {
        "label": columns.label,
        "positive": None if positive is None else as_text(positive),
        "weight": columns.weight,
        "group": columns.group,
        "good": good_scores(request.higher_is_better),
        "read": read,
    }
    return ScannedCases(
        source,
        parts,
        rests_on,
        request.higher_is_better,
        columns.group is not None,
        scan.passes,
        scan.seen.cases,
        notes,
    )
