"""Pages that are notebooks run in the root of the repository, as `make test` runs them, and talk to their kernel by files."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from jupyter_cache.executors import utils
from jupyter_client.manager import AsyncKernelManager
from myst_nb.core.execute import direct
from sphinx.application import Sphinx

ROOT = str(Path(__file__).resolve().parents[2])


def setup(app: Sphinx) -> dict[str, Any]:
    direct.single_nb_execution = _executed
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _executed(notebook: Any, *, cwd: str, **told: Any) -> Any:
    """What myst-nb calls, in another folder than that of the page."""
    logging.getLogger("traitlets").setLevel(logging.WARNING)
    AsyncKernelManager.transport.default_value = "ipc"
    return utils.single_nb_execution(notebook, cwd=ROOT, **told)
