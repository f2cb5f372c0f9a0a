"""Columns → Located → Hits: where the relevant items stand."""

from precall.core.conventions import TIES
from precall.location.hits import Hits
from precall.location.located import Located, locate

__all__ = ["TIES", "Hits", "Located", "locate"]
