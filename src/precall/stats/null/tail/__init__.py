"""Numerical machinery: how distributions under random selection are computed, tails first."""
