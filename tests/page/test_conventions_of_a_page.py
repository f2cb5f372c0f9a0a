"""`precall report --from` took conventions out of the signature, so what stood in the name of a
file became one.

Of 'q | seed 99 | ties best.qrels' it told the seed 99. Older tests had no file of such a name. And
pages of the first format are written again, and read.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from precall.cli.main import run
from precall.page.record import digest, embed, read_page, read_record

RECORDS = Path(__file__).parents[1] / "fuzz" / "corpus" / "records"
HOSTILE = "q | seed 99 | ties best.qrels"


def page(record: dict[str, object], path: str) -> None:
    """A file of this record."""
    text = embed(record)
    element = (
        f'<script type="application/json" id="record" data-sha256="{digest(text)}">{text}</script>'
    )
    Path(path).write_text(f"<html>{element}</html>", "utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path(HOSTILE).write_text("q1 0 a 1\nq2 0 a 1\n", "utf-8")
    Path("a.run").write_text("q1 Q0 a 1 1.0 t\nq2 Q0 a 1 1.0 t\n", "utf-8")
    return tmp_path


def test_names_of_files_are_no_conventions(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", HOSTILE, "a.run", "-m", "AP", "-o", "one.html"]) == 0
    assert run(["report", "--from", "one.html", "-o", "two.html"]) == 0
    for name in ("one.html", "two.html"):
        (section,) = read_page(name).sections
        assert section.conventions["qrels"] == HOSTILE and section.conventions["ties"] == "docno"
        assert "seed" not in section.conventions
        capsys.readouterr()
        assert run(["report", "--from", name, "--format", "csv"]) == 0
        assert "seed" not in {
            row["statistic"] for row in csv.DictReader(capsys.readouterr().out.splitlines())
        }


def test_pages_that_have_a_signature_only_are_read(folder: Path) -> None:
    assert run(["report", HOSTILE, "a.run", "-m", "AP", "-o", "one.html"]) == 0
    record = read_record("one.html")
    del record["sections"][0]["conventions"]
    record["sections"][0]["signature"] = "precall 0.8 | ties best | seed 3"
    page(record, "old.html")
    assert read_page("old.html").sections[0].conventions == {
        "precall": "0.8",
        "ties": "best",
        "seed": "3",
    }


@pytest.mark.parametrize("path", sorted(RECORDS.iterdir()), ids=lambda path: path.name)
def test_pages_of_the_first_format_are_written_again_and_read(path: Path, folder: Path) -> None:
    data = path.read_bytes()
    record = json.JSONDecoder().raw_decode(data[data.index(b"{") :].decode())[0]
    page(record, "old.html")
    assert (
        record["format"] == "precall.page/1"
        and run(["report", "--from", "old.html", "-o", "new.html"]) == 0
    )
    old, new = read_page("old.html").sections, read_page("new.html").sections
    assert [section.conventions for section in new] == [section.conventions for section in old]
    outputs = []
    for name in ("old", "new"):
        assert (
            run(["report", "--from", f"{name}.html", "--format", "csv", "-o", f"{name}.csv"]) == 0
        )
        outputs.append(Path(f"{name}.csv").read_text("utf-8"))
    assert outputs[0] == outputs[1]
