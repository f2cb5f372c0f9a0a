"""Intervals: from samples, counts and topics to an estimate with its bounds."""
