"""Notes from reading runs, qrels, labels and scores: what was assumed, and what looks wrong."""

from __future__ import annotations

import unicodedata

from precall.core.notes.facts import Note, Severity, note_kind
from precall.core.text import listing, short_repr

# --- Columns and forms ---


@note_kind
class ColumnsRead(Note):
    """Columns were recognised under other names than those of their roles."""

    columns: tuple[tuple[str, str], ...]
    severity = Severity.INFORMATIVE
    text = "columns read: {pairs}"

    @property
    def pairs(self) -> str:
        """Each column, and what it was read as."""
        return ", ".join(f"{short_repr(name)} as {role}" for name, role in self.columns)


@note_kind
class RankAsScore(Note):
    """A table without scores has ranks, which were read as scores, the lowest first."""

    column: str
    severity = Severity.INFORMATIVE
    text = "{column:written} read as score, lowest first"


@note_kind
class NoHeading(Note):
    """A table has rows from its first line on, which were read as these columns."""

    columns: str
    severity = Severity.INFORMATIVE
    text = "no heading; the columns are {columns}"


@note_kind
class NoScores(Note):
    """A table has no column of scores."""

    severity = Severity.INFORMATIVE
    text = "no column of scores: items keep the order of the rows"


@note_kind
class NoGrades(Note):
    """A table has no column of grades."""

    severity = Severity.INFORMATIVE
    text = "no column of grades: each grade is 1"


@note_kind
class GradesBelowOne(Note):
    """Grades with fractions lie between 0 and 1, the least grade that is relevant by default."""

    judgements: int
    least: float
    severity = Severity.DOUBTFUL
    text = (
        "{judgements:judgement} above 0 and below 1 {verb} as not relevant; ⟨grade={least}⟩ counts "
        "{them} as relevant"
    )

    @property
    def verb(self) -> str:
        """The verb."""
        return "counts" if self.judgements == 1 else "count"

    @property
    def them(self) -> str:
        """The pronoun."""
        return "it" if self.judgements == 1 else "them"


@note_kind
class PartOfFile(Note):
    """The data are nested in a file or dict, under these names."""

    names: tuple[str, ...]
    severity = Severity.INFORMATIVE
    text = "read from its part {names}"


@note_kind
class AllTopicsCount(Note):
    """For lists, every query of the gold counts."""

    severity = Severity.INFORMATIVE
    text = "Every gold query counts; a query without results scores 0"


@note_kind
class ListsByPlace(Note):
    """Lists of lists are matched by position."""

    severity = Severity.INFORMATIVE
    text = "List i of the gold goes with list i of each system; queries are numbered from 0"


@note_kind
class TableAsColumn(Note):
    """A table of one column was taken as that column."""

    shape: tuple[int, ...]
    severity = Severity.INFORMATIVE
    text = "a table of one column, of shape ({size}), is taken as that column"

    @property
    def size(self) -> str:
        """Its rows and columns."""
        return ", ".join(map(str, self.shape))


@note_kind
class LevelsUnread(Note):
    """The labels that the type of a column declares could not be read."""

    columns: tuple[str, ...]
    reason: str
    severity = Severity.DOUBTFUL
    text = (
        "columns {columns}: labels that only their type declares are unknown,"
        " because PyArrow {reason}; name all labels with ⟨categories=⟩"
    )


# --- Order ---


@note_kind
class LowestIsBest(Note):
    """By its name, a column has its best value at the low end."""

    column: str
    what: str
    severity = Severity.WRONG
    text = (
        "{column!r} looks like a {what}, whose lowest value is the best; if "
        "so, pass ⟨higher_is_better=False⟩"
    )


@note_kind
class RanksDisagree(Note):
    """Ranks and scores give different orders."""

    rank: str
    score: str
    disagreeing: int
    topics: int
    is_reversed: bool
    is_beginning: bool = False
    """Whether only the first topics of a long text were checked."""

    @property
    def severity(self) -> Severity:  # type: ignore[override]
        """Reversed scores make every number wrong; another disagreement is only doubtful."""
        return Severity.WRONG if self.is_reversed else Severity.DOUBTFUL

    def template(self) -> str:
        """The sentence; the advice depends on whether the ranks put the lowest score first."""
        some = "{disagreeing} of " if self.disagreeing < self.topics else "all "
        some += "of " * (self.is_beginning and some == "all ") + "the first " * self.is_beginning
        beginning = "{rank} and {score} give different orders in " + some + "{topics:topic}: "
        if self.is_reversed:
            return (
                beginning + "the ranks put the lowest {score} first; if low scores are good, pass "
                "⟨lower_is_better=True⟩"
            )
        return beginning + "{score} decides, as in trec_eval, which does not read ranks"


@note_kind
class NamesOfRuns(Note):
    """A column called as names of runs are has several values, but each topic, or each item, has
    only one.
    """

    column: str
    runs: int
    per: str
    """What has one value only: "topic" or "item"."""
    severity = Severity.DOUBTFUL
    text = (
        "column {column!r} names {runs:run}, but each {per} is in one of them only, so all rows "
        "were read as one run; to measure each separately, pass ⟨run_column={column!r}⟩"
    )


@note_kind
class NamesOfSystems(Note):
    """A table of cases has a column called as names of systems are, and nobody named it."""

    column: str
    systems: int
    severity = Severity.DOUBTFUL
    text = (
        "column {column!r} names {systems:system}, but all rows were measured together; if each is "
        "a system of its own, give each a column, with one row for each case"
    )


@note_kind
class LowestFirst(Note):
    """In every topic the scores of the rows ascend, which is unlikely by chance."""

    topics: int
    severity = Severity.WRONG
    text = (
        "in every topic the lowest score stands first; if low scores are "
        "good, as for distances, pass ⟨lower_is_better=True⟩"
    )


# --- Ids ---


@note_kind
class NothingJudged(Note):
    """No retrieved item of a run is judged; `retrieved` and `judged` are examples of both."""

    retrieved: str
    judged: str
    remedy: str = "check that item ids are written alike"
    severity = Severity.WRONG
    text = (
        "no retrieved item is {:judged} ({:run}: {retrieved:written}; {:qrels}: {judged:written}); "
        "{remedy}"
    )


@note_kind
class LastIsPadding(Note):
    """In some topics the last item is called -1, and other ids are texts."""

    topics: int
    severity = Severity.WRONG
    text = (
        "the last item of {topics:topic} is '-1', but other ids are texts; FAISS and other "
        "vector indexes write -1 if they find nothing, so leave it out"
    )


@note_kind
class IdsUnlike(Note):
    """An id in a run, that of a `what`, is nearly the same as an id in the qrels.

    They differ only in blanks at their ends, in invisible characters, in how Unicode writes
    letters, in capitals or in leading zeros.
    """

    what: str
    given: str
    judged: str
    remedy: str
    severity = Severity.WRONG
    text = (
        "the {:run} has the {noun} {given:written}, the {:qrels} {judged:written}: these are two "
        "ids; {remedy}"
    )

    @property
    def noun(self) -> str:
        """What has the id, in the words of the vocabulary."""
        return self.vocabulary.word(self.what)


# --- Labels ---


@note_kind
class OtherLabels(Note):
    """Several labels count as not relevant."""

    labels: tuple[str, ...]
    more: str = ""
    severity = Severity.INFORMATIVE
    text = "labels that count as not relevant: {labels}{rest}"

    @property
    def rest(self) -> str:
        """How many are not listed."""
        return f" and {self.more} more" if self.more else ""


@note_kind
class TwoWaysOfLabels(Note):
    """One column has labels -1 and 1, another 0 and 1."""

    signed: tuple[str, ...]
    plain: tuple[str, ...]
    severity = Severity.WRONG
    text = (
        "labels: {those} has -1 and 1, {others} has 0 and 1; together these "
        "are three categories, so write all in one way"
    )

    @property
    def those(self) -> str:
        """The columns that have -1."""
        return " and ".join(self.signed)

    @property
    def others(self) -> str:
        """The columns that have 0."""
        return " and ".join(self.plain)


@note_kind
class OneNumberTwice(Note):
    """Two labels are texts of one number, as in a table with gaps."""

    first: str
    second: str
    severity = Severity.WRONG
    text = (
        "labels {first!r} and {second!r} are the same number, but two "
        "categories; write it in one way"
    )


@note_kind
class NoCommonLabel(Note):
    """Truth and decisions have labels, but none in common; `labels` are the first three of each,
    and `more` is how many others there are.
    """

    names: tuple[str, str]
    labels: tuple[tuple[str | float, ...], ...]
    more: tuple[int, int] = (0, 0)
    severity = Severity.WRONG
    text = "no label in common: {labels_of_each}; check that both write labels alike"

    @property
    def labels_of_each(self) -> str:
        """The labels of each."""
        return ", ".join(
            f"{name} has {listing(labels, short_repr)}" + f" and {more} more" * bool(more)
            for name, labels, more in zip(self.names, self.labels, self.more, strict=True)
        )


@note_kind
class GroupsUnlike(Note):
    """Two names of groups differ only in capitals, in blanks, or in characters that are not
    seen.
    """

    groups: tuple[str, str]
    remedy: str
    severity = Severity.DOUBTFUL
    text = "groups {both}: these are two groups; {remedy}"

    @property
    def both(self) -> str:
        """The two names."""
        return " and ".join(map(repr, self.groups))


@note_kind
class LabelsShifted(Note):
    """Labels are whole numbers, which one column counts from 0 and another from 1."""

    names: tuple[str, str]
    starts: tuple[int, int]
    severity = Severity.WRONG
    text = "labels: {starts_of_each}; if these are the same categories, write both alike"

    @property
    def starts_of_each(self) -> str:
        """Where each begins."""
        (first, second), (start, other) = self.names, self.starts
        return f"{first} counts from {start} and {second} counts from {other}"


@note_kind
class LabelsUnlike(Note):
    """A label of one column differs from a label of the other only in case or blanks."""

    names: tuple[str, str]
    labels: tuple[str, str]
    severity = Severity.WRONG
    text = "{labels_of_each}: these are two categories; {remedy}"

    @property
    def remedy(self) -> str:
        """What to do; labels that look the same have other code points."""
        if self.looks_alike:
            return (
                "they differ in how Unicode writes letters; normalize both with "
                "unicodedata.normalize('NFC', label)"
            )
        return "check that both write labels alike"

    @property
    def looks_alike(self) -> bool:
        """Whether both labels differ only in how Unicode writes letters."""
        first, second = (unicodedata.normalize("NFC", label) for label in self.labels)
        return first == second

    @property
    def labels_of_each(self) -> str:
        """The label of each."""
        return f"{self.names[0]} has {self.labels[0]!r} and {self.names[1]} {self.labels[1]!r}"


#: Advice on a text that holds several labels.
SPLIT = "⟨split it into a list: cell.split({mark!r})¦say --separator {mark!r}⟩"


@note_kind
class PartsAreLabels(Note):
    """A label is a category of its own, and so are its parts."""

    label: str
    mark: str
    severity = Severity.WRONG
    text = (
        "{label} is a category, and so are its parts. If it stands for several labels, "
        + SPLIT
        + "; otherwise name all labels with ⟨categories=⟩"
    )


@note_kind
class PartsRecur(Note):
    """Most categories have blanks or tabs, and the words between them recur at other places of
    others.
    """

    label: str
    categories: int
    words: int
    mark: str = " "
    severity = Severity.WRONG
    text = (
        "{categories} categories such as {label} are made of {words} words; if each word is a "
        "label, " + SPLIT + "; otherwise name all labels with ⟨categories=⟩"
    )


@note_kind
class OrderNotCounted(Note):
    """Lists have the same labels in every item, but in another order, which sets of labels
    ignore.
    """

    names: tuple[str, str]
    items: int
    severity = Severity.DOUBTFUL
    text = (
        "{both} have the same labels in every item, in another order in "
        "{items:item}; sets of labels ignore order. For token tags, pass the "
        "tags of all tokens as one list."
    )

    @property
    def both(self) -> str:
        """The names of both columns."""
        return " and ".join(self.names)


# --- Arguments ---


@note_kind
class LowLevel(Note):
    """The level of an interval is below one half."""

    level: float
    meant: float
    severity = Severity.WRONG
    text = (
        "level {level:g}: did you mean {meant:g}? The level is the share of "
        "samples whose interval contains the truth, 1 - alpha."
    )


# --- As other programs say it ---


@note_kind
class OfScikitLearn(Note):
    """A message of scikit-learn about such input, in its words."""

    words: str
    severity = Severity.INFORMATIVE
    text = "{words}"


@note_kind
class OneSubtopic(Note):
    """Measures of diversity are asked for, but all judgements are of one subtopic."""

    severity = Severity.DOUBTFUL
    text = (
        "measures of diversity need subtopics, but all judgements are of one;"
        " the subtopic is the second field of a line, or the iteration of a row"
    )


@note_kind
class NamesLeftOut(Note):
    """A set of trec_eval has measures for which ir_measures has no names."""

    names: tuple[str, ...]
    severity = Severity.INFORMATIVE
    text = "ir_measures has no names for {names}; they are left out"


@note_kind
class LastCounts(Note):
    """Rows of qrels repeat an item of their topic."""

    rows: int
    severity = Severity.INFORMATIVE
    text = "repeated items of topics: {rows:row}; the last counts, as in ir_measures"


@note_kind
class NanScore(Note):
    """A score is NaN, so its rank depends on the sort."""

    severity = Severity.WRONG
    text = (
        "NaN is equal to every score, so its rank depends on the sort; count "
        "the case with add_misses()"
    )
