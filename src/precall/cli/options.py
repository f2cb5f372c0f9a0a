"""Options that several commands share, each defined once. Options of `Conventions` are made from
its fields.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import Field, fields
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.core import ParameterSource

from precall.cli import HELP as HELP
from precall.core.conventions import UNDEFINED, Conventions
from precall.core.errors import Fact, UsageError
from precall.core.levels import levels_instead
from precall.core.spelling import option as spell_option
from precall.core.text import join_in_sentence, printable, typed_integer, typed_number
from precall.plot.pictures import choose_kind
from precall.read.formats import FORMATS as INPUTS
from precall.read.formats import TABLES
from precall.stats.intervals.methods import METHODS, choose_method

F = TypeVar("F", bound=Callable[..., Any])
#: Forms of every sheet, for the help; `precall.results.forms` has them.
FORMS = "table (default), csv, json, markdown, latex or html."
#: Averages over categories; of `precall.measures.registry`, which help does not wait for.
AVERAGES = ("micro", "macro", "weighted", "samples")


if TYPE_CHECKING:
    from precall.results.layout import Layout

    _Choice = click.Choice[str]
    _ParamType = click.ParamType[Any]
else:
    # Generic from click 8.2 on only.
    _Choice, _ParamType = click.Choice, click.ParamType


class FormOption(_Choice):
    """A form of sheets: of any sheet, or of those with a format. The forms are looked up on
    demand.
    """

    def __init__(self, of: str = "") -> None:
        super().__init__(())
        self.of = of

    @property
    def choices(self) -> tuple[str, ...]:
        """The names of the forms."""
        from precall.results.forms import names

        return names(self.of)

    @choices.setter
    def choices(self, given: object) -> None:
        pass


class Named(_Choice):
    """A test or a correction, by its name or by a name used elsewhere.

    Names outside `choices` are refused, unless the allowed ones depend on the compared objects.
    Then the name is passed on, and refused there.
    """

    def __init__(self, choices: Sequence[str], depends: bool = False) -> None:
        super().__init__(choices)
        self.depends = depends

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """The name that precall uses."""
        if value not in self.choices:
            from precall.core.arguments import choose
            from precall.stats.tests import ELSEWHERE, INSTEAD_OF_SEVERAL

            name = param.opts[0] if param is not None else "got"
            try:
                value = choose(name, value, self.choices, ELSEWHERE, INSTEAD_OF_SEVERAL)
            except UsageError:
                if not self.depends:
                    raise
                return value
        return super().convert(value, param, ctx)


class NamedElsewhere(_Choice):
    """A choice by its name or by a name used elsewhere, which `find` knows: it takes the choices,
    what was typed and the option.
    """

    def __init__(self, choices: Sequence[str], find: Callable[..., Any]) -> None:
        super().__init__(choices)
        self.find = find

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """The name that precall uses."""
        if value not in self.choices:
            name = param.opts[0] if param is not None else "got"
            value = self.find(self.choices, value, name)
        return super().convert(value, param, ctx)


class _Typed(_ParamType):
    """Numbers in the notation of names and files; click's own types read 1_0 as 10."""

    @staticmethod
    @abstractmethod
    def read(text: str) -> Any:
        """The number that a text says."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """The number."""
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Integer(_Typed):
    """A whole number."""

    name = "integer"

    @staticmethod
    def read(text: str) -> int:
        """The whole number that a text says."""
        return typed_integer(text)


class Number(_Typed):
    """A number, or infinity."""

    name = "float"

    @staticmethod
    def read(text: str) -> float:
        """The number that a text says."""
        return typed_number(text)


class Whole(Integer):
    """A whole number of at least `min`."""

    def __init__(self, min: int) -> None:
        self.min = min

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """The number, checked to be in the range."""
        number = super().convert(value, param, ctx)
        if number < self.min:
            _refuse(param, f"an integer >= {self.min}", number)
        return number


class Positive(Number):
    """A number above 0."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """The number, checked to be in the range."""
        number = super().convert(value, param, ctx)
        if not 0 < number < float("inf"):
            _refuse(param, "a number > 0", value)
        return number


class Share(Number):
    """A number between 0 and 1, both excluded."""

    def __init__(self, example: float) -> None:
        self.example = example

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """The number, checked to be in the range."""
        number = super().convert(value, param, ctx)
        if allowed := levels_instead(number, self.example):
            _refuse(param, allowed, value if isinstance(value, str) else f"{number:g}")
        return number


def _refuse(param: click.Parameter | None, allowed: str, got: object) -> None:
    """Raise for the option's value, which is shown as it was typed."""
    raise UsageError(
        argument="" if param is None else param.opts[0],
        allowed=allowed,
        got=Fact(got),
    )


def _completing(name: str) -> Callable[..., list[Any]]:
    """A function of `completion`, which is imported only when Tab is pressed."""

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[Any]:
        from precall.cli import completion

        answers: list[Any] = getattr(completion, name)(context, parameter, incomplete)
        return answers

    return complete


measure_names: Final = _completing("measure_names")
words: Final = _completing("words")
columns: Final = _completing("columns")
policies: Final = _completing("policies")
run_names: Final = _completing("run_names")


def _check_ending(
    context: click.Context, parameter: click.Parameter, path: str | None
) -> str | None:
    """The path of the file. Its ending selects the form, unless `--format`, which is parsed first,
    was given. The two must not contradict each other.
    """
    if path is not None and "form" in context.params:
        _match_ending(context, path)
    _check_layout(context)
    return path


def _match_ending(context: click.Context, path: str) -> None:
    from pathlib import PurePath

    from precall.results.forms import check_ending, endings

    check_ending(path, option="--output ")
    form = endings().get(PurePath(path).suffix.lower(), "table")
    # A text file may contain any text.
    if form == "table":
        return
    if context.get_parameter_source("form") is ParameterSource.DEFAULT:
        context.params["form"] = form
    elif form != context.params["form"]:
        problem = (
            f"its ending says {form}, and --format {context.params['form']}; name another file, "
            "or leave --format out"
        )
        raise UsageError(argument=f"--output {printable(path)}", what=problem)


#: Options of the layout of a paper's table → their names in Python.
LAYOUT: Final = {
    "digits": "digits",
    "caption": "caption",
    "tex_label": "label",
    "rename": "names",
    "order": "order",
    "show": "columns",
}
#: The place of the layout in the context.
_LAYOUT = "precall.layout"


def _split(text: str, separator: str = ",") -> list[str]:
    """A text at its separators, but not within parentheses: nDCG(gain=exp,log=2) is one name."""
    pieces, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == separator and depth <= 0:
            pieces.append("")
        else:
            pieces[-1] += character
    return pieces


def _parse_list(option: str, typed: Sequence[str]) -> list[str]:
    names = [name.strip() for text in typed for name in _split(text)]
    if not all(names):
        raise UsageError(argument=option, got=",".join(typed), remedy="name each, as in a,b,c")
    return names


def _parse_names(option: str, typed: Sequence[str]) -> dict[str, str]:
    names = {}
    for text in typed:
        name, *shown = _split(text, "=")
        if not (name.strip() and shown and any(shown)):
            raise UsageError(argument=option, got=text, allowed="NAME=TEXT, such as AP=MAP")
        names[name.strip()] = "=".join(shown).strip()
    return names


def _keep_layout(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Keep an option of the layout, and check it with the form, if that is known already."""
    if value is None or value == ():
        return
    name, option = str(parameter.name), parameter.opts[0]
    if name in ("order", "show"):
        value = _parse_list(option, value)
    elif name == "rename":
        value = _parse_names(option, value)
    context.meta.setdefault(_LAYOUT, {})[name] = value
    # If the output comes later, it checks this.
    if "output" in context.params or not any(
        each.name == "output" for each in context.command.params
    ):
        _check_layout(context)


def _check_layout(context: click.Context) -> None:
    """Refuse a layout of forms that have none."""
    form = context.params.get("form")
    for name in context.meta.get(_LAYOUT, {}):
        allowed = ("latex",) if name == "tex_label" else ("latex", "markdown")
        if form not in allowed:
            raise UsageError(
                argument=spell_option(name),
                what=f"applies to tables in {' or '.join(allowed)}",
                remedy=f"add {' or '.join(f'--format {each}' for each in allowed)}",
            )


def check_layout() -> Layout | None:
    """The requested layout; None if there is no request. Names that the table does not have are
    refused when it is written.
    """
    from precall.results.layout import Layout

    typed = click.get_current_context().meta.get(_LAYOUT)
    if not typed:
        return None
    with as_options():
        return Layout.of(**{LAYOUT[name]: value for name, value in typed.items()})


#: The options of a cross-validation, by their parameters, with the arguments that they are.
FOLDS = {"policy": "method", "cross_validate": "folds"}


@contextmanager
def as_options(names: Mapping[str, str] = LAYOUT) -> Iterator[None]:
    """Call arguments, such as those of a layout, by their options in messages."""
    try:
        yield
    except UsageError as error:
        typed = next((name for name, own in names.items() if own == error.argument), None)
        if typed is not None:
            error.argument = spell_option(typed)
        raise


#: The help of the options of a layout, and what else they are.
_LAYOUT_OPTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "--digits": (
        "Decimals in latex and markdown (default: 4).",
        {"type": Integer(), "metavar": "N"},
    ),
    "--caption": (
        "Caption in latex and markdown, printed as typed.",
        {"metavar": "TEXT"},
    ),
    "--tex-label": (
        r"Label for \ref in latex, such as tab:main.",
        {"metavar": "TEXT"},
    ),
    "--rename": (
        "Print TEXT for NAME in latex, markdown; repeatable.",
        {"multiple": True, "metavar": "NAME=TEXT"},
    ),
    "--order": (
        "Order of the systems in latex and markdown.",
        {"multiple": True, "metavar": "A,B,..."},
    ),
    "--show": (
        "Show only these columns in latex and markdown.",
        {"multiple": True, "metavar": "A,B,..."},
    ),
}


def layout(function: F) -> F:
    """Options for the table of a paper."""
    # Decorators are listed from the bottom up.
    for name, (help, more) in reversed(_LAYOUT_OPTIONS.items()):
        add = click.option(name, expose_value=False, callback=_keep_layout, help=help, **more)
        function = add(function)
    return function


# Eager: parsed before the output file, see `_ended`.
def _length_option(name: str, field: str, help: str) -> Callable[[F], F]:
    """A flag that says how much of a result is printed. It is kept in the context, because only the
    function that prints needs it.
    """

    def keep(context: click.Context, parameter: click.Parameter, is_set: bool) -> None:
        context.meta[f"{__name__}.{field}"] = is_set

    return click.option(name, is_flag=True, expose_value=False, callback=keep, help=help)


_everything: Final = _length_option("--all", "all", "Print every table and note.")
_notes: Final = _length_option("--notes", "all_notes", "Print every note, not only three.")


def length_of_output() -> dict[str, bool]:
    """The fields of a sheet that `--all` and `--notes` set."""
    context = click.get_current_context(silent=True)
    meta = {} if context is None else context.meta
    return {field: meta.get(f"{__name__}.{field}", False) for field in ("all", "all_notes")}


def length(command: F) -> F:
    """The options on the length of the output of a command whose result has a short answer."""
    return _everything(_notes(command))


def form_option(of: str = "", help: str = "", *, of_paper: bool = True) -> Callable[[F], F]:
    """Option for the form of the output, with those of the table of a paper; `of` is the format of
    sheets that have more forms.
    """

    def add(function: F) -> F:
        option = click.option(
            "--format",
            "form",
            type=FormOption(of),
            default="table",
            is_eager=True,
            metavar="FORM",
            help=FORMS + help,
        )
        return option(layout(function) if of_paper else function)

    return add


form: Final = form_option()


def short_form(command: F) -> F:
    """The options on the form and the length of the output."""
    return form(length(command))


output: Final = click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    callback=_check_ending,
    help=("Write to FILE; an ending such as .csv sets the form."),
)
input_format: Final = click.option(
    "--input-format",
    type=click.Choice(TABLES),
    help=f"Format of FILE: {join_in_sentence(TABLES, 'or')} (default: by its name).",
)


def column(
    *names: str,
    help: str,
    required: bool = False,
    multiple: bool = False,
    old: bool = False,
    remedy: str = "name one",
) -> Callable[[F], F]:
    """Option for the name of a column of the file. An old one is not shown in the help; a second
    column is refused with the remedy, unless the option takes multiple ones.
    """

    def one(context: click.Context, parameter: click.Parameter, typed: Sequence[str]) -> str | None:
        if len(typed) > 1:
            columns = " and ".join(typed)
            raise UsageError(
                argument=parameter.opts[0], what="takes one column", got=columns, remedy=remedy
            )
        return next(iter(typed), None)

    return click.option(
        *names,
        required=required,
        # click would keep the last of several without a word.
        multiple=True,
        callback=None if multiple else one,
        hidden=old,
        metavar="COLUMN",
        shell_complete=columns,
        help=help,
    )


def file(name: str, help: str) -> Callable[[F], F]:
    """Option for a file that is an argument now; it is not shown in the help."""
    return click.option(
        name, type=click.Path(allow_dash=True), metavar="FILE", hidden=True, help=help
    )


truth: Final = column("--truth", required=True, help="Column of the true categories.")


def _parting(
    context: click.Context, parameter: click.Parameter, separator: str | None
) -> str | None:
    if separator == "":
        raise UsageError(
            argument="--separator",
            what="is empty",
            remedy="give the separator of categories, such as ';'",
        )
    return separator


separator: Final = click.option(
    "--separator",
    metavar="TEXT",
    callback=_parting,
    help=(
        "Separator between the categories in a cell, such as ';'. 'none' means that each cell is "
        "one category."
    ),
)


def _categories(
    context: click.Context, parameter: click.Parameter, typed: tuple[str, ...]
) -> tuple[str, ...] | None:
    if not typed:
        return None
    # Also one by one: --labels A --labels B.
    names = tuple(name.strip() for text in typed for name in text.split(","))
    if not all(names):
        raise UsageError(
            argument=parameter.opts[0],
            got=",".join(typed),
            remedy="name each category, as in 'low,mid,high'",
        )
    return names


categories: Final = click.option(
    "--categories",
    metavar="A,B,...",
    multiple=True,
    callback=_categories,
    help=(
        "All categories, in order. Others in FILE are refused. kappa(weights=linear) needs the "
        "order."
    ),
)

labels: Final = click.option(
    "--labels",
    metavar="A,B,...",
    multiple=True,
    callback=_categories,
    help="Measure only these categories, such as all but O; the others are no category.",
)

per_topic: Final = click.option(
    "-q", "--per-topic", is_flag=True, help="Also print the values of each topic."
)
topic_weights: Final = click.option(
    "--topic-weights",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="Weigh topics in all averages, as by their traffic; FILE has a topic and its weight on "
    "each line, or is a table with columns of both.",
)
#: Options of scored cases.
weight: Final = column(
    "--weight",
    help="Column of weights. Integers repeat a case; if any weight is a decimal, all are sampling "
    "weights.",
)
positive: Final = click.option(
    "--positive", metavar="LABEL", help="The label of relevant cases, if not 1 or true."
)
low_scores: Final = click.option("--lower-is-better", is_flag=True, help="Low scores are good.")
missed: Final = click.option(
    "--missed",
    type=Whole(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Relevant cases that have no score.",
)

baselines: Final = click.option(
    "--baselines",
    is_flag=True,
    help=("Also print the values of accepting nothing and of accepting everything."),
)


def unpaired(further: str = "") -> Callable[[F], F]:
    """Option for topics that a run lacks; `further` ends its help."""
    return click.option(
        "--unpaired",
        type=click.Choice(("error", "drop")),
        default="error",
        show_default=True,
        help=f"Refuse topics that a run lacks, or drop them. {further}".rstrip(),
    )


#: The default level of intervals.
LEVEL = 0.95


def level(help: str, metavar: str = "SHARE") -> Callable[[F], F]:
    """Option for the level of intervals."""
    return click.option(
        "--level", type=Share(LEVEL), default=LEVEL, show_default=True, metavar=metavar, help=help
    )


LEVEL_OF_INTERVAL = "Level of --interval."


def check_level(level: float, asked: Mapping[str, object]) -> None:
    """Refuse a level if no requested result uses it."""
    if level != LEVEL:
        check_applies("--level", asked)


def check_seed(seed: int | None, asked: Mapping[str, object]) -> None:
    """Refuse a seed if no requested result is drawn at random."""
    if seed is not None:
        check_applies("--seed", asked, "and")


def check_applies(option: str, asked: Mapping[str, object], joined: str = "or") -> None:
    """Refuse an option if none of the results that it applies to is requested."""
    if not any(asked.values()):
        names = [f"--{name}" for name in asked]
        raise UsageError(
            argument=option,
            what=f"applies to {f' {joined} '.join(names)}",
            remedy=f"also give {' or '.join(names)}",
        )


def check_exclusive(asked: Mapping[str, object]) -> None:
    """Refuse options that exclude each other."""
    if len(typed := [f"--{name}" for name, value in asked.items() if value is not None]) > 1:
        raise UsageError(
            f"{' and '.join(typed)} exclude each other", remedy="leave one of them out"
        )


def check_resamples(test: str, correction: str = "none") -> None:
    """Refuse `--resamples` if nothing is drawn. Unknown tests are refused elsewhere."""
    from precall.stats.tests import DECLARED, DECLARED_CORRECTIONS

    source = click.get_current_context().get_parameter_source("resamples")
    drawn = test not in DECLARED or DECLARED[test].draws or DECLARED_CORRECTIONS[correction].draws
    if source == click.core.ParameterSource.COMMANDLINE and not drawn:
        raise UsageError(
            argument="--resamples",
            what=f"--test {test} needs no random samples",
            remedy="leave it out",
        )


def check_points(asked: Mapping[str, object]) -> None:
    """Refuse options that have no meaning for a table of operating points."""
    if others := [f"--{name}" for name, value in asked.items() if value]:
        raise UsageError(
            argument="--points",
            what="prints the operating points instead of measures",
            remedy=f"leave {' and '.join(others)} out",
        )


def seed(what: str) -> Callable[[F], F]:
    """Option for the seed of random numbers; None, which means 0, if not given."""
    return click.option(
        "--seed", type=Whole(min=0), metavar="N", help=f"Seed of {what}.  [default: 0]"
    )


def interval(what: str, methods: tuple[str, ...], more: str = "") -> Callable[[F], F]:
    """Option for intervals and their method; without a value, the first method."""
    default = "" if methods[0] == "default" else f" (default method: {methods[0]})"
    return click.option(
        "--interval",
        type=NamedElsewhere(methods, choose_method),
        is_flag=False,
        flag_value=methods[0],
        help=f"Add intervals of {what}{default}{more}.",
    )


def interval_of_ap(what: str) -> Callable[[F], F]:
    """Option for intervals of measures such as AP, with the methods of AP."""
    return interval(what, METHODS["AP"], "; other measures than AP have their own method")


def _rows(context: click.Context, parameter: click.Parameter, typed: str | None) -> int | None:
    """The requested number of rows; 0 if no number was typed."""
    return (
        Whole(min=1).convert(typed, parameter, context) if typed else None if typed is None else 0
    )


points: Final = click.option(
    "--points",
    is_flag=False,
    flag_value="",
    metavar="[N]",
    callback=_rows,
    help=(
        "Print the operating points instead of measures: a row for each threshold, a column for "
        "each -m. The table shows the first and last of them, N in all (default: 10; "
        "--all shows all)."
    ),
)


def rows_to_show(rows: int, form: str) -> int | None:
    """Number of rows of operating points that a form shows; None: all."""
    from precall.cases.operating_points import PRINTED

    is_short = form == "table" and not length_of_output()["all"]
    return rows or (PRINTED if is_short else None)


def plot(kinds: tuple[str, ...], what: str, kind_help: str) -> Callable[[F], F]:
    """Options for a picture beside the numbers, and for its kind."""

    def add(function: F) -> F:
        kind = click.option("--plot-kind", type=NamedElsewhere(kinds, choose_kind), help=kind_help)
        return picture(what)(kind(function))

    return add


def picture(what: str) -> Callable[[F], F]:
    """Option for a picture beside the numbers."""
    return click.option(
        "--plot",
        type=click.Path(),
        metavar="FILE",
        help=f"Also draw {what} to FILE (.png, .svg or .pdf).",
    )


def undefined(where: str) -> Callable[[F], F]:
    """Option for undefined values in averages."""
    return click.option(
        "--undefined",
        type=click.Choice(UNDEFINED),
        default="zero",
        show_default=True,
        help=f"Averages count {where} with an undefined value as 0, omit them, or fail.",
    )


def measures(what: str) -> Callable[[F], F]:
    """Option for names of measures."""
    return click.option(
        "-m",
        "--measure",
        "measures",
        multiple=True,
        metavar="NAME",
        shell_complete=measure_names,
        help=what,
    )


#: Conventions that apply only if runs are measured one by one.
OF_ONE = ("aggregate", "score_dtype")


def conventions(leave_out: tuple[str, ...] = (), **help: str) -> Callable[[F], F]:
    """An option for each field of `Conventions`, with its help or a replacement."""

    def add(function: F) -> F:
        # Decorators are listed from the bottom up.
        for choice in reversed(fields(Conventions)):
            if choice.name not in leave_out:
                function = _option_of(choice, help.get(choice.name, choice.metadata["help"]))(
                    function
                )
        return function

    return add


def convention(name: str) -> Callable[[F], F]:
    """The option for one field of `Conventions`."""
    choice = next(each for each in fields(Conventions) if each.name == name)
    return _option_of(choice, choice.metadata["help"])


def _option_of(choice: Field[Any], help: str) -> Callable[[F], F]:
    name, about = f"--{choice.name.replace('_', '-')}", choice.metadata
    shown = choice.default is not None
    if "allowed" in about:
        kind = click.Choice(about["typed"])
        return click.option(name, type=kind, default=choice.default, show_default=shown, help=help)
    if "least" in about:
        at_least = Whole(min=about["least"])
        return click.option(
            name, type=at_least, default=choice.default, show_default=shown, metavar="N", help=help
        )
    if "above" in about:
        return click.option(
            name,
            type=Positive(),
            default=choice.default,
            show_default=shown,
            metavar="N",
            help=help,
        )
    if choice.default is False:
        return click.option(name, is_flag=True, help=help)
    if "column" in about:
        return click.option(name, metavar="COLUMN", shell_complete=columns, help=help)
    return click.option(name, metavar="NAME=COLUMN,...", callback=_columns, help=help)


def _columns(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> dict[str, str] | None:
    """Names of columns, in the form that readers take."""
    if text is None:
        return None
    from precall.read.columns import columns_of

    return columns_of(text)


def conventions_of(typed: dict[str, Any]) -> Conventions:
    """The typed conventions, which are removed from `typed`."""
    names = [choice.name for choice in fields(Conventions) if choice.name in typed]
    return Conventions(**{name: typed.pop(name) for name in names})


qrels_columns: Final = click.option(
    "--qrels-columns",
    metavar="NAME=COLUMN,...",
    callback=_columns,
    help="Columns of QRELS, if named differently: topic=query,grade=rel.",
)
qrels_format: Final = click.option(
    "--qrels-format",
    type=click.Choice(INPUTS),
    metavar="FORMAT",
    help="Format of QRELS, if --input-format is only that of the runs (default: by file name).",
)
runs_format: Final = click.option(
    "--input-format",
    type=click.Choice(INPUTS),
    metavar="FORMAT",
    help="Format of standard input or, without it, of all inputs: "
    f"{join_in_sentence(INPUTS, 'or')} (default: by file name).",
)
lists: Final = click.option(
    "--lists",
    type=click.Path(allow_dash=True),
    multiple=True,
    metavar="FILE",
    help=(
        "Instead of QRELS and RUN: JSON lines or Parquet with query, retrieved and gold, the "
        "last two as lists of ids. Repeat for more systems with the same gold."
    ),
)
threads: Final = click.option(
    "--threads", type=Whole(min=1), metavar="N", help="Maximum number of threads."
)


def _expand(context: click.Context, parameter: click.Parameter, most: int | None) -> None:
    if most is not None:
        from precall.read.sources import expanding

        context.with_resource(expanding(most))


#: All commands that read files have this option.
max_expansion: Final = click.option(
    "--max-expansion",
    type=Whole(min=1),
    metavar="N",
    expose_value=False,
    callback=_expand,
    help="Refuse .gz and .zst files that expand more than N times (default: "
    "PRECALL_MAX_EXPANSION or 1000).",
)


#: Bytes that the program and one batch take at their peak, whatever the limit.
LEAST_MEMORY = 160 << 20


class Size(_ParamType):
    """A number of bytes, such as 512M or 2G."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number of bytes."""
        if isinstance(value, int):
            return value
        text = value.strip().upper().removesuffix("B").removesuffix("I")
        unit = 1 << 10 * (" KMGT".find(text[-1:]) if text[-1:] in "KMGT" else 0)
        number = text[:-1] if unit > 1 else text
        if not (number.isascii() and number.isdecimal() and len(number) < 16 and int(number)):
            _refuse(param, "a size such as 512M or 2G", value)
        if (size := int(number) * unit) < LEAST_MEMORY:
            raise UsageError(
                argument="" if param is None else param.opts[0],
                allowed=(
                    f"at least {LEAST_MEMORY >> 20}M; the program and one batch take that "
                    "whatever the limit"
                ),
                got=Fact(value.strip()),
            )
        return size


memory: Final = click.option(
    "--memory",
    type=Size(),
    metavar="SIZE",
    help=(
        "Memory for an input, such as 512M or 2G; at least 160M. A larger input is read in several "
        "passes (default: a quarter of the free memory)."
    ),
)


def _load(context: click.Context, parameter: click.Parameter, modules: tuple[str, ...]) -> None:
    if modules:
        from precall.cli import files
        from precall.cli.inputs import load_plugins

        context.meta[files.PLUGINS] = load_plugins(modules)
        files.check([], None)


plugin: Final = click.option(
    "--plugin",
    "plugins",
    multiple=True,
    metavar="MODULE",
    expose_value=False,
    callback=_load,
    help="Import this Python module, which declares measures.",
)
