"""Bytes or objects → columns: runs, qrels, cases and items from files, dicts, frames and rows."""
