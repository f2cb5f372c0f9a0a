"""Names of averages over categories of what is no measure: what is advised is of averages, too."""

from __future__ import annotations

import re

import pytest

import precall as pc
from precall.core.errors import MeasureError
from precall.measures.registry import AVERAGES, SUPPORT

#: What is typed behind macro-, and the measures that the advice names.
TYPED = {
    "FDR": ["P"],
    "fnr": ["R"],
    "FOR": ["NPV"],
    "LR": ["LR+", "LR-"],
    "precison": ["Precision"],
    "recal": ["Recall"],
    "sensitivty": ["Sensitivity"],
    "jacard": ["Jaccard"],
    "accurcy": ["Accuracy"],
    "nDCH": ["F"],
    "xyz": ["F"],
}


@pytest.mark.nightly(keep=40)
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("typed", TYPED)
@pytest.mark.parametrize("average", [*(f"{average}-" for average in AVERAGES), SUPPORT])
@pytest.mark.parametrize("written", ["{}-{}", "{}_{}", "{} {}"])
def test_advice_is_of_the_average(average: str, typed: str, written: str) -> None:
    name = written.format(average.removesuffix("-"), typed)
    with pytest.raises(MeasureError) as caught:
        pc.measure(name)
    advised = re.findall(rf"(?<![\w-]){average}([A-Z]\w*[+-]?)", caught.value.remedy)
    assert list(dict.fromkeys(advised)) == TYPED[typed]
    for measure in advised:
        assert pc.decisions(["a", "a", "b"], ["a", "b", "b"]).value(average + measure) is not None


@pytest.mark.parametrize(("typed", "meant"), [("FDR", "P"), ("FNR", "R"), ("FOR", "NPV")])
def test_without_an_average_it_is_as_before(typed: str, meant: str) -> None:
    with pytest.raises(MeasureError) as caught:
        pc.measure(typed)
    assert re.findall(r"\b[A-Z]+\b", caught.value.remedy) == [meant, meant]
