"""Laws under random selection: what precision, recall, AP and others are worth when hits stand at random ranks.

    pc.null.average_precision(items=2000, relevant=500).sf(0.27)
"""

from __future__ import annotations

from precall.infer.null.average import average_precision

__all__ = ["average_precision"]
