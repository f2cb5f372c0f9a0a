"""Notes on decisions and on scores for categories."""

from __future__ import annotations

from precall.core.notes.facts import Note, Severity, note_kind
from precall.core.text import listing


@note_kind
class OneCategory(Note):
    """An average over categories was asked for yes/no labels, which are only one category."""

    severity = Severity.INFORMATIVE
    text = (
        "labels 0/1, -1/1 or bool, or a single label, are one category, 'relevant', so {subject} "
        "is of this category only. To average over both labels, as scikit-learn does, pass "
        "⟨categories=[0, 1]⟩ or omit ⟨positive=⟩"
    )
    several = text.replace("is of", "are of")


@note_kind
class IgnoredPredicted(Note):
    """Items with a prediction have the true label -100, PyTorch's mark of ignored items."""

    items: int
    severity = Severity.DOUBTFUL
    text = (
        "{items:item} with the true label -100, PyTorch's mark of ignored items, counted as false "
        "positives; leave out items to be ignored"
    )


@note_kind
class ItemsSeen(Note):
    """How many items the numbers are based on."""

    items: int
    severity = Severity.INFORMATIVE
    text = "{items:item}"


@note_kind
class ColumnsTaken(Note):
    """Columns of scores without names were assigned to the labels in order."""

    categories: tuple[str | float, ...]
    severity = Severity.DOUBTFUL
    text = (
        "columns of scores are assigned to the sorted labels, {names}; for "
        "another order pass ⟨categories=⟩"
    )

    @property
    def names(self) -> str:
        """The labels."""
        return listing(self.categories)


@note_kind
class CategoriesInOrder(Note):
    """The order of the categories, for a measure that weighs mistakes by their distance."""

    categories: tuple[str, ...]
    severity = Severity.INFORMATIVE
    text = "order of the categories: {names}"

    @property
    def names(self) -> str:
        """The categories."""
        return listing(self.categories, str)


@note_kind
class LargeMatrix(Note):
    """A confusion matrix has more categories than are printed."""

    categories: int
    severity = Severity.INFORMATIVE
    text = (
        "the matrix has {categories} rows and columns, too many to print; "
        "CSV, JSON and the picture have all"
    )


@note_kind
class PairsWithoutLabels(Note):
    """Pairs of item and category without a label were left out, as was asked."""

    missing: int
    total: int
    category: str | float
    most: int
    items: int
    severity = Severity.INFORMATIVE
    text = (
        "{missing:pair} of {total:,} of item and category without a label, left out; most in "
        "category {category:written}, {most:,} of {items:item}"
    )


# --- Undefined ---


@note_kind
class LeftOut(Note):
    """Values that are undefined were left out of a mean, though they should count as zero."""

    undefined: int
    total: int
    noun: str = "values"
    first: str | float | None = None
    below_chance: bool = True
    severity = Severity.DOUBTFUL
    text = "{subject} is undefined for {amount}{begin}; left out, because {why}"

    @property
    def amount(self) -> str:
        """For how many it is undefined; a single value has no total."""
        return f"{self.undefined} of {self.total} {self.noun}" if self.total else self.noun

    @property
    def why(self) -> str:
        """Why they do not count as zero: zero is below chance, or no value would be fair."""
        return "0 would be worse than chance" if self.below_chance else "no value would be fair"

    @property
    def begin(self) -> str:
        """The first of them."""
        return "" if self.first is None else f", first {self.first!r}"


@note_kind
class UndefinedIn(Note):
    """Measures are undefined in some of the categories, items or groups that are averaged."""

    measures: tuple[str, ...]
    undefined: int
    noun: str
    policy: str
    total: int = 0
    severity = Severity.DOUBTFUL
    text = "{measures} undefined in {amount} ({policy})"

    @property
    def amount(self) -> str:
        """In how many it is undefined, and of how many if that is known."""
        of = f" of {self.total}" if self.total else ""
        return f"{self.undefined}{of} {self.noun}"


@note_kind
class UndefinedForSystems(Note):
    """A measure is undefined for one or both of two systems, and a number replaces it."""

    systems: tuple[str, ...]
    reason: str
    counted_as: float
    severity = Severity.DOUBTFUL
    text = "{subject} is undefined for {names} ({reason}); counted as {counted_as:g}"

    @property
    def names(self) -> str:
        """The systems."""
        return " and ".join(self.systems)


@note_kind
class PairsWithoutItems(Note):
    """Pairs of categories are left out because one of them has no item."""

    undefined: int
    pairs: int
    empty: str | float
    severity = Severity.DOUBTFUL
    text = (
        "undefined for {undefined} of {pairs} pairs of categories, because "
        "{empty:written} has no items"
    )


# --- Thresholds ---


@note_kind
class DecidedBy(Note):
    """The policy by which decisions or thresholds were made, and what it was learned from."""

    policy: str
    decided: bool = False
    source: str = ""
    items: int = 0
    severity = Severity.INFORMATIVE
    text = "{begin}{where}"

    @property
    def begin(self) -> str:
        """The policy."""
        return f"decided by {self.policy}" if self.decided else self.policy

    @property
    def where(self) -> str:
        """What it was learned from, if anything."""
        if not self.items:
            return ""
        size = f"{self.items} item{'s' * (self.items != 1)}"
        return f", learned from {f'{self.source} ({size})' if self.source else size}"


@note_kind
class LearnedHere(Note):
    """Thresholds decide about the items that they were learned from."""

    policy: str
    severity = Severity.DOUBTFUL
    text = (
        "decided by {policy}, learned from these same items, so results are "
        "optimistic; ⟨fit_on=⟩ learns from others"
    )


@note_kind
class LearnedFromFew(Note):
    """The threshold of a category was learned from few relevant items."""

    relevant: int
    fewest: int
    severity = Severity.DOUBTFUL
    text = (
        "threshold learned from {relevant:relevant item}, fewer than {fewest}: another "
        "sample may give a very different one"
    )


@note_kind
class ReachedByTuning(Note):
    """The value of the tuned measure on the items that were used for tuning."""

    measure: str
    reached: float
    severity = Severity.INFORMATIVE
    text = "{measure} is {reached:value} on the items used for tuning"


@note_kind
class NothingToLearn(Note):
    """Other items were given to learn from, but the number of the policy is fixed."""

    severity = Severity.INFORMATIVE
    text = "{subject} has a fixed number, so there is nothing to learn from other items (⟨fit_on=⟩)"
    several = text.replace("has a fixed number", "have fixed numbers")


@note_kind
class MicroOfAllPairs(Note):
    """A micro-average of rankings has one threshold, while decisions have one for each category."""

    measure: str
    severity = Severity.INFORMATIVE
    text = (
        "micro {measure} in the averages ranks all pairs in one list, with "
        "one threshold; decisions, and their micro P, R and F, use a "
        "threshold per category"
    )
