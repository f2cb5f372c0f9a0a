"""Comparisons of two or more systems: runs, scored lists, decisions; and gates between runs."""
