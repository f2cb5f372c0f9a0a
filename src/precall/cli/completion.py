"""Completion by Tab: measures with their parameters, columns of the named file, policies, and names
of runs.

Case is ignored: `nd` completes to nDCG. bash replaces the typed text by the common beginning of all
answers, so it gets answers with a common beginning. It also splits words at `@`, `(` and other
characters, so it gets only the text after the last of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    split_arg_string,
)

if TYPE_CHECKING:
    import click

#: Usual cutoffs.
_CUTOFFS = (5, 10, 20, 50, 100, 1000)
#: Number of bytes read from a file to find its heading.
_HEAD = 1 << 16
_BASH = """\
%(complete_func)s() {
    local IFS=$'\\n'
    local response type value completion
    response=$(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD COMP_LINE="$COMP_LINE" COMP_POINT="$COMP_POINT" \
COMP_BREAKS="$COMP_WORDBREAKS" %(complete_var)s=bash_complete $1)
    COMPREPLY=()
    for completion in $response; do
        IFS=',' read -r type value <<< "$completion"
        if [[ $type == 'dir' ]]; then
            compopt -o dirnames
        elif [[ $type == 'file' ]]; then
            compopt -o default
        elif [[ $type == 'plain' ]]; then
            COMPREPLY+=("$value")
        fi
    done
    return 0
}
%(complete_func)s_setup() {
    complete -o nosort -F %(complete_func)s %(prog_name)s
}
%(complete_func)s_setup;
"""  # noqa: E501


class Bash(BashComplete):
    """Completion from the whole line, instead of only the words into which bash splits it."""

    source_template = _BASH

    @staticmethod
    def _check_version() -> None:
        """Accept any bash. An old one is reported when the completion script is requested. Starting
        bash to check takes as long as everything else.
        """

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one being completed, and that one."""
        line = os.environ.get("COMP_LINE")
        if line is None:
            return super().get_completion_args()
        # bash counts bytes, at least in its locale.
        begun = line.encode()[: int(os.environ["COMP_POINT"])].decode(errors="ignore")
        words = split_arg_string(begun)
        incomplete = "" if not words or begun[-1:].isspace() else words.pop()
        return words[1:], incomplete

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Answers with a common beginning, without the text that bash keeps of the word."""
        items = super().get_completions(args, incomplete)
        plain = [item for item in items if item.type == "plain"]
        if plain and incomplete:
            first = min(plain, key=lambda item: len(item.value)).value[: len(incomplete)]
            items = [item for item in items if item.type != "plain" or item.value.startswith(first)]
        if "COMP_LINE" not in os.environ or _in_quotes():
            return items
        left = _kept_part(incomplete)
        for item in items:
            if item.type == "plain":
                # Quote characters special to bash, such as brackets, if the word begins here.
                item.value = item.value.removeprefix(left) if left else quote(item.value)
        return items


def _in_quotes() -> bool:
    line = os.environ["COMP_LINE"]
    return bool(line.count("'") % 2 or line.count('"') % 2)


def _kept_part(incomplete: str) -> str:
    """The part of a word that bash keeps: everything up to the last break."""
    breaks = set(os.environ.get("COMP_BREAKS", "@=:(")) - set(" \t\n")
    at = max((incomplete.rfind(mark) for mark in breaks), default=-1)
    # For readline these two characters begin a word, although they also end the one before.
    return incomplete[: at + (incomplete[at : at + 1] not in ("@", "$"))] if at >= 0 else ""


def register() -> None:
    """Register `Bash` as the completion of bash."""
    add_completion_class(Bash)


def matching(known: Iterable[tuple[str, str]], incomplete: str) -> list[CompletionItem]:
    """Names, with their help, that begin like this; case is ignored if none matches exactly.

    If names differ only in case, the first is offered.

    Examples
    --------
    >>> [item.value for item in matching([("nDCG", ""), ("NPV", ""), ("ndcg", "")], "nd")]
    ['nDCG']
    >>> [item.value for item in matching([("P@10", ""), ("p", "")], "P")]
    ['P@10']
    """
    first: dict[str, tuple[str, str]] = {}
    for name, help in known:
        first.setdefault(name.casefold(), (name, help))
    alike = [
        (name, help) for key, (name, help) in first.items() if key.startswith(incomplete.casefold())
    ]
    exact = [(name, help) for name, help in alike if name.startswith(incomplete)]
    return [CompletionItem(name, help=help) for name, help in exact or alike]


def measure_names(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Measures; trec_eval's names, cutoffs and parameters are offered only once they are begun."""
    from precall.measures import REGISTRY

    entries = list(REGISTRY.rankings())
    usages = [(entry.usage.replace("@k", "@10"), entry.summary) for entry in entries]
    if incomplete:
        usages += [
            (name, entry.summary)
            for entry in entries
            for name in entry.trec_eval
            if "{" not in name
        ]
    for entry in entries:
        # A name can be longer than the text typed for another one.
        if incomplete.casefold().startswith(
            (f"{entry.name}@".casefold(), f"{entry.name}(".casefold())
        ):
            usages += _with_parameters(entry)
    return matching(usages, incomplete)


def _with_parameters(entry: Any) -> list[tuple[str, str]]:
    """A measure with usual cutoffs, and with each allowed word of a parameter, or else its
    default.
    """
    usages = []
    if "cutoff" in entry.parameters:
        usages += [(f"{entry.name}@{cutoff}", entry.summary) for cutoff in _CUTOFFS]
    for name, parameter in entry.parameters.items():
        usual = () if parameter.default in (None, ...) else (parameter.default,)
        for value in parameter.domain.words or usual:
            if name != "cutoff":
                usages.append((f"{entry.name}({name}={value})", parameter.domain.allowed))
    return usages


def words(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The names that `explain` knows: measures, and words once they are begun."""
    from precall.measures.words import words

    names = [
        (name, each.without_links)
        for each in words()
        if incomplete
        for name in each.names
        if " " not in name
    ]
    measures = measure_names(context, parameter, incomplete)
    there = {item.value.casefold() for item in measures}
    return measures + [
        item for item in matching(names, incomplete) if item.value.casefold() not in there
    ]


def policies(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Policies of decisions."""
    names = {
        "scut": "a threshold per category: greatest F1 (max-f)",
        "break-even": "where precision and recall are nearest",
        "max:MCC": "where a measure is best",
        "utility:tp=1,fp=-1": "of greatest utility",
        "rcut:1": "the best categories",
        "rank:1": "the same",
        "pcut": "as many items as the category has",
        "proportion": "the same",
        "fixed:0.5": "one threshold that is given",
        "global": "one threshold that is learned",
    }
    return matching(names.items(), incomplete)


def columns(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Columns of the first table named before."""
    for name in _files(context):
        if heading := _heading(Path(name)):
            return matching([(column, "") for column in heading], incomplete)
    return []


def run_names(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Names of the runs on the command line."""
    from precall.read.sources import stem

    # The first file is the qrels.
    return matching([(stem(name), name) for name in _files(context)[1:]], incomplete)


def _files(context: click.Context) -> list[str]:
    """The files named before. click does not parse the words while an option still waits for its
    value.
    """
    named = [context.params.get(name) for name in ("cases", "file", "qrels", "inputs", "runs")]
    read = [name for each in named if each for name in ([each] if isinstance(each, str) else each)]
    return read or [word for word in context.args if not word.startswith("-")]


def _heading(path: Path) -> list[str]:
    """Names of the columns of a text table; empty if it cannot be read."""
    import csv
    import json

    from precall.read.formats import BY_ENDING, SEMICOLON, SEPARATOR

    try:
        if not path.is_file():
            return []
        with path.open("rb") as file:
            line = file.read(_HEAD).decode("utf-8-sig").partition("\n")[0].strip("\r")
        kind = BY_ENDING[path.suffix.lower()]
        if kind == "jsonl":
            return [str(name) for name in json.loads(line)]
        is_parted = SEPARATOR[kind] not in line and SEMICOLON in line
        return next(csv.reader([line], delimiter=SEMICOLON if is_parted else SEPARATOR[kind]))
    except (OSError, ValueError, LookupError, StopIteration, csv.Error):
        return []
