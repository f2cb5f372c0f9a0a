"""What stands beside each page, made once and marked for each: made anew by the theme, it took a
sixth of the time.
"""

from __future__ import annotations

import re
from html import escape
from posixpath import relpath
from typing import Any, NamedTuple

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

#: A box that folds a list, as the theme's style wants it.
_BOX = (
    '<input aria-label="Toggle navigation of {title}" class="toctree-checkbox" id="fold-{page}" '
    'name="fold-{page}" role="switch" type="checkbox"{open}/><label for="fold-{page}">'
    '<span class="icon"><svg><use href="#svg-arrow-right"></use></svg></span></label>'
)
_IN = re.compile(r"^In :doc:`[^<`]*<([\w-]+)>`\.$", re.MULTILINE)


class Place(NamedTuple):
    """A page in the navigation."""

    title: str
    page: str
    below: list[Place]


class Part(NamedTuple):
    """Pages under one word."""

    title: str
    places: list[Place]


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("env-updated", _forget)
    app.connect("html-page-context", _beside, priority=400)  # before the theme's own
    return {"parallel_read_safe": True, "parallel_write_safe": True}


_PARTS: list[Part] = []


def _forget(app: Sphinx, env: BuildEnvironment) -> None:
    _PARTS.clear()


def _beside(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    if not _PARTS:
        _PARTS.extend(_parts(app.env))
    context.pop("toctree", None)  # so that the theme makes none
    within = _within(app.env, page)
    shown = [*_shown(_PARTS, page, within)]
    context["navigation"] = "".join(shown)


def _parts(env: BuildEnvironment) -> list[Part]:
    root = env.get_doctree(env.config.root_doc)
    return [Part(one["caption"], _places(env, one)) for one in root.findall(addnodes.toctree)]


def _places(env: BuildEnvironment, tree: addnodes.toctree) -> list[Place]:
    made = []
    for title, page in tree["entries"]:
        inner = [_places(env, one) for one in env.tocs[page].findall(addnodes.toctree)]
        made.append(
            Place(
                title or env.titles[page].astext(),
                page,
                [place for below in inner for place in below],
            )
        )
    return made


def _within(env: BuildEnvironment, page: str) -> str | None:
    """The page of the group that a single name is in, which no list names."""
    if "orphan" not in env.metadata.get(page, {}):
        return None
    found = _IN.search(env.doc2path(page).read_text(encoding="utf-8"))
    return f"{page.rpartition('/')[0]}/{found[1]}" if found else None


def _shown(parts: list[Part], page: str, within: str | None) -> list[str]:
    """The whole; beside single names the reference is open, and of the other parts stands the first
    page.
    """
    if within is None:
        lists = (_list(part.places, page, {page}, 1) for part in parts)
        return [
            (
                '<p class="caption" role="heading" aria-level="2"><span '
                f'class="caption-text">{escape(part.title)}</span></p>{made}'
            )
            for part, made in zip(parts, lists, strict=True)
        ]
    places = [
        place
        for part in parts
        for place in (
            part.places if len(part.places) == 1 else [Place(part.title, part.places[0].page, [])]
        )
    ]
    return [_list(places, page, {page, within}, 1)]


def _list(places: list[Place], page: str, current: set[str], level: int) -> str:
    return (
        f"<ul>{''.join(_item(place, page, current, level) for place in places)}</ul>"
        if places
        else ""
    )


def _item(place: Place, page: str, current: set[str], level: int) -> str:
    here = place.page in current
    opened = here or any(below.page in current for below in place.below)
    kinds = [f"toctree-l{level}"] + ["current"] * opened + ["has-children"] * bool(place.below)
    kinds += ["current-page"] * here
    address = relpath(f"{place.page}.html", page.rpartition("/")[0] or ".")
    mark = ' aria-current="page"' if place.page == page else ""
    box = (
        _BOX.format(
            title=escape(place.title), page=nodes.make_id(place.page), open=' checked=""' * opened
        )
        if place.below
        else ""
    )
    below = _list(place.below, page, current, level + 1)
    link = (
        f'<a class="{"current " * opened}reference internal" '
        f'href="{address}"{mark}>{escape(place.title)}</a>'
    )
    return f'<li class="{" ".join(kinds)}">{link}{box}{below}</li>'
