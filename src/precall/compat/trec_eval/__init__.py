"""trec_eval 10.0 and 9.0.8, byte for byte: options, measures, formats and exit codes."""

from precall.compat.trec_eval.program import main

__all__ = ["main"]
