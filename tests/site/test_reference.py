"""The reference as it is built: every public name with its signature, its parameters and an example
that runs as it stands.
"""

from __future__ import annotations

import doctest
import re
from functools import cache
from html import unescape
from pathlib import Path

import pytest

from docs._ext.reference.names import Entry, Names, collect
from docs._ext.reference.pages import Writer
from tests.site.conftest import SITE

FOLDER = "reference/api"


@cache
def names() -> Names:
    return collect()


@cache
def written() -> dict[str, str]:
    return Writer(names()).pages()


def shown(entry: Entry) -> bool:
    """Whether it has a page of its own."""
    return entry.kind != "value"


def test_every_public_name_has_its_signature_and_parameters(site: Path) -> None:
    lacking = []
    for entry in filter(shown, names().entries):
        text = (site / FOLDER / f"{entry.page}.html").read_text(encoding="utf-8")
        described = set(re.findall(r"<strong>\**(\w+)</strong>", text))
        ids = set(re.findall(r' id="([\w.-]+)"', text))
        module = entry.kind == "namespace" and entry.signature is None
        if entry.name not in ids and f"module-{entry.name}" not in ids:
            lacking.append(entry.name)
        for one in (entry, *entry.parts):
            if one is not entry and one.name not in ids:
                lacking.append(one.name)
            if module or one.signature is None or (one is entry and "." not in one.name):
                continue
            known = described | {
                name.rpartition(".")[2] for name in ids if name.startswith(f"{one.name}.")
            }
            lacking += [f"{one.name}({name})" for name in one.parameters if name not in known]
    assert lacking == []


def test_pages_show_nothing_private(site: Path) -> None:
    found = {}
    for path in sorted((site / FOLDER).glob("*.html")):
        text = unescape(re.sub(r"<[^>]+>", "", path.read_text(encoding="utf-8")))
        private = re.findall(
            r"precall\._(?!_version__)\w*|object at 0x|system-message|<factory>", text
        )
        if private:
            found[path.name] = private
    assert found == {}


def test_pages_have_examples(site: Path) -> None:
    for entry in names().entries:
        if entry.kind in ("function", "class") and "." in entry.name:
            assert 'class="gp"' in (site / FOLDER / f"{entry.page}.html").read_text(
                encoding="utf-8"
            ), entry.name


@pytest.mark.nightly(keep=12)
@pytest.mark.parametrize("page", sorted(written()) if SITE else ["every page"])
def test_examples_run_as_a_reader_types_them(page: str, site: Path) -> None:
    text = written()[page]
    if (
        "torch" in page
        or "precall.spark" in page
        or ">>> import ir_measures" in text
        or "unregister()" in text
    ):
        return  # what that needs is not installed with the site
    runner = doctest.DocTestRunner(
        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False
    )
    # Every rubric begins anew, as every docstring does.
    for number, part in enumerate(
        re.split(r"^ *\.\. (?:rubric|py:method)::.*$", text, flags=re.MULTILINE)
    ):
        if ">>>" in part:
            runner.run(doctest.DocTestParser().get_doctest(part, {}, f"{page}:{number}", page, 0))
    assert runner.failures == 0
