"""The signatures of a kernel, for type checkers: the native kernel has those of its twin."""

from __future__ import annotations

from precall.native import twin


class Kernel:
    """A kernel's functions; see `precall.native.twin`."""

    __name__: str
    COMPILER: str
    areas = staticmethod(twin.areas)
    areas_each = staticmethod(twin.areas_each)
    blocks = staticmethod(twin.blocks)
    columns_from_table = staticmethod(twin.columns_from_table)
    count_between = staticmethod(twin.count_between)
    count_wins = staticmethod(twin.count_wins)
    draw_best = staticmethod(twin.draw_best)
    draw_cells = staticmethod(twin.draw_cells)
    draw_gains = staticmethod(twin.draw_gains)
    draw_heights = staticmethod(twin.draw_heights)
    draw_paths = staticmethod(twin.draw_paths)
    draw_precisions = staticmethod(twin.draw_precisions)
    exchange_differences = staticmethod(twin.exchange_differences)
    exchange_totals = staticmethod(twin.exchange_totals)
    exchange_weights = staticmethod(twin.exchange_weights)
    greatest_gaps = staticmethod(twin.greatest_gaps)
    group_qrels = staticmethod(twin.group_qrels)
    group_run = staticmethod(twin.group_run)
    locate = staticmethod(twin.locate)
    merge_counts = staticmethod(twin.merge_counts)
    path = staticmethod(twin.path)
    path_each = staticmethod(twin.path_each)
    place_sums = staticmethod(twin.place_sums)
    qrels_from_dict = staticmethod(twin.qrels_from_dict)
    qrels_from_table = staticmethod(twin.qrels_from_table)
    rank_means = staticmethod(twin.rank_means)
    read_qrels = staticmethod(twin.read_qrels)
    read_run = staticmethod(twin.read_run)
    redraw_sums = staticmethod(twin.redraw_sums)
    run_from_dict = staticmethod(twin.run_from_dict)
    run_from_table = staticmethod(twin.run_from_table)
    sum_subsets = staticmethod(twin.sum_subsets)
    weigh = staticmethod(twin.weigh)
    weigh_area = staticmethod(twin.weigh_area)
