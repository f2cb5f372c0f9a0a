"""`precall report --from` of pages that somebody changed: told again, or refused with a sentence;
never a defect.

Old tests changed the format's name and cut the JSON. Of 400 such changes, 112 ended in a traceback.
"""

from __future__ import annotations

import os
import time
import warnings

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from tests.page.mutations import of_page

FORMS = ("table", "csv", "json", "markdown", "latex", "html")
#: All of them take half a minute.
COUNT = 2000 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 160


@pytest.fixture(scope="module")
def pages(tmp_path_factory, runs, scored, several):
    """Pages of runs, of scores with bands, of several results, and of categories with decisions."""
    folder = tmp_path_factory.mktemp("pages")
    rng = np.random.default_rng(5)
    rows = [
        f"{'abc'[i % 3]},{','.join(f'{one:.2f}' for one in rng.random(3))}\n" for i in range(60)
    ]
    (folder / "items.csv").write_text("t,pa,pb,pc\n" + "".join(rows))
    made = folder / "categories.html"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        asked = ["--truth", "t", "--scores", "p*", "--policy", "max-f", "-o", str(made)]
        assert run(["report", str(folder / "items.csv"), *asked]) == 0
    return [one.read_text(encoding="utf-8") for one in (runs.path, scored.path, several.path, made)]


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(8))
def test_mutated_pages(pages, part, tmp_path, capsys):
    path, codes, slowest = tmp_path / "page.html", {0: 0, 2: 0}, 0.0
    for seed in range(part, COUNT, 8):
        path.write_bytes(of_page(pages[seed // 8 % len(pages)], seed))
        form = FORMS[seed // 32 % len(FORMS)]
        begun = time.process_time()
        code = run(["report", "--from", str(path), "--format", form])
        slowest = max(slowest, time.process_time() - begun)
        said = capsys.readouterr()
        assert code in codes, (seed, form, said.err)
        assert (code == 2) == said.err.startswith("precall: error: "), (seed, form, said.err)
        assert code == 0 or (said.out == "" and said.err.count("\n") == 1), (seed, form, said.err)
        codes[code] += 1
    # The changes go where something is read; and some of them are harmless.
    assert min(codes.values()) >= 1
    assert slowest < 20


def test_a_changed_digit_is_refused(several, tmp_path, capsys):
    """Was told as if the page had been made with it: a record had nothing to be checked by."""
    page = several.path.read_text(encoding="utf-8")
    begin = page.index('"mean":[[')
    at = begin + next(i for i, one in enumerate(page[begin:]) if one.isdigit())
    path = tmp_path / "page.html"
    path.write_text(page[:at] + str((int(page[at]) + 1) % 10) + page[at + 1 :], encoding="utf-8")
    assert run(["report", "--from", str(path)]) == 2
    said = capsys.readouterr().err
    assert said.endswith(
        "page.html: its record is not as it was written (another SHA-256); make the page again\n"
    )
