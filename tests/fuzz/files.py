"""Feed the commands with damaged files: python -m tests.fuzz.files SECONDS [SEED]

Runs, qrels, tables, columns, archives and pages, each changed in some bytes, must give a result
(exit code 0) or a sentence (2), within a minute each. A change that does neither is kept in the
current folder, and the exit code is 1.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import random
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

import polars

from precall.cli.main import run
from tests.archives import lz4, zstd

ROWS = 40


def _sources(folder: Path) -> dict[str, tuple[bytes, list[str]]]:
    """Files that are well formed, each with the command that reads it (FILE is its name)."""
    frame = polars.DataFrame(
        {
            "topic": [f"q{i % 4}" for i in range(ROWS)],
            "item": [f"d{i}" for i in range(ROWS)],
            "score": [i * 0.25 for i in range(ROWS)],
            "grade": [i % 2 for i in range(ROWS)],
        }
    )
    made = {"csv": frame.write_csv().encode(), "jsonl": frame.write_ndjson().encode()}
    for kind, compression in (("parquet", "zstd"), ("snappy.parquet", "snappy")):
        with io.BytesIO() as file:
            frame.write_parquet(file, compression=compression)
            made[kind] = file.getvalue()
    for kind in ("arrow", "lz4.arrow"):
        with io.BytesIO() as file:
            frame.write_ipc(file, compression="lz4" if kind[0] == "l" else "uncompressed")
            made[kind] = file.getvalue()
    text = "".join(f"{t} Q0 {i} 1 {s} x\n" for t, i, s, _ in frame.rows()).encode()
    (folder / "good.qrels").write_text("".join(f"{t} 0 {i} {g}\n" for t, i, _, g in frame.rows()))
    made |= {
        "run": text,
        "run.gz": gzip.compress(text),
        "run.zst": zstd(text),
        "run.lz4": lz4(text),
    }
    found = {
        kind: (data, ["eval", "good.qrels", "FILE", "-m", "AP"]) for kind, data in made.items()
    }
    tables = {
        kind: (data, ["curve", "FILE", "--label", "grade", "--score", "score"])
        for kind, data in made.items()
        if "run" not in kind
    }
    page = [
        "report",
        "--cases",
        "good.csv",
        "--label",
        "grade",
        "--score",
        "score",
        "-o",
        "good.html",
    ]
    (folder / "good.csv").write_bytes(made["csv"])
    assert run(page) == 0
    pages = {"html": ((folder / "good.html").read_bytes(), ["report", "--from", "FILE"])}
    qrels = {
        "qrels": ((folder / "good.qrels").read_bytes(), ["eval", "FILE", "good.run", "-m", "AP"])
    }
    (folder / "good.run").write_bytes(text)
    return found | qrels | pages | {f"cases.{kind}": one for kind, one in tables.items()}


def _changed(data: bytes, draw: random.Random) -> bytes:
    for _ in range(draw.choice((1, 1, 2, 8))):
        at, size = draw.randrange(len(data) + 1), draw.choice((1, 1, 4, 50, 1000))
        kind = draw.randrange(5)
        if kind == 0:
            data = data[:at] + data[at + size :]
        elif kind == 1:
            data = data[:at] + data[at : at + size] * 2 + data[at + size :]
        elif kind == 2:
            data = data[:at] + draw.randbytes(min(size, 50)) + data[at:]
        elif kind == 3 and at < len(data):
            data = data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]
        else:
            data = (
                data[:at]
                + draw.choice((b"\0", b"\xff" * 4, b'"', b"\n", b"nan", b"-1", b"1e999"))
                + data[at + size :]
            )
    return data


def main(seconds: float, seed: int) -> int:
    """Change files and run commands until the time is over."""
    warnings.simplefilter("ignore")
    draw, codes, end = random.Random(seed), Counter[tuple[str, int]](), time.monotonic() + seconds
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        sources = _sources(Path(place))
        while time.monotonic() < end:
            kind = draw.choice(sorted(sources))
            data, command = sources[kind]
            path = Path(f"x.{kind}")
            path.write_bytes(data := _changed(data, draw))
            # Should the process die, the file is there to be looked at.
            (here / "last-fuzzed").write_bytes(data)
            begun = time.monotonic()
            with (
                contextlib.redirect_stdout(io.StringIO()),
                contextlib.redirect_stderr(io.StringIO()) as said,
            ):
                code = run([str(path) if word == "FILE" else word for word in command])
            codes[kind, code] += 1
            if code not in (0, 2) or time.monotonic() - begun > 60:
                (here / f"found.{kind}").write_bytes(data)
                sys.stdout.write(f"{kind} {code} {said.getvalue()[-2000:]}\n")
                return 1
    (here / "last-fuzzed").unlink(missing_ok=True)
    counted = ", ".join(f"{kind} {code}: {n}" for (kind, code), n in sorted(codes.items()))
    sys.stdout.write(f"{sum(codes.values())} files: {counted}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), int((sys.argv[2:] or ["1"])[0])))
