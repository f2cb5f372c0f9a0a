"""`compare.power`: how many topics, items or cases a comparison needs, and what a given
number can show; also from a pilot of cases.

Power, the probability that a difference becomes significant, is for plans. For a difference that
was already observed, it says no more than p.

Examples
--------
>>> from precall import compare
>>> compare.power.topics(difference=0.02, deviation=0.1)
199
"""

from __future__ import annotations

from precall.comparison.pilot_areas import (
    cases_for_areas_from_pilot as cases_for_areas_from_pilot,
)
from precall.comparison.pilot_areas import of_areas_from_pilot as of_areas_from_pilot
from precall.stats.tests.power import check_power as check_power
from precall.stats.tests.power import detectable as detectable
from precall.stats.tests.power import items as items
from precall.stats.tests.power import of_anova as of_anova
from precall.stats.tests.power import of_data as of_data
from precall.stats.tests.power import of_mcnemar as of_mcnemar
from precall.stats.tests.power import of_randomization as of_randomization
from precall.stats.tests.power import of_t as of_t
from precall.stats.tests.power import topics as topics
from precall.stats.tests.power import topics_for_anova as topics_for_anova
from precall.stats.tests.power import topics_for_interval as topics_for_interval
from precall.stats.tests.screens import of_screen as of_screen
from precall.stats.tests.screens import screen as screen
from precall.stats.tests.sizes import cases_for_area as cases_for_area
from precall.stats.tests.sizes import cases_for_areas as cases_for_areas
from precall.stats.tests.sizes import cases_for_proportion as cases_for_proportion
from precall.stats.tests.sizes import items_by_connor as items_by_connor
from precall.stats.tests.sizes import items_for_margin as items_for_margin
from precall.stats.tests.sizes import of_area as of_area
from precall.stats.tests.sizes import of_areas as of_areas
from precall.stats.tests.sizes import of_margin as of_margin
from precall.stats.tests.sizes import of_proportion as of_proportion

__all__ = [
    "cases_for_area",
    "cases_for_areas",
    "cases_for_areas_from_pilot",
    "cases_for_proportion",
    "detectable",
    "items",
    "items_by_connor",
    "items_for_margin",
    "of_anova",
    "of_area",
    "of_areas",
    "of_areas_from_pilot",
    "of_margin",
    "of_mcnemar",
    "of_proportion",
    "of_randomization",
    "of_screen",
    "of_t",
    "screen",
    "topics",
    "topics_for_anova",
    "topics_for_interval",
]
