"""What readers look for, in their own words, is among the first results of the site's search."""

from __future__ import annotations

import pytest

#: What is typed → pages of which one is among the first results.
WANTED = {
    "interval of recall": ["how-to/intervals"],
    "confidence interval": ["how-to/intervals"],
    "ties average precision": ["why/definitions", "how-to/curves"],
    "AP with ties": ["why/definitions"],
    "AP ties": ["why/definitions", "how-to/curves"],
    "roc_auc_score ovo": ["coming-from/sklearn"],
    "fail a build": ["how-to/gates"],
    "fail CI": ["how-to/gates"],
    "add a measure": ["how-to/own-measure"],
    "custom metric": ["how-to/own-measure", "glossary"],
    "p of 1e-6": ["why/null"],
    "choose a threshold": ["how-to/threshold"],
    "compare two systems": ["how-to/compare"],
    "latex table": ["how-to/paper"],
    "exit code": ["how-to/gates"],
    "notebook": ["how-to/notebooks"],
    "larger than memory": ["how-to/large"],
    "PRROC": ["coming-from/r"],
    "sensitivity": ["glossary", "why/definitions"],
    "confusion matrix": ["glossary", "how-to/categories"],
    "false negatives": ["glossary", "measures/counts", "how-to/curves"],
    "hit rate": ["glossary", "how-to/rag"],
    "law": ["glossary", "how-to/chance"],
    "null distribution": ["how-to/chance"],
    "true positive rate": ["glossary"],
    "TPR": ["glossary", "measures/counts"],
    "PPV": ["glossary", "measures/counts"],
    "specificity": ["glossary", "measures/counts", "why/definitions"],
    "average precision": ["glossary", "measures/binary", "why/definitions", "how-to/curves"],
    "lift": ["glossary"],
    "enrichment factor": ["glossary", "measures/early_recognition"],
    "BEDROC": ["glossary", "measures/early_recognition"],
    "class imbalance": ["glossary"],
    "reproducible": ["glossary"],
    "F1": ["glossary", "measures/counts", "how-to/categories"],
    "IoU": ["glossary"],
    "ground truth": ["glossary"],
    "metric": ["glossary", "measures/README"],
    "MRR": ["glossary", "how-to/rag", "start/lists"],
    "precall.null.Law.cdf": ["reference/api/precall.null.NullDistribution-class"],
    "precall.Bounds.count": ["reference/api/precall.Bounds-class"],
    "precall.compare.power": ["reference/api/precall.compare.power"],
    "precall.compat.lingpipe.Curve.pr": ["reference/api/precall.Curve-class"],
    "compat.ir_measures.AP_IA": ["reference/api/precall.compat.ir_measures"],
}
#: Names of a measure → its section, which is the very first result.
MEASURES = {
    "average precision": "measures/binary.html#ap",
    "AP": "measures/binary.html#ap",
    "MAP": "measures/binary.html#ap",
    "mean average precision": "measures/binary.html#ap",
    "reciprocal rank": "measures/binary.html#rr",
    "R-precision": "measures/binary.html#rprec",
    "sensitivity": "measures/counts.html#r",
    "F1 score": "measures/counts.html#f",
    "nDCG": "measures/gains.html#ndcg",
}


@pytest.fixture(scope="module")
def search(browser, served):
    page = browser.new_context().new_page()

    def found(words: str) -> list[str]:
        page.goto(f"{served}/search.html?q={words}")
        page.wait_for_function(
            "document.querySelector('.search-summary')?.textContent.match(/found|match/)"
        )
        links = page.eval_on_selector_all(
            "#search-results li a", "all => all.map((one) => one.href)"
        )
        return [link.removeprefix(served + "/") for link in links]

    found.page = page
    yield found
    page.close()


@pytest.mark.parametrize("words", WANTED)
def test_found_among_the_first(search, words: str) -> None:
    first = search(words)[:6]
    assert any(link.startswith(f"{page}.html") for page in WANTED[words] for link in first), first


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_is_found_first(search, name: str) -> None:
    assert search(name)[0] == MEASURES[name]


@pytest.mark.parametrize(("words", "told"), [("operating point", "precision and recall there")])
def test_words_are_found_with_their_meaning(search, words: str, told: str) -> None:
    search(words)
    excerpt = search.page.locator("#search-results li:has(a[href*='glossary.html#word-']) p")
    assert told in excerpt.first.text_content()
