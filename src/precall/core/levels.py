"""Which levels intervals may have. The rule serves functions and command-line options, which must
not wait for NumPy.
"""

from __future__ import annotations

#: The least and the greatest level: below, an interval is a point; above, 1 - level has no digits
#: left in float64.
LEVELS = (0.001, 1 - 1e-12)


def levels_instead(level: float, example: float = 0.95) -> str:
    """Which numbers are allowed instead of one that is no level of an interval, or no other
    probability; empty if it is one.

    Examples
    --------
    >>> levels_instead(0.95), levels_instead(1e-6)
    ('', 'a number from 0.001 to 1 - 1e-12, such as 0.95')
    """
    if LEVELS[0] <= level <= LEVELS[1]:
        return ""
    allowed = "between 0 and 1" if not 0 < level < 1 else "from 0.001 to 1 - 1e-12"
    return f"a number {allowed}, such as {example:g}"
