"""trec_eval's options, read one by one in the order of getopt_long, and its help."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from precall.compat.trec_eval.families import NICKNAMES, Family, families
from precall.compat.trec_eval.inputs import USAGE, Exit, whole

VERSIONS = ("10.0", "9.0.8")
SYNTAX = """\
Usage: precall trec_eval [-h] [-q] {-m measure}* [--as 10.0|9.0.8] qrels_file results_file
   -h: Give full help information, including other options
   -q: In addition to summary evaluation, give evaluation for each query
   -m: calculate and print measures indicated by 'measure'
       ('-m all_trec' prints all qrels measures, '-m official' is default)
"""


class _Option(NamedTuple):
    """One option: `read` converts its value for the field; an option without a value sets True."""

    letter: str
    name: str
    field: str
    read: Callable[[str], Any] | None
    shown: str
    help: str


_TABLE: tuple[tuple[Any, ...], ...] = (
    ("h", "help", "help", None, "", "this text; with -m, also the parameters of those measures"),
    ("v", "version", "", None, "", "the version of trec_eval that is followed"),
    ("as", "as", "", str, "10.0|9.0.8", "the version to follow (default 10.0)"),
    ("q", "query_eval_wanted", "query", None, "", "also print the values of each topic"),
    ("n", "nosummary", "no_summary", None, "", "do not print the values over all topics"),
    (
        "m",
        "measure",
        "",
        str,
        "NAME[.PARAMETERS]",
        "measure or set of measures; may be repeated (default: official)",
    ),
    (
        "c",
        "complete_rel_info_wanted",
        "complete",
        None,
        "",
        "average over all topics of the qrels, also those without results",
    ),
    (
        "l",
        "level_for_rel",
        "level",
        whole,
        "N",
        "grades of N and above are relevant (default 1); not for measures by gains",
    ),
    (
        "M",
        "Max_retrieved_per_topic",
        "depth",
        whole,
        "N",
        "evaluate the first N documents of a ranking only",
    ),
    (
        "J",
        "Judged_docs_only",
        "judged_only",
        None,
        "",
        "take unjudged documents out of the rankings first",
    ),
    (
        "N",
        "Number_docs_in_coll",
        "collection",
        whole,
        "N",
        "documents in the collection (for utility)",
    ),
    (
        "D",
        "Debug_level",
        "",
        str,
        "N[.TOPIC]",
        "evaluate only TOPIC; no debugging output is printed",
    ),
    (
        "R",
        "Rel_info_format",
        "rel_format",
        str,
        "FORMAT",
        "of QRELS: qrels, qrels_jg, prefs or qrels_prefs (default qrels)",
    ),
    ("T", "Results_format", "results_format", str, "FORMAT", "of RESULTS: trec_results"),
    (
        "Z",
        "Zscore",
        "zscores",
        str,
        "FILE",
        "print z-scores; FILE has lines of topic, measure, mean, standard deviation",
    ),
    ("o", "Output_old_results_format", "", None, "", ""),
)
_OPTIONS = {row[0]: _Option(*row) for row in _TABLE}
_LONG = {option.name: option for option in _OPTIONS.values()}
#: The value of -M if it is not given.
_UNLIMITED = 2**31 - 1


@dataclass
class Options:
    """All options, with trec_eval's defaults."""

    version: str = "10.0"
    query: bool = False
    complete: bool = False
    judged_only: bool = False
    no_summary: bool = False
    help: bool = False
    level: int = 1
    collection: int = 0
    depth: int = _UNLIMITED
    topic: bytes | None = None
    rel_format: str = "qrels"
    results_format: str = "trec_results"
    zscores: str | None = None
    measures: list[str] = field(default_factory=list)
    """The measures as they were named; they may be nicknames."""
    parameters: dict[str, str] = field(default_factory=dict)
    """The parameters by name; the first ones given for a name count."""
    files: list[str] = field(default_factory=list)

    @property
    def measure_names(self) -> list[str]:
        """Names of the measures to compute; order and repetition have no effect."""
        names = self.measures or ["official"]
        return [name for each in names for name in NICKNAMES[self.version].get(each, (each,))]


def parse(argv: list[str], version: str) -> Options:
    """Read the options; raises `Exit` if trec_eval would end at once."""
    # The version comes first, because it decides which measures exist.
    version = [version, *(value for letter, value in _options(argv, []) if letter == "as")][-1]
    if version not in VERSIONS:
        raise Exit(USAGE, f"trec_eval: --as got {version!r}, allowed are {' and '.join(VERSIONS)}")
    options = Options(version=version)
    for letter, value in _options(argv, options.files):
        _apply(options, letter, value)
    if options.help:
        return options
    if len(options.files) != 2:
        raise Exit(
            USAGE, f"expected two files, qrels and results, got {len(options.files)}\n{SYNTAX}"
        )
    if options.depth < 0 or options.level < 0:
        raise Exit(
            USAGE,
            "trec_eval: -l and -M must be >= 0: what trec_eval prints for less is not defined",
        )
    return options


def _apply(options: Options, letter: str, value: str) -> None:
    if letter == "?":
        raise Exit(USAGE, value)
    if letter == "v":
        raise Exit(0, f"trec_eval version {options.version}")
    if letter == "m":
        _mark(options, value)
    elif letter == "D":
        _, dot, topic = value.partition(".")
        if dot:
            options.topic = topic.encode(errors="surrogateescape")
    elif (option := _OPTIONS[letter]).field:
        setattr(options, option.field, option.read(value) if option.read else True)


def _mark(options: Options, text: str) -> None:
    name, dot, parameters = text.partition(".")
    if dot and not parameters:
        raise Exit(USAGE, f"trec_eval: improper measure in parameter '{name}'")
    if name not in NICKNAMES[options.version] and name not in families(options.version):
        raise Exit(USAGE, f"trec_eval: illegal measure '{name}'; `precall trec_eval -h` lists all")
    if dot:
        options.parameters.setdefault(name, parameters)
    options.measures.append(name)


def _options(argv: list[str], files: list[str]) -> Iterator[tuple[str, str]]:
    """(letter, value) of each option in turn; ("?", reason) for an unknown option."""
    at = 0
    while at < len(argv):
        word = argv[at]
        at += 1
        if word == "--":
            files += argv[at:]
            return
        if not word.startswith("-") or word == "-":
            files.append(word)
            continue
        for letter, value, takes_next in _long(word) if word.startswith("--") else _short(word):
            if takes_next and at == len(argv):
                yield "?", f"trec_eval: option {word} requires a value\n{SYNTAX}"
                return
            yield letter, argv[at] if takes_next else value
            at += takes_next


def _short(word: str) -> Iterator[tuple[str, str, bool]]:
    for position, letter in enumerate(word[1:], 2):
        option = _OPTIONS.get(letter)
        if option is None:
            yield "?", f"trec_eval: invalid option -- '{letter}'\n{SYNTAX}", False
        elif option.read:
            yield letter, word[position:], not word[position:]
            return
        else:
            yield letter, "", False


def _long(word: str) -> Iterator[tuple[str, str, bool]]:
    name, equals, value = word[2:].partition("=")
    names = [name] if name in _LONG else [long for long in _LONG if long.startswith(name)]
    if len(names) != 1:
        why = "ambiguous" if names else "unrecognized"
        yield "?", f"trec_eval: {why} option '--{name}'\n{SYNTAX}", False
        return
    option = _LONG[names[0]]
    # -o takes a value only by its long name.
    valued = option.read is not None or option.letter == "o"
    if equals and not valued:
        yield "?", f"trec_eval: option '--{names[0]}' takes no value\n{SYNTAX}", False
        return
    yield option.letter, value, valued and not equals


_HELP = """\
precall trec_eval [options] QRELS RESULTS

Evaluates a run as trec_eval does, byte for byte; what differs is listed in docs/coming-from/trec_eval.md.

{options}
Lines of QRELS, by format:
  qrels         topic  ignored  document  grade
  qrels_jg      topic  group    document  grade
  qrels_prefs   topic  group    document  level
  prefs         topic  group    subgroup  document  level
Lines of RESULTS: topic  ignored  document  ignored  score  run. RESULTS may be - for standard input (10.0).
Files may be compressed (.gz, .zst).
"""  # noqa: E501

_PARAMETERS = {
    "cutoffs": "cutoffs",
    "shares": "recall points or multiples of R",
    "numbers": "numbers",
    "gains": "grade=gain pairs",
    "": "no parameters",
}


def help_text(options: Options) -> str:
    """The help, and the measures: all by name, the requested ones with their parameters."""
    table = families(options.version)
    lines = [
        f"{'    ' if option.letter == 'as' else f' -{option.letter} '}"
        f"{f'--{option.name} {option.shown}':<29}{option.help}\n"
        for option in _OPTIONS.values()
        if option.help
    ]
    parts = [
        _HELP.format(options="".join(lines)),
        "\nSets of measures: " + ", ".join(NICKNAMES[options.version]) + "\n",
    ]
    if options.measures:
        wanted = set(options.measure_names)
        parts += [_describe(family) for name, family in table.items() if name in wanted]
    else:
        parts.append("Measures: " + ", ".join(table) + "\n")
    return "".join(parts)


def _describe(family: Family) -> str:
    default = ",".join(f"{key}" for key in family.default)
    text = _PARAMETERS[family.parameters] + (f" (default {default})" if default else "")
    source, over = family.rel or "any format", family.summary or "not printed"
    return f"  {family.name:<24} from {source}; {text}; over topics: {over}\n"
