"""The kernel in plain Python and NumPy: the oracle of the C++ kernel, and its fallback.

`twin` and `_kernel` have equal signatures, and give equal bits and equal errors; one test suite
checks both against this description. `threads` and `chunk` matter to the other kernel only; they
are accepted here so that each can replace the other.

Functions
---------
read_run, read_qrels            TREC text → columns              twin_text
run_from_dict, qrels_from_dict  {topic: {item: value}} → columns   twin_mappings
texts_of_lists                  lists of texts → ids, or None    twin_lists
run_from_table, qrels_from_table   rows of CSV, TSV or JSON → columns, or None   twin_tables
columns_from_table              cells of CSV or TSV → numbers and texts, or None   twin_tables
group_run, group_qrels          rows in any order → columns      twin_columns
locate                          columns → where judged items stand   twin_location
areas, areas_each, path, path_each, blocks, weigh, weigh_area   scored cases → counts, or their blocks   twin_counting
count_between, merge_counts     scores and counts → counts at and between them, or of both   twin_counting
rows_between                    counts at and between scores → operating points   twin_counting
draw_cells, draw_precisions, draw_paths, draw_gains   cells of cases → samples   twin_resampling
draw_best                       cells of cases → the greatest F of samples   twin_best
draw_heights                    cells of cases → what samples accept at shares of the cases   twin_heights
exchange_differences, exchange_weights   two lists → differences at random   twin_exchanging
exchange_totals                 what decisions add to totals → totals at random   twin_swapping
count_wins                      samples of units → areas under ROC   twin_winning
place_sums                      numbers of items → sums of precision at random   twin_placing
redraw_sums                     values → sums of them at random      twin_redrawing
sum_subsets, greatest_gaps, rank_means   values of topics → sums with random signs, and what they show   twin_signs

Columns are topic_bytes, topic_start, row_start, item_bytes, item_start and score or grade. The tag
follows (the last field of the last row; only for texts of runs), and the number of dropped rows
(not for dicts, which cannot repeat a pair). For texts of runs two truth values follow. The first
says whether all rows have one tag. The second says whether the rows of each topic stand together
and their ranks, the fields before the scores, are whole numbers that ascend within the topic.
Ids are bytes of UTF-8 in one blob, the i-th from start[i] to start[i + 1]; the rows of topic i are row_start[i] to row_start[i + 1], in the order of the
input; topics stand in the order of their first appearance.

Text
----
Lines end with a line feed, which the last may lack. Blanks are space, tab and carriage return.
A line that begins with `#`, or that has nothing but blanks, says nothing; nor does a byte-order
mark at the very start. A row of a run has six fields: topic, ignored, item, ignored, score, tag;
one of qrels four: topic, ignored, item, grade. A score is what C calls a decimal floating constant,
or an infinity in any spelling of C; correctly rounded. A grade is a whole number of 32 bits, or one
written as 1.0.

A pair of topic and item stands once. `duplicates` says what becomes of another row of it: "error",
or the "first", "last" or "best" (largest value; of equal ones the first) is kept, where it stands.
With "error", a judgement repeated with an equal grade is dropped.

Problems
--------
`Malformed` carries the first problems by line, and how many there are. Each is a tuple (line, kind,
...), texts as bytes of at most 60. A row has one problem at most, the first that applies of:

    nul | utf8 | fields, count | score, text | nan | score-range, text | inexact, text |
    float32-range, text | grade, text | grade-range, text

and a good row that repeats an earlier one

    duplicate, topic, item, first line | conflict, topic, item, first line, first grade, grade

Rows given as columns have their number, from 1, for a line. Line 0 is `empty`, no row at all;
`changed`, a file that others wrote to while it was read, which is then the only problem; and
every problem of a dict, where texts are strings, values are shown by their repr, cut to 60
characters:

    dict-topic, key | dict-items, topic, type | dict-item, topic, key | dict-score, topic, item, value
    score-range, inexact, float32-range, dict-grade, grade-range, each with topic, item, value | nan, topic, item
"""  # noqa: E501

from __future__ import annotations

from precall.native.twin_best import draw_best
from precall.native.twin_columns import group_qrels, group_run
from precall.native.twin_counting import (
    areas,
    areas_each,
    blocks,
    count_between,
    merge_counts,
    path,
    path_each,
    rows_between,
    weigh,
    weigh_area,
)
from precall.native.twin_exchanging import exchange_differences, exchange_weights
from precall.native.twin_heights import draw_heights
from precall.native.twin_lists import texts_of_lists
from precall.native.twin_location import locate
from precall.native.twin_mappings import qrels_from_dict, run_from_dict
from precall.native.twin_placing import place_sums
from precall.native.twin_redrawing import redraw_sums
from precall.native.twin_resampling import draw_cells, draw_gains, draw_paths, draw_precisions
from precall.native.twin_signs import greatest_gaps, rank_means, sum_subsets
from precall.native.twin_swapping import exchange_totals
from precall.native.twin_tables import columns_from_table, qrels_from_table, run_from_table
from precall.native.twin_text import read_qrels, read_run
from precall.native.twin_winning import count_wins

__all__ = [
    "COMPILER",
    "areas",
    "areas_each",
    "blocks",
    "columns_from_table",
    "count_between",
    "count_wins",
    "draw_best",
    "draw_cells",
    "draw_gains",
    "draw_heights",
    "draw_paths",
    "draw_precisions",
    "exchange_differences",
    "exchange_totals",
    "exchange_weights",
    "greatest_gaps",
    "group_qrels",
    "group_run",
    "locate",
    "merge_counts",
    "path",
    "path_each",
    "place_sums",
    "qrels_from_dict",
    "qrels_from_table",
    "rank_means",
    "read_qrels",
    "read_run",
    "redraw_sums",
    "rows_between",
    "run_from_dict",
    "run_from_table",
    "sum_subsets",
    "texts_of_lists",
    "weigh",
    "weigh_area",
]

#: No compiler built this kernel.
COMPILER = ""
