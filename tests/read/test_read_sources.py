"""Where runs and qrels come from: paths, archives, standard input, options, objects already
read.
"""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.core.errors import DataError, MissingExtra, UsageError
from precall.read.columns import columns_of
from precall.read.formats import FORMATS
from precall.read.sources import stem
from tests.archives import zstd

RUN = b"q1 Q0 a 1 2.5 bm25\nq2 Q0 b 1 inf bm25\nq1 Q0 c 2 -0.5 last\n"
QRELS = b"q1 0 a 2\nq2 0 b -1\n"


PACK = {".gz": gzip.compress, ".zst": zstd}


@pytest.fixture
def write(tmp_path: Path):
    def put(name: str, data: bytes) -> Path:
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return put


def scores(run: pc.Run) -> dict[str, dict[str, float]]:
    items, bounds = run.items.tolist(), run.row_start.tolist()
    return {
        topic: dict(zip(items[a:b], run.score[a:b].tolist(), strict=True))
        for topic, a, b in zip(run.topics.tolist(), bounds[:-1], bounds[1:], strict=True)
    }


def test_a_run_by_path(write):
    path = write("bm25.run", RUN)
    for source in (path, str(path)):
        run = pc.read_run(source)
        assert scores(run) == {"q1": {"a": 2.5, "c": -0.5}, "q2": {"b": np.inf}}
        assert (run.name, run.source, run.tag, run.dropped) == ("bm25", str(path), "last", 0)
    assert pc.read_run(path, name="mine").name == "mine"


def test_qrels_by_path(write):
    qrels = pc.read_qrels(write("x.qrels", QRELS))
    assert (qrels.topics.tolist(), qrels.items.tolist(), qrels.grade.tolist()) == (
        ["q1", "q2"],
        ["a", "b"],
        [2, -1],
    )
    assert qrels.grade.dtype == np.int64


@pytest.mark.parametrize("ending", PACK)
def test_archives(write, ending):
    pack = PACK[ending]
    whole = pc.read_run(write(f"a.run{ending}", pack(RUN)))
    assert (scores(whole), whole.name) == (scores(pc.read_run(write("a.run", RUN))), "a")
    # Several members, one after another, are one file; the cut need not be at a line's end.
    parts = write(f"b.run{ending.upper()}", pack(RUN[:7]) + pack(RUN[7:]))
    assert scores(pc.read_run(parts)) == scores(whole)
    table = pack(b"topic,item,score\nq1,a,2\n")
    assert scores(pc.read_run(write(f"b.csv{ending}", table))) == {"q1": {"a": 2.0}}


@pytest.mark.nightly
@pytest.mark.parametrize("ending", PACK)
def test_large_archives_are_read_in_pieces(write, ending):
    data = b"".join(b"q%d 0 d%d 1\n" % (i % 50, i * i) for i in range(60_000))
    noise = np.random.default_rng(1).integers(97, 123, 700_000, np.uint8).tobytes()
    # The comment does not shrink, so that the archive has more than one piece.
    qrels = pc.read_qrels(write(f"x{ending}", PACK[ending](b"# " + noise + b"\n" + data)))
    assert (len(qrels), len(qrels.grade)) == (50, 60_000)


@pytest.mark.nightly
@pytest.mark.parametrize("ending", PACK)
def test_an_archive_cut_short(write, ending):
    packed = PACK[ending](RUN)
    for size in range(1, len(packed)):
        path = write(f"cut{ending}", packed[:size])
        with pytest.raises(DataError) as caught:
            pc.read_run(path)
        assert str(caught.value).startswith(f"{path}: archive is cut short after ")
        assert str(caught.value).endswith(" bytes of text; copy or compress the file again")


@pytest.mark.parametrize("ending", PACK)
@pytest.mark.parametrize("damage", ["tail", "middle"])
def test_a_damaged_archive(write, ending, damage):
    packed = PACK[ending](RUN * 100)
    middle = len(packed) // 2
    data = {
        "tail": packed + b"garbage that is no archive",
        "middle": packed[:middle]
        + bytes(byte ^ 255 for byte in packed[middle : middle + 9])
        + packed[middle + 9 :],
    }[damage]
    with pytest.raises(
        DataError, match=r"archive is (damaged|cut short) after [0-9]+ bytes of text"
    ):
        pc.read_run(write(f"x{ending}", data))


@pytest.mark.parametrize("ending", PACK)
def test_a_name_of_an_archive_that_is_none(write, ending):
    # It was called damaged.
    for name in (f"x.run{ending}", f"x.csv{ending}"):
        path = write(name, RUN)
        with pytest.raises(DataError) as caught:
            pc.read_run(path)
        what = (
            f"its name ends in {ending}, but it is no archive; take {ending} from its name, or "
            "compress it"
        )
        assert str(caught.value) == f"{path}: {what}"
    other = next(known for known in PACK if known != ending)
    path = write(f"x{ending}", PACK[other](RUN))
    with pytest.raises(DataError) as caught:
        pc.read_run(path)
    what = (
        f"its name ends in {ending}, but it is a {other} archive; decompress it and take {ending} "
        "from its name"
    )
    assert str(caught.value) == f"{path}: {what}"


def test_gzip_may_be_padded_with_zeros(write):
    assert len(pc.read_run(write("x.gz", gzip.compress(RUN) + bytes(100))).score) == 3


@pytest.mark.parametrize("ending", PACK)
def test_an_empty_archive_is_an_empty_run(write, ending):
    for data in (b"", PACK[ending](b"")):
        with pytest.raises(DataError, match="no data line"):
            pc.read_run(write(f"x{ending}", data))


def test_zst_needs_a_module(write, monkeypatch):
    path = write("x.zst", zstd(RUN))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    with pytest.raises(MissingExtra, match="pip install zstandard"):
        pc.read_run(path)


def test_standard_input(monkeypatch):
    def pipe(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    pipe(RUN)
    run = pc.read_run("-")
    assert (run.source, run.name, len(run.score)) == ("standard input", "last", 3)
    pipe(b"item,topic,grade\n07,q1,3\n")
    qrels = pc.read_qrels("-", format="csv")
    assert (qrels.items.tolist(), qrels.grade.tolist(), qrels.source) == (
        ["07"],
        [3],
        "standard input",
    )
    pipe(b"q1 0 a\n")
    with pytest.raises(DataError, match=r"^standard input:1: 3 fields"):
        pc.read_qrels("-")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_read_like_a_file(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(RUN,))
    writer.start()
    assert len(pc.read_run(path).score) == 3
    writer.join()


def test_a_path_that_cannot_be_read(tmp_path):
    for name in ("no.run", "no.csv", "no.run.gz", "no.parquet"):
        if name == "no.parquet" and find_spec("polars") is None:
            continue
        with pytest.raises(FileNotFoundError):
            pc.read_run(tmp_path / name)
    for format in ("trec", "csv"):
        with pytest.raises(IsADirectoryError, match="is a directory, expected a file"):
            pc.read_qrels(tmp_path, format=format)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("bm25.run", "bm25"),
        ("runs/bm25.run.gz", "bm25"),
        ("bm25.TXT.ZST", "bm25"),
        ("bm25.trec", "bm25"),
        ("input.bm25", "input.bm25"),
        ("a.b.csv", "a.b"),
        ("a.run.csv", "a.run"),
        ("a.parquet", "a"),
        ("a.arrow", "a"),
        (".run", ".run"),
        ("-", "standard input"),
        (Path("x/y.jsonl"), "y"),
    ],
)
def test_the_name_of_a_run(path, name):
    assert stem(path) == name


def test_what_is_read_already_is_returned_as_it_is():
    run, qrels = pc.read_run({"q": {"a": 1.0}}), pc.read_qrels({"q": {"a": 1}})
    assert pc.read_run(run) is run
    assert pc.read_run(run, name="run") is run
    assert pc.read_qrels(qrels) is qrels
    other = pc.read_run(run, name="other")
    assert (other.name, run.name) == ("other", "run")
    assert other.located is run.located and other.score is run.score
    pc.locate(qrels, other)
    assert run.located


def test_scores_of_a_run_can_be_rounded_later():
    run = pc.read_run({"q": {"a": 0.1, "b": -np.inf}})
    pc.locate({"q": {"a": 1}}, run)
    rounded = pc.read_run(run, score_dtype="float32")
    assert rounded.score.tolist() == [float(np.float32(0.1)), -np.inf]
    assert (rounded.score_dtype, rounded.located) == ("float32", {})
    assert pc.read_run(rounded, score_dtype="float32") is rounded
    beyond = pc.read_run({"p": {}, "q": {"a": 0.1, "b": 1e300}})
    with pytest.raises(
        DataError,
        match=r"^read: topic 'q', item 'b': score 1e\+300 is beyond float32 .*; pass score_dtype=",
    ):
        pc.read_run(beyond, score_dtype="float32")


def test_a_run_is_not_qrels():
    run, qrels = pc.read_run({"q": {"a": 1.0}}), pc.read_qrels({"q": {"a": 1}})
    with pytest.raises(
        UsageError, match="source: got <Run run: 1 topic, 1 item>, expected a Qrels"
    ):
        pc.read_qrels(run)
    with pytest.raises(UsageError, match="expected a Run"):
        pc.read_run(qrels)


@pytest.mark.parametrize("source", [None, 5, 1.5, b"q1 Q0 a 1 2 x", object()])
def test_what_is_no_source(source):
    with pytest.raises(
        UsageError,
        match=rf"source: got {type(source).__name__}, allowed are a path, a dict of dicts",
    ):
        pc.read_run(source)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"duplicates": "drop"}, "duplicates: got 'drop', allowed are error, first, last, best"),
        ({"score_dtype": "float16"}, "score_dtype: got 'float16', allowed are float64, float32"),
        (
            {"format": "xml"},
            "format: got 'xml', allowed are " + ", ".join(FORMATS[:-1]),
        ),
        ({"threads": 0}, "threads: must be an integer >= 1, got 0"),
        ({"columns": {"qid": "topic"}}, "columns: got 'qid', allowed are topic, item, score"),
        ({"columns": {"topic": 1}}, "columns: the name for topic must be a str, got 1"),
        ({"columns": ["topic"]}, r"columns: got \['topic'\], allowed is a mapping such as"),
        (
            {"columns": {"topic": "q"}},
            "columns: TREC text has no named columns; leave it out, or name a table's format",
        ),
    ],
)
def test_options_are_checked_before_anything_is_read(write, options, message):
    path = write("bad.run", b"this is no run\n")
    with pytest.raises(UsageError, match=message):
        pc.read_run(path, **options)


def test_options_that_make_no_sense_for_data():
    with pytest.raises(
        UsageError, match="format: got 'csv' for data that is no file; leave it out"
    ):
        pc.read_run({"q": {"a": 1.0}}, format="csv")
    for source in ({"q": {"a": 1.0}}, [("q", "a", 1.0)]):
        with pytest.raises(
            UsageError, match="columns: only tables and frames have named columns; leave it out"
        ):
            pc.read_run(source, columns={"topic": "q"})


def test_columns_of_a_text():
    assert columns_of("topic=qid, item = docid") == {"topic": "qid", "item": "docid"}
    for text in ("", "topic", "topic=", "qid=topic", "topic=a,"):
        with pytest.raises(
            UsageError,
            match=r"are topic=NAME, item=NAME, score=NAME, grade=NAME, subtopic=NAME, separated",
        ):
            columns_of(text)
    with pytest.raises(UsageError, match="columns: item is named twice, 'a' and 'b'; name it once"):
        columns_of("item=a,item=b")


@pytest.mark.nightly
def test_reading_needs_no_other_library_than_it_says(write):
    import subprocess

    code = (
        "import sys, precall as pc; pc.read_run(sys.argv[1]); pc.read_qrels({'q': {'a': 1}}); "
        "print([name for name in ('narwhals', 'polars', 'pandas', 'csv', 'json') if name in "
        "sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, write("a.run", RUN)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("ending", PACK)
def test_archives_are_told_by_their_bytes_too(write, monkeypatch, ending):
    plain = scores(pc.read_run(write("a.run", RUN)))
    packed = PACK[ending](RUN)
    assert scores(pc.read_run(write("b.run", packed))) == plain
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed)))
    assert scores(pc.read_run("-")) == plain
    assert scores(pc.read_run(write("c.csv", PACK[ending](b"topic,item,score\nq1,a,2\n")))) == {
        "q1": {"a": 2.0}
    }
    with pytest.raises(DataError, match="archive is cut short"):
        pc.read_run(write("d.run", packed[:-3]))


@pytest.mark.parametrize("module", ["bz2", "lzma", "zipfile"])
def test_other_archives_are_refused(write, module):
    import importlib

    pack = importlib.import_module(module)
    if module == "zipfile":
        buffer = io.BytesIO()
        with pack.ZipFile(buffer, "w") as file:
            file.writestr("a.run", RUN)
        packed = buffer.getvalue()
    else:
        packed = pack.compress(RUN)
    ending = {"bz2": ".bz2", "lzma": ".xz", "zipfile": ".zip"}[module]
    for name in (f"a.run{ending}", "a.csv"):
        path = write(name, packed)
        with pytest.raises(DataError) as caught:
            pc.read_run(path)
        assert str(caught.value) == (
            f"{path}: {ending} archive, archives read are .gz, .zst and .lz4; "
            "decompress it, or compress it by gzip or zstd"
        )


def test_standard_input_that_is_closed_or_text(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UsageError, match="standard input is closed; name a file instead of -"):
        pc.read_run("-")
    monkeypatch.setattr(sys, "stdin", io.StringIO(RUN.decode()))
    assert len(pc.read_run("-").score) == 3


def test_tables_on_standard_input_have_no_name_to_tell_their_format(write, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"topic,item,score\n")))
    with pytest.raises(DataError, match=r'or pass format="csv", "tsv" or "jsonl" for a table$'):
        pc.read_run("-")
    with pytest.raises(
        DataError, match=r"or give a table a name ending in \.csv, \.tsv or \.jsonl$"
    ):
        pc.read_run(write("x.run", b"topic,item,score\n"))


def test_an_empty_path():
    for read in (pc.read_run, pc.read_qrels):
        with pytest.raises(
            UsageError, match="^source: empty path; name a file, or - for standard input$"
        ):
            read("")


def test_zeros_are_no_archive_and_may_stand_behind_one(write, tmp_path):
    """A link called x.run.gz to /dev/zero was read for ever, as the padding of an archive that
    never came.
    """
    with pytest.raises(DataError, match=r"its name ends in \.gz, but it is no archive"):
        pc.read_run(write("zeros.run.gz", bytes(1 << 20)))
    assert len(pc.read_run(write("padded.run.gz", gzip.compress(RUN) + bytes(10_240))).score) == 3
    with pytest.raises(DataError, match="more than 1,048,576 zeros stand behind the archive"):
        pc.read_run(write("endless.run.gz", gzip.compress(RUN) + bytes(3 << 20)))
    if Path("/dev/zero").exists():
        (tmp_path / "device.run.gz").symlink_to("/dev/zero")
        with pytest.raises(DataError, match="no archive"):
            pc.read_run(tmp_path / "device.run.gz")


@pytest.mark.parametrize(
    ("name", "text"),
    [("big.json", '{"q":{"a":%s}}'), ("big.jsonl", '{"topic":"q","item":"a","score":%s}')],
)
def test_a_number_of_too_many_digits_is_called_so(write, name, text):
    """It was said to be "not UTF-8, or too deep"."""
    with pytest.raises(DataError, match=r"not JSON \(a number is too long\)"):
        pc.read_run(write(name, (text % ("1" + "0" * 5000)).encode()))
