"""Shapes that pictures (`precall.plot`) and pages (`precall.page`) share: colours, thinned lines,
steps, bands and names.

Nothing here draws, and nothing needs matplotlib.
"""
