"""What trec_eval printed for the collections, one file per version and collection, and how it is
recorded.

    PRECALL_TREC_EVAL=path/to/10.0 PRECALL_TREC_EVAL_9=path/to/9.0.8 python -m tests.parity.recording

records anew. A file holds for each command: `$ options`, the output, `exit code`.
"""  # noqa: E501

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.parity.cases import COLLECTIONS

BINARIES = {"10.0": "PRECALL_TREC_EVAL", "9.0.8": "PRECALL_TREC_EVAL_9"}


def place(version: str, name: str) -> Path:
    """Where the outputs of a version on a collection are."""
    return Path(__file__).parent / f"trec_eval-{version}" / f"{name}.txt"


def written(name: str, folder: Path) -> dict[str, str]:
    """Write a collection; the paths of its files."""
    qrels, results, _, zscores = COLLECTIONS[name]
    paths = {}
    for part, text in {"qrels": qrels, "results": results, "zscores": zscores}.items():
        paths[part] = str(folder / part)
        Path(paths[part]).write_bytes(text.encode())
    return paths


def command(options: list[str], paths: dict[str, str]) -> list[str]:
    """The arguments of a command."""
    return [
        *(option.replace("{zscores}", paths["zscores"]) for option in options),
        paths["qrels"],
        paths["results"],
    ]


def recorded(version: str, name: str) -> Iterator[tuple[list[str], str, int]]:
    """Each command's options, output and exit code."""
    text = place(version, name).read_bytes().decode()
    for part in text.split("\n$ ")[1:]:
        first, _, rest = part.partition("\n")
        output, _, code = rest.rpartition("exit ")
        yield first.split(), output, int(code)


def undefined(line: str) -> bool:
    """Whether trec_eval prints here what depends on chance, or no number: see
    docs/coming-from/trec_eval.md.
    """
    return line.startswith(("rbp ", "rbp_p", "Zrbp ", "Zrbp_p")) or "nan" in line


def record(version: str, binary: str) -> None:
    """Run every command through trec_eval, and keep what it says; a crash is not recorded."""
    for name, (*_, commands, _) in COLLECTIONS.items():
        parts = []
        with tempfile.TemporaryDirectory() as folder:
            paths = written(name, Path(folder))
            for options in commands:
                done = subprocess.run(
                    [binary, *command(options, paths)], capture_output=True, check=False
                )
                if done.returncode >= 0:
                    parts.append(
                        f"\n$ {' '.join(options)}\n".encode()
                        + done.stdout
                        + f"exit {done.returncode}".encode()
                    )
        place(version, name).parent.mkdir(exist_ok=True)
        place(version, name).write_bytes(b"".join(parts) + b"\n")


if __name__ == "__main__":
    for version, variable in BINARIES.items():
        record(version, os.environ[variable])
