"""The reference as it is built, held against the stored list of public names: each has its anchor,
and all that is to be said.

An audit, too: `python -m tests.site.test_public_names build/docs` prints what names lack.
"""

from __future__ import annotations

import json
import re
import sys
import zlib
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

from docs._ext.reference.names import Entry, collect
from tests.install.test_public_names import STORED

FOLDER = "reference/api"
#: What is known of a name that is looked for on its page.
ASKED = ("anchor", "inventory", "search", "signature", "parameters", "types", "example")


@cache
def public() -> list[str]:
    """The public names, members included; those of every result stand on the page of `result`."""
    lines = STORED.read_text(encoding="utf-8").splitlines()
    return sorted(
        {re.split(r"[(: ]", line.replace("every result.", "result."))[0] for line in lines}
    )


@cache
def entries() -> dict[str, tuple[Entry, Entry]]:
    """Public name → what it is, and what has the page on which it stands; by all names that it
    has.
    """
    names = collect()
    found = {one.name: (one, entry) for entry in names.entries for one in (entry, *entry.parts)}
    return found | {other: found[name] for name, others in names.others.items() for other in others}


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def anchors(site: Path) -> dict[str, Path]:
    """Anchor → the page that has it, of the pages of the reference."""
    return {
        unescape(name): path
        for path in sorted((site / FOLDER).glob("*.html"))
        for name in re.findall(r' id="([^"]+)"', text(path))
    }


@cache
def inventory(site: Path) -> dict[str, str]:
    """Name of Python → where it is, as other projects' Sphinx reads it."""
    packed = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    rows = [line.split(" ") for line in zlib.decompress(packed).decode().splitlines()]
    return {
        row[0]: row[3].replace("$", row[0]).replace("module-", "")
        for row in rows
        if row[1].startswith("py:")
    }


@cache
def searched(site: Path) -> set[str]:
    """Names of Python that the search knows."""
    index = text(site / "searchindex.js").removeprefix("Search.setIndex(").rstrip(");\n")
    given = json.loads(index)["objects"]
    return {f"{prefix}.{row[4]}".lstrip(".") for prefix, rows in given.items() for row in rows}


def part(page: str, name: str, names: list[str]) -> str:
    """What stands on a page from the anchor of a member on to that of the next; nothing where it
    has none.
    """
    places = {one: page.find(f' id="{one}"') for one in (name, *names)}
    start = places[name]
    later = [place for place in places.values() if place > start]
    return page[start : min(later, default=len(page))] if start >= 0 else ""


def lacks(site: Path, name: str) -> Iterator[str]:
    """Which of `ASKED` a public name lacks on the built site."""
    page = anchors(site).get(name)
    if page is None:
        yield "anchor"
        return
    if unquote(inventory(site).get(name, "")).split("#")[-1] != name:
        yield "inventory"
    if name not in searched(site):
        yield "search"
    one, entry = entries()[name]
    if entry.kind != "value" and 'class="gp"' not in text(page):
        yield "example"
    if one.signature is None or (one.kind == "class" and "." not in one.name):
        return
    whole = part(text(page), one.name, [other.name for other in entry.parts])
    head = re.search(
        r'<dt class="sig[^>]*?" id="' + re.escape(one.name) + r'">(.*?)</dt>', text(page), re.DOTALL
    )
    signed = re.sub(r"<[^>]+>", "", head[1]) if head else ""
    if any(given not in signed for given in one.parameters):
        yield "signature"
    rows = dict(re.findall(r"<dt><strong>\**(\w+)</strong>(.*?)</dt>", whole, re.DOTALL))
    fields = (
        {other.last for other in entry.parts if other.kind == "attribute"}
        if one is entry
        else set()
    )
    if set(one.parameters) - set(rows) - fields:
        yield "parameters"
    loose = {given for given in rows if not rows[given].strip()}
    if loose - {
        given.name for given in one.signature.parameters.values() if given.kind is given.VAR_KEYWORD
    }:
        yield "types"


@pytest.mark.parametrize("asked", ASKED)
def test_every_public_name_has(asked: str, site: Path) -> None:
    assert [name for name in public() if asked in set(lacks(site, name))] == []


def test_every_function_and_class_has_a_page_of_its_own(site: Path) -> None:
    """Those of `interval`, `compare`, `null`, `plot` and `report`, too: not a list of them on one
    page.
    """
    own = {
        name: entry.page
        for name, (one, entry) in entries().items()
        if one is entry and one.kind != "value"
    }
    assert {name for name in own if name.count(".") == 2} >= {
        name
        for name in public()
        if re.match(r"precall\.(interval|compare|null|plot|report)\.\w+$", name)
    }
    assert [page for page in own.values() if not (site / FOLDER / f"{page}.html").is_file()] == []


def test_no_name_is_public_that_is_not_stored(site: Path) -> None:
    """An anchor of ours that is not public would be a promise by mistake."""
    ours = {name for name in inventory(site) if name.startswith("precall.")}
    modules = {name for name, (one, _) in entries().items() if one.kind == "namespace"}
    members = {name for name in ours if name.rpartition(".")[0] in public()}
    assert {
        name for name in ours - set(public()) - modules - members if name not in entries()
    } == set()


def test_what_classes_are_made_of_is_public(site: Path) -> None:
    """No private base, and no private type, in a signature, in "Bases" or beside a parameter."""
    for path in sorted((site / FOLDER).glob("*.html")):
        bases = re.findall(r"Bases: (.*?)</p>", text(path), re.DOTALL)
        shown = unescape(
            re.sub(
                r"<[^>]+>", "", " ".join(bases + re.findall(r"<dt.*?</dt>", text(path), re.DOTALL))
            )
        )
        private = re.findall(
            r"\b_[A-Za-z]\w+|\bprecall\.(?:infer|curves|location|contingency|declare|results)\b",
            shown,
        )
        assert [found for found in private if found != "_version__"] == [], path.name


if __name__ == "__main__":
    built = Path(sys.argv[1]).resolve()
    lacking = {name: kinds for name in public() if (kinds := set(lacks(built, name)))}
    sys.stdout.write(f"{len(public())} public names\n")
    for kind in ASKED:
        short = [name for name, kinds in lacking.items() if kind in kinds]
        sys.stdout.write(f"{kind}: {len(short)} lack it {short}\n")
