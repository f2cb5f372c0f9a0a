"""Files to per-topic values and means of five measures: whole processes, against other tools.

precall writes its per-topic values out, as CSV; so does trec_eval, where it is installed. The
others only compute them, and print one mean: what is written costs them nothing.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import collection
import record
from peers import FROM_FILES, PRECALL, TREC_EVAL
from timing import Job, Times, interleaved

HERE = Path(__file__).resolve().parent
BASE = "pytrec_eval"


def means(qrels: Path, run: Path) -> list[str]:
    """The command that prints the five means."""
    chosen = [word for name in PRECALL for word in ("-m", name)]
    command = str(Path(sys.executable).with_name("precall"))
    return [command, "eval", str(qrels), str(run), *chosen]


def precall(qrels: Path, run: Path, *more: str) -> list[str]:
    """The same with the values of every topic."""
    return [*means(qrels, run), "-q", "--format", "csv", *more]


def jobs(qrels: Path, run: Path) -> list[Job]:
    found = [
        Job("precall", precall(qrels, run)),
        Job("precall, one thread", precall(qrels, run), {"PRECALL_THREADS": "1"}),
    ]
    if (binary := shutil.which("trec_eval")) is not None:
        chosen = [
            word
            for name in TREC_EVAL
            for word in ("-m", name.replace("P_", "P.").replace("cut_", "cut."))
        ]
        found.append(Job("trec_eval", [binary, "-q", *chosen, str(qrels), str(run)]))
    peers = [
        Job(name, [sys.executable, str(HERE / "peers.py"), name, str(qrels), str(run)])
        for name in FROM_FILES
    ]
    return found + peers


def rows(times: dict[str, Times]) -> list[list[str]]:
    base = times[BASE].seconds
    return [
        [
            name,
            f"{one.seconds:.3f}",
            f"{min(one.wall):.3f}",
            f"{base / one.seconds:.1f}",
            f"{one.megabytes:.0f}",
        ]
        for name, one in times.items()
    ]


def main() -> None:
    options = record.arguments(__doc__ or "")
    results = {}
    for name in options.only or collection.NAMES:
        qrels, run = collection.ensure(options.data, name)
        times = interleaved(jobs(qrels, run), options.repeat)
        title = f"files, {name}: whole process, median of {options.repeat}"
        header = ["", "wall s", "least s", f"x {BASE}", "peak MB"]
        print(record.table(title, header, rows(times)), flush=True)
        results[name] = {tool: one.record() for tool, one in times.items()}
    print("record:", record.write(options.records, "files", results))


if __name__ == "__main__":
    main()
