"""Randomness: what `rng=` means, and the seed that results keep and print.

`rng` is a seed (an integer >= 0), a NumPy Generator or a SeedSequence; 0 is the default everywhere,
so that a call repeated gives the same digits, and None asks for a fresh seed. Whatever is given, a
result draws from one seed, and that seed as `rng=` gives the result again. A Generator gives one
number, which is the seed: it moves on, and the next call with it draws other numbers. One that
nothing was drawn from gives the seed it was made of, so that `default_rng(5)` is 5, once.

Seeds have another name in each library, as have weights, levels and more: what these are called
here is said here, too.
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
from precall.core.notes import notes_once

__all__ = [
    "Rng",
    "by_our_names",
    "check_passed_on",
    "check_rng",
    "generator",
    "our_name",
    "refuse_names",
    "refuse_unknown",
    "seed_of",
    "seeded",
    "tell_drawn",
    "tell_seed",
]

# As text: numpy.random, which takes 12 ms to import, waits until something is drawn.
Rng: TypeAlias = "int | np.random.Generator | np.random.SeedSequence | None"

#: Seeds made here are below this, so that every reader of JSON keeps their digits.
_SEEDS = 2**53
#: What other libraries call an argument → what it can be here, and what to pass where that is not
#: the same value.
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
    "direction": ("higher_is_better", "lower_is_better"),
    **dict.fromkeys(("n_resamples", "n_bootstraps", "n_permutations"), ("resamples",)),
    "lower_is_better": ("higher_is_better",),
    "higher_is_better": ("lower_is_better",),
}

#: What says which end of the scores is good, and its opposite; `direction` is the one of them that
#: the function has.
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
        whole = isinstance(rng.entropy, int) and not rng.spawn_key
        return int(rng.entropy) if whole else _word(rng)  # type: ignore[arg-type]
    seed, drawn = _unused(rng), int(rng.integers(_SEEDS))
    return drawn if seed is None else seed


def check_rng(rng: Any) -> None:
    """Raise unless it is a seed or a source of one, also where nothing is drawn."""
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
    return seeded(rng)[0]


def seeded(rng: Rng) -> tuple[np.random.Generator, int]:
    """The generator that a result draws from, and its seed, to be kept with the result."""
    seed = seed_of(rng)
    return np.random.default_rng(seed), seed


def tell_seed(seed: int | None) -> str:
    """How a line of text ends that tells of a result."""
    return "" if seed is None else f", seed {seed}"


def tell_drawn(resamples: int, seed: int | None) -> str:
    """The same of a result for which samples were drawn.

    Examples
    --------
    >>> "95 % bca" + tell_drawn(2000, 7), "95 % t" + tell_drawn(0, None)
    ('95 % bca, 2,000 resamples, seed 7', '95 % t')
    """
    return (f", {resamples:,} resamples" if resamples else "") + tell_seed(seed)


def by_our_names(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """The function, with an error that names its arguments for the names that other libraries have
    for them.

    What is no `rng` is refused also where nothing is drawn. What a low level is asked about is said
    once, however many intervals there are.
    """
    names = _names_elsewhere(function)
    own, takes_any = _arguments_of(function)
    declared = getattr(function, "__signature__", None)

    @wraps(function)
    def named(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        if kwargs:
            by_place = [name for name in own if name != "self"][: len(args) - ("self" in own)]
            _refuse_names(kwargs, _second_names(names, by_place) if takes_any else names)
            if takes_any:
                _refuse_twice(kwargs, by_place)
            else:
                _suggest(function, kwargs, own)
            if "rng" in kwargs:
                check_rng(kwargs["rng"])
        if declared is not None:
            _bind(function, declared, args, kwargs)
        if kwargs and is_number(kwargs.get("level")) and kwargs["level"] < 0.5:  # type: ignore[operator]
            return notes_once(lambda: function(*args, **kwargs))
        return function(*args, **kwargs)

    return named


def our_name(name: str, function: Callable[..., Any]) -> str:
    """What a function calls an argument that other libraries call so; the name itself, if it is
    none of theirs.

    Examples
    --------
    >>> our_name("random_state", lambda rng: rng), our_name("weights", lambda rng: rng)
    ('rng', 'weights')
    """
    return _names_elsewhere(function).get(name, (name,))[0]


def refuse_names(options: Mapping[str, Any], function: Callable[..., Any]) -> None:
    """Refuse options that this function has under other names."""
    _refuse_names(options, _names_elsewhere(function))


def check_passed_on(
    options: Mapping[str, Any], caller: Callable[..., Any], function: Callable[..., Any], why: str
) -> None:
    """Refuse options that a function hands to another one, which does not take them; `why` is as of
    `refuse_unknown`.
    """
    refuse_names(options, function)
    parts = [*signature(caller).parameters.values(), *signature(function).parameters.values()]
    known = list(dict.fromkeys(part.name for part in parts if part.default is not part.empty))
    refuse_unknown(options, known, why)


def refuse_unknown(options: Mapping[str, Any], known: Sequence[str], why: str) -> None:
    """Refuse options that are none of those known; `why` ends "name: got value, ..."."""
    for name, value in options.items():
        if name not in known:
            raise UsageError(argument=name, got=value, why=why, allowed=known)


def _bind(function: Callable[..., Any], declared: Signature, args: Any, kwargs: Any) -> None:
    """Raise the error of Python for arguments that a function does not take which hands them all to
    another one.
    """
    try:
        declared.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{function.__name__}() {error}") from None


def _suggest(function: Callable[..., Any], given: Mapping[str, Any], known: Sequence[str]) -> None:
    """Raise the error of Python for an argument that a function does not have, with one that it has
    if that is spelled alike, else with all.
    """
    for name in given.keys() - set(known):
        # It is imported where it is needed: most calls have no such argument.
        from difflib import get_close_matches

        # Less alike are names of other things, such as threshold and threads.
        near = get_close_matches(name, known, 1, cutoff=0.8)
        others = ", ".join(each for each in known if each != "self")
        more = f"Did you mean {near[0]!r}?" if near else f"It takes {others}"
        raise TypeError(
            f"{function.__name__}() got an unexpected keyword argument {name!r}. {more}"
        )


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


def _refuse_twice(given: Mapping[str, Any], by_place: Sequence[str]) -> None:
    """Refuse arguments that are given by their places as well as by name."""
    for name in given.keys() & set(by_place):
        remedy = "leave one of them out"
        if name == "measures":
            remedy += ", or pass measure= if the third argument is the second system"
        raise UsageError(
            argument=name, what="is given twice, by its place and by name", remedy=remedy
        )


def _arguments_of(function: Callable[..., Any]) -> tuple[tuple[str, ...], bool]:
    """The names of its arguments, and whether it takes others, too."""
    if declared := getattr(function, "__signature__", None):
        return tuple(declared.parameters), False
    code = unwrap(function).__code__
    own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return own, bool(code.co_flags & CO_VARKEYWORDS)


def _names_elsewhere(function: Callable[..., Any]) -> dict[str, tuple[str, ...]]:
    """What other libraries call the arguments of a function → what it calls them, of those that it
    has, or can take.
    """
    own, takes_any = _arguments_of(function)
    names = {}
    for name in _ELSEWHERE.keys() - set(own):
        known = tuple(ours for ours in _ELSEWHERE[name] if ours.partition("=")[0] in own)
        if not known and takes_any and name not in _ENDS:
            # Which end is good is called one thing or the other by what the options are handed to:
            # it says so.
            known = tuple(ours for ours in _ELSEWHERE[name] if "=" not in ours)
        if known:
            names[name] = (known[0], "correction") if "correction" in own else known[:1]
    return names


def _refuse_names(given: Mapping[str, Any], names: Mapping[str, tuple[str, ...]]) -> None:
    """Refuse an argument that is called otherwise here; `names` are those of the function, by
    `_names_elsewhere`.
    """
    texts = []
    for name in sorted(given.keys() & names.keys()):
        value, (ours, *others) = given[name], names[name]
        # What others call a test may be a correction here.
        if ours == "test" and others and isinstance(value, str) and hook("is a correction")(value):
            ours = others[0]
        short = value is None or isinstance(value, int | float | str | np.bool_)
        got = f"got {value!r}, but " if short else ""
        called = ours.partition("=")[0]
        texts.append(
            f"{name}: {got}it is called {called} here; {_advice(name, ours, value, short)}"
        )
    if texts:
        raise UsageError("; ".join(texts))


def _advice(name: str, ours: str, value: Any, short: bool) -> str:
    """What to pass in the place of a value of others."""
    if name not in _ENDS:
        return f"pass {ours}" if "=" in ours else f"pass {ours}={repr(value) if short else ''}"
    if name == "direction" or not isinstance(value, bool | np.bool_):
        return f"pass {ours}=True or False"
    # High scores are good unless something else is said.
    high = bool(value) is (name == "higher_is_better")
    return "leave it out, as high scores are good" if high else f"pass {ours}={not value}"


def _unused(rng: np.random.Generator) -> int | None:
    """The seed that `default_rng` made the generator of, if nothing was drawn from it since."""
    bits, source = rng.bit_generator, rng.bit_generator.seed_seq
    if type(bits) is not np.random.PCG64 or not isinstance(source, np.random.SeedSequence):
        return None
    seed = source.entropy
    known = isinstance(seed, int) and not source.n_children_spawned
    return seed if known and bits.state == np.random.PCG64(seed).state else None  # type: ignore[return-value]


def _word(source: np.random.SeedSequence) -> int:
    return int(source.generate_state(1, np.uint64)[0]) % _SEEDS
