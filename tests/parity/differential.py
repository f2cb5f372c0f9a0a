"""Random collections through trec_eval itself and through ours; every difference is printed.

    export PRECALL_TREC_EVAL=path/to/10.0 PRECALL_TREC_EVAL_9=path/to/9.0.8
    python -m tests.parity.differential [cases] [seed]

Where trec_eval crashes, or prints what docs/coming-from/trec_eval.md lists, the case is counted
apart.
"""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path

from precall.compat.trec_eval import main
from precall.compat.trec_eval.families import NICKNAMES
from tests.parity.recording import BINARIES, undefined

PLAIN = [*NICKNAMES["9.0.8"]["all_trec"], "yaap"]
NEW = ["dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"]
PREFERENCES = [*NICKNAMES["10.0"]["all_prefs"], "all_prefs", "prefs"]
GROUPS = [
    "map_avgjg",
    "P_avgjg",
    "Rprec_mult_avgjg",
    "P_avgjg.1,3",
    "Rprec_mult_avgjg.0.5,1.5",
    "qrels_jg",
    "num_q",
]
PARAMETERS = {
    "P": ["1,3,10", "2", "7,1", "0", "3,3", "2.9,x", "1,2000000"],
    "recall": ["1,4"],
    "map_cut": ["2,3,50"],
    "ndcg_cut": ["1,2,3", "4"],
    "success": ["1,2"],
    "relative_P": ["1,2,30"],
    "unj": ["1,2,6"],
    "iprec_at_recall": ["0.5", "0,.33,.66,1", ".7,.3,1.5", "-0.5,0.25"],
    "11pt_avg": ["0.2,0.5,0.8", "0.8,0.2,0.5", "0.5", "0,1"],
    "Rprec_mult": ["0.5,1,3", "0.1", "1.1,100"],
    "relstring": ["3", "0", "100"],
    "set_F": ["0.5", "2", "0", "3,1"],
    "utility": ["1,-1,0,0", "2,-0.5,-1,0.001", "1,2"],
    "ndcg": ["1=3,2=9", "2=1", "0=1,1=2", "1=x", "1=2,", "3=-1,1=4", "x=2,1=4"],
    "dcg": ["1=3,2=9"],
    "ideal_dcg": ["1=3,2=9"],
    "ndcg_rel": ["1=3,2=9", "2=0", "3=-1"],
    "Rndcg": ["1=3,2=9", "1=1,2=1", "1=2,2=1"],
    "G": ["1=3,2=9", "2=0", "3=-1,1=2"],
    "rbp": ["p=0.5", "p=0.8,2=1"],
    "rbp_resid": ["p=0.5", "p=0.95"],
    "map": ["5"],
}


class Case:
    """One random collection and command line."""

    def __init__(self, rng: random.Random, folder: Path) -> None:
        self.rng = rng
        self.version = rng.choice(["10.0", "9.0.8"])
        self.format = rng.choices(["qrels", "qrels_jg", "prefs", "qrels_prefs"], [8, 1, 1, 1])[0]
        self.topics = rng.sample(["1", "2", "10", "q-3", "é", "10a", "301", "Z"], rng.randint(1, 5))
        self.items = [
            rng.choice(["d", "D", "doc-", "ü"]) + str(number)
            for number in range(rng.choice([3, 8, 20]))
        ]
        self.odd = rng.random() < 0.12
        self.files = [str(folder / "qrels"), str(folder / "run")]
        self.zscores = str(folder / "zscores")
        (folder / "qrels").write_bytes(self._text(self._qrels()))
        (folder / "run").write_bytes(self._text(self._run()))
        Path(self.zscores).write_text(self._zscores())
        self.argv = [*self._options(), *self.files]

    def _text(self, lines: list[list[str]]) -> bytes:
        rng = self.rng
        gap, end = rng.choice([" ", " ", "\t", "  "]), rng.choice(["\n", "\n", "\r\n", " \n"])
        rows = [gap.join(line) for line in lines]
        if self.odd and rows:
            place = rng.randrange(len(rows))
            rows[place] = rng.choice(
                [
                    "",
                    "# a comment",
                    "#c\n#d",
                    rows[place] + " more",
                    " ".join(lines[place][:-1]),
                    " " + rows[place],
                    rows[place],
                    rows[place] + "\n" + rows[place],
                    "# 1 2 3",
                    "\ufeff" + rows[place],
                    "  # x y z",
                ]
            )
        text = end.join(rows) + rng.choice([end, end, ""])
        return text.encode()

    def _qrels(self) -> list[list[str]]:
        rng, lines = self.rng, []
        high = rng.choice([1, 1, 2, 3, 4])
        low = self.low = (
            rng.choice([0, 0, 0, -1, -2]) if self.format in ("qrels", "qrels_jg") else 0
        )
        level = (
            str
            if not self.odd
            else lambda grade: rng.choice([str(grade), f"{grade}.7", "rel", f"+{grade}"])
        )
        for topic in self.topics:
            if rng.random() < 0.1:
                continue
            some = rng.sample(self.items, rng.randint(1, len(self.items)))
            for group in (
                ["0"] if self.format == "qrels" else rng.sample(["a", "b", "c"], rng.randint(1, 3))
            ):
                if group != "0":
                    some = rng.sample(self.items, rng.randint(1, len(self.items)))
                for part in ["0"] if self.format != "prefs" or rng.random() < 0.5 else ["0", "1"]:
                    if part == "1":
                        some = [item for item in some if rng.random() < 0.5]
                    order = {item: number for number, item in enumerate(sorted(some))}
                    for item in some:
                        grade = (
                            rng.randint(low, high)
                            if part == "0" and self.format != "prefs"
                            else order[item] % (high + 1)
                        )
                        middle = {"prefs": [group, part], "qrels": ["0"]}.get(self.format, [group])
                        lines.append([topic, *middle, item, level(grade)])
        if rng.random() < 0.5:
            rng.shuffle(lines)
        return lines or [
            ["1", "0", "0", "d", "1"] if self.format == "prefs" else ["1", "0", "d", "1"]
        ]

    def _run(self) -> list[list[str]]:
        rng, lines = self.rng, []
        scores = rng.choice(
            [
                ["1", "2", "3"],
                ["0.5"],
                ["16777216", "16777217", "0.9", "0.90000000001"],
                ["-1e3", "1e-3", "inf", "-inf", ".5", "5.", "+2"],
                [str(rng.random()) for _ in range(30)],
                ["0", "-0", "1e400", "1e39", "1e-400"],
            ]
        )
        if self.odd:
            scores = [*scores, "x", "0x10", "7up", "1,5"]
        for topic in [*self.topics, "extra"]:
            if rng.random() < 0.12:
                continue
            pool = [*self.items, "n1", "n2", "n3"]
            some = rng.sample(pool, rng.randint(1, len(pool)))
            lines += [[topic, "Q0", item, "0", rng.choice(scores), "tag"] for item in some]
        if rng.random() < 0.5:
            rng.shuffle(lines)
        if lines:
            lines[-1][-1] = "last"
        return lines or [["extra", "Q0", "d", "0", "1", "tag"]]

    def _zscores(self) -> str:
        names = [
            "map",
            "P_5",
            "num_ret",
            "utility",
            "prefs_simp",
            "map_avgjg",
            "gm_map",
            "num_rel",
            "relstring",
            "ndcg",
        ]
        return (
            "".join(
                (
                    f"{topic} {name} {self.rng.choice(['0.5', '0', '0.25'])} "
                    f"{self.rng.choice(['0.1', '0', '2'])}\n"
                )
                for topic in sorted([*self.topics, "zz"])
                for name in sorted(names)
                if self.rng.random() < 0.8
            )
            or "1 map 0.1 0.1\n"
        )

    def _options(self) -> list[str]:
        rng = self.rng
        chosen = [] if self.format == "qrels" and rng.random() < 0.9 else ["-R", self.format]
        for text, share in (("-q", 0.8), ("-c", 0.4), ("-J", 0.25), ("-n", 0.1), ("-N50", 0.2)):
            if rng.random() < share:
                chosen.append(text)
        for letter, values, share in (
            ("-l", ["2", "0", "3", "1", "9"], 0.3),
            ("-M", ["1", "2", "5", "0", "100"], 0.3),
        ):
            if rng.random() < share:
                chosen += [letter, rng.choice(values)]
        if rng.random() < 0.1:
            chosen += ["-D", "0." + rng.choice(self.topics)]
        if rng.random() < 0.1:
            chosen += ["-Z", self.zscores]
        return [*chosen, *self._measures()]

    def _measures(self) -> list[str]:
        rng = self.rng
        table = {"qrels": PLAIN + (NEW if self.version == "10.0" else []), "qrels_jg": GROUPS}.get(
            self.format, PREFERENCES
        )
        if self.low < 0:
            # Of a topic without a judged item, 10.0 prints the ideal_dcg of the topic before.
            table = [name for name in table if name != "ideal_dcg"]
        if rng.random() < 0.02:
            table = ["map", "nonsense", "P.", "prefs_simp", "map_avgjg"]
        if self.format == "qrels" and rng.random() < 0.3:
            return [] if rng.random() < 0.3 else ["-m", rng.choice(["official", "set", "all_trec"])]
        names = [rng.choice(table) for _ in range(rng.randint(1, 4))]
        names = [
            f"{name}.{rng.choice(PARAMETERS[name])}"
            if name in PARAMETERS and rng.random() < 0.6
            else name
            for name in names
        ]
        return [word for name in names for word in ("-m", name)]


def compare(case: Case, binary: str) -> str:
    """`same`, `crash` (theirs), `undefined`, or the difference."""
    theirs = subprocess.run([binary, *case.argv], capture_output=True, check=False)
    stdout = io.StringIO()
    try:
        code = main(["--as", case.version, *case.argv], stdout, io.StringIO())
    except Exception:
        return traceback.format_exc()
    if theirs.returncode < 0:
        return "crash"
    expected, got = theirs.stdout.decode(errors="surrogateescape"), stdout.getvalue()
    if (theirs.returncode, expected) == (code, got):
        return "same"
    told, said = expected.splitlines(), got.splitlines()
    alike = theirs.returncode == code and len(told) == len(said)
    if alike and all(a == b or undefined(a) for a, b in zip(told, said, strict=True)):
        return "undefined"
    why = theirs.stderr.decode(errors="replace")
    return (
        f"exit {theirs.returncode} and {code}: {why}\n--- trec_eval\n{expected}--- precall\n{got}"
    )


def run(number: int, seed: int) -> Counter[str]:
    """Compare `number` cases; print what differs."""
    results: Counter[str] = Counter()
    binaries = {version: os.environ.get(name) for version, name in BINARIES.items()}
    with tempfile.TemporaryDirectory() as name:
        for index in range(number):
            case = Case(random.Random(f"{seed}-{index}"), Path(name))
            binary = binaries[case.version]
            if binary is None:
                results[f"no {case.version}: set {BINARIES[case.version]}"] += 1
                continue
            found = compare(case, binary)
            if found not in ("same", "crash", "undefined"):
                texts = "---\n".join(Path(path).read_text() for path in case.files)
                sys.stdout.write(
                    f"case {seed}-{index} --as {case.version} {' '.join(case.argv)}\n{found}\n"
                    f"{texts}\n"
                )
                found = "different"
            results[found] += 1
    return results


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    sys.stdout.write(
        f"{run(numbers[0] if numbers else 1000, numbers[1] if len(numbers) > 1 else 0)}\n"
    )
