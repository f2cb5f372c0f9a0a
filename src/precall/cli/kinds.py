"""The kinds of data that `precall compare` takes, which of them was typed, and the help of each.

The named columns tell the kind: labels and scores are of cases, the truth and decisions of
decisions; without either, rankings are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import fields
from itertools import chain
from typing import Any, Final, NamedTuple

import click

from precall.cli import options
from precall.core.conventions import Conventions
from precall.core.errors import Fact, UsageError
from precall.core.text import join_in_sentence
from precall.results.forms import names
from precall.stats.tests import CORRECTIONS, OF_CASES, TESTS

#: The columns of each kind: labels, then systems. The file is an option in older command lines.
COLUMNS: Final = {"cases": ("label", "score"), "decisions": ("truth", "decision")}
#: What the kinds are called in sentences.
WORDS: Final = {"runs": "runs", "cases": "scored cases", "decisions": "decisions"}
#: Options that apply to every kind.
SHARED = (
    "measures",
    "test",
    "correction",
    "level",
    "seed",
    "resamples",
    "form",
    *options.LAYOUT,
    "output",
    "all",
    "notes",
    "input_format",
    "max_expansion",
    "plugins",
    "help",
)
#: Options that apply to some kinds; all others apply to runs only.
OF_SOME: Final[Mapping[str, tuple[str, ...]]] = {
    "qrels": ("runs", "cases", "decisions"),
    "runs": ("runs", "cases", "decisions"),
    "cases": ("cases",),
    "label": ("cases",),
    "score": ("cases",),
    "cohorts": ("cases",),
    "margin": ("cases", "decisions"),
    "kind": ("cases", "decisions"),
    "weight": ("cases",),
    "missed": ("cases",),
    "curves": ("cases",),
    "plot": ("runs", "cases"),
    "decisions": ("decisions",),
    "truth": ("decisions", "cases"),
    "decision": ("decisions",),
    "a": ("decisions", "cases"),
    "b": ("decisions", "cases"),
    "separator": ("decisions",),
    "categories": ("decisions",),
    "average": ("decisions",),
    "interval": ("decisions",),
    "ratio": ("decisions",),
    "positive": ("decisions", "cases"),
    "groups": ("decisions", "cases"),
    "lower_is_better": ("runs", "cases"),
}
#: Options of cases and decisions that runs do not have, and those among them that name a file or a
#: column of systems.
OF_ITEMS: Final = tuple(name for name, kinds in OF_SOME.items() if "runs" not in kinds)
_OF_COLUMNS = {*COLUMNS, *chain.from_iterable(COLUMNS.values()), "a", "b"}


def choices_of(kind: str) -> list[str]:
    """The options that say how cases or decisions are compared, not which columns."""
    return [name for name in OF_ITEMS if kind in OF_SOME[name] and name not in _OF_COLUMNS]


def kinds_of(option: str) -> tuple[str, ...]:
    """The kinds that an option applies to."""
    return tuple(WORDS) if option in SHARED else OF_SOME.get(option, ("runs",))


def typed_parameters(context: click.Context) -> Iterator[click.Parameter]:
    """The options and arguments on the command line."""
    for parameter in context.command.params:
        # click 8.1 also counts an empty RUN_A RUN_B... as typed. An option may have the value ().
        is_empty = (
            isinstance(parameter, click.Argument) and context.params.get(parameter.name or "") == ()
        )
        if not parameter.name or is_empty:
            continue
        if context.get_parameter_source(parameter.name) is click.core.ParameterSource.COMMANDLINE:
            yield parameter


class ItemColumns(NamedTuple):
    """The file of a comparison of cases or decisions, and its columns."""

    kind: str
    file: str
    truth: str
    systems: tuple[str, ...]


def kind_of(typed: Mapping[str, Any]) -> str:
    """The kind of data that the typed options name. Options of two kinds are refused."""
    names_by_kind = {
        kind: [name for name in (kind, *columns) if typed[name] not in (None, ())]
        for kind, columns in COLUMNS.items()
    }
    if typed["cases"] is not None and typed["truth"] is not None:
        names_by_kind["decisions"].remove("truth")  # as the labels were called
    both = [f"--{names[0]}" for names in names_by_kind.values() if names]
    if len(both) > 1:
        first, second = both
        if "--cases" in both and "--decisions" in both:
            raise UsageError(
                argument="--cases and --decisions",
                what="exclude each other",
                remedy="leave one out",
            )
        raise UsageError(
            argument=f"{first} and {second}",
            what=f"{first} applies to scored cases, {second} to decisions",
            remedy="give --label and --score, or --truth and --decision",
        )
    kind = next((kind for kind, names in names_by_kind.items() if names), None)
    sides = [f"--{name}" for name in ("a", "b") if typed[name] is not None]
    if kind is None and sides:
        raise UsageError(
            argument=sides[0],
            what="are its columns scores or decisions?",
            remedy="give --label and --score, or --truth and --decision",
        )
    return kind or "runs"


def columns_of(kind: str, context: click.Context) -> ItemColumns:
    """The file and columns of cases or decisions; a missing one is refused."""
    typed = context.params
    label, system = COLUMNS[kind]
    files = [typed[kind], typed["qrels"], *typed["runs"]]
    names = [name for name in files if name is not None]
    if len(names) > 1:
        *first, last = names
        raise UsageError(
            argument="FILE",
            what=f"{WORDS[kind]} are compared in one file",
            got=Fact(f"{', '.join(first)} and {last}"),
            remedy="name one file",
        )
    truth = typed[label] if typed[label] is not None else typed["truth"]
    systems = tuple(name for name in (typed["a"], *typed[system], typed["b"]) if name is not None)
    by_name = {parameter.name: parameter for parameter in context.command.params}
    if not names:
        raise click.MissingParameter(
            ctx=context, param=by_name["qrels"], param_hint="'FILE'", param_type="argument"
        )
    for name, value in ((label, truth), (system, systems)):
        if not value:
            raise click.MissingParameter(ctx=context, param=by_name[name])
    if typed["cohorts"] is not None and len(systems) > 1:
        raise UsageError(
            argument="--cohorts",
            what="compares one score",
            got=Fact(", ".join(systems)),
            remedy=f"name one --{system}, or leave --cohorts out",
        )
    if len(systems) < 2 and typed["cohorts"] is None:
        raise UsageError(
            argument=f"--{system}",
            what="needs two columns or more to compare",
            got=systems[0],
            remedy=f"repeat --{system}",
        )
    return ItemColumns(kind, names[0], truth, systems)


def refuse_other_kinds(kind: str, context: click.Context) -> None:
    """Refuse typed options of another kind, and missing arguments of runs."""
    for parameter in typed_parameters(context):
        if kind not in (kinds := kinds_of(str(parameter.name))):
            name = parameter.opts[0] if isinstance(parameter, click.Option) else parameter.metavar
            of = " and ".join(WORDS[each] for each in kinds)
            raise UsageError(
                argument=str(name),
                what=f"applies to {of}; this command compares {WORDS[kind]}",
                remedy="leave it out",
            )
    if kind == "runs" and not context.params.get("lists"):
        if context.params["qrels"] is not None and not context.params["runs"]:
            raise UsageError(
                argument="QRELS|FILE",
                what="is only one file, and no columns are named",
                got=Fact(context.params["qrels"]),
                remedy="name QRELS RUN RUN, or columns of the file: --label and --score, or "
                "--truth and --decision",
            )
        for parameter in context.command.params:
            if isinstance(parameter, click.Argument) and not context.params.get(
                str(parameter.name)
            ):
                raise click.MissingParameter(ctx=context, param=parameter)


# --- Help ---

_META = f"{__name__}.words"
_USAGES = {
    "runs": ["QRELS RUN RUN...", "--lists FILE --lists FILE..."],
    "cases": [
        "FILE --label COLUMN --score COLUMN --score COLUMN",
        "FILE --label COLUMN --score COLUMN --cohorts COLUMN",
    ],
    "decisions": ["FILE --truth COLUMN --decision COLUMN --decision COLUMN"],
}
_SUMMARIES = {
    "runs": "rankings of several queries, measured against judgements",
    "cases": "scores of the same labelled cases, by AP, area under ROC or P@k",
    "decisions": "decisions about the same items, by accuracy, F or another measure",
}
_TEXTS = {
    "runs": (
        "Measure runs against the judgements QRELS and test whether they differ. Prints the "
        "verdicts and one table of means. Runs that share a letter do not differ "
        "significantly. --all adds each pair with its difference, interval and p."
    ),
    "cases": (
        "Compare scores of the cases in FILE, a table with a row for each case. With more than "
        "two scores, every pair is compared."
    ),
    "decisions": (
        "Compare decisions about the items in FILE, a table with a row for each item. With more "
        "than two systems, every pair is compared. Two systems that decide yes or no also get "
        "the probability that one is better."
    ),
}


def _list_choices(names: Sequence[str], defaults: Mapping[str, str]) -> str:
    """Declared names in a sentence; behind a default stands what it is the default of."""
    marked = [f"{name} ({defaults[name]})" if name in defaults else name for name in names]
    return f"{join_in_sentence(list(dict.fromkeys(marked)), 'or')}."


#: Corrections of single pairs: Tukey's needs all values of all systems.
_OF_PAIRS = _list_choices([name for name in CORRECTIONS if name != "tukey"], {"holm": "default"})
#: The tests of runs.
OF_RUNS: Final = _list_choices(TESTS, {"randomization": "default"})
#: What an option means for a kind, where its own help is of all kinds.
_HELP = {
    ("runs", "measures"): "Measure, as for eval; repeat for more (default: AP, P@10, RR, Rprec and "
    "nDCG@10).",
    ("cases", "measures"): "AP and AUC (default), P@10, R@10, ...; repeatable.",
    ("decisions", "measures"): "accuracy and macro-F (default), of a yes or no P, R and F "
    "(default), ...; repeatable.",
    ("runs", "test"): OF_RUNS,
    ("cases", "test"): _list_choices(
        OF_CASES, {"permutation": "default of AP", "delong": "default of AUC"}
    ),
    ("decisions", "test"): "randomization (default), mcnemar, wgs, t, wilcoxon, sign and others.",
    ("cases", "correction"): _OF_PAIRS,
    ("decisions", "correction"): _OF_PAIRS,
    ("cases", "positive"): "Label of the relevant cases, if not 1 or true.",
    ("decisions", "decision"): "Column of decisions; repeat for each system.",
    ("decisions", "separator"): "Separator of the categories in a cell.",
    ("decisions", "categories"): "All categories, in their order.",
    ("decisions", "positive"): "Compare decisions about this category only.",
    ("decisions", "average"): "Average over several categories.",
    ("decisions", "interval"): "Intervals by this method (percentile).",
    ("decisions", "ratio"): "Add ratios of values.",
    ("cases", "groups"): "Column of groups, such as patients.",
    ("cases", "cohorts"): "Column of cohorts: compare one --score between them.",
    ("decisions", "groups"): "Column of groups, such as documents.",
    ("cases", "resamples"): "Random samples, if p is not exact (default: 5,000).",
    ("decisions", "resamples"): "Random samples, if p is not exact (100000).",
    ("cases", "lower_is_better"): "Low scores are good.",
    ("cases", "weight"): "Weights: counts (integers), or sampling weights.",
    ("cases", "missed"): "Relevant cases that no system scored.",
    ("cases", "plot"): "With --curves: also draw the difference to FILE (.png, .svg or .pdf).",
    **{
        (kind, name): text
        for kind in ("cases", "decisions")
        for name, text in {
            "margin": "Is the first not worse by D or more?",
            "kind": "Claim of --margin: not-worse or equivalent.",
            "level": "Level of intervals; p is significant at 1 - L (0.95).",
            "input_format": "Format of FILE (default: by its name).",
            "max_expansion": "Refuse .gz and .zst that expand more than N times.",
        }.items()
    },
}
#: Options of the overview, with shorter help; "" is the help of the option itself.
_COMMON = {
    "measures": "",
    "test": "Significance test.",
    "correction": "Correction of p for the number of pairs (default: holm).",
    "level": "Level of intervals; p is significant at 1 - L (default: 0.95).",
    "resamples": "Number of random samples, if p is not exact.",
    "seed": "Seed of random numbers (default: 0).",
    "form": _list_choices(names(), {"table": "default"}),
    "output": "Write to FILE; an ending such as .csv sets the form.",
    "all": "",
    "notes": "",
    "help": "Show this. Add runs, cases or decisions for all options of that kind.",
}
#: Options of runs that are listed last: how runs are read and measured.
_LAST = {
    "runs": "How runs are read and measured",
    "cases": "Other options",
    "decisions": "Other options",
}
#: Options of cases and decisions that are listed last.
_RARE = (
    *options.LAYOUT,
    "input_format",
    "max_expansion",
    "plugins",
)
_READING = (
    *(convention.name for convention in fields(Conventions)),
    "qrels_columns",
    "qrels_format",
    "input_format",
    "threads",
    "memory",
    "max_expansion",
    "plugins",
)


class CommandOfKinds(click.Command):
    """A command for several kinds of data, with a help for each: `--help` shows that of the typed
    kind, or of the one named beside it, or else an overview.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words for the help, which is shown before options have their values."""
        ctx.meta[_META] = tuple(args)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help of a kind, or the overview."""
        kind = kind_in_words(ctx.meta.get(_META, ()))
        _write_usage(ctx, formatter, _USAGES if kind is None else {kind: _USAGES[kind]})
        if kind is None:
            self._overview(ctx, formatter)
        else:
            self._help_of(kind, ctx, formatter)
        # Only runs have gates, whose failure has an exit code of its own.
        if kind in (None, "runs"):
            self.format_epilog(ctx, formatter)

    def _overview(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("Compare systems: do they differ by more than chance?")
        with formatter.section("The named columns tell what is compared"):
            formatter.write_dl(list(_SUMMARIES.items()))
        with formatter.section("Examples"):
            for kind in WORDS:
                formatter.write(f"{'':{formatter.current_indent}}{self.examples(kind)[0]}\n")
        with formatter.section("Common options"):
            formatter.write_dl(list(self._rows(ctx, _COMMON, _COMMON)))

    def _help_of(self, kind: str, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(_TEXTS[kind])
        with formatter.section("Examples"):
            for line in self.examples(kind):
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")
        names = [name for name in map(_name, self.get_params(ctx)) if kind in kinds_of(name)]
        if kind == "cases":
            names.remove("truth")  # as the labels were called
        helps = {name: text for (of, name), text in _HELP.items() if of == kind}
        last = [name for name in names if name in (_READING if kind == "runs" else _RARE)]
        with formatter.section("Options"):
            formatter.write_dl(
                list(self._rows(ctx, [name for name in names if name not in last], helps))
            )
        if last:
            with formatter.section(_LAST[kind]):
                formatter.write_dl(list(self._rows(ctx, last, helps)))

    def _rows(
        self, ctx: click.Context, names: Iterable[str], helps: Mapping[str, str]
    ) -> Iterator[tuple[str, str]]:
        """The options of these names, with their help or another."""
        by_name = {_name(option): option for option in self.get_params(ctx)}
        for name in names:
            option = by_name[name]
            if not isinstance(option, click.Option):
                continue
            if helps.get(name):
                option = copy(option)
                option.help, option.show_default = helps[name], False
                if helps is _COMMON and name == "form":
                    option.metavar = "FORM"
            record = option.get_help_record(ctx)
            if record is not None:
                yield record

    def examples(self, kind: str) -> list[str]:
        """The examples of a kind."""
        lines = (self.help or "").partition("Examples:\n")[2].splitlines()
        examples = [line.strip() for line in lines if "precall " in line]
        return [line for line in examples if (kind_in_words(line.split()) or "runs") == kind]


def _name(parameter: click.Parameter) -> str:
    """The name of a parameter; click has several for its own option of help."""
    return "help" if "--help" in parameter.opts else str(parameter.name)


def _write_usage(
    ctx: click.Context, formatter: click.HelpFormatter, usages: Mapping[str, list[str]]
) -> None:
    before = "Usage: "
    for usage in (line for lines in usages.values() for line in lines):
        formatter.write(f"{before}{ctx.command_path} {usage}\n")
        before = " " * len(before)


def kind_in_words(words: Iterable[str]) -> str | None:
    """The kind that words of a command line are about, if they tell one.

    Examples
    --------
    >>> kind_in_words(["--help", "cases"]), kind_in_words(["x.csv", "--truth=t", "--help"])
    ('cases', 'decisions')
    >>> kind_in_words(["a.qrels", "b.run", "--help"]), kind_in_words(["--help"])
    ('runs', None)
    """
    typed = [word.partition("=")[0] for word in words]
    for kind, columns in COLUMNS.items():
        if kind in typed or any(f"--{name}" in typed for name in (kind, *columns)):
            return kind
    of_runs = [word for word in typed if word not in ("--help", "-h")]
    return "runs" if of_runs else None
