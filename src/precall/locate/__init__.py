"""Columns → Located → Hits: where the relevant items stand."""

from precall.locate.hits import TIES, Hits
from precall.locate.located import Located
from precall.locate.match import locate

__all__ = ["TIES", "Hits", "Located", "locate"]
