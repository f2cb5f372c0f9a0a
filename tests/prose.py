"""What is hard to read in the prose of the project: `make prose` prints it, and fails nothing.

Looked at are the pages of docs, the README, the help of commands, and the templates of notes. The
patterns are those of plain English: long sentences, clauses as nouns, verdicts without a number.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]
#: A sentence with more words than this is read twice.
MOST_WORDS = 30
#: Pages whose sentences are data of other sources, or are generated from what is looked at.
LEFT_OUT = ("docs/published/", "docs/why/documents.md", "docs/why/coverage.md", "docs/notes.md")
PATTERNS = {
    "of which": r"\bof (?:which|whom)\b",
    "so many": r"\bso (?:many|much|few)\b",
    "what is as a noun": (
        r"(?:^|[,;:.] |\b(?:of|for|to|by|from|in|with|and) )what (?:is|are|was|were|has|have)\b"
    ),
    "few as a verdict": r"\b(?:is|are) (?:few|much)\b",
    "in the place of": r"\bin the place of\b",
    "trailing too": r", too(?=[.;:,)])",
    "where for if": r"^Where (?:there|no|nothing|it|they|a)\b",
}
_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)
_VERBS = re.compile(
    r"\b(?:be|had|did|do|can|could|may|might|must|should|will|would|have|are|were|\w+s|\w+ed|\w+en|"
    r"need|give|take|use|see|write|run|make|let|choose|add|put|read|say|pass|ask|install|name|call|"
    r"print|get|set|start|compare|measure|look|try|keep|leave|find|build|test|go|come|show|open)\b",
    re.IGNORECASE,
)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a page in Markdown: no code, no tables, no headings."""
    text = re.sub(r"<[^>]+>", " ", _CODE.sub("\n\n", text))
    for paragraph in re.split(r"\n\s*\n", text):
        lines = [
            line.strip() for line in paragraph.splitlines() if not line.lstrip().startswith("|")
        ]
        kept = " ".join(line for line in lines if not line.startswith(("#", ">", "```", ":::")))
        for item in re.split(r"(?:^|\s)(?:[*-]|\d+\.) (?=[A-Z`\[*])", kept):
            # A name in code, or a link, is one word.
            plain = re.sub(r"`[^`]*`", "X", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", item))
            for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z\[*X])", plain):
                if sentence.strip():
                    yield sentence.strip()


def faults(sentence: str) -> Iterator[str]:
    """What makes a sentence hard to read."""
    words = re.findall(r"[\w'-]+", sentence)
    if len(words) > MOST_WORDS:
        yield f"over {MOST_WORDS} words"
    for name, pattern in PATTERNS.items():
        if re.search(pattern, sentence, re.IGNORECASE if name != "where for if" else 0):
            yield name
    if len(words) > 4 and sentence.endswith(".") and not _VERBS.search(sentence):
        yield "without a verb"


def texts() -> Iterator[tuple[str, str]]:
    """Where it stands, and the text, of all that is looked at."""
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(LEFT_OUT):
            yield name, path.read_text(encoding="utf-8")
    from precall.cli.commands import SUMMARIES, commands
    from precall.core.notes import catalogue

    context = click.Context(commands)
    for name in SUMMARIES:
        command = commands.get_command(context, name)
        assert command is not None
        options = (getattr(option, "help", "") or "" for option in command.params)
        yield f"precall {name} --help", "\n\n".join([command.help or "", *options])
    for name, kind in catalogue().items():
        yield f"note {name}", f"{kind.text}\n\n{kind.several}"


def found(named: Iterable[tuple[str, str]]) -> list[tuple[str, str, str]]:
    """Where, which fault, which sentence."""
    return [
        (name, fault, sentence)
        for name, text in named
        for sentence in sentences(text)
        for fault in faults(sentence)
    ]


def main() -> None:
    """Print the places, then how many there are of each fault."""
    places = found(texts())
    lines = [f"{name}: {fault}: {sentence[:160]}" for name, fault, sentence in places]
    counts = Counter(fault for _, fault, _ in places)
    lines += [f"{count:5d}  {fault}" for fault, count in counts.most_common()]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
