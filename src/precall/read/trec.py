"""TREC text: lines of fields separated by blanks, read by the kernel."""

from __future__ import annotations

from precall.errors import Malformed, UsageError
from precall.native import kernel
from precall.read.columns import Ids
from precall.read.sources import contents, is_plain
from precall.read.subjects import RUN, Parsed, Request


def read_trec(path: str, request: Request) -> Parsed:
    """A run or qrels in TREC text."""
    if request.columns is not None:
        raise UsageError("columns: TREC text has no named columns; leave it out, or name a table's format")
    # A plain file is given by name: the native kernel reads it in pieces and holds no copy.
    source = path if is_plain(path) else contents(path, request.label)
    try:
        if request.subject is RUN:
            reader = kernel().read_run
            *columns, tag, dropped = reader(source, request.float32, request.duplicates, request.threads)
        else:
            *columns, dropped = kernel().read_qrels(source, request.duplicates, request.threads)
            tag = b""
    except Malformed as bad:
        from precall.read.problems import data_error

        raise data_error(bad, request) from None
    topic_data, topic_start, row_start, item_data, item_start, value = columns
    return Parsed(Ids(topic_data, topic_start), row_start, Ids(item_data, item_start), value, dropped, tag)
