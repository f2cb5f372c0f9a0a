"""What trec_eval printed for small collections is what we print."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from precall.compat.trec_eval import main
from tests.parity.cases import COLLECTIONS
from tests.parity.recording import BINARIES, command, place, recorded, undefined, written


@pytest.mark.parametrize("version", BINARIES)
@pytest.mark.parametrize("name", COLLECTIONS)
def test_output_and_exit_code(name: str, version: str, tmp_path: Path) -> None:
    paths = written(name, tmp_path)
    for options, expected, code in recorded(version, name):
        stdout, stderr = io.StringIO(), io.StringIO()
        argv = command(options, paths)
        assert main(argv, stdout, stderr, version=version) == code, (options, stderr.getvalue())
        assert (code == 0) or stderr.getvalue().startswith(("trec_eval", "expected"))
        lines = [text.splitlines() for text in (expected, stdout.getvalue())]
        kept = [
            [line for line, told in zip(some, lines[0], strict=True) if not undefined(told)]
            for some in lines
        ]
        assert kept[1] == kept[0], options
        assert "nan" not in stdout.getvalue()


@pytest.mark.parametrize("version", BINARIES)
def test_every_collection_is_recorded(version: str) -> None:
    assert {path.stem for path in place(version, "any").parent.iterdir()} == set(COLLECTIONS)
