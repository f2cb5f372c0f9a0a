"""Dicts as runs and qrels: {topic: {item: value}}, {topic: [items]}, {(topic, item): value}, {name
of column: values}.
"""

from __future__ import annotations

from collections.abc import Mapping, Sized
from typing import Any

from precall.core.errors import Malformed
from precall.native import kernel
from precall.read.columns import QRELS, RUN, Parsed, Request, turn_scores


def is_empty(part: Any) -> bool:
    """Whether a topic of a dict has no items; what has no length is no dict, as whoever reads it
    says.
    """
    return isinstance(part, Sized) and not len(part)


def read_dict(source: Mapping[Any, Any], asked: Request) -> Parsed:
    """A run or qrels in a dict of dicts."""
    dicts: Any = source
    # The kernel takes dicts; nothing is copied where they are some already.
    if not (isinstance(source, dict) and all(isinstance(inner, dict) for inner in source.values())):
        from precall.read.id_lists import lists_to_dicts, read_plain_lists, rows_of_columns
        from precall.read.rows import read_rows

        if (pairs := _rows_of_pairs(source)) is not None:
            return read_rows(pairs, asked)
        if (rows := rows_of_columns(source)) is not None:
            return read_rows(rows, asked)
        if (parsed := read_plain_lists(source, asked)) is not None:
            return parsed
        dicts, dropped, listed = lists_to_dicts(source, asked)
        return turn_scores(
            _of_any_keys(dicts, asked)._replace(dropped=dropped, listed=listed), asked
        )
    return turn_scores(_of_any_keys(dicts, asked), asked)


def _rows_of_pairs(source: Mapping[Any, Any]) -> list[tuple[Any, Any, Any]] | None:
    """The rows of {(topic, item): value}; None of all else."""
    if not source or not all(isinstance(key, tuple) and len(key) == 2 for key in source):
        return None
    return [(*key, value) for key, value in source.items()]


def _of_any_keys(dicts: dict[Any, Any], asked: Request) -> Parsed:
    try:
        return _of_dicts(dicts, asked)
    except Malformed:
        # The kernel takes text as ids, nothing else. Only what it refuses is looked at again, in
        # Python, so that integers are ids here as they are in frames and rows.
        return _of_other_keys(dicts, asked)


def _of_dicts(dicts: dict[Any, Any], asked: Request) -> Parsed:
    if asked.subject is RUN:
        return Parsed.of(*kernel().run_from_dict(dicts, asked.float32, asked.threads))
    return Parsed.of(*kernel().qrels_from_dict(dicts, asked.threads))


def _of_other_keys(dicts: dict[Any, Any], asked: Request) -> Parsed:
    """The same with integer keys as decimals; what is no id is left for the kernel to refuse."""
    from precall.read.problems import Findings, data_error
    from precall.read.values import grade, identifier, is_decimal

    findings = Findings()

    def with_texts(given: dict[Any, Any], *topic: object) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        for key, value in given.items():
            text = key if isinstance(key, str) else identifier(key, "")
            name = text if isinstance(text, str) else key
            if name in result:
                findings.add(0, "dict-twice", *topic, name)
            # To the kernel 1.0, "1" and NumPy's booleans are no integers; as grades they are to us.
            known = grade(value) if topic and asked.subject is QRELS else value
            if not isinstance(known, tuple):
                result.setdefault(name, known)
            elif isinstance(value, str | bytes) or is_decimal(value):
                kind, got = known
                findings.add(0, "dict-grade" if kind == "grade" else kind, *topic, name, repr(got))
            else:  # the kernel says why
                result.setdefault(name, value)
        return result

    tidy = {
        topic: with_texts(inner, topic) if isinstance(inner, dict) else inner
        for topic, inner in with_texts(dicts).items()
    }
    try:
        parsed = _of_dicts(tidy, asked)
    except Malformed as bad:
        raise data_error(findings.merged(bad), asked, "topic") from None
    if findings.total:
        raise data_error(findings.merged(), asked, "topic")
    return parsed
