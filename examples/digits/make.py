"""Make the example: handwritten digits as topics, handwritten digits as items, three systems that
rank them.

Run `python examples/digits/make.py [FOLDER]` with scikit-learn installed; it writes the files that
stand beside it, byte for byte. How they are made and what they show is in README.md beside it.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

TOPICS_PER_DIGIT = 10
ITEMS = 800
DEPTH = 100
JUDGED = 15

Floats = NDArray[np.float64]


def collection() -> tuple[
    NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]
]:
    """Images (64 grey levels of 0 to 16), their digits, and which of them are topics and items."""
    data = load_digits()
    images, digits = data.data.astype(np.int64), data.target.astype(np.int64)
    # The images lie in the order they were collected, one writer's together: topics from the front
    # and items from the back, so that a system is not asked to find the hand it was asked with.
    topics = np.sort(
        np.concatenate([np.flatnonzero(digits == d)[:TOPICS_PER_DIGIT] for d in range(10)])
    )
    return images, digits, topics, np.arange(len(images) - ITEMS, len(images))


def pixels(
    images: NDArray[np.int64], topics: NDArray[np.int64], items: NDArray[np.int64]
) -> Floats:
    """Cosine of the grey levels: whole numbers up to the last division, so equal on every
    machine.
    """
    length = (images * images).sum(axis=1)
    return (images[topics] @ images[items].T) / np.sqrt(
        np.multiply.outer(length[topics], length[items])
    )


def components(
    images: NDArray[np.int64], topics: NDArray[np.int64], items: NDArray[np.int64]
) -> Floats:
    """Euclidean distance, negated, between the first eight principal components of the items."""
    model = PCA(8, svd_solver="full").fit(images[items])
    apart = model.transform(images[topics])[:, None] - model.transform(images[items])
    return -np.sqrt((apart**2).sum(axis=2))


def profiles(
    images: NDArray[np.int64], topics: NDArray[np.int64], items: NDArray[np.int64]
) -> Floats:
    """City-block distance, negated, between the sums of rows and columns; whole numbers, hence many
    ties.
    """
    grid = images.reshape(-1, 8, 8)
    sums = np.concatenate([grid.sum(axis=1), grid.sum(axis=2)], axis=1)
    return -np.abs(sums[topics][:, None] - sums[items]).sum(axis=2).astype(np.float64)


#: Each system with the decimals its scores are written with.
SYSTEMS = {"pixels": (pixels, 4), "components": (components, 3), "profiles": (profiles, 0)}


def run_lines(
    name: str, scores: Floats, decimals: int, topics: NDArray[np.int64], items: NDArray[np.int64]
) -> Iterator[str]:
    # Rounded before sorting: the order in the file is the order of the scores in the file.
    scores = scores.round(decimals) + 0.0
    for topic, line in zip(topics, scores, strict=True):
        for rank, at in enumerate(np.argsort(-line, kind="stable")[:DEPTH], 1):
            yield f"q{topic:03} Q0 d{items[at]:04} {rank} {line[at]:.{decimals}f} {name}\n"


def qrels_lines(
    pool: NDArray[np.bool_],
    digits: NDArray[np.int64],
    topics: NDArray[np.int64],
    items: NDArray[np.int64],
) -> Iterator[str]:
    for topic, pooled in zip(topics, pool, strict=True):
        same = digits[items] == digits[topic]
        for at in np.flatnonzero(pooled | same):
            yield f"q{topic:03} 0 d{items[at]:04} {int(same[at])}\n"


def lot(*names: object) -> float:
    """A number in [0, 1) that depends on the names alone, and so is the same on every machine."""
    return zlib.crc32(" ".join(map(str, names)).encode()) / 2**32


def judged_lines(folder: Path) -> tuple[list[str], list[str]]:
    """Labels of what any system has in its first ranks: those of people, for a random quarter of
    the topics, and those of a simulated judge, for all topics.
    """
    first: dict[str, set[tuple[str, str]]] = {name: set() for name in SYSTEMS}
    for name, found in first.items():
        for line in (folder / f"{name}.run").read_text(encoding="ascii").splitlines():
            topic, _, item, rank, *_ = line.split()
            if int(rank) <= JUDGED:
                found.add((topic, item))
    pool = set().union(*first.values())
    rows = [line.split() for line in (folder / "digits.qrels").read_text("ascii").splitlines()]
    topics = sorted({topic for topic, *_ in rows}, key=lambda topic: lot("people", topic))
    people, judge = [], []
    for topic, zero, item, grade in rows:
        if (topic, item) not in pool:
            continue
        if topic in topics[: len(topics) // 4]:
            people.append(f"{topic} {zero} {item} {grade}\n")
        misses = grade == "1" and lot("misses", topic, item) < 0.08
        takes = (topic, item) in first["profiles"] and lot("takes", topic, item) < 0.5
        label = 0 if misses else 1 if grade == "1" or takes else 0
        judge.append(f"{topic} {zero} {item} {label}\n")
    return people, judge


def main(folder: Path) -> None:
    images, digits, topics, items = collection()
    pool = np.zeros((len(topics), len(items)), bool)
    for name, (system, decimals) in SYSTEMS.items():
        scores = system(images, topics, items)
        lines = list(run_lines(name, scores, decimals, topics, items))
        (folder / f"{name}.run").write_text("".join(lines), encoding="ascii", newline="\n")
        row = np.repeat(np.arange(len(topics)), DEPTH)
        pool[row, [int(line.split()[2][1:]) - items[0] for line in lines]] = True
    lines = list(qrels_lines(pool, digits, topics, items))
    (folder / "digits.qrels").write_text("".join(lines), encoding="ascii", newline="\n")
    for name, lines in zip(("people", "judge"), judged_lines(folder), strict=True):
        (folder / f"{name}.qrels").write_text("".join(lines), encoding="ascii", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
