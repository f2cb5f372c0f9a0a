"""Shapes that pictures (`precall.plot`) and pages (`precall.page`) share: colours, thinned lines,
steps, bands, names.

Nothing here draws, and nothing needs matplotlib.
"""
