"""The collections that are measured on: seeded, synthetic, in the shapes of three real ones.

    python collection.py NAME FOLDER          NAME: small, robust or msmarco
    python collection.py msmarco-4 FOLDER     four copies of msmarco's topics

msmarco   6,980 topics x 1,000 items, 268 MB; one or two relevant items a topic, nothing else judged
robust      249 topics x 1,000 items; 307,571 judgements
small        50 topics x 1,000 items; 15,000 judgements, three grades
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

DEPTH = 1000
SEED = 20240601
SOURCES = ["FBIS3-", "FBIS4-", "FT911-", "FT943-", "FR940104-0-", "LA010189-0", "LA123190-0"]
NAMES = ("small", "robust", "msmarco")

#: Items in rank order, judged items, their grades.
Topic = tuple[Iterable[int], Iterable[int], Iterable[int]]


def ensure(folder: Path, name: str) -> tuple[Path, Path]:
    """Qrels and run of a collection, made if they are not there."""
    qrels, run = folder / f"{name}.qrels", folder / f"{name}.run"
    if not (qrels.exists() and run.exists()):
        import subprocess

        # In a process of its own: the peak memory of a child counts what its parent held at the
        # fork.
        subprocess.run([sys.executable, __file__, name, str(folder)], check=True)
    return qrels, run


def news_id(number: int) -> str:
    return f"{SOURCES[number % 7]}{number // 7:05d}"


def _write(
    folder: Path,
    name: str,
    tag: str,
    rng,
    ids,
    item: Callable[[int], str],
    topic: Callable[[], Topic],
):
    import numpy as np

    with (
        (folder / f"{name}.run").open("w", encoding="ascii") as run,
        (folder / f"{name}.qrels").open("w", encoding="ascii") as qrels,
    ):
        for one in ids:
            ranked, judged, grades = topic()
            scores = np.round(np.sort(rng.gamma(2.0, 4.0, DEPTH))[::-1] + 5, 6)
            # About 1 % exact ties, as BM25 on duplicate passages gives.
            tied = np.flatnonzero(rng.random(DEPTH - 1) < 0.01)
            scores[tied + 1] = scores[tied]
            run.writelines(
                f"{one} Q0 {item(d)} {rank} {score:.6f} {tag}\n"
                for rank, (d, score) in enumerate(zip(ranked, scores, strict=True), 1)
            )
            qrels.writelines(
                f"{one} 0 {item(d)} {grade}\n" for d, grade in zip(judged, grades, strict=True)
            )


def passages(folder: Path) -> None:
    """Like MS MARCO's small development set under BM25: recall at 1,000 of .86."""
    import numpy as np

    rng = np.random.default_rng([SEED, ord("a")])
    ids = np.sort(rng.choice(1_102_400, 6980, replace=False))

    def topic() -> Topic:
        relevant = 1 + (rng.random() < 0.06) + (rng.random() < 0.008)
        ranked = rng.choice(8_841_823, DEPTH, replace=False)
        judged = rng.choice(8_841_823, relevant, replace=False)
        for one in judged:
            if rng.random() < 0.86:
                ranked[min(DEPTH - 1, int(rng.pareto(0.45)))] = one
        kept = list(dict.fromkeys(ranked.tolist()))
        return kept + list(range(9_000_000, 9_000_000 + DEPTH - len(kept))), judged, [1] * relevant

    _write(folder, "msmarco", "synthA", rng, ids, str, topic)


def news(folder: Path, name: str) -> None:
    """Like Robust: deep pools, judged items biased to the top of the ranking."""
    import numpy as np

    robust = name == "robust"
    code = "b" if robust else "c"
    judged_mean, relevant_mean = (1250, 70) if robust else (300, 40)
    rng = np.random.default_rng([SEED, ord(code)])

    def topic() -> Topic:
        judged = int(rng.integers(int(judged_mean * 0.6), int(judged_mean * 1.4)))
        relevant = max(3, min(judged - 50, int(rng.lognormal(np.log(relevant_mean) - 0.32, 0.8))))
        items = rng.choice(528_155, judged + 3 * DEPTH, replace=False)
        pool, rest = items[:judged], items[judged:]
        grade = np.zeros(judged, int)
        grade[:relevant] = (
            1 + (rng.random(relevant) < 0.15) + (0 if robust else rng.random(relevant) < 0.05)
        )
        found = pool[:relevant][rng.random(relevant) < 0.65]
        wrong = pool[relevant:][rng.random(judged - relevant) < 0.5]
        parts = [(found, 1.6), (wrong, 0.6), (rest, -0.3)]
        key = np.concatenate([rng.normal(mean, 1, len(part)) for part, mean in parts])
        ranked = np.concatenate([part for part, _ in parts])[np.argsort(-key)][:DEPTH]
        order = np.argsort(pool)
        return ranked, pool[order], grade[order]

    ids = [*range(301, 451), *range(601, 700)] if robust else list(range(1, 51))
    _write(folder, name, f"synth{code.upper()}", rng, ids, news_id, topic)


def copies(folder: Path, name: str, count: int) -> None:
    """`count` copies of a collection's topics, under new ids of equal length."""
    for source in ensure(folder, name):
        lines = source.read_bytes()
        with (folder / f"{name}-{count}{source.suffix}").open("wb") as out:
            for copy in range(1, count + 1):
                prefix = b"%d-" % copy
                out.write(prefix + lines[:-1].replace(b"\n", b"\n" + prefix) + b"\n")


def main(name: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    base, _, count = name.partition("-")
    if base not in NAMES:
        sys.exit(f"collection: got {name!r}, allowed are {', '.join(NAMES)}")
    if count:
        copies(folder, base, int(count))
    elif base == "msmarco":
        passages(folder)
    else:
        news(folder, base)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
