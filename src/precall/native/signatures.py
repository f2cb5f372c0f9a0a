"""The signatures of a kernel, for type checkers: the native kernel has those of its twin."""

from __future__ import annotations

from typing import Final

from precall.native import twin


class Kernel:
    """A kernel's functions; see `precall.native.twin`."""

    __name__: str
    COMPILER: str
    areas: Final = staticmethod(twin.areas)
    areas_each: Final = staticmethod(twin.areas_each)
    blocks: Final = staticmethod(twin.blocks)
    columns_from_table: Final = staticmethod(twin.columns_from_table)
    count_between: Final = staticmethod(twin.count_between)
    count_wins: Final = staticmethod(twin.count_wins)
    draw_best: Final = staticmethod(twin.draw_best)
    draw_cells: Final = staticmethod(twin.draw_cells)
    draw_gains: Final = staticmethod(twin.draw_gains)
    draw_heights: Final = staticmethod(twin.draw_heights)
    draw_paths: Final = staticmethod(twin.draw_paths)
    draw_precisions: Final = staticmethod(twin.draw_precisions)
    exchange_differences: Final = staticmethod(twin.exchange_differences)
    exchange_totals: Final = staticmethod(twin.exchange_totals)
    exchange_weights: Final = staticmethod(twin.exchange_weights)
    greatest_gaps: Final = staticmethod(twin.greatest_gaps)
    group_qrels: Final = staticmethod(twin.group_qrels)
    group_run: Final = staticmethod(twin.group_run)
    locate: Final = staticmethod(twin.locate)
    merge_counts: Final = staticmethod(twin.merge_counts)
    path: Final = staticmethod(twin.path)
    path_each: Final = staticmethod(twin.path_each)
    place_sums: Final = staticmethod(twin.place_sums)
    qrels_from_dict: Final = staticmethod(twin.qrels_from_dict)
    qrels_from_table: Final = staticmethod(twin.qrels_from_table)
    rank_means: Final = staticmethod(twin.rank_means)
    read_qrels: Final = staticmethod(twin.read_qrels)
    read_run: Final = staticmethod(twin.read_run)
    redraw_sums: Final = staticmethod(twin.redraw_sums)
    rows_between: Final = staticmethod(twin.rows_between)
    run_from_dict: Final = staticmethod(twin.run_from_dict)
    run_from_table: Final = staticmethod(twin.run_from_table)
    sum_subsets: Final = staticmethod(twin.sum_subsets)
    texts_of_lists: Final = staticmethod(twin.texts_of_lists)
    weigh: Final = staticmethod(twin.weigh)
    weigh_area: Final = staticmethod(twin.weigh_area)
