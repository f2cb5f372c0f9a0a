"""The built-in measures. Importing this declares them; what declares lives in `precall.declare`, and is found here, too."""

from precall import declare
from precall.declare import *  # noqa: F403 - its names are listed once, there
from precall.declare import REGISTRY
from precall.measures import binary, counts, gains

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

__all__ = [*declare.__all__, "binary", "counts", "gains"]
