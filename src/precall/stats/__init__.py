"""How far a number can be trusted: null distributions, intervals, comparisons."""
