"""Evaluation of runs and rankings: by topic, and as a report."""
