"""The documents, in the order of the page."""

from __future__ import annotations

from tests.documents.categories import CATEGORIZATION
from tests.documents.inference import GOUTTE_GAUSSIER, YEH, ZHANG_SU
from tests.documents.rankings import ARTICLE, LINGPIPE, NOTES

SOURCES = (LINGPIPE, NOTES, ARTICLE, CATEGORIZATION, ZHANG_SU, YEH, GOUTTE_GAUSSIER)
