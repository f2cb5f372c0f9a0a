"""Dicts as runs and qrels: {topic: {item: value}}, {topic: [items]}, {(topic, item): value} and
{name of column: values}.
"""

from __future__ import annotations

from collections.abc import Mapping, Sized
from itertools import islice
from math import inf
from typing import Any

from precall.core.arguments import SHORT_FLOATS, is_whole
from precall.core.errors import Malformed
from precall.native import kernel
from precall.read.columns import QRELS, RUN, Parsed, Request, turn_scores
from precall.read.grades import grades_of

#: Grades that tell whether floats are to be expected.
_LOOKED_AT = 20


def is_empty(items: object) -> bool:
    """Whether a topic of a dict has no items. A value without a length is not a dict; its reader
    will refuse it.
    """
    return isinstance(items, Sized) and not len(items)


def is_of_mteb(document: object) -> bool:
    """Whether it is what MTEB predicted, runs by subset and split."""
    return isinstance(document, Mapping) and "mteb_model_meta" in document


def read_dict(source: Mapping[Any, object], request: Request) -> Parsed:
    """A run or qrels in a dict."""
    dicts: Any = source
    # The kernel reads dicts; a dict of dicts is not copied.
    if not (isinstance(source, dict) and all(isinstance(inner, dict) for inner in source.values())):
        from precall.read.id_lists import lists_to_dicts, read_plain_lists, rows_of_columns
        from precall.read.rows import read_rows

        if (pairs := _rows_of_pairs(source)) is not None:
            return read_rows(pairs, request)
        if (rows := rows_of_columns(source)) is not None:
            return read_rows(rows, request)
        if (parsed := read_plain_lists(source, request)) is not None:
            return parsed
        dicts, dropped, listed = lists_to_dicts(source, request)
        return turn_scores(
            _read_any_keys(dicts, request)._replace(dropped=dropped, listed=listed), request
        )
    return turn_scores(_read_any_keys(dicts, request), request)


def _rows_of_pairs(source: Mapping[Any, object]) -> list[tuple[Any, Any, Any]] | None:
    """The rows of {(topic, item): value}; None for anything else."""
    if not source or not all(isinstance(key, tuple) and len(key) == 2 for key in source):
        return None
    return [(*key, value) for key, value in source.items()]


def _read_any_keys(dicts: dict[Any, Any], request: Request) -> Parsed:
    # Where a float is seen at the beginning, the kernel is not asked to refuse each of them first.
    is_tried = request.subject is QRELS and _begins_with_float(dicts)
    if is_tried and (parsed := _read_fractions(dicts, request)) is not None:
        return parsed
    try:
        return _read_text_keys(dicts, request)
    except Malformed:
        if not is_tried and (parsed := _read_fractions(dicts, request)) is not None:
            return parsed
        # The kernel accepts only texts as ids. What it refuses is read again in Python, so that
        # integers are ids in dicts as in frames and rows.
        return _read_other_keys(dicts, request)


def _begins_with_float(dicts: dict[Any, Any]) -> bool:
    """Whether one of the first grades of the first topic is a float, which kernels do not read."""
    first = next(iter(dicts.values()), None)
    return isinstance(first, dict) and any(
        isinstance(grade, float) for grade in islice(first.values(), _LOOKED_AT)
    )


def _read_text_keys(dicts: dict[Any, Any], request: Request) -> Parsed:
    if request.subject is RUN:
        return Parsed.of(*kernel().run_from_dict(dicts, request.float32, request.threads))
    return Parsed.of(*kernel().qrels_from_dict(dicts, request.threads))


def _read_fractions(dicts: dict[Any, Any], request: Request) -> Parsed | None:
    """Qrels with fractions in the grades, which the kernel reads as scores; else None."""
    if request.subject is RUN:
        return None
    kinds: set[type] = set()
    for items in dicts.values():
        if isinstance(items, dict):
            kinds.update(map(type, items.values()))
    # Floats of fewer bits are read one by one.
    if kinds.intersection(SHORT_FLOATS):
        return None
    try:
        parsed = Parsed.of(*kernel().run_from_dict(dicts, False, request.threads))
    except Malformed:
        return None
    grades = grades_of(parsed.value)
    return None if grades is None else parsed._replace(value=grades)


def _without_fractions(tidy: dict[Any, Any]) -> dict[Any, Any]:
    """The same with 1 for grades with fractions, so that the kernel refuses only other values."""

    def whole(value: object) -> object:
        return 1 if isinstance(value, float) and 0 < value < inf and value % 1 else value

    return {
        topic: {item: whole(value) for item, value in items.items()}
        if isinstance(items, dict)
        else items
        for topic, items in tidy.items()
    }


def _read_other_keys(dicts: dict[Any, Any], request: Request) -> Parsed:
    """The same with integer keys written as decimals; keys that are no ids are left for the kernel
    to refuse.
    """
    from precall.read.problems import Findings, data_error
    from precall.read.values import grade, identifier, is_decimal

    findings = Findings()

    def with_texts(items: dict[Any, Any], *topic: object) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        for key, value in items.items():
            text = key if isinstance(key, str) else identifier(key, "")
            name = text if isinstance(text, str) else key
            if name in result:
                findings.add(0, "dict-twice", *topic, name)
            # The kernel refuses 1.0, "1" and NumPy booleans as grades; here they are grades.
            grade_or_score = grade(value) if topic and request.subject is QRELS else value
            if not isinstance(grade_or_score, tuple):
                result.setdefault(name, grade_or_score)
            elif isinstance(value, str | bytes) or is_decimal(value):
                kind, got = grade_or_score
                findings.add(0, "dict-grade" if kind == "grade" else kind, *topic, name, repr(got))
            elif grade_or_score[0] != "value" and not is_whole(value):
                findings.add(0, grade_or_score[0], *topic, name, grade_or_score[1])
            else:  # the kernel says why
                result.setdefault(name, value)
        return result

    tidy: dict[Any, Any] = {
        topic: with_texts(inner, topic) if isinstance(inner, dict) else inner
        for topic, inner in with_texts(dicts).items()
    }
    try:
        if request.subject is RUN:
            parsed = _read_text_keys(tidy, request)
        elif (parsed_fractions := _read_fractions(tidy, request)) is not None:
            parsed = parsed_fractions
        else:
            parsed = _read_text_keys(_without_fractions(tidy), request)
    except Malformed as bad:
        raise data_error(findings.merge(bad), request, "topic") from None
    if findings.total:
        raise data_error(findings.merge(), request, "topic")
    return parsed
