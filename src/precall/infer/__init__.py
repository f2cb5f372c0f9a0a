"""What a number is worth: laws under random selection, intervals, comparisons."""
