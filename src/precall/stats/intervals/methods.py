"""The methods of intervals, each declared once: which measures have it, and whether it draws.

Neither NumPy nor the functions that compute them are imported here, so that `--help` is fast. Each
function stands in the module of its data.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Kinds of quantities that have intervals.
KINDS = (
    "proportion",
    "F",
    "counts",
    "averages of F",
    "averages of counts",
    "AP",
    "AUC",
    "part of AUC",
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
    draws : whether it draws random numbers, so that `resamples` and a seed matter.
    short_by : whose interval it is, if it covers less than its level with few hits or few others;
        else empty.
    """

    name: str
    of: tuple[str, ...]
    source: str
    draws: bool = False
    short_by: str = ""


DECLARED = {
    method.name: method
    for method in (
        IntervalMethod("wilson", ("proportion",), "Wilson 1927", short_by="Wilson's"),
        IntervalMethod("clopper-pearson", ("proportion",), "Clopper, Pearson 1934"),
        IntervalMethod(
            "jeffreys", ("proportion",), "Brown, Cai, DasGupta 2001", short_by="Jeffreys'"
        ),
        IntervalMethod("agresti-coull", ("proportion",), "Agresti, Coull 1998"),
        IntervalMethod("posterior", ("F", "counts"), "Goutte, Gaussier 2005"),
        IntervalMethod("delta", ("F",), "Takahashi et al. 2022"),
        IntervalMethod("monte-carlo", ("F",), "Goutte, Gaussier 2005", draws=True),
        IntervalMethod("logit", ("averages of F", "AP"), "Boyd, Eng, Page 2013"),
        IntervalMethod("wald", ("proportion", "averages of F"), "Takahashi et al. 2022"),
        IntervalMethod(
            "delong-newcombe", ("AUC",), "DeLong, DeLong, Clarke-Pearson 1988; Newcombe 2006"
        ),
        IntervalMethod("newcombe", ("AUC",), "Newcombe 2006"),
        IntervalMethod(
            "logit-delong", ("AUC", "part of AUC"), "DeLong, DeLong, Clarke-Pearson 1988"
        ),
        IntervalMethod("delong", ("AUC", "part of AUC"), "DeLong, DeLong, Clarke-Pearson 1988"),
        IntervalMethod("t", ("mean",), "Student 1908"),
        IntervalMethod("bayesian-bootstrap", ("mean",), "Rubin 1981"),
        IntervalMethod(
            "bca",
            ("counts", "averages of counts", "AP", "part of AUC", "mean"),
            "Efron 1987",
            draws=True,
        ),
        IntervalMethod(
            "percentile",
            ("counts", "averages of counts", "AP", "part of AUC", "mean"),
            "Efron 1979",
            draws=True,
        ),
        IntervalMethod("normal", ("AP",), "Boyd, Eng, Page 2013"),
        IntervalMethod("obuchowski", ("AUC", "part of AUC"), "Obuchowski 1997"),
        IntervalMethod("optimism bootstrap", ("tuned threshold",), "Efron 1983", draws=True),
        IntervalMethod("bootstrap", ("band",), "Montiel Olea, Plagborg-Møller 2019", draws=True),
        IntervalMethod("dkw", ("band",), "Massart 1990"),
        IntervalMethod("two-way t", ("two-way mean",), "Searle, Casella, McCulloch 1992"),
        IntervalMethod(
            "two-way bayesian-bootstrap",
            ("two-way mean",),
            "Rubin 1981; Searle, Casella, McCulloch 1992",
        ),
    )
}
#: The methods by kind; the first is the default.
METHODS: dict[str, tuple[str, ...]] = {
    kind: tuple(name for name, method in DECLARED.items() if kind in method.of) for kind in KINDS
}
