"""Every document is as its schema in docs/published/schemas says; one that lacks something, or has
more, is not.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.cli.explanations import explain
from precall.cli.main import run
from precall.evaluation.steps import steps_of_curve
from precall.evaluation.steps_sheet import sheet_of_steps
from precall.page.record import read_record
from precall.results.forms import render
from precall.testing import assert_not_worse
from tests.release.schemas import FOLDER, problems
from tests.results.test_forms import QRELS, RUNS, results

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """By their form: of every result, and what commands write that is no result."""
    folder = tmp_path_factory.mktemp("documents")
    found = [json.loads(result.to_json()) for result in results(folder).values()]
    cases = [1, 0] * 200, [i % 7 + (i + 1) % 2 for i in range(400)]
    found += [
        json.loads(band(*cases).to_json()) for band in (pc.interval.pr_band, pc.interval.roc_band)
    ]
    report = pc.evaluate(QRELS, RUNS, ["AP", "nDCG@2"])
    assert_not_worse(report, folder / "base.json", 0.1, update=True)
    page = pc.report(pc.curve([1, 0, 1], [3.0, 2.0, 1.0]), folder / "page.html")
    found += [json.loads((folder / "base.json").read_bytes()), read_record(page)]
    found += [json.loads(explain(name, "json")) for name in ("GMAP", "SCut", "max F threshold")]
    steps = sheet_of_steps(steps_of_curve(pc.curve([1, 0, 1], [3.0, 2.0, 1.0]), "AP"), {})
    found.append(json.loads(render(steps, "json")))
    by_form: dict[str, list[Any]] = {}
    for document in found:
        by_form.setdefault(document["format"], []).append(document)
    return by_form


def test_about(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["about", "--format", "json"]) == 0
    about = json.loads(capsys.readouterr().out)
    assert problems(about) == []
    for name in ("kernel", "platform"):
        assert problems({key: value for key, value in about.items() if key != name})


def test_every_document_is_as_its_schema(documents: dict[str, list[Any]]) -> None:
    for form, made in documents.items():
        for document in made:
            assert problems(document) == [], form


def test_every_schema_is_of_something(documents: dict[str, list[Any]]) -> None:
    """And every form has one; that of `precall about` has a test of its own."""
    forms = {path.stem for path in FOLDER.glob("*.json")}
    assert forms == {form.removeprefix("precall.").replace("/", "-") for form in documents} | {
        "about-1"
    }


def mutants(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The same without one of its parts, with one more, and with one of another type."""
    for name in document:
        if name != "format":
            yield f"without {name}", {key: part for key, part in document.items() if key != name}
            yield f"{name} of another type", document | {name: {"unheard": [{"of": {}}]}}
    yield "with another part", document | {"unheard of": 1}


#: Parts that only some documents of a form have.
OPTIONAL = {
    "verdict",
    "systems",
    "means",
    "letters",
    "anova",
    "gates",
    "topics",
    "posteriors",
    "normalize",
    "shares",
    "thresholds",
    "decisions",
    "baselines",
    "intervals",
    "comparisons",
    "groups",
    "mean",
    "scores",
}
#: Parts that may hold anything: a page's sections, and what is a mapping of other names.
OPEN = {"conventions", "versions", "counts"}


@pytest.mark.nightly
def test_mutants_are_not_as_their_schema(documents: dict[str, list[Any]]) -> None:
    seen = 0
    for form, made in documents.items():
        for what, mutant in mutants(made[0]):
            if what.startswith("without ") and what.removeprefix("without ") in OPTIONAL:
                continue
            assert problems(mutant), (form, what)
            seen += 1
    assert seen > 400


@pytest.mark.parametrize(
    ("form", "path", "name"),
    [
        ("report", ("runs", 0), "mean"),
        ("report", ("runs", 0, "counts"), "tied"),
        ("compare", ("pairs", 0), "p"),
        ("curve", ("scores", "curve", "counts"), "missed"),
        ("intervals", ("intervals", 0), "method"),
        ("measures", ("measures", 0), "undefined"),
        ("verdict", ("standings", 0), "outcome"),
        ("gates", ("gates", 0), "passed"),
        ("baseline", ("measures", "AP"), "best"),
        ("null", ("settings", 0), "items"),
    ],
)
def test_a_part_within_is_missing(
    documents: dict[str, list[Any]], form: str, path: Any, name: str
) -> None:
    known = next(known for known in documents if known.startswith(f"precall.{form}/"))
    document = json.loads(json.dumps(documents[known][0]))
    place = document
    for step in path:
        place = place[step]
    del place[name]
    assert any(name in problem for problem in problems(document))


def test_schemas_are_as_they_are_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """`python docs/schemas.py` writes them."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    schemas = __import__("schemas")
    written: dict[str, str] = {}
    schemas.main(lambda path, text: written.__setitem__(path.name, text))
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.json")}
    assert written == kept
    for name in ("schemas", "schema_forms"):
        sys.modules.pop(name, None)
