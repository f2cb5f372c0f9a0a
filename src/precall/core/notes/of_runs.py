"""Notes on runs and their evaluation."""

from __future__ import annotations

from typing import ClassVar

from precall.core.notes.facts import Meaning, Note, Severity, note_kind


@note_kind
class NameOfOthers(Note):
    """The name of a measure that other programs use for another number."""

    elsewhere: str
    severity = Severity.INFORMATIVE
    text = "{elsewhere}"


# --- Topics ---


@note_kind
class MissingTopics(Note):
    """A run lacks topics of the qrels."""

    missing: int
    total: int
    severity = Severity.WRONG
    meaning: ClassVar[Meaning | None] = Meaning(
        "Missing {:topics}",
        (
            "The {:run} has no items for some judged {:topics}. They count as empty rankings only "
            "if the averages are over all judged {:topics}."
        ),
    )
    text = "{missing} of {total:topic} of the {:qrels} missing"


@note_kind
class NothingRetrieved(Note):
    """A run retrieved nothing for most of the averaged topics."""

    topics: int
    total: int
    severity = Severity.WRONG
    text = "nothing was retrieved for {topics} of {total:topic} that count"


@note_kind
class EmptyRankings(Note):
    """A run has averaged topics with no item, such as empty lists."""

    empty: int
    total: int
    severity = Severity.DOUBTFUL
    text = "{empty} of {total:topic} with an empty list of results"


@note_kind
class Unanswerable(Note):
    """Topics without a relevant item are left out, as was asked."""

    without: int
    total: int
    severity = Severity.INFORMATIVE
    text = "{without} of {total:topic} left out: no item of theirs is relevant"


@note_kind
class SelvesDropped(Note):
    """Items that are the query itself were removed, as was asked."""

    items: int
    topics: int
    severity = Severity.INFORMATIVE
    text = "{items:item} that {are} the query itself removed, in {topics:topic}"

    @property
    def are(self) -> str:
        """The verb."""
        return "is" if self.items == 1 else "are"


@note_kind
class SelfRetrieved(Note):
    """Topics begin with an item of the same id: the query itself is in the collection."""

    topics: int
    total: int
    severity = Severity.DOUBTFUL
    text = (
        "{topics} of {total:topic} {begin} with an item that is the query itself; ⟨drop_self=True⟩ "
        "removes these, as BEIR and MTEB do"
    )

    @property
    def begin(self) -> str:
        """The verb."""
        return "begins" if self.topics == 1 else "begin"


@note_kind
class NoGroup(Note):
    """Topics are averaged that are in no group, so that no group's average has them."""

    without: int
    total: int
    severity = Severity.DOUBTFUL
    text = "{without} of {total:topic} in no group"


@note_kind
class UnjudgedTopics(Note):
    """A run has topics that the qrels lack."""

    unjudged: int
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = Meaning(
        "Unjudged {:topics}",
        "Nobody judged items for these {:topics} of the {:run}, so they are left out.",
    )
    text = "{unjudged:topic} not in the {:qrels}"


@note_kind
class NothingRelevant(Note):
    """Averaged topics have no relevant item."""

    topics: int
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = Meaning(
        "Nothing to find",
        (
            "If no item of a {:topic} is relevant, most measures are undefined there, whatever the "
            "system does."
        ),
    )
    text = "{topics:topic} without relevant items"


@note_kind
class UndefinedTopics(Note):
    """Measures are undefined in some of the averaged topics."""

    measures: tuple[str, ...]
    topics: int
    policy: str
    at_worst: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = Meaning(
        "Undefined values",
        "The measure has no value for these {:topics}. The note says how averages treat them.",
    )

    def template(self) -> str:
        """The sentence, with what averages did about these topics."""
        text = "{measures} undefined in {topics:topic}"
        if self.policy != "zero":
            return text + ", left out" * (self.policy == "omit")
        counted = len(self.measures) - len(self.without)
        if len(self.at_worst) == counted:
            text += ", counted as 1" * bool(counted)
        else:
            text += ", counted as 0" + ", {at_worst} as 1" * bool(self.at_worst)
        of = "the average" if not counted else "the average of {without}"
        if self.without:
            text += (
                f"; no value would be fair, so {of} is undefined; ⟨undefined='omit'⟩ "
                "leaves such {:topics} out"
            )
        return text


@note_kind
class UnlikeTopics(Note):
    """Runs are averaged over different topics."""

    severity = Severity.WRONG
    meaning: ClassVar[Meaning | None] = Meaning(
        "Different {:topics}",
        (
            "An average over easier {:topics} is higher whatever the system, so these averages do "
            "not show which system is better."
        ),
    )
    text = (
        "{:runs} are averaged over different {:topics} and cannot be compared; pass "
        "⟨topics='qrels'⟩"
    )


# --- Unjudged items ---

UNJUDGED = Meaning(
    "Bounds",
    (
        "Nobody judged some items. The bounds are the lowest and the highest value that the "
        "measure can have, whatever their labels are. They assume nothing, and are not an "
        "interval: a value near an end is as possible as one in the middle."
    ),
)


@note_kind
class UnjudgedItems(Note):
    """Rankings have items that nobody judged, whose labels the bounds leave open."""

    items: int
    total: int
    missed: int
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = UNJUDGED
    text = "{items} of {total:retrieved item} unjudged"

    def template(self) -> str:
        """The sentence, with the items of the pool."""
        return self.text + ", and {missed} more of the pool" * bool(self.missed)


@note_kind
class LabelsUndefined(Note):
    """Measures are undefined for some labels of unjudged items."""

    measures: tuple[str, ...]
    topics: int
    policy: str
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = UNJUDGED

    def template(self) -> str:
        """The sentence, with what bounds of averages do about these topics."""
        if self.policy == "omit":
            return (
                "{measures} undefined in {topics:topic} for some labels; the bounds of the average "
                "leave such {:topics} out if that makes them wider"
            )
        return (
            "{measures} undefined in {topics:topic} for some labels, which count in the bounds of "
            "the average as they do in the average"
        )

    text = "{measures} undefined in {topics:topic} for some labels"


@note_kind
class JudgeNext(Note):
    """In the topic with the widest bounds, the unjudged item whose label narrows them most."""

    measure: str
    item: str
    topic: str
    width: float
    at_most: float
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = UNJUDGED
    text = (
        "judge item {item} of {:topic} {topic} next: the bounds of its {measure} are "
        "{width:value} wide, and at most {at_most:value} once this item has a label"
    )


@note_kind
class NothingJudgedNegative(Note):
    """Bounds were requested, but the qrels have relevant items only."""

    severity = Severity.DOUBTFUL
    meaning: ClassVar[Meaning | None] = UNJUDGED
    text = (
        "the {:qrels} have no item of grade 0; if they list relevant items only, all other items "
        "are known not to be relevant, and the bounds are too wide"
    )


# --- Ties ---

TIES = Meaning(
    "Ties",
    (
        "Items of equal score have no order of their own. The rule for ties (see the signature) "
        "gives them one; another order would give other values."
    ),
)


@note_kind
class TiesThatMatter(Note):
    """Topics have items of equal score whose order may change a measure."""

    topics: int
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = TIES
    text = "{topics:topic} with tied scores that can change a measure"


# --- Rows ---

REPEATED = Meaning(
    "Repeated rows", "An item or a judgement is in the input more than once; one of them counts."
)


@note_kind
class DuplicatesDropped(Note):
    """Rows of a run that repeat an item of their topic were dropped, according to the policy."""

    dropped: int
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = REPEATED
    text = "{dropped:duplicate} dropped"


@note_kind
class JudgementsDropped(Note):
    """Judgements that repeat an item of their topic were dropped: equal ones always, others
    according to the policy.
    """

    dropped: int
    severity = Severity.INFORMATIVE
    meaning: ClassVar[Meaning | None] = REPEATED
    text = "{dropped:repeated judgement} dropped"
