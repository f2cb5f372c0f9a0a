"""Every declared measure a second time: slow, literal, from the papers, importing nothing of
precall.

An oracle takes the items of one ranking in order, best first, the judgements {item: grade} of its
topic, and the measure's parameters. It returns a number (a Fraction where the definition is
rational) or None where the definition has no value.
"""

from tests.oracle.registry import ORACLES, value

__all__ = ["ORACLES", "value"]
