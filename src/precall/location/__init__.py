"""Columns → Located → Hits: the ranks of the relevant items."""

from precall.core.conventions import TIES
from precall.location.hits import Hits
from precall.location.located import Located, locate

__all__ = ["TIES", "Hits", "Located", "locate"]
