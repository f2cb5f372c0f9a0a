"""Shared ground of all rooms: errors, arguments, notes, text, random numbers and files. Nothing
here knows of measures.
"""
