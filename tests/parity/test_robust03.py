"""Four systems of the TREC 2003 Robust track: all that trec_eval prints of them, to the byte."""

from __future__ import annotations

import io
import lzma
from pathlib import Path

import pytest

from precall.compat.trec_eval import main

#: Runs, and how many topics of the 100 are here; where some lack, no line about "all" can be
#: compared.
RUNS = {"InexpC2": 25, "MU03rob01": 100, "NLPR03vb10": 100, "rutcor03100": 100}


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("version", ["10.0", "9.0.8"])
@pytest.mark.parametrize("run", RUNS)
def test_all_measures_of_all_topics(facts: Path, tmp_path: Path, run: str, version: str) -> None:
    def lines(name: str) -> list[str]:
        return (
            lzma.decompress((facts / "robust03" / f"{name}.xz").read_bytes())
            .decode()
            .splitlines(True)
        )

    topics = {line.split()[0] for line in lines(f"{run}.run")}
    assert len(topics) == RUNS[run]
    qrels, results = tmp_path / "qrels", tmp_path / run
    qrels.write_text("".join(line for line in lines("qrels.txt") if line.split()[0] in topics))
    results.write_text("".join(lines(f"{run}.run")))
    stdout, stderr = io.StringIO(), io.StringIO()
    options = ["-q", "-m", "all_trec", "-m", "yaap"]
    code = main([*options, str(qrels), str(results)], stdout, stderr, version=version)
    assert (code, stderr.getvalue()) == (0, "")
    compared = topics | {"all"} if RUNS[run] == 100 else topics
    expected = [
        line for line in lines(f"{run}.all_trec.trec_eval-{version}.txt") if _sure(line, compared)
    ]
    assert [
        line for line in stdout.getvalue().splitlines(True) if _sure(line, compared)
    ] == expected
    assert {line.split()[1] for line in expected} == compared


def _sure(line: str, topics: set[str]) -> bool:
    # rbp of 10.0 depends on what yaap left in memory: see docs/coming-from/trec_eval.md.
    return not line.startswith("rbp ") and line.split()[1] in topics
