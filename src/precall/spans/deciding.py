"""`pc.decisions`: decisions about items, and about spans of text."""

from __future__ import annotations

from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Final

from precall.core.rng import suggest_our_names
from precall.hard_decisions.outcomes import decisions as _decisions

if TYPE_CHECKING:
    from precall.spans import api as _api


class DecisionsNamespace:
    """Decisions compared with the truth; `decisions(truth, predicted)` takes labels of items.

    - `decisions.spans(truth, predicted)`: spans, such as named entities, from tags of tokens or as
      (type, start, end).

    Examples
    --------
    >>> decisions(["ham", "spam"], ["spam", "spam"]).accuracy()
    0.5
    >>> decisions.spans([["B-PER", "O"]], [["B-PER", "O"]]).f(average="micro")
    1.0
    """

    __call__: Final = staticmethod(_decisions)

    if TYPE_CHECKING:
        spans: Final = staticmethod(_api.spans)
    else:

        def __getattr__(self, name: str) -> Any:
            if name != "spans":
                raise AttributeError(f"pc.decisions has no {name!r}; it has spans")
            from precall.spans.api import spans

            value = suggest_our_names(spans)
            setattr(self, name, value)
            return value

        def __dir__(self) -> list[str]:
            return [*super().__dir__(), "spans"]


decisions: Final = DecisionsNamespace()
# Its signature and its documentation are those of the function.
update_wrapper(decisions, _decisions)
