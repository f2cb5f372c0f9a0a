"""What is installed here, in one dictionary: the answer to "which numbers did you get, on what?"."""

from __future__ import annotations

import os
import platform
import sys
import time

from precall.errors import UsageError
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


def today() -> str:
    """The date in UTC, or that of SOURCE_DATE_EPOCH, so that a file can be made again byte by byte.

    Examples
    --------
    >>> import os, unittest.mock
    >>> with unittest.mock.patch.dict(os.environ, SOURCE_DATE_EPOCH="86400"):
    ...     today()
    '1970-01-02'
    """
    given = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(None if given is None else int(given)))
    except (ValueError, OverflowError, OSError):
        what = f"got {given!r}, allowed are seconds since 1970-01-01"
        raise UsageError(f"SOURCE_DATE_EPOCH: {what}; set it so, or unset it") from None
