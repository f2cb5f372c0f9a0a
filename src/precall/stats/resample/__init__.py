"""Resampling: random samples of cases and topics; the digits depend on the seed, not on the number
of threads.
"""
