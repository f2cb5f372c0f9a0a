"""Compact letter display: systems that share a letter do not differ significantly (Piepho 2004)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

#: More groups than this are no display any more.
MOST = 200


def display(means: Mapping[str, float], different: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The letters of each system, `a` being in the group of the highest mean; empty if there are too many.

    Where only systems far enough apart differ, groups are runs in the order of the means. Else insert
    and absorb: start with one group of all; each significant pair splits every group that holds both
    into one without the first and one without the second; groups within others go.
    """
    order = sorted(means, key=lambda name: (-means[name], name))
    rank = {name: place for place, name in enumerate(order)}
    differing = [set[int]() for _ in order]
    for first, second in different:
        differing[rank[first]].add(rank[second])
        differing[rank[second]].add(rank[first])
    groups = _runs(differing)
    if groups is None:
        groups = _inserted(differing)
    groups.sort(key=sorted)
    return {
        name: "".join(letter(i) for i, group in enumerate(groups) if place in group) for name, place in rank.items()
    } if groups else {}  # fmt: skip


def _runs(differing: list[set[int]]) -> list[frozenset[int]] | None:
    """Groups as runs of neighbours in the order of means; None where a pair inside a run differs."""
    groups: list[frozenset[int]] = []
    for place, others in enumerate(differing):
        later = [other for other in others if other > place]
        end = min(later, default=len(differing))
        before = max(groups[-1]) + 1 if groups else 0
        if len(later) < len(differing) - end or end < before:
            return None  # some pair does not differ, though one that lies within it does
        if end > before:
            groups.append(frozenset(range(place, end)))
    return groups


def _inserted(differing: list[set[int]]) -> list[frozenset[int]]:
    groups = [frozenset(range(len(differing)))]
    for first, others in enumerate(differing):
        for second in sorted(place for place in others if place > first):
            split: list[frozenset[int]] = []
            for group in groups:
                both = first in group and second in group
                split += [group - {first}, group - {second}] if both else [group]
            unique = list(dict.fromkeys(split))
            groups = [group for group in unique if not any(group < larger for larger in unique)]
            if len(groups) > MOST:
                return []
    return groups


def letter(place: int) -> str:
    """a to z, then A to Z, then numbers in brackets.

    Examples
    --------
    >>> letter(0), letter(25), letter(26), letter(52)
    ('a', 'z', 'A', '(53)')
    """
    if place < 26:
        return chr(ord("a") + place)
    return chr(ord("A") + place - 26) if place < 52 else f"({place + 1})"
