"""A directive for names that stand beside others: each gets an anchor and is found, at what
follows.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.util.docutils import SphinxDirective


class Anchors(SphinxDirective):
    """`.. anchors:: KIND`, and a name on each line: the anchor is the name as it stands, whatever
    letters it has.

    "id" is the kind of what is known by its name already, and lacks only the anchor.
    """

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """An empty target with an anchor for each name."""
        names = list(self.content)
        for name in names:
            if self.arguments[0] != "id":
                self.env.domains.python_domain.note_object(name, self.arguments[0], name)
        return [nodes.target("", "", ids=names)]
