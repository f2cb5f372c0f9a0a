"""The built site: `make test-docs` builds it and says where it lies; without it one skipped test
stands for all.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.page.conftest import LACKING, browser

__all__ = ["browser"]

SITE = os.environ.get("PRECALL_SITE")
HERE = f"{Path(__file__).parent}{os.sep}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    ours = [item for item in items if str(item.path).startswith(HERE)]
    why = "no site was built: make test-docs" if SITE is None else LACKING
    stopped = [
        item for item in ours if SITE is None or "browser" in getattr(item, "fixturenames", ())
    ]
    if not why or not stopped:
        return
    stopped[0].add_marker(pytest.mark.skip(reason=f"{len(stopped)} tests of the site: {why}"))
    config.hook.pytest_deselected(items=stopped[1:])
    items[:] = [item for item in items if item not in set(stopped[1:])]


@pytest.fixture(scope="session")
def site() -> Path:
    return Path(SITE or "").resolve()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        with suppress(ConnectionError):  # a page that is left before all has come
            super().copyfile(source, outputfile)


@pytest.fixture(scope="session")
def served(site: Path) -> Iterator[str]:
    """The address of the site, as a reader has it: search asks for other pages, which files
    refuse.
    """
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
