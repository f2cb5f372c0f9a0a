"""Measures: the built-in ones, which importing this declares, and what declares them, the registry
of their names.
"""

from precall.measures import binary, counts, declaring, gains
from precall.measures.declaring import *  # noqa: F403 - its names are listed once, there
from precall.measures.declaring import REGISTRY

REGISTRY.expect(
    *(
        f"precall.measures.{name}"
        for name in (
            "areas",
            "at_recall",
            "best_points",
            "diversity",
            "early_recognition",
            "separation",
            "user_models",
        )
    )
)

__all__ = [*declaring.__all__, "binary", "counts", "gains"]
