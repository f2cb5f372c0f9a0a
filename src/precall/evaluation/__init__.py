"""Runs and rankings, evaluated: by topic, and as a report."""
