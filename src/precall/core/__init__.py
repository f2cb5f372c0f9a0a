"""The ground: errors, arguments, notes, text, random numbers and files; it knows nothing of
measures.
"""
