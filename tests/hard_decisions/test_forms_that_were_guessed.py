"""What labels are was told by their values, and by NumPy's: tags of tokens were sets, a matrix with
one wrong cell was sets of the labels 0 and 1, members of an Enum were cut off, and truth and
decisions without a common label were simply all wrong.

Older tests gave each form as it should be, by one door; no test gave a form with a single fault by
every door.
"""

from __future__ import annotations

import json
import math
import warnings
from datetime import date
from decimal import Decimal
from enum import Enum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.cases.table import read_cases
from precall.cli.main import run
from precall.compat import sklearn as compat
from precall.core.notes.of_reading import LabelsShifted, LabelsUnlike, NoCommonLabel
from precall.hard_decisions.table_io import read_decisions, read_status
from tests.noticed import shown, warned
from tests.peers import peer

pd = peer("pandas")
pl = peer("polars")
pa = peer("pyarrow")
metrics = peer("sklearn.metrics")


def objects(rows):
    column = np.empty(len(rows), object)
    column[:] = [np.array(row) if isinstance(row, list) else row for row in rows]
    return column


#: Items that have several labels each, as every door has them.
LISTS = {
    "lists": list,
    "tuples": lambda rows: [tuple(row) for row in rows],
    "pandas": pd.Series,
    "polars": pl.Series,
    "arrow": pa.array,
    "objects": objects,
}
#: Items of one label each.
COLUMNS = {
    "list": list,
    "tuple": tuple,
    "array": lambda cells: np.array(cells, object),
    "pandas": lambda cells: pd.Series(cells, dtype=object),
    "categorical": pd.Categorical,
}
TAGS = (
    [["O", "O", "B-PER", "I-PER"], ["O", "B-LOC"]],
    [["O", "B-PER", "I-PER", "O"], ["O", "B-LOC"]],
)
SCORES = [[0.9, 0.1, 0.8], [0.2, 0.7, 0.3], [0.6, 0.5, 0.4]]
MATRIX = [[1, 0, 1], [0, 1, 0], [1, 1, 0]]
by_lists = pytest.mark.parametrize("door", LISTS)
by_columns = pytest.mark.parametrize("door", COLUMNS)


@by_lists
def test_a_label_that_is_twice_in_an_item_is_refused(door):
    with pytest.raises(pc.DataError, match="truth: item 0 has 'O' twice; are these token tags?"):
        pc.decisions(*map(LISTS[door], TAGS))
    with pytest.raises(pc.DataError, match="predicted: item 1 has 'b' twice"):
        pc.decisions(LISTS[door]([["a"], ["b"]]), LISTS[door]([["a"], ["b", "c", "b"]]))
    with pytest.raises(
        pc.DataError, match=r"truth: item 1 has 3 twice \(2 items have labels twice\)"
    ):
        pc.categorize(LISTS[door]([[5], [3, 3], [7, 7]]), np.ones((3, 3)), [3, 5, 7])


@pytest.mark.parametrize("cell", [2, -1, 0.5, math.nan, None])
@pytest.mark.parametrize("place", [(1, 2), (0, 0), (2, 1)])
@by_lists
def test_lists_that_are_nearly_a_matrix_are_refused(door, cell, place):
    kind, number = LISTS[door], float if isinstance(cell, float) else int
    whole = [list(map(number, row)) for row in MATRIX]
    rows = [list(row) for row in whole]
    rows[place[0]][place[1]] = cell
    told = "has the cell .* in a matrix of lists, allowed are 0 and 1"
    if cell is None or cell != cell:
        told = f"has no label for category {place[1]} "
    with pytest.raises(pc.DataError, match=f"truth: item {place[0]} {told}"):
        pc.categorize(kind(rows), SCORES)
    with pytest.raises(pc.DataError, match=f"predicted: item {place[0]} has the cell"):
        pc.decisions(kind(whole), kind(rows))


@by_lists
def test_rows_of_unequal_length_are_refused(door):
    rows = [[1, 0, 1], [0, 1], [1, 1, 0]]
    with pytest.raises(
        pc.DataError, match="truth: item 1 has 2 cells of 0 and 1, and most of the others have 3"
    ):
        pc.categorize(LISTS[door](rows), SCORES)
    with pytest.raises(
        pc.DataError, match="scores: item 1 has 2 scores, and most of the others have 3"
    ):
        pc.categorize(MATRIX, LISTS[door]([[0.9, 0.1, 0.8], [0.2, 0.7], [0.6, 0.5, 0.4]]))
    for two in ([[1, 0], [1], [0, 1]], [[], [0, 1]]):
        with pytest.raises(pc.DataError, match="cells? of 0 and 1"):
            pc.decisions(LISTS[door](two), LISTS[door](two))


@by_lists
def test_a_matrix_is_one_by_every_door(door):
    found = pc.decisions(LISTS[door](MATRIX), LISTS[door]([[1, 0, 0], [0, 1, 1], [1, 1, 0]]))
    assert found == pc.decisions(np.array(MATRIX), np.array([[1, 0, 0], [0, 1, 1], [1, 1, 0]]))
    expected = pc.categorize(np.array(MATRIX), np.array(SCORES)).by_category("AP").values
    assert (
        pc.categorize(LISTS[door](MATRIX), LISTS[door](SCORES)).by_category("AP").values.tolist()
        == expected.tolist()
    )


@by_lists
def test_lists_of_labels_stay_sets(door):
    truth, said = [["a", "b"], ["c"], []], [["b", "a"], ["a"], ["c"]]
    sets = pc.decisions([set(row) for row in truth], [set(row) for row in said])
    assert pc.decisions(LISTS[door](truth), LISTS[door](said)) == sets
    numbers, other = [[3, 0], [7], [2, 5]], [[3], [7], [5, 2]]
    assert pc.decisions(LISTS[door](numbers), LISTS[door](other)).categories == (0, 2, 3, 5, 7)


@given(
    st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=5), min_size=2, max_size=6), st.data()
)
def test_one_wrong_cell_never_turns_a_matrix_into_categories(rows, data):
    width = len(rows[0])
    rows = [(row + [0] * width)[:width] for row in rows]
    whole = pc.decisions(rows, rows)
    assert whole.categories == tuple(range(width)) and whole.truth.kind == "multi"
    row = data.draw(st.integers(0, len(rows) - 1))
    change = data.draw(st.sampled_from(["cell", "short", "long"]))
    changed = [list(each) for each in rows]
    if change == "cell":
        changed[row][data.draw(st.integers(0, width - 1))] = data.draw(
            st.sampled_from([2, -1, None, 0.25, 9])
        )
    else:
        changed[row] = changed[row][:-1] if change == "short" else [*changed[row], 1]
    with pytest.raises(pc.DataError):
        pc.decisions(changed, changed)


@pytest.mark.parametrize("missing", [None, math.nan, pd.NA])
def test_a_missing_label_is_no_category(missing):
    with pytest.raises(pc.DataError, match="truth: item 1 has no label"):
        pc.decisions([{"a"}, {"b", missing}], [{"a"}, {"b"}])
    for door in (list, pd.Series):
        with pytest.raises(pc.DataError, match="truth: item 1 has no list of labels"):
            pc.decisions(door([["a"], missing, ["b"]]), door([["a"], ["b"], ["b"]]))


@pytest.mark.parametrize(
    ("items", "text"),
    [
        ([["a"], "cat"], "item 1 is 'cat', and others are lists or sets of labels"),
        ([{"a"}, 3], "item 1 is 3, and others are lists"),
        ([[["a"]], [["b"]]], r"item 0 has the label \['a'\] \(list\)"),
    ],
)
def test_other_items_among_lists_are_refused(items, text):
    with pytest.raises(pc.DataError, match=f"truth: {text}"):
        pc.decisions(items, [["a"], ["b"]])


def test_dicts_are_no_labels():
    with pytest.raises(
        pc.DataError, match=r"truth: item 0 has the label \{'a': 1\} \(dict\); write labels as text"
    ):
        pc.decisions([{"a": 1}, {"b": 2}], [{"a": 1}, {"b": 2}])


def write(path, rows, ending):
    if ending == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        frame = pl.DataFrame(rows)
        (frame.write_parquet if ending == "parquet" else frame.write_ipc)(path)
    return str(path)


@pytest.mark.parametrize("ending", ["jsonl", "parquet", "arrow"])
def test_lists_in_files(ending, tmp_path):
    def decided(truth, said):
        rows = [{"t": a, "p": b} for a, b in zip(truth, said, strict=True)]
        return read_decisions(write(tmp_path / f"x.{ending}", rows, ending), "t", "p")

    place = r":1: " if ending == "jsonl" else ", row 1: "
    with pytest.raises(
        pc.DataError, match=f"{place}column 't': the item has 'O' twice; are these token tags"
    ):
        decided(*TAGS)
    with pytest.raises(
        pc.DataError, match="column 't': the item has the cell 2 in a matrix of lists"
    ):
        decided([[1, 0, 2], [0, 1, 0]], [[1, 0, 1], [0, 1, 0]])
    with pytest.raises(pc.DataError, match="column 'p': the item has 2 cells of 0 and 1"):
        decided(MATRIX, [[1, 0, 1], [0, 1], [1, 1, 0]])
    assert decided(MATRIX, MATRIX[::-1]) == pc.decisions(MATRIX, MATRIX[::-1])
    assert decided([["a"], ["b", "c"]], [["b"], ["c", "b"]]) == pc.decisions(
        [{"a"}, {"b", "c"}], [{"b"}, {"c", "b"}]
    )
    rows = [{"t": row, "pa": 0.5, "pb": 0.1} for row in ([1, 0], [0, 1])]
    with pytest.raises(
        pc.DataError, match="rows of 0 and 1 do not say which columns of scores they are of"
    ):
        read_status(write(tmp_path / f"s.{ending}", rows, ending), "t", "p*")


def test_cells_with_a_separator(tmp_path):
    (tmp_path / "x.csv").write_text("t,p\na;b,a\nb;c;b,b\n")
    with pytest.raises(pc.DataError, match="x.csv:3: column 't': the item has 'b' twice"):
        read_decisions(str(tmp_path / "x.csv"), "t", "p", separator=";")


def test_a_positive_label_of_lists_in_files_counts(tmp_path):
    """It was passed over without a word."""
    path = write(
        tmp_path / "x.jsonl", [{"t": ["a", "b"], "p": ["b"]}, {"t": ["c"], "p": ["b"]}], "jsonl"
    )
    found = read_decisions(path, "t", "p", positive="b")
    assert found.categories == ("relevant",) and found.table.to_dict()["fp"] == [1]


class Mood(str, Enum):  # noqa: UP042 - a StrEnum prints its value, these print their names
    LOW = "low"
    LESS = "less"


class Loud(str):
    __slots__ = ()

    def __str__(self):
        return "loud"


@by_columns
def test_a_member_of_an_enum_is_its_value(door):
    cells = COLUMNS[door]([Mood.LOW, Mood.LESS, Mood.LOW])
    said = ["less", "low", "low"]
    found = pc.decisions(cells, said)
    assert found == pc.decisions(["low", "less", "low"], said) and found.accuracy() == 1 / 3
    assert found.categories == ("less", "low") and set(map(type, found.categories)) == {str}
    assert "'low'" in repr(found.categories) and "Mood" not in str(found)
    for positive in ("low", Mood.LOW):
        assert (
            pc.decisions(cells, said, positive=positive).f()
            == pc.decisions(["low", "less", "low"], said, positive="low").f()
        )
        assert pc.curve(cells, [3, 2, 1], positive=positive).relevant == 2
        assert (
            pc.ScoredCases.scan([(cells, [3.0, 2.0, 1.0])], positive=positive).curve().relevant == 2
        )
    scores = [[0.1, 0.9], [0.8, 0.2], [0.3, 0.7]]
    for names in (None, ["less", "low"], [Mood.LESS, Mood.LOW]):
        assert pc.categorize(cells, scores, names).by_category("AP").table.to_dict() == {
            "ranking": ["less", "low"],
            "value": [1.0, 1.0],
        }
    frame = pd.DataFrame(scores, columns=[Mood.LESS, Mood.LOW])
    assert pc.categorize(cells, frame).categories == ("less", "low")
    assert "Mood" not in str(found.confusion()) and "Mood" not in found.to_json()


def test_other_texts_with_a_text_of_their_own():
    with warned(NoCommonLabel):
        assert pc.decisions([Loud("a"), Loud("b")], [Loud("c"), Loud("d")]).categories == (
            "a",
            "b",
            "c",
            "d",
        )
    assert pc.decisions([{Loud("a")}, {Loud("b")}], [{"b"}, {"a"}]).f(average="micro") == 0
    assert compat.accuracy_score([Mood.LOW, Mood.LESS], [Mood.LESS, Mood.LOW]) == 0
    assert compat.f1_score([Mood.LOW, Mood.LESS], ["low", "low"], pos_label="low") == pytest.approx(
        2 / 3
    )
    # Zeros at the end, which NumPy cuts off as well.
    assert pc.decisions(["a", "a\0", "b"], ["a\0", "a", "b"]).accuracy() == 1 / 3
    assert pc.decisions([b"a", b"a\0"], [b"a\0", b"a"]).accuracy() == 0
    assert pc.curve(["a", "a\0"], [1, 2], positive="a").relevant == 1


class Ids(str, Enum):  # noqa: UP042 - as above
    Q = "q"
    A = "d1"
    B = "d2"


@pytest.mark.parametrize(
    "qrels",
    [
        {Ids.Q: {Ids.B: 1}},
        {Ids.Q: [Ids.B]},
        [(Ids.Q, Ids.B, 1)],
        [{"topic": Ids.Q, "item": Ids.B, "grade": 1}],
        pd.DataFrame({"topic": [Ids.Q], "item": [Ids.B], "grade": [1]}),
        pl.DataFrame({"topic": [Ids.Q], "item": [Ids.B], "grade": [1]}),
    ],
    ids=["dicts", "lists", "rows", "rows of dicts", "pandas", "polars"],
)
def test_so_are_ids(qrels):
    report = pc.evaluate(
        qrels, {Ids.A: {"q": {"d1": 1.0, "d2": 0.5}}, Ids.B: {Ids.Q: {Ids.B: 1.0}}}, ["AP"]
    )
    assert (
        [run.name for run in report.runs] == ["d1", "d2"]
        and report["d1", "AP"] == 0.5
        and report["d2", "AP"] == 1
    )


def test_so_are_names():
    assert pc.ranking([Ids.A], ["d2", Ids.A])["AP"] == 0.5
    found = pc.compare.decisions([1, 0, 1], [1, 0, 1], [1, 1, 1], names=(Ids.A, Ids.B))
    assert found.names == ("d1", "d2") and "Ids" not in str(found)
    many = pc.compare.many({Ids.A: [0.1, 0.2, 0.4], Ids.B: [0.2, 0.4, 0.5]}, measure="AP")
    assert "Ids" not in str(many)
    rows = [(Ids.Q, Ids.A, Ids.B, 1)]
    assert len(pc.locate_subtopics(rows, {"q": {"d2": 1.0}}).topics) == 1


@pytest.mark.parametrize(
    ("truth", "said", "text"),
    [
        (
            ["1", "2"],
            [1, 2],
            "truth has texts such as '1' and predicted has numbers such as 1: they never match",
        ),
        (
            [0, 1, 2],
            ["LABEL_0", "LABEL_1", "LABEL_2"],
            "numbers such as 0 and predicted has texts such as 'LABEL_0'",
        ),
        (["a", "b"], [b"a", b"b"], "texts such as 'a' and predicted has bytes such as b'a'"),
        ([{"a"}, {"b"}], [{1}, {2, 3}], "texts such as 'a' and predicted has numbers such as 1"),
        ([date(2026, 1, 1)], ["2026-01-01"], "date objects such as .* and predicted has texts"),
        (["a", "b"], [0.3, 0.9], "predicted: scores beside labels are no decisions"),
        ([0, 1, 2], [0.1, 1.2, 1.9], "predicted: scores beside labels are no decisions"),
        ([0.3, 0.9, 0.2], [0, 1, 0], "truth: numbers with fractions are no labels"),
    ],
)
def test_types_that_cannot_match_are_refused(truth, said, text):
    doors = (
        [list]
        if isinstance(truth[0], set | date)
        else [list, lambda cells: np.array(cells), pd.Series, pl.Series, pa.array]
    )
    for door in doors:
        with pytest.raises(pc.UsageError, match=text):
            pc.decisions(door(truth), door(said))
    with pytest.raises(pc.UsageError, match=text.replace("predicted", "b")):
        pc.compare.decisions(truth, truth, said)
    if not isinstance(truth[0], set | date):
        with pytest.raises((ValueError, TypeError)):
            metrics.f1_score(truth, said, average="macro")


@pytest.mark.parametrize(
    ("truth", "said", "kind", "labels"),
    [
        (["neg", "pos"], ["Neg", "Pos"], NoCommonLabel, (("neg", "pos"), ("Neg", "Pos"))),
        ([3, 4, 3], [0, 1, 0], NoCommonLabel, ((3, 4), (0, 1))),
        ([{"a"}, {"b"}], [{"c"}, set()], NoCommonLabel, (("a", "b"), ("c",))),
        (["neg", "pos", "neu"], ["neg", "Pos", "neu"], LabelsUnlike, ("pos", "Pos")),
        (["neg", "pos ", "neu"], ["neg", "pos", "neu"], LabelsUnlike, ("pos ", "pos")),
        # One side has both spellings.
        (["neg", "pos", "neu"], ["neg", "Neg", "neu"], LabelsUnlike, ("neg", "Neg")),
        (["neg", "Neg", "neu"], ["neg", "neg", "neu"], LabelsUnlike, ("Neg", "neg")),
        (
            list("abcdefg"),
            list("hijklmn"),
            NoCommonLabel,
            (("a", "b", "c"), ("h", "i", "j")),
        ),
    ],
)
def test_labels_that_do_not_match_are_named(truth, said, kind, labels):
    with warned(kind) as told:
        pc.decisions(truth, said)
    (note,) = told
    assert (note.names, note.labels) == (("truth", "predicted"), labels)
    if kind is NoCommonLabel:
        assert note.more == (max(len(set(truth)) - 3, 0),) * 2 if len(truth) > 3 else (0, 0)
    with warned(kind) as told:
        pc.compare.decisions(truth, said, truth, "accuracy")
    assert [(note.names, note.labels) for note in told] == [(("truth", "a"), labels)]


@pytest.mark.parametrize(
    ("truth", "said", "starts"),
    [
        ([1, 2, 3, 1], [0, 1, 2, 0], (1, 0)),
        ([0, 1, 1, 0], [1, 2, 2, 1], (0, 1)),
        (["1", "2", "3", "1"], ["0", "1", "2", "0"], (1, 0)),
    ],
)
def test_labels_counted_from_0_and_from_1_are_named(truth, said, starts):
    """They have labels in common, so that accuracy was 0 without a word."""
    with warned(LabelsShifted) as told:
        found = pc.decisions(truth, said)
    assert [note.values for note in told] == [{"names": ("truth", "predicted"), "starts": starts}]
    assert found.accuracy() == 0.0


@pytest.mark.parametrize("said", [[1, 2, 3, 1], [2, 3, 4, 2], [0, 1, 3, 0], [0, 1, 0, 1]])
def test_other_labels_are_not_said_to_be_shifted(said):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        pc.decisions([1, 2, 3, 1], said)
    assert not [each for each in told if isinstance(each.message.note, LabelsShifted)]


def test_labels_that_look_the_same_say_why_they_are_two():
    """The note showed one text twice."""
    with warned(LabelsUnlike) as told:
        pc.decisions(["\u00e9", "x"], ["e\u0301", "x"])
    assert told[0].looks_alike


def test_spellings_are_looked_at_of_named_categories_too():
    with warned(LabelsUnlike):
        pc.decisions(["Neg", "pos"], ["neg", "pos"], categories=["Neg", "neg", "pos"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pc.decisions(["Neg", "neg", "pos"], ["neg", "Neg", "pos"], categories=["Neg", "neg", "pos"])


@pytest.mark.filterwarnings("default")
def test_that_is_so_in_files(tmp_path, capsys):
    (tmp_path / "x.csv").write_text("t,p,q,s\nneg,Neg,neg,.5\npos,Pos,neg,.7\n")
    labels = (("neg", "pos"), ("Neg", "Pos"))
    path = str(tmp_path / "x.csv")
    with warned(NoCommonLabel) as told:
        read_decisions(path, "t", "p")
    assert [(note.names, note.labels) for note in told] == [(("truth", "predicted"), labels)]
    assert run(["compare", "--decisions", path, "--truth", "t", "--a", "p", "--b", "q"]) == 0
    assert shown(
        capsys.readouterr().err, NoCommonLabel("", ("truth", "p"), labels), style="command"
    )
    assert run(["decisions", path, "--truth", "t", "--predicted", "s"]) == 2
    assert "column 's': scores beside labels are no decisions" in capsys.readouterr().err


def test_declared_categories_are_not_doubted():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pc.decisions(["a", "a"], ["b", "b"], ["a", "b"]).accuracy() == 0
        pc.decisions([0, 0], [1, 1])
        pc.decisions([set()], [{"a"}])


def test_a_fold_that_lacks_a_class_leads_to_categories():
    text = (
        "scores: 3 columns, but the truth has 2 labels, 'a', 'b'; name all columns in their order "
        "with categories="
    )
    with pytest.raises(pc.UsageError, match=text):
        pc.categorize(["a", "b", "a"], SCORES)
    assert pc.categorize(["a", "b", "a"], SCORES, ["a", "b", "c"]).by_category("AP").undefined == 1
    with pytest.raises(pc.UsageError, match="a row for each of 3 items, got 2 rows"):
        pc.categorize(["a", "b", "a"], SCORES[:2])
    with pytest.raises(
        pc.UsageError, match="a column for each of the categories, 'a', 'b', got 3 columns"
    ):
        pc.categorize(["a", "b", "a"], SCORES, ["a", "b"])


LEVELS = ["c", "b", "a"]
DECLARED = {
    "pandas": (
        lambda ordered: pd.Series(pd.Categorical(["a", "b"], LEVELS, ordered=ordered)),
        (False, True),
    ),
    "categorical": (
        lambda ordered: pd.Categorical(["a", "b"], LEVELS, ordered=ordered),
        (False, True),
    ),
    "polars": (lambda ordered: pl.Series(["a", "b"], dtype=pl.Enum(LEVELS)), (True,)),
    "arrow": (
        lambda ordered: pa.DictionaryArray.from_arrays(
            pa.array([2, 1]), pa.array(LEVELS), ordered=ordered
        ),
        (False, True),
    ),
    "chunks": (
        lambda ordered: pa.chunked_array(
            [pa.DictionaryArray.from_arrays(pa.array([2, 1]), pa.array(LEVELS), ordered=ordered)]
        ),
        (False, True),
    ),
}


@pytest.mark.parametrize(
    ("door", "ordered"), [(name, way) for name, (_, ways) in DECLARED.items() for way in ways]
)
def test_declared_levels_are_categories(door, ordered):
    given = DECLARED[door][0](ordered)
    names = tuple(LEVELS if ordered else sorted(LEVELS))
    assert pc.decisions(given, ["a", "b"]).categories == names
    assert pc.decisions(["a", "b"], given).categories == names
    assert pc.decisions(given, ["a", "x"]).categories == (*names, "x")
    assert pc.decisions(given, ["a", "b"], ["a", "b"]).categories == ("a", "b")
    found = pc.decisions(given, ["a", "a"], positive="a")
    assert found.categories == ("relevant",) and found.f() == pytest.approx(2 / 3)
    scores = [[0.1, 0.2, 0.9], [0.2, 0.8, 0.1]]
    with pytest.raises(
        pc.UsageError,
        match="the columns may be 'c', 'b', 'a'.* or 'a', 'b', 'c', as scikit-learn sorts them",
    ):
        pc.categorize(given, scores)
    assert pc.categorize(given, pd.DataFrame(scores, columns=LEVELS)).categories == tuple(LEVELS)


def test_levels_that_are_a_yes_or_no_are_one():
    for levels in ([0, 1], [-1, 1], [False, True]):
        given = pd.Categorical([levels[1], levels[0], levels[1]], levels)
        assert pc.decisions(given, [levels[1], levels[1], levels[0]]).categories == ("relevant",)
    assert pc.decisions(pd.Categorical([0, 1], [0, 1, 2]), [0, 1]).categories == (0, 1, 2)


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_levels_in_files(ending, tmp_path):
    frame = pl.DataFrame({"t": pl.Series(["a", "b"], dtype=pl.Enum(LEVELS)), "p": ["a", "b"]})
    path = tmp_path / f"x.{ending}"
    (frame.write_parquet if ending == "parquet" else frame.write_ipc)(path)
    assert read_decisions(str(path), "t", "p").categories == tuple(LEVELS)


YES, HALF = [Decimal(1), Decimal(0), Decimal("1.0"), Decimal(0)], [0.9, 0.1, 0.8, 0.3]
DECIMALS = {**COLUMNS, "polars": pl.Series, "arrow": pa.array}


@pytest.mark.parametrize("door", DECIMALS)
def test_decimals_are_numbers_by_every_door(door):
    given = DECIMALS[door](YES)
    assert pc.curve(given, HALF).value("AP") == pc.curve(given, HALF, positive=1).value("AP") == 1
    assert pc.decisions(given, [1, 0, 0, 0]) == pc.decisions([1, 0, 1, 0], [1, 0, 0, 0])
    assert pc.categorize(given, [[0.1, 0.9], [0.9, 0.1]] * 2).categories == (0, 1)
    assert pc.ScoredCases.scan([(given, HALF)]).curve().relevant == 2
    halves = DECIMALS[door]([Decimal("0.5"), Decimal("1.5")])
    assert pc.decisions(halves, [0.5, 1.5]).categories == (0.5, 1.5)


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_decimals_in_files(ending, tmp_path):
    frame = pl.DataFrame({"y": YES, "s": HALF, "p": [1, 0, 0, 0]})
    path = tmp_path / f"x.{ending}"
    (frame.write_parquet if ending == "parquet" else frame.write_ipc)(path)
    for positive in (None, "1"):
        assert read_cases(str(path), "y", ["s"], positive=positive).relevant.tolist() == [
            True,
            False,
            True,
            False,
        ]
    # Labels 0/1 as decimals beside a column of two values: these were said to be swapped.
    assert read_cases(str(path), "y", ["p"]).relevant.sum() == 2
    assert read_decisions(str(path), "y", "p") == pc.decisions([1, 0, 1, 0], [1, 0, 0, 0])
    assert pc.ScoredCases.scan(str(path), label="y", score="s").curve().relevant == 2


def test_soft_labels_are_told_what_to_do(tmp_path):
    text = (
        "numbers with fractions are no labels.*; say from where on it is so, such as by labels >= "
        "0.5"
    )
    soft = [0.2, 0.9, 0.4, 0.1]
    for door in (
        list,
        np.array,
        pd.Series,
        pl.Series,
        lambda cells: [Decimal(str(cell)) for cell in cells],
        lambda cells: [*map(str, cells)],
    ):
        with pytest.raises(pc.DataError, match=text):
            pc.curve(door(soft), HALF)
    (tmp_path / "x.csv").write_text("y,s\n.2,.5\n.9,.4\n.4,.3\n")
    pl.DataFrame({"y": soft, "s": HALF}).write_parquet(tmp_path / "x.parquet")
    for name in ("x.csv", "x.parquet"):
        with pytest.raises(pc.DataError, match=text):
            read_cases(str(tmp_path / name), "y", ["s"])
        with pytest.raises(pc.DataError, match=text):
            pc.ScoredCases.scan(str(tmp_path / name), label="y", score="s")
    with pytest.raises(pc.DataError, match="say from where on it is so, such as by labels"):
        pc.categorize([[0.2, 0.8], [0.9, 0.1]], [[0.1, 0.2], [0.3, 0.4]])


@pytest.mark.parametrize(
    "cells", [[[["O", "B"], ["O"]]], [[[0, 1], [1, 0]], [[1, 0], [0, 1]]], [[[{1}, {2}], [{1}]]]]
)
def test_lists_within_lists_of_labels_are_no_labels(cells):
    for door in (list, pd.Series, tuple):
        with pytest.raises(pc.DataError, match="write labels as text, numbers or truth values"):
            pc.decisions(door(cells), door(cells))
        with pytest.raises(pc.DataError, match="write labels as text, numbers or truth values"):
            pc.compare.decisions(door(cells), door(cells), door(cells))


def test_columns_are_named_where_names_help():
    square = np.eye(4)
    for truth, remedy in [
        (
            [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]],
            "give a matrix as many columns as there are scores",
        ),
        ([0, 1, 2, 0], "name all columns"),
    ]:
        with pytest.raises(pc.UsageError) as refused:
            pc.categorize(truth, square)
        assert refused.value.remedy.startswith(remedy)
    with pytest.raises(pc.UsageError) as refused:
        pc.categorize([0, 1, 2, 0], np.ones((4, 2)))
    assert refused.value.remedy == "give scores of every label, a column for each"
