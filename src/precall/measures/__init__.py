"""The built-in measures. Importing this declares them; what declares lives in `precall.measures`, and is found here, too."""

from precall import declare
from precall.measures import *  # noqa: F403 - its names are listed once, there
from precall.measures import REGISTRY, binary, counts, gains

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
