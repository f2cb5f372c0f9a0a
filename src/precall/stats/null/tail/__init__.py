"""Numerical methods for null distributions: tail probabilities, moments, random placements."""
