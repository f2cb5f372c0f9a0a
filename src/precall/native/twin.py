"""The kernel in plain Python and NumPy: the oracle of the C++ one, and what stands in for it.

text    bytes → rows, and what is wrong with them      twin_text
        dict of dicts → columns                        twin_mappings
group   rows → columns grouped by topic                twin_columns
locate  columns → where the judged items stand         twin_location

It has the signatures, bits and errors of `_kernel`. `threads` and `chunk` steer the other
kernel only; they are here so that one can be put in the other's place.
"""

from __future__ import annotations

from precall.native.twin_columns import group_qrels, group_run
from precall.native.twin_location import locate
from precall.native.twin_mappings import qrels_from_dict, run_from_dict
from precall.native.twin_text import read_qrels, read_run

__all__ = [
    "COMPILER",
    "group_qrels",
    "group_run",
    "locate",
    "qrels_from_dict",
    "read_qrels",
    "read_run",
    "run_from_dict",
]

#: Nothing compiled this kernel.
COMPILER = ""
