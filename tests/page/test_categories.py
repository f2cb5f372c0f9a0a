"""Pages of categories: measures and decisions with the library's intervals."""

from __future__ import annotations

import warnings

import numpy as np

import precall as pc
from precall.core.notes.of_decisions import DecidedBy
from precall.page.fields import to_plain_data
from precall.page.record import read_record
from precall.page.scored import decisions_section
from tests.noticed import shown
from tests.texts import texts


def test_a_page_of_categories(tmp_path, asked):
    path = tmp_path / "items.csv"
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, 90)
    scores = np.round(rng.random((90, 3)) + (truth[:, None] == np.arange(3)), 3)
    rows = ["t,p0,p1,p2", *(f"{t},{a},{b},{c}" for t, (a, b, c) in zip(truth, scores, strict=True))]
    path.write_text("\n".join(rows) + "\n")
    code, _, err = asked("--truth", "t", "--scores", "p*", path, "-o", tmp_path / "page.html")
    assert code == 0, err
    status = pc.categorize(list(map(str, truth)), scores, ["0", "1", "2"])
    section = read_record(tmp_path / "page.html")["sections"][0]
    shown = {line["name"]: line["values"][1] for line in section["blocks"][0]["lines"]}
    assert shown == dict(zip("012", status.by_category("AP").values.tolist(), strict=True))
    assert section["systems"][0]["tp"] == status.pooled().tp.tolist()


def categories(size=240):
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, size)
    return truth, rng.random((size, 3)) + 0.6 * (truth[:, None] == np.arange(3))


def ends(section, block, name, column):
    """The interval that stands in a line of a block of categories."""
    found = section["blocks"][block]
    line = next(one for one in found["lines"] if one["name"] == name)
    place = found["heading"].index(column) - 1
    return line["low"][place], line["high"][place]


def test_intervals_of_categories_are_the_library_s(tmp_path, asked):
    truth, scores = categories()
    status = pc.categorize(truth.tolist(), scores, [0, 1, 2])
    path = pc.report(status, tmp_path / "page.html", level=0.9)
    section = read_record(path)["sections"][0]
    decided = pc.interval(status.decide(status.thresholds("rank:1")), level=0.9)
    for name, curve in zip("012", status.curves(), strict=True):
        for measure in ("AP", "AUC"):
            one = pc.interval(curve, measure, level=0.9)
            assert ends(section, 0, name, measure) == (one.low, one.high)
        for measure, column in (("precision", "precision"), ("recall", "recall"), ("f", "F1")):
            one = decided[name, measure]
            assert ends(section, 5, name, column) == (one.low, one.high)
    for name in ("micro", "macro"):
        assert ends(section, 6, name, "F1") == (decided[f"{name}-f"].low, decided[f"{name}-f"].high)
    # All pairs are drawn item by item; a mean of average precisions has no interval.
    pooled = pc.interval.average_precision(
        status.relevant, status.score, groups=status.item, level=0.9
    )
    assert ends(section, 1, "micro", "AP") == (pooled.low, pooled.high)
    assert ends(section, 1, "macro", "AP") == (None, None)
    text = path.read_text(encoding="utf-8")
    assert "90 % intervals (precision wilson, recall wilson, F1 posterior)" in text
    assert f"[{pooled.low:.4f}, {pooled.high:.4f}]" in text
    code, out, _ = asked("--from", path, "--format", "csv")
    assert code == 0 and f'"average, low end",{pooled.low!r}' in out


def test_items_in_several_categories_are_decided_if_asked(tmp_path, asked):
    path, out = tmp_path / "items.csv", tmp_path / "page.html"
    truth, scores = categories(60)
    rows = [f"{t};{(t + 1) % 3},{a},{b},{c}" for t, (a, b, c) in zip(truth, scores, strict=True)]
    path.write_text("\n".join(["t,p0,p1,p2", *rows]) + "\n")
    of_items = ["--truth", "t", "--scores", "p*", "--separator", ";", path, "-o", out]
    assert asked(*of_items)[0] == 0
    assert (
        len(read_record(out)["sections"][0]["blocks"]) == 4 and "Decisions" not in out.read_text()
    )
    assert asked(*of_items, "--policy", "fixed:1")[0] == 0
    found = read_record(out)
    status = pc.categorize([[str(t), str((t + 1) % 3)] for t in truth], scores, ["0", "1", "2"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        one = pc.interval(status.decide(status.thresholds("fixed:1")), "micro-f")
    assert ends(found["sections"][0], 6, "micro", "F1") == (one.low, one.high)
    assert (
        f"micro-averaged F1 {one.estimate:.4f} [{one.low:.4f}, {one.high:.4f}]"
        in texts(found["headline"])[1]
    )


def test_a_category_called_as_the_list_of_all_pairs(tmp_path):
    names = ["all pairs together", "b"]
    status = pc.categorize(
        [names[i % 2] for i in range(40)], np.random.default_rng(1).random((40, 2)), names
    )
    systems = read_record(pc.report(status, tmp_path / "page.html"))["sections"][0]["systems"]
    assert systems[0]["name"] == "(all pairs together)" and len(systems) == 3
    assert systems[0]["relevant"] == 40


def test_an_interval_stands_by_its_own_value_only(tmp_path):
    """Takahashi's macro-F counts what is undefined as 0; an average that leaves it out has no
    interval.
    """
    truth = ["a", "b"] * 30
    found = pc.decisions(truth, truth[1:] + truth[:1], ["a", "b", "never"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        section = to_plain_data(decisions_section(found, undefined="omit")[0])
        assert ends(section, 0, "a", "recall")[0] == 0
        zero = to_plain_data(decisions_section(found)[0])
    assert (
        section["blocks"][1]["lines"][1]["values"][2]
        == zero["blocks"][1]["lines"][1]["values"][2]
        == 0
    )
    found = pc.decisions(truth, truth, ["a", "b", "never"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        section, zero = (
            to_plain_data(decisions_section(found, undefined=way)[0]) for way in ("omit", "zero")
        )
    assert ends(section, 1, "macro", "F1") == (None, None) and ends(zero, 1, "macro", "F1")[0] > 0.3


def test_categories_sort_by_value_not_by_interval(opened, tmp_path):
    truth, scores = categories()
    status = pc.categorize(truth.tolist(), scores, [0, 1, 2])
    page = opened(pc.report(status, tmp_path / "page.html"))
    page.locator("#s0-decisions-b0 thead th:nth-child(4) button").click()
    found = status.decide(status.thresholds("rank:1")).f()
    names = page.locator("#s0-decisions-b0 tbody th").all_inner_texts()
    assert names == [str(i) for i in np.argsort(-found, kind="stable")]
    first = page.locator("#s0-decisions-b0 tbody td:nth-child(4)").first.inner_text()
    assert first.startswith(f"{found.max():.4f}\n[")


def test_thresholds_learned_from_others_decide_on_the_page(tmp_path):
    truth = ["a", "b", "b", "a", "a", "b", "a"]
    first = pc.categorize(
        truth, [[0.9, 0.2], [0.3, 0.6], [0.5, 0.5], [0.6, 0.1], [0.2, 0.8], [0.1, 0.7], [0.8, 0.4]]
    )
    second = pc.categorize(truth[::-1], first.matrix)
    learned = second.thresholds("rcut", fit_on=first, tune="macro-F1")
    page = pc.report.categories(second, tmp_path / "p.html", policy=learned).read_text(
        encoding="utf-8"
    )
    assert shown(page, DecidedBy("", learned.policy, True, "others", 7))
    assert f"Decided by {learned.policy}:" in page
