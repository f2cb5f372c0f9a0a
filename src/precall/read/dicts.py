"""Dicts of dicts: {topic: {item: score}} and {topic: {item: grade}}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from precall.errors import Malformed
from precall.native import kernel
from precall.read.columns import Ids
from precall.read.problems import data_error
from precall.read.subjects import RUN, Parsed, Request


def read_dict(source: Mapping[Any, Any], request: Request) -> Parsed:
    """A run or qrels in a dict of dicts."""
    plain = _plain(source)
    try:
        run = request.subject is RUN
        found = kernel().run_from_dict(plain, request.float32) if run else kernel().qrels_from_dict(plain)
    except Malformed as bad:
        raise data_error(bad, request, "topic") from None
    topic_data, topic_start, row_start, item_data, item_start, value = found
    return Parsed(Ids(topic_data, topic_start), row_start, Ids(item_data, item_start), value)


def _plain(source: Mapping[Any, Any]) -> dict[Any, Any]:
    """The same as dicts, which is what the kernel takes; nothing is copied when they are already."""
    if isinstance(source, dict) and all(isinstance(inner, dict) for inner in source.values()):
        return source
    return {
        topic: dict(inner) if isinstance(inner, Mapping) and not isinstance(inner, dict) else inner
        for topic, inner in source.items()
    }
