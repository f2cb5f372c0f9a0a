"""No check depends on which group of packages was installed before it.

`make lint` failed after `make test-torch`: mypy saw the types of torchmetrics. Both passed in a
fresh environment, and no test ran one after the other.
"""

from __future__ import annotations

import ast
import http.server
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
needs_sources = pytest.mark.skipif(not (ROOT / "src").is_dir(), reason="the sources are not here")
#: What `make lint` has whatever was installed before.
ALWAYS = ("test", "lint")


def settings() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^\w.-]", line)[0].lower().replace("-", "_") for line in requirements}


def imported() -> Iterator[str]:
    """The top of every module that the package imports."""
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (name.name.partition(".")[0] for name in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield str(node.module).partition(".")[0]


@pytest.mark.nightly
@needs_sources
def test_types_of_what_may_be_there_or_not_are_not_looked_at() -> None:
    known = settings()
    groups = known["dependency-groups"]
    always = names(known["project"]["dependencies"]).union(
        *(names(groups[group]) for group in ALWAYS)
    )
    others = set[str]().union(*(names(group) for group in groups.values())) - always
    wanted = others & set(imported())
    assert {"torch", "torchmetrics", "pyspark"} <= wanted
    skipped = {
        module.removesuffix(".*")
        for override in known["tool"]["mypy"]["overrides"]
        if override.get("follow_imports") == "skip" and override.get("follow_imports_for_stubs")
        for module in override["module"]
    }
    assert wanted <= skipped, (
        "mypy would see their types where they are installed, and none where they are not"
    )


class _Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/cpu/torch/" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.nightly
@pytest.mark.skipif(
    not (ROOT / "Makefile").exists() or shutil.which("make") is None,
    reason="no make, or no Makefile",
)
def test_torch_is_the_build_for_processors_where_its_index_answers(tmp_path: Path) -> None:
    """It brought 3 GB of CUDA, which the tests do not use."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    try:
        for index, group, is_told in (
            (f"{address}/cpu", "torch", True),
            (f"{address}/cpu", "recipes", True),
            (f"{address}/none", "torch", False),
            ("http://127.0.0.1:9", "torch", False),
            (f"{address}/cpu", "test", False),
        ):
            told = [
                f"VENV={tmp_path}/venv",
                f"PYTHON={sys.executable}",
                f"TORCH_INDEX={index}",
                f"{tmp_path}/venv/group-{group}",
            ]
            done = subprocess.run(
                ["make", "-n", *told],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=True,
                timeout=60,
            )
            (line,) = (line for line in done.stdout.splitlines() if f"--group {group}" in line)
            assert (f"--extra-index-url {index} " in line) == is_told, line
    finally:
        server.shutdown()
        server.server_close()
