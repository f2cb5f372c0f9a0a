"""Randomness: what `rng=` means, and the seed that results keep and print.

`rng` is a seed (an integer >= 0), a NumPy Generator or a SeedSequence. The default is 0 everywhere,
so that a repeated call gives the same digits; None asks for a fresh seed. A result always draws
from one seed, and that seed as `rng=` gives the result again. A Generator gives one number, which
is the seed; it moves on, so that the next call with it draws other numbers. An unused Generator
gives the seed it was made of, so that `default_rng(5)` means 5, once.

Other libraries call seeds, weights, levels and other arguments by other names; this module also
tells people the names used here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import CO_VARKEYWORDS, Signature, signature, unwrap
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numpy as np

from precall.core.arguments import is_number, is_whole
from precall.core.errors import UsageError
from precall.core.hooks import hook
from precall.core.notes import suggest_once
from precall.core.text import count_drawn, short_repr

__all__ = [
    "Rng",
    "check_passed_on",
    "check_rng",
    "generator",
    "generator_and_seed",
    "our_name",
    "refuse_names",
    "refuse_other_options",
    "seed_of",
    "suggest_our_names",
    "tell_resamples",
    "tell_seed",
]

# As text: numpy.random, which takes 12 ms to import, waits until something is drawn.
Rng: TypeAlias = "int | np.random.Generator | np.random.SeedSequence | None"

#: Fresh seeds are below this, so that every reader of JSON keeps their digits.
_SEEDS = 2**53
#: Names of arguments in other libraries for what stands in the name of a measure here.
CUTOFFS = ("k", "ks", "k_values", "cutoff", "cutoffs", "topk", "top_k")
#: The name of an argument in other libraries → its possible names here, and what to pass if the
#: value differs.
_ELSEWHERE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("seed", "random_state"), ("rng",)),
    **dict.fromkeys(("metric", "metrics"), ("measures", "measure")),
    "y_true": ("relevant", "truth"),
    **dict.fromkeys(("y_score", "y_pred", "y_prob"), ("score", "scores", "predicted")),
    **dict.fromkeys(("sample_weight", "sample_weights"), ("weights", "weight")),
    "pos_label": ("positive",),
    **dict.fromkeys(("confidence", "confidence_level"), ("level",)),
    "alpha": ("level=1 - alpha",),
    **dict.fromkeys(("stat_test", "statistical_test", "method"), ("test",)),
    "label": ("positive",),
    "labels": ("relevant", "truth"),
    "direction": ("higher_is_better", "lower_is_better"),
    **dict.fromkeys(("n_resamples", "n_bootstraps", "n_permutations"), ("resamples",)),
    **dict.fromkeys(CUTOFFS, ("measures=['nDCG@10']", "measure='P@10'")),
    **dict.fromkeys(("human", "humans", "gold"), ("people",)),
    **dict.fromkeys(("llm", "proxy", "prediction", "predictions"), ("judge",)),
    "lower_is_better": ("higher_is_better",),
    "higher_is_better": ("lower_is_better",),
}

#: What a function does not take though others do, by the function and the argument → what to do.
_LED_ON = {
    **dict.fromkeys(
        (("evaluate", "groups"), ("evaluate", "group")),
        "groups of topics are by={topic: group}; groups of items are of pc.interval and "
        "pc.compare.cases",
    ),
    **dict.fromkeys(
        ((name, "gains") for name in ("evaluate", "ranking")),
        "what each grade earns is written in the name of a measure: "
        "measures=['nDCG(gains={1:0.5,2:1})@10']",
    ),
    **dict.fromkeys(
        (("evaluate", name) for name in ("return_mean", "per_query", "per_topic", "by_query")),
        "values of each topic are in the result, report.per_topic, and averages are report['AP']",
    ),
    **dict.fromkeys(
        (("evaluate", name) for name in ("make_comparable", "complete")),
        "topics that a run lacks count as 0 with topics='qrels'",
    ),
    **dict.fromkeys(
        (("evaluate", name) for name in ("relevance_level", "rel", "min_grade")),
        "the least grade that is relevant is grade=1",
    ),
    **dict.fromkeys(
        (("evaluate", name) for name in ("ignore_identical_ids", "ignore_self")),
        "items that are the query itself are removed with drop_self=True",
    ),
    ("evaluate", "max_p"): "the level of tests is 1 - max_p: pc.compare(report, level=0.95)",
    **dict.fromkeys(
        (("evaluate", name) for name in ("predictions", "references", "y_true", "y_pred")),
        "decisions are measured by pc.decisions(truth, predicted), scores by pc.curve(labels, "
        "scores)",
    ),
    **dict.fromkeys(
        (("decisions", name) for name in ("average", "beta", "zero_division")),
        "the result has it: pc.decisions(truth, predicted).f(average='macro', beta=1)",
    ),
    ("decisions", "threshold"): "scores become decisions at a point of a curve: "
    "pc.curve(labels, scores).at(threshold=0.5)",
    **dict.fromkeys(
        ((name, "average") for name in ("average_precision", "area_under_roc", "curve")),
        "several categories are pc.categorize(truth, scores).by_category('AP').mean()",
    ),
    ("area_under_roc", "max_fpr"): "a part of the area is "
    "pc.curve(labels, scores).value('AUC(max_fpr=0.1)')",
    ("read_lists", "run_column"): "read the rows of each system by themselves: "
    "{name: pc.read_lists(rows)} for each",
}
#: The call that is meant if an argument that a function needs is missing.
_MEANT = {
    "JudgeNamespace.__call__": "pc.judge(people, judge, run) takes the judgements of people, those "
    "of the judge, and a run",
    "Pages.__call__": "pc.report(result, 'page.html') writes the page of a result to a file",
    "curve": "pc.curve(labels, scores) takes columns; of a file use pc.ScoredCases.scan(FILE, "
    "label=, score=), or `precall curve FILE --label COLUMN --score COLUMN`",
}

#: Arguments that say which end of the scores is good, and their opposites; `direction` stands for
#: the one that the function has.
_ENDS = ("lower_is_better", "higher_is_better", "direction")

_P = ParamSpec("_P")
_T = TypeVar("_T")


def seed_of(rng: Rng) -> int:
    """The seed of a result: as `rng=` it gives the same digits again.

    Raises
    ------
    UsageError
        It is neither a seed nor a source of one.

    Examples
    --------
    >>> seed_of(7), seed_of(np.random.SeedSequence(7))
    (7, 7)
    >>> source = np.random.default_rng(7)
    >>> seed_of(source), seed_of(source) == 7
    (7, False)
    """
    check_rng(rng)
    if rng is None:
        return _word(np.random.SeedSequence())
    if isinstance(rng, int | np.integer):
        return int(rng)
    if isinstance(rng, np.random.SeedSequence):
        is_plain = isinstance(rng.entropy, int) and not rng.spawn_key
        return int(rng.entropy) if is_plain else _word(rng)  # type: ignore[arg-type]
    seed, drawn = _seed_if_fresh(rng), int(rng.integers(_SEEDS))
    return drawn if seed is None else seed


def check_rng(rng: object) -> None:
    """Raise unless it is a seed or a source of one; checked even if nothing is drawn."""
    if is_whole(rng) and rng >= 0:
        return
    if rng is not None and not isinstance(rng, np.random.SeedSequence | np.random.Generator):
        raise UsageError(
            argument="rng",
            allowed=(
                "a seed, an integer >= 0, or a numpy Generator or SeedSequence, or None for a "
                "fresh seed;"
            ),
            got=rng,
        )


def generator(rng: Rng) -> np.random.Generator:
    """The generator that a result draws from."""
    return generator_and_seed(rng)[0]


def generator_and_seed(rng: Rng) -> tuple[np.random.Generator, int]:
    """The generator that a result draws from, and its seed, which the result keeps."""
    seed = seed_of(rng)
    return np.random.default_rng(seed), seed


def tell_seed(seed: int | None) -> str:
    """The end of a line of text about a result: its seed, if it has one."""
    return "" if seed is None else f", seed {seed}"


def tell_resamples(resamples: int, seed: int | None) -> str:
    """The end of a line of text about a result: how many samples were drawn, and the seed.

    Examples
    --------
    >>> "95 % bca" + tell_resamples(2000, 7), "95 % t" + tell_resamples(0, None)
    ('95 % bca, 2,000 resamples, seed 7', '95 % t')
    """
    return (f", {count_drawn(resamples)}" if resamples else "") + tell_seed(seed)


def suggest_our_names(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """The function, with an error for arguments that have the names of other libraries; the error
    gives the name here.

    An invalid `rng` is refused even if nothing is drawn. The note about a low level is given once,
    however many intervals there are.
    """
    names = _names_elsewhere(function)
    own, takes_any = _arguments_of(function)
    declared = getattr(function, "__signature__", None)
    meant = _MEANT.get(function.__qualname__)
    needed = _needed_by(function) if meant else ()
    takes_columns = function.__qualname__ == "curve"

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        if takes_columns and args and isinstance(args[0], str):
            # A file: its columns are named by arguments that this function does not have.
            raise UsageError(argument=own[0], got=args[0], remedy=_MEANT["curve"])
        if kwargs:
            if takes_any:
                by_place = own[: len(args)]
                _refuse_names(kwargs, _second_names(names, by_place))
                _refuse_twice(kwargs, by_place)
            else:
                _refuse_names(kwargs, names)
                _suggest(function, kwargs, own)
            if "rng" in kwargs:
                check_rng(kwargs["rng"])
        if declared is not None:
            _bind(function, declared, args, kwargs)
        if len(args) < len(needed) and not kwargs.keys() >= set(needed[len(args) :]):
            raise TypeError(f"{needed[-1]} is missing. {meant}")
        if kwargs and is_number(kwargs.get("level")) and kwargs["level"] < 0.5:  # type: ignore[operator]
            return suggest_once(lambda: function(*args, **kwargs))
        return function(*args, **kwargs)

    return call


def our_name(name: str, function: Callable[..., object]) -> str:
    """The name that a function has for an argument of other libraries; the same name if no other
    library has it.

    Examples
    --------
    >>> our_name("random_state", lambda rng: rng), our_name("weights", lambda rng: rng)
    ('rng', 'weights')
    """
    return _names_elsewhere(function).get(name, (name,))[0]


def refuse_names(options: Mapping[str, object], function: Callable[..., object]) -> None:
    """Refuse options that the function has under other names."""
    _refuse_names(options, _names_elsewhere(function))


def check_passed_on(
    options: Mapping[str, object],
    caller: Callable[..., object],
    function: Callable[..., object],
    why: str,
) -> None:
    """Refuse options that a function passes on to another one which does not take them; `why` is
    that of `refuse_other_options`.
    """
    refuse_names(options, function)
    for name, value in options.items():
        if led_on := _LED_ON.get((function.__name__, name)):
            raise UsageError(argument=name, got=value, why=why, remedy=led_on)
    parameters = [*signature(caller).parameters.values(), *signature(function).parameters.values()]
    names = list(
        dict.fromkeys(
            parameter.name for parameter in parameters if parameter.default is not parameter.empty
        )
    )
    refuse_other_options(options, names, why)


def refuse_other_options(options: Mapping[str, object], names: Sequence[str], why: str) -> None:
    """Refuse options that are not among those known; `why` continues the message "name: got value,
    ...".
    """
    for name, value in options.items():
        if name not in names:
            raise UsageError(argument=name, got=value, why=why, allowed=names)


def _bind(
    function: Callable[..., Any],
    declared: Signature,
    args: tuple[object, ...],
    kwargs: dict[str, object],
) -> None:
    """Raise Python's error for arguments that do not fit the signature declared by a function that
    passes on all its arguments.
    """
    try:
        declared.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{function.__name__}() {error}") from None


def _suggest(
    function: Callable[..., object], options: Mapping[str, object], names: Sequence[str]
) -> None:
    """Raise Python's error for an unknown argument, with the known one that is spelled similarly,
    or else with all that are known.
    """
    for name in sorted(options.keys() - set(names)):
        problem = f"{function.__name__}() got an unexpected keyword argument {name!r}."
        if led_on := _LED_ON.get((function.__name__, name)):
            raise TypeError(f"{problem} {led_on[0].upper()}{led_on[1:]}")
        # Imported only here: most calls have no such argument.
        from difflib import get_close_matches

        # Less alike are names of other things, such as threshold and threads.
        near = get_close_matches(name, names, 1, cutoff=0.8)
        others = ", ".join(each for each in names if each != "self")
        more = f"Did you mean {near[0]!r}?" if near else f"It takes {others}"
        raise TypeError(f"{problem} {more}")


def _second_names(
    names: Mapping[str, tuple[str, ...]], by_place: Sequence[str]
) -> Mapping[str, tuple[str, ...]]:
    """What a function that hands options on calls the arguments of others, those that it has
    already by their places left out: of two systems the third argument is the second system, and
    the measure is `measure`.
    """
    if "measures" not in by_place:
        return names
    return {name: ("measure",) if ours[0] == "measures" else ours for name, ours in names.items()}


def _refuse_twice(given: Mapping[str, object], by_place: Sequence[str]) -> None:
    """Refuse arguments that are given by their places as well as by name."""
    for name in sorted(given.keys() & set(by_place)):
        remedy = "leave one of them out"
        if name == "measures":
            remedy += ", or pass measure= if the third argument is the second system"
        raise UsageError(
            argument=name, what="is given twice, by its place and by name", remedy=remedy
        )


def _needed_by(function: Callable[..., object]) -> tuple[str, ...]:
    """The names of the arguments that have no default and may stand by their places."""
    code = unwrap(function).__code__
    with_default: tuple[object, ...] = getattr(unwrap(function), "__defaults__", None) or ()
    names: tuple[str, ...] = code.co_varnames[: code.co_argcount - len(with_default)]
    return names


def _arguments_of(function: Callable[..., object]) -> tuple[tuple[str, ...], bool]:
    """The names of its arguments, and whether it takes any others."""
    if declared := getattr(function, "__signature__", None):
        return tuple(declared.parameters), False
    code = unwrap(function).__code__
    own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return own, bool(code.co_flags & CO_VARKEYWORDS)


def _names_elsewhere(function: Callable[..., object]) -> dict[str, tuple[str, ...]]:
    """Names of arguments in other libraries → names of arguments that the function has or can
    take.
    """
    own, takes_any = _arguments_of(function)
    names = {}
    for name in _ELSEWHERE.keys() - set(own):
        possible = tuple(ours for ours in _ELSEWHERE[name] if ours.partition("=")[0] in own)
        if not possible and takes_any and name not in (*_ENDS, "labels"):
            # The function that gets these options has one name or the other for the good end, and
            # reports the right one.
            possible = tuple(ours for ours in _ELSEWHERE[name] if "=" not in ours)
        if possible:
            names[name] = (possible[0], "correction") if "correction" in own else possible[:1]
    return names


def _refuse_names(options: Mapping[str, object], names: Mapping[str, tuple[str, ...]]) -> None:
    """Refuse arguments that have other names here; `names` are those of `_names_elsewhere`."""
    errors = []
    for name in sorted(options.keys() & names.keys()):
        value, (ours, *others) = options[name], names[name]
        # What others call a test may be a correction here.
        if ours == "test" and others and isinstance(value, str) and hook("is a correction")(value):
            ours = others[0]
        short = value is None or isinstance(value, int | float | str | np.bool_)
        if name == "label" and not short and "labels" in names:
            ours = names["labels"][0]
        called = f"it is called {ours.partition('=')[0]} here"
        if name in CUTOFFS:
            called = "a cutoff stands in the name of its measure here"
        remedy = _advice(name, ours, value, short)
        errors.append(
            UsageError(argument=name, got=value, why=f"but {called}", remedy=remedy)
            if short
            else UsageError(called, argument=name, remedy=remedy)
        )
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise UsageError("; ".join(error.marked for error in errors))


def _advice(name: str, ours: str, value: object, short: bool) -> str:
    """What to pass instead of the argument of other libraries."""
    if name not in _ENDS:
        return (
            f"pass {ours}" if "=" in ours else f"pass {ours}={short_repr(value) if short else ''}"
        )
    if name == "direction" or not isinstance(value, bool | np.bool_):
        return f"pass {ours}=True or False"
    # By default high scores are good.
    high = bool(value) is (name == "higher_is_better")
    return "leave it out, as high scores are good" if high else f"pass {ours}={not value}"


def _seed_if_fresh(rng: np.random.Generator) -> int | None:
    """The seed from which `default_rng` made the generator, if nothing was drawn from it since."""
    bits, source = rng.bit_generator, rng.bit_generator.seed_seq
    if type(bits) is not np.random.PCG64 or not isinstance(source, np.random.SeedSequence):
        return None
    seed = source.entropy
    is_fresh = isinstance(seed, int) and not source.n_children_spawned
    return seed if is_fresh and bits.state == np.random.PCG64(seed).state else None  # type: ignore[return-value]


def _word(source: np.random.SeedSequence) -> int:
    return int(source.generate_state(1, np.uint64)[0]) % _SEEDS
