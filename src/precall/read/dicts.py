"""Dicts of dicts: {topic: {item: score}} and {topic: {item: grade}}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from precall.errors import Malformed
from precall.native import kernel
from precall.read.columns import Ids
from precall.read.problems import Findings, data_error
from precall.read.subjects import RUN, Parsed, Request
from precall.read.values import identifier

Dicts = dict[Any, Any]


def read_dict(source: Mapping[Any, Any], request: Request) -> Parsed:
    """A run or qrels in a dict of dicts."""
    plain = _plain(source)
    try:
        columns = _columns(plain, request)
    except Malformed:
        # The kernel takes text as ids, nothing else. Only what it refuses is looked at again, in Python, so
        # that integers are ids here as they are in frames and rows.
        columns = _tidied_columns(plain, request)
    topic_data, topic_start, row_start, item_data, item_start, value = columns
    return Parsed(Ids(topic_data, topic_start), row_start, Ids(item_data, item_start), value)


def _columns(plain: Dicts, request: Request) -> Any:
    if request.subject is RUN:
        return kernel().run_from_dict(plain, request.float32, request.threads)
    return kernel().qrels_from_dict(plain, request.threads)


def _plain(source: Mapping[Any, Any]) -> Dicts:
    """The same as dicts, which is what the kernel takes; nothing is copied when they are already."""
    if isinstance(source, dict) and all(isinstance(inner, dict) for inner in source.values()):
        return source
    return {
        topic: dict(inner) if isinstance(inner, Mapping) and not isinstance(inner, dict) else inner
        for topic, inner in source.items()
    }


def _tidied_columns(plain: Dicts, request: Request) -> Any:
    findings = Findings()
    tidy = {
        topic: _with_text({item: _number(value) for item, value in inner.items()}, findings, topic)
        if isinstance(inner, dict)
        else inner
        for topic, inner in _with_text(plain, findings).items()
    }
    try:
        columns = _columns(tidy, request)
    except Malformed as bad:
        raise data_error(findings.merged(bad), request, "topic") from None
    if findings.total:
        raise data_error(findings.merged(Malformed([], 0)), request, "topic")
    return columns


def _with_text(given: Dicts, findings: Findings, *topic: object) -> Dicts:
    """The same with integer keys as decimals; what is no id is left for the kernel to refuse."""
    result: Dicts = {}
    for key, value in given.items():
        text = key if isinstance(key, str) else identifier(key, "")
        name = text if isinstance(text, str) else key
        if name in result:
            findings.add(0, "dict-twice", *topic, name)
        else:
            result[name] = value
    return result


def _number(value: Any) -> Any:
    # NumPy's booleans are no integers to Python; its own are.
    return bool(value) if isinstance(value, np.bool_) else value
