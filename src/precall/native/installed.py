"""What is installed here, as one dictionary: which software computed the numbers, and on which
machine.
"""

from __future__ import annotations

import os
import platform
import re
import sys
import time

from precall.core.errors import UsageError
from precall.core.text import typed_integer
from precall.native import kernel, kernel_name, thread_count
from precall.version import __version__


def versions() -> dict[str, str]:
    """What numbers depend on: precall, kernel, compiler, python, numpy, threads and platform; pages
    keep it.
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


def about() -> dict[str, str]:
    """Versions, kernel and machine: what a report of a bug should say.

    Returns
    -------
    dict
        precall, kernel (native or twin), compiler (of the native kernel, or ""), python, numpy,
        threads, platform; then wheel (for which Pythons and systems the installed package was
        built), implementation of Python, gil (on or off); and the version of each package that
        precall needs or can use, "" where it is not installed.

    Examples
    --------
    >>> about()["kernel"] in ("native", "twin")
    True
    >>> about()["click"] > "8"
    True
    """
    from importlib import metadata

    def version_of(name: str) -> str:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return ""

    try:
        ours = metadata.distribution("precall")
    except metadata.PackageNotFoundError:  # imported from its sources
        needed, tags = [], []
    else:
        needed = [re.split(r"[^\w.-]", one)[0] for one in ours.requires or ()]
        tags = re.findall(r"^Tag: (.*)", ours.read_text("WHEEL") or "", re.MULTILINE)
    facts = versions()
    enabled = getattr(sys, "_is_gil_enabled", None)
    facts["wheel"] = ", ".join(tags)
    facts["implementation"] = platform.python_implementation()
    facts["gil"] = "on" if enabled is None or enabled() else "off"
    names = [name for name in dict.fromkeys(needed) if name not in facts]
    return facts | {name: version_of(name) for name in names}


def today() -> str:
    """The date in UTC, or that of SOURCE_DATE_EPOCH, so that a file can be reproduced byte by byte.

    Examples
    --------
    >>> import os, unittest.mock
    >>> with unittest.mock.patch.dict(os.environ, SOURCE_DATE_EPOCH="86400"):
    ...     today()
    '1970-01-02'
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        return time.strftime(
            "%Y-%m-%d", time.gmtime(None if epoch is None else typed_integer(epoch))
        )
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            argument="SOURCE_DATE_EPOCH",
            got=epoch,
            allowed=("seconds since 1970-01-01",),
            remedy="set it so, or unset it",
        ) from None
