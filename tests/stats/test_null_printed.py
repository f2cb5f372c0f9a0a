"""p of null distributions as it is printed: of values in decimals, exact only where it is, bounds
as bounds.

The old tests asked the library for values with all their digits, and the command for words that
were always the same.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_null import NoSuchValue, SeveralRound, TakenAs, describe_error
from precall.stats.null.distribution import Tail
from tests.noticed import noticed, shown


@pytest.mark.parametrize(
    ("items", "typed", "p", "kind", "facts"),
    [
        (8, "0.9167", "0.0357143", TakenAs, {"taken": pytest.approx(11 / 12)}),
        (8, "0.91666667", "0.0357143", TakenAs, {"taken": pytest.approx(11 / 12)}),
        (20, "0.25", "0.401754", SeveralRound, {"values_seen": 14}),
        (8, "0.99", "0.0178571", NoSuchValue, {"rounded": True}),
    ],
)
def test_a_value_in_decimals_is_the_one_that_rounds_to_it(items, typed, p, kind, facts):
    # The old tests gave values in full, or of laws without a list.
    from click.testing import CliRunner

    from precall.cli.null import null

    given = ["--items", str(items), "--relevant", "3", "--ap", typed]
    words = CliRunner().invoke(null, given, standalone_mode=False).output
    as_json = CliRunner().invoke(null, [*given, "--format", "json"], standalone_mode=False).output
    (note,) = noticed(json.loads(as_json), kind)
    assert note.facts == {**note.facts, "subject": "AP", "typed": typed, **facts}
    assert f" {p} exact" in " ".join(words.split()) and shown(words, note, style="command")


def test_values_that_are_not_listed_tell_the_span_of_their_p():
    # Old tests typed values of short lists only; of longer ones any number was taken as it is,
    # without a word.
    from precall.stats.null.description import value_meant

    law = pc.null.average_precision(1000, 4)
    taken, note = value_meant(law, "0.33")
    assert isinstance(note, SeveralRound)
    assert (note.least_p, note.greatest_p) == pytest.approx(
        (law.sf(0.335), law.sf(0.325)), rel=1e-4
    )
    assert value_meant(law, "0.33333333")[1] is None
    # Of any number that rounds to it p is at most the one that is said; it was that of .33.
    assert taken == note.taken == 0.325


def test_refusals_of_the_command_quote_python_as_it_is():
    # Old tests read the refusal in Python only; the command made --seed 0 of an rng=0 inside of the
    # call that it quoted.
    with pytest.raises(pc.UsageError) as refused:
        pc.null.average_precision(10**9, 3).sf(0.5)
    told = refused.value.words("command")
    assert "np.mean(null.rvs(100_000) >= x)" in told and "--seed" not in told


def test_every_value_of_a_short_list_in_four_decimals():
    from precall.stats.null.description import value_meant

    law = pc.null.average_precision(20, 3)
    atoms = law._atoms()[0]
    values = atoms[np.unique(np.round(atoms, 12), return_index=True)[1]]
    for value in values.tolist():
        same = values[np.abs(values - float(f"{value:.4f}")) <= 5.0001e-5]
        found = value_meant(law, f"{value:.4f}")
        if len(same) == 1:
            assert law.sf(found[0]) == law.sf(value)
        else:
            assert found[1] is None or f"{len(same)} values" in found[1]


def test_p_is_exact_only_where_it_is_and_the_published_one_on_demand():
    from click.testing import CliRunner

    from precall.cli.null import null

    asked = ["--items", "2000", "--relevant", "500", "--ap"]
    for more, there, absent in [
        (["0.27"], "within 2 %", "AP, Zhang & Su"),
        (["0.27", "--published"], "AP, Zhang & Su", " exact\nAP,"),
        (["0.9"], "upper bound", " exact\n\n2,000"),
    ]:
        shown = CliRunner().invoke(null, [*asked, *more], standalone_mode=False).output
        assert there in shown and absent not in shown
        # In the table of quantiles, too.
        assert ("Zhang & Su" in shown) == ("--published" in more)


def test_the_page_says_upper_bound_where_it_is_one():
    # The old test of the page asked for a value so far out that the error is not bounded, but not
    # for a bound.
    from precall.page.fields import to_plain_data
    from precall.page.reading import made_from
    from precall.page.record import law_of
    from precall.page.sections import Law
    from precall.stats.null import Outcome

    law = pc.null.average_precision(1000, 500)
    outcome = Outcome(0.99, law, law.tail(0.99))
    told = to_plain_data(law_of("a", "AP", outcome))
    assert Tail(*(told[name] for name in ("p", "method", "error", "bound"))) == outcome.tail
    assert made_from(Law, told).tail == outcome.tail
    assert "p <= 1e-12" in str(outcome.tail) and "upper bound" in str(outcome.tail)


def test_the_page_shows_p_in_the_words_of_its_law():
    # Old tests read the record, not the table and the chart, which showed a bound as p 1.00e-12.
    from precall.page.document import chances
    from precall.page.record import law_of
    from precall.stats.null import Outcome, Tail

    law = pc.null.average_precision(1000, 500)
    html = chances([law_of("a", "AP", Outcome(0.99, law, law.tail(0.99)))], "x")
    assert (
        "above it, p &lt;= 1e-12" in html
        and "<td>&lt;= 1e-12<td" in html
        and "1.00e-12" not in html
    )
    unbounded = describe_error(float("inf"))
    assert (
        str(Tail(5e-242, "Edgeworth series", float("inf")))
        == f"p = 5e-242 (Edgeworth series, {unbounded})"
    )


def test_a_page_that_is_read_back_says_that_p_is_a_bound():
    # Old tests read the page and its record; of the forms made from that record they read tables
    # without a bound.
    from precall.page.record import law_of
    from precall.page.scored import part_of
    from precall.page.tables import sheet_of
    from precall.stats.null import Outcome
    from tests.pages import page

    null = pc.null.average_precision(1000, 500)
    laws = [law_of(str(ap), "AP", Outcome.of(ap, null)) for ap in (0.99, 0.55)]
    assert [law.tail.bound for law in laws] == [True, False]
    section = part_of({"a": pc.curve([1, 0], [2.0, 1.0])}, distributions=laws).section
    sheet = sheet_of(page(section))
    (block,) = (block for block in sheet.blocks if block.heading[0] == "random selection")
    assert [line.values[-1] for line in block.lines] == ["<= 1e-12", f"{null.sf(0.55):.4g}"]
    assert [row[-2] for row in sheet.tidy if row[-2] in ("p", "p, upper bound")] == [
        "p, upper bound",
        "p",
    ]


@pytest.mark.parametrize(("items", "relevant", "kind"), [(20, 5, "exact"), (2000, 500, "to 2 %")])
def test_quantiles_are_exact_only_where_they_are(items, relevant, kind):
    # The old test looked for the word in p; the line of AP said "exact" of any quantiles, and the
    # old tests asked for it so.
    null = pc.null.average_precision(items, relevant)
    (lines,) = (block.lines for block in pc.null.describe(items, relevant).sheet().blocks)
    assert [line.values[0] for line in lines] == ["exact", "exact", kind]
    assert bool(null.approximate) == (kind != "exact")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("items", "relevant", "typed", "least", "most"),
    [
        (100, 50, "1.00", "9.912e-30", "3.38e-27"),
        (100, 50, "0.999", "1.982e-29", "7.929e-29"),
        (30, 15, "0.5", "0.4726", "0.8828"),
        (1000, 100, "0.1500", None, None),
    ],
)
def test_where_values_are_not_listed_their_span_is_said(items, relevant, typed, least, most):
    # The old tests gave decimals only where all values are listed; here 1.00 was "exact" and AP
    # .9996 prints so, too.
    from click.testing import CliRunner

    from precall.cli.null import null

    given = ["--items", str(items), "--relevant", str(relevant), "--ap", typed]
    words = CliRunner().invoke(null, given, standalone_mode=False).output
    told = noticed(
        json.loads(
            CliRunner().invoke(null, [*given, "--format", "json"], standalone_mode=False).output
        ),
        SeveralRound,
    )
    assert len(told) == (least is not None) and shown(words, *told, style="command")
    for note in told:
        assert (note.subject, note.typed, note.values_seen) == ("AP", typed, 0)
        assert (f"{note.least_p:.4g}", f"{note.greatest_p:.4g}") == (str(least), str(most))


def test_an_error_that_is_not_bounded_is_said_in_words():
    # The tests of words asked for "exact", "upper bound" and numbers; this one was "relative error
    # <= inf".
    assert describe_error(float("inf")) in str(pc.null.average_precision(1000, 100).tail(0.27))
    assert "inf" not in describe_error(float("inf"))


@pytest.mark.parametrize("text", ["1e-3000000", "1e-999999", "0e-5000000", "1e-401"])
def test_numbers_of_millions_of_decimals(text: str) -> None:
    """Decimal ends at some million decimals, and the command ended with 70."""
    for name in ("ap", "auc", "rprec"):
        assert pc.null.describe(20, 3, **{name: text}).settings
    assert run(["null", "--items", "20", "--relevant", "3", "--ap", text]) == 0


def test_a_p_that_is_a_bound_has_its_sign_in_its_cell():
    """The cell had a bare 1e-12 or 1e-300, and only the last column said that it is a bound."""
    hits = pc.Hits.of(list(range(1, 401)), retrieved=2000, relevant=400)
    result = pc.null.test(hits, "AP")
    assert result.combined.tail.bound
    assert f"<= {result.p:.4g}" in str(result.sheet())
    assert result.sheet().body["rankings"][0]["p"] == result.p


@pytest.mark.parametrize(
    ("null", "quantity"),
    [
        (pc.null.average_precision(20, 5), "AP"),
        (pc.null.average_precision(20, 5, 10), "AP@10 over relevant"),
        (pc.null.area_under_roc(20, 5), "area under ROC"),
        (pc.null.reciprocal_rank(20, 5), "reciprocal rank"),
        (pc.null.ndcg(20, [1, 1]), "nDCG"),
    ],
)
def test_the_line_of_a_value_is_called_by_its_quantity(null: Any, quantity: str) -> None:
    """It had the first word of the distribution's name: "AP,", "area". No test read the line."""
    from precall.stats.null import Outcome

    told = json.loads(Outcome.of(float(null.mean), null).to_json())
    assert [line["ranking"] for line in told["rankings"]] == [quantity]
    assert null.name.startswith(quantity)
