"""Resampling: random samples of cases and topics, the same digits for a seed however many threads
there are.
"""
