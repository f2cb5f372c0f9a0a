"""Spans: entities, chunks and other marked stretches of text, against the true ones."""
