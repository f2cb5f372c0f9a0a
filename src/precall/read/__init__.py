"""Reading of runs, qrels, cases and items: from files, dicts, frames and rows to columns."""
