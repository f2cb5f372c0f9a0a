"""Pages that are notebooks run in the root of the repository, as `make test` runs them, and talk to
their kernel by files.

One kernel runs them all, as most of the time goes into its beginning; each finds it as a new one
would be.
"""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from jupyter_cache.executors import utils
from jupyter_client.manager import AsyncKernelManager
from jupyter_core.utils import run_sync
from myst_nb.core.execute import direct
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

ROOT = str(Path(__file__).resolve().parents[2])
#: No names of another page, and warnings as they were before any.
_ANEW = """%reset -f
import sys, warnings
sys.told = getattr(sys, "told", warnings.filters[:])
warnings.filters[:] = sys.told
del sys, warnings
"""


def setup(app: Sphinx) -> dict[str, Any]:
    direct.single_nb_execution = _executed
    app.connect("env-updated", _end)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


@cache
def _kernel() -> AsyncKernelManager:
    AsyncKernelManager.transport.default_value = "ipc"
    return AsyncKernelManager(kernel_name="python3")


def _end(app: Sphinx, env: BuildEnvironment) -> None:
    """All pages are read."""
    if _kernel.cache_info().currsize:
        run_sync(_kernel().shutdown_kernel)(now=True)
        _kernel.cache_clear()


def _executed(notebook: Any, *, cwd: str, **told: Any) -> Any:
    """What myst-nb calls, in another folder than that of the page."""
    logging.getLogger("traitlets").setLevel(
        logging.ERROR
    )  # at its end, of contexts that are shared
    cell = {
        "cell_type": "code",
        "metadata": {},
        "source": _ANEW,
        "outputs": [],
        "execution_count": None,
    }
    notebook.cells.insert(0, nbformat.from_dict(cell))
    try:
        return utils.single_nb_execution(notebook, cwd=ROOT, km=_kernel(), **told)
    finally:
        del notebook.cells[0]
