"""Bytes or objects → columns: runs and qrels from files, dicts, frames and rows."""

from precall.read.columns import Ids, Qrels, Run, columns_of
from precall.read.readers import columns_if_named, read_qrels, read_run
from precall.read.sources import stem

__all__ = [
    "Ids",
    "Qrels",
    "Run",
    "columns_if_named",
    "columns_of",
    "read_qrels",
    "read_run",
    "stem",
]
