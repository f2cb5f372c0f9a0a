"""What is installed here, in one dictionary: the answer to "which numbers did you get, on what?"."""

from __future__ import annotations

import platform
import sys

from precall.native import kernel, kernel_name, thread_count
from precall.version import __version__


def about() -> dict[str, str]:
    """Versions, kernel and machine.

    Returns
    -------
    dict
        precall, kernel (native or twin), compiler (of the native kernel, or ""), python, numpy,
        threads, platform.

    Examples
    --------
    >>> about()["kernel"] in ("native", "twin")
    True
    """
    import numpy

    return {
        "precall": __version__,
        "kernel": kernel_name(),
        "compiler": str(getattr(kernel(), "COMPILER", "")),
        "python": sys.version.split()[0],
        "numpy": numpy.__version__,
        "threads": str(thread_count()),
        "platform": platform.platform(),
    }
