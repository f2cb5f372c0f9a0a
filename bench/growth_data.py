"""What the calls of `growth.py` are given: cases, runs, values and files of any size and of several
shapes, all seeded.
"""

from __future__ import annotations

import tempfile
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import precall as pc

#: Where files are; who measures removes it, as children that end at once do not.
ROOT = Path(tempfile.gettempdir())
#: Items of a ranking, and categories of an item.
DEPTH, CATEGORIES = 100, 10
#: plain: half of the cases relevant, scores normal and different. ties: twenty different scores.
#: sorted, reversed: best or worst first. skew: one case in a hundred relevant, scores lognormal(6).
SHAPES = ("plain", "ties", "sorted", "reversed", "skew")


class Data:
    """`n` cases, items or topics (in `runs`, rows) of one shape; columns are made once, results
    anew whenever asked for.
    """

    def __init__(self, n: int, shape: str = "plain") -> None:
        self.n, self.shape = n, shape
        self.rng = np.random.default_rng(n)

    @cached_property
    def cases(self) -> tuple[Any, Any]:
        """Labels, of which both kinds occur, and scores that tell something of them."""
        truth = self.rng.random(self.n) < (0.01 if self.shape == "skew" else 0.5)
        truth[:2] = True, False
        score = self.rng.normal(size=self.n) + truth
        if self.shape == "skew":
            score = np.exp(6 * score)
        if self.shape == "ties":
            score = np.round(score * 4).clip(-9, 10)
        if self.shape in ("sorted", "reversed"):
            order = np.argsort(score if self.shape == "reversed" else -score)
            truth, score = truth[order], score[order]
        return truth, score

    @property
    def truth(self) -> Any:
        """The labels alone."""
        return self.cases[0]

    @property
    def score(self) -> Any:
        """The scores alone."""
        return self.cases[1]

    @cached_property
    def other(self) -> Any:
        """Scores of another system."""
        return self.score + self.rng.normal(size=self.n) * abs(self.score).mean() / 4

    @cached_property
    def weights(self) -> Any:
        """Sampling weights."""
        return self.rng.random(self.n) + 0.5

    @cached_property
    def groups(self) -> Any:
        """Some ten cases in each."""
        return self.rng.integers(0, self.n // 10 + 2, self.n)

    def curve(self) -> Any:
        """Their curve."""
        return pc.curve(*self.cases)

    @cached_property
    def names(self) -> tuple[list[str], list[str]]:
        """The category that each item is in, and another system's decision, right in three of
        four.
        """
        truth = self.rng.integers(0, CATEGORIES, self.n)
        decided = np.where(
            self.rng.random(self.n) < 0.75, truth, self.rng.integers(0, CATEGORIES, self.n)
        )
        return tuple(
            [f"c{place}" for place in column] for column in (truth.tolist(), decided.tolist())
        )  # type: ignore[return-value]

    @cached_property
    def sets(self) -> list[set[str]]:
        """Items in one or two categories."""
        return [{one, two} for one, two in zip(*self.names, strict=True)]

    def decisions(self) -> Any:
        """These decisions, counted."""
        return pc.decisions(*self.names)

    @cached_property
    def table(self) -> Any:
        """Scores of every category, items by categories."""
        column = np.array([int(name[1:]) for name in self.names[0]])
        scores = self.rng.normal(size=(self.n, CATEGORIES))
        if self.shape == "ties":
            scores = np.round(scores * 4)
        scores[np.arange(self.n), column] += 1
        return scores

    def status(self) -> Any:
        """These scores beside the truth."""
        return pc.categorize(
            self.names[0], self.table, [f"c{place}" for place in range(CATEGORIES)]
        )

    @cached_property
    def values(self) -> tuple[Any, Any]:
        """Values per topic of two systems."""
        first = self.rng.beta(2, 3, self.n)
        second = np.clip(first + self.rng.normal(0.01, 0.1, self.n), 0, 1)
        return (
            (np.round(first, 1), np.round(second, 1)) if self.shape == "ties" else (first, second)
        )

    @cached_property
    def matrix(self) -> Any:
        """Values per topic of five systems."""
        return np.clip(
            self.rng.beta(2, 3, (self.n, 1)) + self.rng.normal(0, 0.1, (self.n, 5)), 0, 1
        )

    @cached_property
    def judged(self) -> dict[str, dict[str, int]]:
        """Judgements as dicts: of `n` rows, a hundred a topic, one in ten relevant."""
        return {
            f"q{topic}": {f"d{item}": int(item % 10 == 1) * (1 + item % 3) for item in range(DEPTH)}
            for topic in range(max(2, self.n // DEPTH))
        }

    @cached_property
    def ranked(self) -> dict[str, dict[str, float]]:
        """A run as dicts, of so many rows."""
        digits = 1 if self.shape == "ties" else 9
        return {topic: self._scores(items, digits) for topic, items in self.judged.items()}

    @cached_property
    def ranked_too(self) -> dict[str, dict[str, float]]:
        """Another run."""
        return {topic: self._scores(items, 9) for topic, items in self.judged.items()}

    def _scores(self, items: dict[str, int], digits: int) -> dict[str, float]:
        return dict(zip(items, np.round(self.rng.random(len(items)), digits).tolist(), strict=True))

    def located(self) -> Any:
        """The run's judged items, with the items themselves."""
        return pc.locate(self.judged, self.ranked, keep_items=True)

    def report(self, measures: list[str] | None = None) -> Any:
        """Averages of two runs."""
        runs = {"a": self.ranked, "b": self.ranked_too}
        return pc.evaluate(self.judged, runs, measures or ["AP", "P@10"])

    @cached_property
    def folder(self) -> Path:
        """Where files of this size are."""
        return Path(tempfile.mkdtemp(dir=ROOT))

    def file(self, kind: str) -> str:
        """One of qrels, run, other, run.csv, run.tsv, run.jsonl, run.parquet, cases.csv, items.csv,
        grouped.csv, relevant.txt, ranked.txt
        """
        path = self.folder / kind
        if not path.exists():
            getattr(self, f"_write_{kind.rpartition('.')[2]}")(path)
        return str(path)

    def _write_qrels(self, path: Path) -> None:
        path.write_text(
            "".join(f"{t} 0 {d} {g}\n" for t, part in self.judged.items() for d, g in part.items())
        )

    def _write_run(self, path: Path, run: Any = None) -> None:
        rows = ((t, d, s) for t, part in (run or self.ranked).items() for d, s in part.items())
        path.write_text("".join(f"{t} Q0 {d} 0 {s} x\n" for t, d, s in rows))

    def _write_other(self, path: Path) -> None:
        self._write_run(path, self.ranked_too)

    def _write_csv(self, path: Path) -> None:
        if path.name == "run.csv":
            rows = ((t, d, s) for t, part in self.ranked.items() for d, s in part.items())
            path.write_text("topic,item,score\n" + "".join(f"{t},{d},{s}\n" for t, d, s in rows))
        elif path.name == "grouped.csv":
            rows_of = zip(
                self.truth.astype(int).tolist(),
                self.score.tolist(),
                self.groups.tolist(),
                strict=True,
            )
            path.write_text("y,s,g\n" + "".join(f"{y},{s},{g}\n" for y, s, g in rows_of))
        elif path.name == "cases.csv":
            rows_of = zip(
                self.truth.astype(int).tolist(),
                self.score.tolist(),
                self.other.tolist(),
                strict=True,
            )
            path.write_text("y,s,t\n" + "".join(f"{y},{s},{t}\n" for y, s, t in rows_of))
        else:
            names = ",".join(f"c{place}" for place in range(CATEGORIES))
            lines = zip(*self.names, self.table.tolist(), strict=True)
            path.write_text(
                f"truth,decided,{names}\n"
                + "".join(f"{a[1:]},{b[1:]},{','.join(map(str, c))}\n" for a, b, c in lines)
            )

    def _write_tsv(self, path: Path) -> None:
        path.write_text(Path(self.file("run.csv")).read_text().replace(",", "\t"))

    def _write_txt(self, path: Path) -> None:
        # Every tenth is relevant, and one in a hundred more is not ranked.
        ids = (
            range(self.n)
            if path.name == "ranked.txt"
            else (*range(0, self.n, 10), *range(-1, -self.n, -100))
        )
        path.write_text("".join(f"d{item}\n" for item in ids))

    def _write_jsonl(self, path: Path) -> None:
        rows = ((t, d, s) for t, part in self.ranked.items() for d, s in part.items())
        path.write_text(
            "".join(f'{{"topic": "{t}", "item": "{d}", "score": {s}}}\n' for t, d, s in rows)
        )

    def _write_parquet(self, path: Path) -> None:
        self.frame.write_parquet(path)

    @cached_property
    def frame(self) -> Any:
        """The run as a data frame."""
        import polars

        columns = (
            [t for t, part in self.ranked.items() for _ in part],
            [d for part in self.ranked.values() for d in part],
        )
        scores = [s for part in self.ranked.values() for s in part.values()]
        return polars.DataFrame({"topic": columns[0], "item": columns[1], "score": scores})
