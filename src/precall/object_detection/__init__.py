"""Detected objects in images, against the true ones: average precision of each class."""
