"""trec_eval, byte for byte: its options, measures, formats and exit codes, in the versions 10.0 and
9.0.8.
"""

from precall.compat.trec_eval.program import main

__all__ = ["main"]
