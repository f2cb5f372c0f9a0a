"""What the documents that this project implements define, item by item: the call, and the number
that they print.
"""
