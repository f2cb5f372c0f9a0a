"""The pages of the reference, as they are written before Sphinx reads them: every public name,
whole, and nothing private.
"""

from __future__ import annotations

import doctest
import re
from functools import cache
from pathlib import Path

import pytest

from docs._ext.reference import commands, docstrings, forms, parameters
from docs._ext.reference.examples import kept
from docs._ext.reference.groups import GROUPS
from docs._ext.reference.names import WORDS, Entry, Names, collect
from docs._ext.reference.pages import Writer

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
#: Modules that users import from; no other is named on a page.
PUBLIC = (
    "precall",
    "compat",
    "compare",
    "interval",
    "null",
    "extremes",
    "plot",
    "report",
    "results",
    "spark",
    "testing",
    "torch",
    "pytest_plugin",
)


@cache
def names() -> Names:
    return collect()


@cache
def written() -> tuple[Writer, dict[str, str]]:
    writer = Writer(names())
    return writer, writer.pages()


def called() -> list[Entry]:
    """All that can be called, by the classes and functions that users import."""
    entries = [one for entry in names().entries for one in (entry, *entry.parts)]
    # Classes that nobody makes by hand show no signature.
    made = [entry for entry in entries if entry.kind != "class" or "." in entry.name]
    return [entry for entry in made if entry.signature is not None]


def test_every_public_name_has_a_page() -> None:
    lines = (ROOT / "tests" / "data" / "public-names.txt").read_text(encoding="utf-8").splitlines()
    public = {re.split(r"[(: ]", line.replace("every result", "result"))[0] for line in lines}
    others = {name for given in names().others.values() for name in given}
    assert public - set(names().pages) - others == set()


def test_every_name_is_in_one_group() -> None:
    placed = [name for group in GROUPS for name in (*group.names.split(), *group.forms.split())]
    assert len(placed) == len(set(placed))
    listed = re.findall(
        r"^api/([\w-]+)$", (REFERENCE / "index.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    pages = [f"{group.page}" for group in GROUPS if f"{group.page}.rst" in written()[1]]
    assert listed == [*pages, "commands", "json"]


def test_every_parameter_is_described() -> None:
    writer, _ = written()
    silent = [
        f"{entry.name}({name})"
        for entry in called()
        for name, item in writer.parameters(entry)
        if not "".join(item.prose).strip()
    ]
    assert silent == [], (
        "say it in the docstring, or in docs/_ext/reference/parameters.ini where many share it"
    )


def test_no_two_parameters_are_described_alike() -> None:
    """What is said of several at once says nothing of one; of others' parameters it is fetched from
    there.
    """
    writer, _ = written()
    alike = {}
    for entry in called():
        texts = [" ".join(item.prose) for _, item in writer.parameters(entry)]
        fields = [
            " ".join(writer.attribute(entry, part))
            for part in entry.parts
            if part.kind == "attribute"
        ]
        if len(set(texts)) < len(texts) or len(set(fields)) < len(fields):
            alike[entry.name] = [
                text for text in (*texts, *fields) if max(texts.count(text), fields.count(text)) > 1
            ]
    assert alike == {}


def test_what_is_told_elsewhere_is_fetched() -> None:
    """A page says what a parameter is, and does not send its reader to another one."""
    writer, _ = written()
    sent = [
        f"{entry.name}({name})"
        for entry in called()
        for name, item in writer.parameters(entry)
        if re.match(r"(see|as for|as of|as `\S+` takes) ", " ".join(item.prose))
    ]
    assert sent == []


def test_every_parameter_and_every_field_has_a_type() -> None:
    writer, _ = written()
    silent = [
        f"{entry.name}({name})"
        for entry in called()
        for name, given in (entry.signature.parameters if entry.signature else {}).items()
        if given.kind is not given.VAR_KEYWORD and not writer.sort(entry, name)
    ]
    silent += [
        part.name
        for entry in names().entries
        for part in entry.parts
        if part.kind == "attribute" and not writer.sort_of(entry, part)
    ]
    assert silent == [], "say it in docs/_ext/reference/types.ini where the annotation says nothing"


def test_types_that_are_said_apart_are_words_that_readers_know() -> None:
    """No private class or alias in `types.ini`: classes are public, or other packages'."""
    table = parameters._table("types")
    words = {
        word
        for held in table.values()
        for text in held.values()
        for word in re.findall(r"\b[A-Z]\w+", text)
    }
    theirs = {"Arrow", "Axes", "Colormap", "DataFrame", "NamedTuple", "Spark", "SparkSession"}
    assert words - WORDS - theirs - set(names().classes) == set()


def test_docstrings_name_no_parameter_that_is_not_there() -> None:
    keywords = {"precall.measure"}  # a declaration's
    strange = [
        f"{entry.name}({name})"
        for entry in called()
        if entry.name not in keywords and entry.kind != "class"
        for name in entry.docstring.names()
        if name not in entry.parameters
    ]
    assert strange == []


def test_everything_that_returns_says_what() -> None:
    writer, _ = written()
    silent = [
        entry.name
        for entry in called()
        if entry.kind not in ("class", "namespace")
        and entry.signature is not None
        and entry.signature.return_annotation not in (None, "None", "NoReturn")
        and not (writer.results(entry, "Returns") or writer.results(entry, "Yields"))
    ]
    assert silent == []


def test_every_field_is_described() -> None:
    writer, _ = written()
    silent = [
        part.name
        for entry in names().entries
        for part in entry.parts
        if part.kind == "attribute" and not writer.attribute(entry, part)
    ]
    assert silent == []


def test_every_page_has_an_example() -> None:
    _, pages = written()
    entries = [entry for entry in names().entries if entry.kind in ("function", "class")]
    made_by_functions = {group.title for group in GROUPS if not group.names}
    assert [
        entry.name
        for entry in entries
        if ">>>" not in pages[f"{entry.page}.rst"] and entry.group.title not in made_by_functions
    ] == []


@pytest.mark.parametrize("name", kept())
def test_kept_examples_run(name: str) -> None:
    test = doctest.DocTestParser().get_doctest("\n".join(kept()[name]), {}, name, None, None)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_pages_name_nothing_private() -> None:
    writer, pages = written()
    assert {
        name: said for name, said in writer.private.items() if name.startswith("precall.")
    } == {}
    found = {}
    for name, text in (pages | commands.pages()).items():
        text = re.sub(
            r"^ *precall\.core\.errors\.", "", text, flags=re.MULTILINE
        )  # as Python prints what was raised
        parts = set(re.findall(r"\bprecall\.([a-z_]\w*)", text)) - {*PUBLIC}
        private = {part for part in parts if f"precall.{part}" not in names().pages}
        if (
            private
            or "precall._" in text.replace("precall.__version__", "")
            or " object at 0x" in text
        ):
            found[name] = private
    assert found == {}


def test_pages_of_commands_have_their_help() -> None:
    pages = commands.pages()
    assert set(pages) == {"commands.rst", *(f"precall-{name}.rst" for name in commands.SUMMARIES)}
    assert ".. option:: --fail-if-worse MEASURE[:MARGIN]" in pages["precall-compare.rst"]
    assert "$ precall curve cases.csv --label y --score s\n" in pages["precall-curve.rst"]


def test_json_has_every_form_with_its_schema() -> None:
    text = forms.pages()["json.rst"]
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    # Pages of the first form are read, and no longer written.
    assert (
        not set(re.findall(r'"(precall\.[a-z-]+/\d)"', source))
        - {"precall.page/1"}
        - set(re.findall(r"`(precall\.[a-z-]+/\d) <", text))
    )
    assert "``conventions``" in text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "Do.\n\nParameters\n----------\na, b : both.\n    More.\n**rest : others.",
            ["a", "b", "rest"],
        ),
        ("Do.\n\nParameters\n----------\nx\n    Below.", ["x"]),
        ("Do.", []),
    ],
)
def test_docstrings_are_read(text: str, names: list[str]) -> None:
    assert docstrings.read(text).names() == names


def test_a_docstring_of_unknown_sections_is_refused() -> None:
    with pytest.raises(ValueError, match="Remarks"):
        docstrings.read("Do.\n\nRemarks\n-------\nNone.")
