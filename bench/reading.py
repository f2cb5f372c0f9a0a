"""Reading: whole processes of `precall curve` of CSV and of `precall eval` of TREC text, beside
others that only read the same file.

The sister of CSV is `polars.read_csv`; that of TREC text reads the bytes and counts the lines. The
start of Python and NumPy, which is in all of ours, is that of a file of a thousand lines. What it
takes to read, locate and measure TREC text is measured within one process.
`python bench/reading.py [--only CSV]`
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import collection
import record
from files import means
from peers import PRECALL
from timing import Job, Times, interleaved, once

#: Cases of a CSV, and topics of short rankings.
CASES, TOPICS = 10**7, 10**5
COUNT = (
    "import sys\nlines = 0\n"
    "with open(sys.argv[1], 'rb', buffering=0) as file:\n"
    "    while piece := file.read(1 << 18): lines += piece.count(b'\\n')\n"
)
#: Prints the processor seconds of each part of an evaluation, after the start and the imports.
PARTS = """
import json, sys, time
import precall as pc

t = [time.process_time()]
def lap(value):
    t.append(time.process_time())
    return value

_, qrels, run, *names = sys.argv
measures = [pc.measure(name) for name in names]
lap((pc.locate, pc.read_qrels, pc.read_run))
qrels = lap(pc.read_qrels(qrels))
run = lap(pc.read_run(run))
located = lap(pc.locate(qrels, run))
lap([measure(located) for measure in measures])
print(json.dumps([t[0], *(after - before for before, after in zip(t, t[1:]))]))
"""
OF_PARTS = ("start of Python", "imports", "qrels read", "run read", "located", "five measures")
POLARS = "import sys, polars; polars.read_csv(sys.argv[1])"
Jobs = tuple[Job, list[Job]]


def ensure_cases(folder: Path, share: float) -> Path:
    """CSV of labels, of which about this share is relevant, and scores with all their digits."""
    path = folder / f"cases-{share:g}.csv"
    if not path.exists():
        import numpy as np
        import polars

        rng = np.random.default_rng(1)
        label = rng.random(CASES) < share
        score = rng.standard_normal(CASES) + label
        polars.DataFrame({"label": label.astype(np.int8), "score": score}).write_csv(path)
    return path


def ensure_short(folder: Path) -> tuple[Path, Path]:
    """Qrels and run of many topics with ten items each."""
    qrels, run = folder / "short.qrels", folder / "short.run"
    if not (qrels.exists() and run.exists()):
        import numpy as np

        rng = np.random.default_rng(2)
        with run.open("w") as ranked, qrels.open("w") as judged:
            for topic in range(TOPICS):
                items = rng.choice(10**6, 10, replace=False)
                scores = np.sort(rng.gamma(2.0, 4.0, 10))[::-1]
                ranked.writelines(
                    f"{topic} Q0 d{item} {rank} {score:.6f} synth\n"
                    for rank, (item, score) in enumerate(zip(items, scores, strict=True), 1)
                )
                relevant = {*items[rng.random(10) < 0.15].tolist(), int(rng.integers(10**6))}
                judged.writelines(f"{topic} 0 d{item} 1\n" for item in relevant)
    return qrels, run


def beginning(path: Path) -> Path:
    """A file of its first thousand lines."""
    short = path.with_name(f"first-{path.name}")
    with path.open("rb") as file:
        short.write_bytes(b"".join(file.readline() for _ in range(1000)))
    return short


def of_cases(path: Path) -> Jobs:
    """Polars, and curves in memory and in batches."""
    command = str(Path(sys.executable).with_name("precall"))
    typed = ["--label", "label", "--score", "score"]
    curve = [command, "curve", str(path), *typed]
    jobs = [Job("precall curve", curve), Job("in batches", [*curve, "--memory", "256M"])]
    start = [command, "curve", str(beginning(path)), *typed]
    sister = Job("polars.read_csv", [sys.executable, "-c", POLARS, str(path)])
    return sister, [*jobs, Job("start", start)]


def of_text(qrels: Path, run: Path) -> Jobs:
    """Bytes and lines, and five measures with one thread and several."""
    jobs = [
        Job("precall eval", means(qrels, run)),
        Job("one thread", means(qrels, run), {"PRECALL_THREADS": "1"}),
        Job("start", means(beginning(qrels), beginning(run))),
    ]
    return Job("lines counted", [sys.executable, "-S", "-c", COUNT, str(run)]), jobs


def workloads(folder: Path) -> Mapping[str, Callable[[], Jobs]]:
    """What is read, by name."""
    return {
        **{
            f"CSV, {share:g} relevant": lambda share=share: of_cases(ensure_cases(folder, share))
            for share in (0.01, 0.3)
        },
        "msmarco": lambda: of_text(*collection.ensure(folder, "msmarco")),
        f"{TOPICS:,} topics x 10": lambda: of_text(*ensure_short(folder)),
    }


def parts(qrels: Path, run: Path, repeat: int) -> dict[str, float]:
    """Least processor seconds of each part of an evaluation with one thread; with that of lines
    counted in the same turns, which is what the least reading costs.
    """
    command = [sys.executable, "-c", PARTS, str(qrels), str(run), *PRECALL]
    counted = Job("lines counted", [sys.executable, "-S", "-c", COUNT, str(run)])
    taken: list[list[float]] = []
    for _ in range(repeat):
        *_, text = once(Job("parts", command, {"PRECALL_THREADS": "1"}))
        taken.append([*json.loads(text), once(counted)[1]])
    return dict(zip([*OF_PARTS, counted.name], map(min, zip(*taken, strict=True)), strict=True))


def rows(times: Mapping[str, Times], sister: str) -> list[list[str]]:
    """Processor seconds, the least of all runs, and their ratio to the sister's."""
    base = min(times[sister].cpu)
    return [
        [name, f"{min(one.cpu):.2f}", f"{min(one.cpu) / base:.2f}", f"{one.megabytes:.0f}"]
        for name, one in times.items()
    ]


def main() -> None:
    """One table for each workload, and a record."""
    options = record.arguments(__doc__ or "")
    options.data.mkdir(parents=True, exist_ok=True)
    results = {}
    for name, make in workloads(options.data).items():
        if options.only and not any(name.startswith(each) for each in options.only):
            continue
        sister, jobs = make()
        times = interleaved([sister, *jobs], options.repeat)
        header = ["", "processor s", f"x {sister.name}", "peak MB"]
        print(record.table(f"reading: {name}", header, rows(times, sister.name)), flush=True)
        results[name] = {each: one.record() for each, one in times.items()}
        if sister.name == "lines counted":
            each = parts(*map(Path, jobs[0].command[2:4]), options.repeat)
            lines = [[part, f"{seconds:.3f}"] for part, seconds in each.items()]
            print(record.table(f"reading: {name}, parts", ["", "processor s"], lines), flush=True)
            results[f"{name}, parts"] = each
    print("record:", record.write(options.records, "reading", results))


if __name__ == "__main__":
    main()
