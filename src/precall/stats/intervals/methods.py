"""The methods of intervals, each declared once: which measures have it, its names elsewhere,
whether it draws, and when its coverage is exact.

Neither NumPy nor the functions that compute them are imported here, so that `--help` is fast. Each
function stands in the module of its data.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

#: Kinds of quantities that have intervals.
KINDS = (
    "proportion",
    "F",
    "counts",
    "ratio of counts",
    "share at a prevalence",
    "share in groups",
    "table in groups",
    "averages of F",
    "averages of counts",
    "AP",
    "AUC",
    "part of AUC",
    "number of a list",
    "number at a level",
    "AP of detections",
    "tuned threshold",
    "band",
    "mean",
    "two-way mean",
)


@dataclass(frozen=True, slots=True)
class IntervalMethod:
    """A method of intervals.

    Attributes
    ----------
    name : what `method=` and `--interval` take, and what is printed beside the bounds.
    of : those of `KINDS` that have it; the first method of a kind is its default.
    source : its publication.
    example : a call of `pc.interval` with it, and the bounds that it gives, to four decimals.
    aliases : its names in SciPy, statsmodels, R and books, in lower case without punctuation.
    exact_when : when it covers at least its level in samples of any size; empty if its coverage is
        approximate.
    draws : whether it draws random numbers, so that `resamples` and a seed matter.
    short_by : whose interval it is, if it covers less than its level with few hits or few others;
        else empty.
    takes_weights : whether it takes weights of topics into account.
    """

    name: str
    of: tuple[str, ...]
    source: str
    example: tuple[str, tuple[float, float]]
    aliases: tuple[str, ...] = ()
    exact_when: str = ""
    draws: bool = False
    short_by: str = ""
    takes_weights: bool = False


#: Data of the examples.
_VALUES, _TABLE = "[0.5, 0.2, 0.9, 0.4, 0.6]", "[[0.5, 0.2, 0.9], [0.4, 0.6, 0.8], [0.3, 0.1, 0.7]]"
_LIST, _LONG = (f"[0, 0, 1, 0, 1, 1] * {times}, range({6 * times})" for times in (5, 80))
_GROUPS = "[k // 3 for k in range(30)]"
_DECISIONS = "pc.decisions([1] * 40 + [0] * 80, ([1] * 30 + [0] * 10) + ([1] * 8 + [0] * 72))"
_BY_FOUR = "[k % 30 for k in range(120)]"
DECLARED = {
    method.name: method
    for method in (
        IntervalMethod(
            "wilson",
            ("proportion",),
            "Wilson 1927",
            ('pc.interval.proportion(30, 40, method="wilson")', (0.5981, 0.8581)),
            aliases=("score", "wilsonscore", "wilsons"),
            short_by="Wilson's",
        ),
        IntervalMethod(
            "clopper-pearson",
            ("proportion",),
            "Clopper, Pearson 1934",
            ('pc.interval.proportion(30, 40, method="clopper-pearson")', (0.588, 0.8731)),
            exact_when="always",
            aliases=("exact", "beta", "clopper"),
        ),
        IntervalMethod(
            "jeffreys",
            ("proportion",),
            "Brown, Cai, DasGupta 2001",
            ('pc.interval.proportion(30, 40, method="jeffreys")', (0.6017, 0.8636)),
            aliases=("jeffrey",),
            short_by="Jeffreys'",
        ),
        IntervalMethod(
            "agresti-coull",
            ("proportion",),
            "Agresti, Coull 1998",
            ('pc.interval.proportion(30, 40, method="agresti-coull")', (0.5964, 0.8598)),
            aliases=("ac",),
        ),
        IntervalMethod(
            "posterior",
            ("F", "counts", "ratio of counts", "share at a prevalence"),
            "Goutte, Gaussier 2005",
            ('pc.interval.f(30, 10, 20, method="posterior")', (0.5413, 0.7709)),
        ),
        IntervalMethod(
            "delta",
            ("F",),
            "Takahashi et al. 2022",
            ('pc.interval.f(30, 10, 20, method="delta")', (0.5466, 0.7684)),
        ),
        IntervalMethod(
            "monte-carlo",
            ("F",),
            "Goutte, Gaussier 2005",
            ('pc.interval.f(30, 10, 20, method="monte-carlo", rng=0)', (0.5422, 0.7707)),
            aliases=("mc",),
            draws=True,
        ),
        IntervalMethod(
            "logit",
            (
                *("share at a prevalence", "share in groups", "averages of F", "AP"),
                *("number of a list", "AP of detections"),
            ),
            "Mercaldo, Lau, Zhou 2007; Rao, Scott 1992; Boyd, Eng, Page 2013",
            (
                f'pc.interval.average_precision({_LIST}, method="logit")',
                (0.3487, 0.8275),
            ),
            aliases=("logodds",),
        ),
        IntervalMethod(
            "woodruff",
            ("number at a level",),
            "Woodruff 1952; Zou, Donner 2008",
            (
                f'pc.interval(pc.curve({_LIST}), "PAtRecall(recall=0.5)", method="woodruff")',
                (0.3039, 0.8326),
            ),
        ),
        IntervalMethod(
            "log",
            ("ratio of counts",),
            "Woolf 1955; Simel, Samsa, Matchar 1991",
            (f'pc.interval({_DECISIONS}, "LR+", method="log")', (3.7947, 14.8234)),
            aliases=("simel", "woolf", "katz", "logwald"),
        ),
        IntervalMethod(
            "rao-scott",
            ("table in groups",),
            "Rao, Scott 1992",
            (f'pc.interval({_DECISIONS}, "LR+", groups={_BY_FOUR})', (3.7824, 17.1643)),
            aliases=("raoscott", "designeffect"),
        ),
        IntervalMethod(
            "wald",
            ("proportion", "averages of F"),
            "Takahashi et al. 2022",
            ('pc.interval.proportion(30, 40, method="wald")', (0.6158, 0.8842)),
            aliases=("normal", "asymptotic"),
        ),
        IntervalMethod(
            "delong-newcombe",
            ("AUC",),
            "DeLong, DeLong, Clarke-Pearson 1988; Newcombe 2006",
            (
                f'pc.interval.area_under_roc({_LIST}, method="delong-newcombe")',
                (0.3567, 0.7715),
            ),
        ),
        IntervalMethod(
            "newcombe",
            ("AUC",),
            "Newcombe 2006",
            (
                f'pc.interval.area_under_roc({_LIST}, method="newcombe")',
                (0.3756, 0.7538),
            ),
        ),
        IntervalMethod(
            "logit-delong",
            ("AUC", "part of AUC"),
            "DeLong, DeLong, Clarke-Pearson 1988",
            (
                f'pc.interval.area_under_roc({_LIST}, method="logit-delong")',
                (0.3567, 0.7715),
            ),
            aliases=("delonglogit",),
        ),
        IntervalMethod(
            "delong",
            ("AUC", "part of AUC"),
            "DeLong, DeLong, Clarke-Pearson 1988",
            (
                f'pc.interval.area_under_roc({_LIST}, method="delong")',
                (0.367, 0.7886),
            ),
            aliases=("delongs",),
        ),
        IntervalMethod(
            "t",
            ("mean",),
            "Student 1908",
            (f'pc.interval.mean({_VALUES}, method="t")', (0.1986, 0.8414)),
            exact_when="if the values of topics are normally distributed",
            aliases=("student", "studentt", "students", "studentst"),
            takes_weights=True,
        ),
        IntervalMethod(
            "bayesian-bootstrap",
            ("share in groups", "mean"),
            "Rubin 1981",
            (
                f'pc.interval.mean({_VALUES}, method="bayesian-bootstrap", range=(0, 1))',
                (0.2725, 0.7646),
            ),
            aliases=("bayesboot",),
            takes_weights=True,
        ),
        IntervalMethod(
            "bca",
            ("counts", "ratio of counts", "averages of counts", "AP", "part of AUC", "mean"),
            "Efron 1987",
            (f'pc.interval.mean({_VALUES}, method="bca", rng=0)', (0.34, 0.74)),
            aliases=("biascorrectedaccelerated", "biascorrectedandaccelerated"),
            draws=True,
        ),
        IntervalMethod(
            "percentile",
            ("counts", "ratio of counts", "averages of counts", "AP", "part of AUC", "mean"),
            "Efron 1979",
            (
                f'pc.interval.mean({_VALUES}, method="percentile", rng=0)',
                (0.32, 0.72),
            ),
            aliases=("perc", "quantile"),
            draws=True,
        ),
        IntervalMethod(
            "normal",
            ("AP",),
            "Boyd, Eng, Page 2013",
            (
                f'pc.interval.average_precision({_LIST}, method="normal")',
                (0.392, 0.866),
            ),
            aliases=("wald",),
        ),
        IntervalMethod(
            "obuchowski",
            ("AUC", "part of AUC"),
            "Obuchowski 1997",
            (
                f'pc.interval.area_under_roc({_LIST}, method="obuchowski", groups={_GROUPS})',
                (0.4546, 0.701),
            ),
        ),
        IntervalMethod(
            "optimism bootstrap",
            ("tuned threshold",),
            "Efron 1983",
            (f"pc.interval.max_f({_LIST}, rng=0)", (0.4154, 0.8045)),
            aliases=("optimism",),
            draws=True,
        ),
        IntervalMethod(
            "bootstrap",
            ("band",),
            "Montiel Olea, Plagborg-Møller 2019",
            (
                f'pc.interval.roc_band({_LIST}, method="bootstrap", grid=[0.5], rng=0)',
                (0.224, 0.881),
            ),
            draws=True,
        ),
        IntervalMethod(
            "dkw",
            ("band",),
            "Massart 1990",
            (
                f'pc.interval.roc_band({_LONG}, method="dkw", grid=[0.5])',
                (0.317, 0.6955),
            ),
            exact_when="always",
            aliases=("massart", "dvoretzkykieferwolfowitz"),
        ),
        IntervalMethod(
            "two-way t",
            ("two-way mean",),
            "Searle, Casella, McCulloch 1992",
            (
                f'pc.interval.two_way({_TABLE}, method="two-way t")',
                (-0.1113, 1.1113),
            ),
        ),
        IntervalMethod(
            "two-way bayesian-bootstrap",
            ("two-way mean",),
            "Rubin 1981; Searle, Casella, McCulloch 1992",
            (
                f'pc.interval.two_way({_TABLE}, method="two-way bayesian-bootstrap", range=(0, 1))',
                (0.1816, 0.8265),
            ),
        ),
    )
}
#: The methods by kind; the first is the default.
METHODS: dict[str, tuple[str, ...]] = {
    kind: tuple(name for name, method in DECLARED.items() if kind in method.of) for kind in KINDS
}


def _names_elsewhere() -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for method in DECLARED.values():
        for alias in method.aliases:
            names.setdefault(alias, []).append(method.name)
    return names


#: Names of methods elsewhere, as `arguments.choose` reads them.
ELSEWHERE = _names_elsewhere()
#: What to take instead of methods that precall does not have, by their names.
INSTEAD = {
    **dict.fromkeys(("basic", "pivotal", "reversepercentile", "bootstrap", "boot"), "bca"),
    **dict.fromkeys(("stud", "studentized", "bootstrapt"), "bca"),
    **dict.fromkeys(
        ("wilsoncc", "waldcc", "prop", "binom", "blaker", "pratt", "midp"), "clopper-pearson"
    ),
}


def choose_method(
    allowed: str | Collection[object], value: object, argument: str = "method"
) -> Any:
    """The method that a value means, in any spelling or by its name elsewhere; else an error.

    Every function that takes a method asks this one.

    Parameters
    ----------
    allowed : one of `KINDS`, or the choices.
    value : what was passed.
    argument : the argument that it was passed for.

    Examples
    --------
    >>> choose_method("proportion", "exact"), choose_method("counts", "BCa")
    ('clopper-pearson', 'bca')
    """
    # Not at the top, because help must not wait for NumPy.
    from precall.core.arguments import choose

    choices = METHODS[allowed] if isinstance(allowed, str) else allowed
    instead = {word: f"take {name!r}" for word, name in INSTEAD.items() if name in choices}
    return choose(argument, value, choices, ELSEWHERE, instead)


def find_method(allowed: str | Collection[object], value: object) -> str | None:
    """The method that a value means among those allowed; None if it means none of them.

    Examples
    --------
    >>> find_method("proportion", "exact"), find_method("AP", "exact")
    ('clopper-pearson', None)
    """
    from precall.core.errors import UsageError

    try:
        found: str | None = choose_method(allowed, value)
    except UsageError:
        return None
    return found
