"""Scored cases in memory: areas, the full curve, many categories, and the cost of a call, against
scikit-learn.

Average precision and the area under the ROC curve of ten million float32 scores, half, a hundredth
and a ten-thousandth of them relevant; distributions of scores; growth; 100 cases; 1,000 items x
10,000 categories; AP beside `np.sort` in processor seconds, by share of relevant cases and around
every number of cases at which the kernel goes over to another way.
"""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import record

Call = Callable[[], object]
MANY = 10_000_000
SHARES = (0.5, 0.01, 0.0001)


def seconds(calls: dict[str, Call], repeat: int, slow: int = 3) -> dict[str, list[float]]:
    """Every call once uncounted, then in turn; those over a second `slow` times only."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    first: dict[str, float] = {}
    for number in range(repeat + 1):
        for name, call in calls.items():
            if number > slow and first[name] > 1:
                continue
            start = time.perf_counter()
            call()
            spent = time.perf_counter() - start
            first.setdefault(name, spent)
            if number:
                taken[name].append(spent)
    return taken


def cases(count: int, share: float) -> tuple[Any, Any]:
    rng = np.random.default_rng(1)
    return rng.random(count) < share, rng.random(count, dtype=np.float32)


def areas(count: int, repeat: int) -> dict[str, dict[str, list[float]]]:
    """AP and AUC at each share of relevant cases; the curve at one half."""
    from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score

    import precall

    found = {}
    for share in SHARES:
        relevant, score = cases(count, share)
        calls: dict[str, Call] = {
            "AP": lambda y=relevant, s=score: precall.average_precision(y, s),
            "AUC": lambda y=relevant, s=score: precall.area_under_roc(y, s),
            "curve": lambda y=relevant, s=score: precall.curve(y, s).precision,
            "scikit-learn AP": lambda y=relevant, s=score: average_precision_score(y, s),
            "scikit-learn AUC": lambda y=relevant, s=score: roc_auc_score(y, s),
            "scikit-learn curve": lambda y=relevant, s=score: precision_recall_curve(y, s),
        }
        calls |= {
            f"{name} AP": make(relevant, score) for name, make in OTHERS.items() if find_spec(name)
        }
        found[f"{share:g}"] = seconds(calls, repeat)
    return found


def _torchmetrics(relevant: Any, score: Any) -> Call:
    import torch
    from torchmetrics.functional.classification import binary_average_precision

    truth, value = torch.from_numpy(relevant.astype(np.int64)), torch.from_numpy(score)
    return lambda: binary_average_precision(value, truth)


def _catboost(relevant: Any, score: Any) -> Call:
    from catboost.utils import eval_metric

    # The area by the trapezoid rule; there is no average precision.
    return lambda: eval_metric(relevant, score, "PRAUC")


def _polars_ds(relevant: Any, score: Any) -> Call:
    import polars as pl
    import polars_ds

    frame = pl.DataFrame(
        {"relevant": relevant.astype(np.uint32), "score": score.astype(np.float64)}
    )
    return lambda: frame.select(polars_ds.query_binary_metrics("relevant", "score"))


#: Timed where they are installed: pip install torchmetrics catboost polars-ds
OTHERS = {"torchmetrics": _torchmetrics, "catboost": _catboost, "polars_ds": _polars_ds}


def distributions(count: int, repeat: int) -> dict[str, list[float]]:
    """AP of scores of many kinds, a hundredth relevant."""
    import precall

    rng = np.random.default_rng(2)
    even, normal = rng.random(count), rng.standard_normal(count)
    relevant = rng.random(count) < 0.01
    kinds = {
        "uniform": even,
        "sigmoid": 1 / (1 + np.exp(-2 * normal)),
        "lognormal": np.exp(3 * normal),
        "powers of tiny numbers": (even * 1e-3) ** 5,
        "constant": np.full(count, 0.5),
        "3 decimals": np.round(even, 3),
        "sorted": np.sort(even),
        "reversed": np.sort(even)[::-1],
    }
    narrow = {name: np.ascontiguousarray(kind, np.float32) for name, kind in kinds.items()}
    calls: dict[str, Call] = {
        name: lambda s=score: precall.average_precision(relevant, s)
        for name, score in narrow.items()
    }
    return seconds(calls, repeat)


def growth(repeat: int, largest: int) -> dict[str, list[float]]:
    """AP of more and more cases, a hundredth relevant."""
    import precall

    found = {}
    for count in (1_000_000, 10_000_000, 100_000_000):
        if count <= largest:
            relevant, score = cases(count, 0.01)
            found[str(count)] = seconds(
                {"": lambda y=relevant, s=score: precall.average_precision(y, s)}, repeat
            )[""]
    return found


def _six_lines(relevant: Any, score: Any) -> float:
    """AP as one writes it, without a look at the labels, the scores or ties."""
    order = np.argsort(-score, kind="stable")
    ranked = relevant[order]
    hits = np.cumsum(ranked)
    precision = hits[ranked] / (np.flatnonzero(ranked) + 1)
    return float(precision.sum() / hits[-1])


def calls_of_100(repeat: int) -> dict[str, list[float]]:
    """Processor seconds of one call on 100 cases: means over a thousand, ten for scikit-learn.
    Six lines of NumPy are the sister of boolean labels.
    """
    from sklearn.metrics import average_precision_score

    import precall

    relevant, score = cases(100, 0.3)
    whole = relevant.astype(np.int64)
    curve = precall.curve(relevant, score)
    jobs = {
        "curve": (1000, lambda: precall.curve(relevant, score)),
        "at a threshold": (1000, lambda: curve.at(threshold=0.5)),
        "at a recall": (1000, lambda: curve.at(recall=0.5)),
        "greatest F": (1000, lambda: curve.max_f()),
        "six lines of NumPy": (1000, lambda: _six_lines(relevant, score)),
        "bool labels": (1000, lambda: precall.average_precision(relevant, score)),
        "int labels": (1000, lambda: precall.average_precision(whole, score)),
        "scikit-learn": (10, lambda: average_precision_score(whole, score)),
    }
    found: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repeat):
        for name, (times, call) in jobs.items():
            start = time.process_time()
            for _ in range(times):
                call()
            found[name].append((time.process_time() - start) / times)
    return found


def categories(repeat: int) -> dict[str, list[float]]:
    """Macro AP of 1,000 items x 10,000 categories."""
    from sklearn.metrics import average_precision_score

    import precall
    from precall.compat import sklearn as ours

    rng = np.random.default_rng(3)
    score, truth = rng.random((1_000, 10_000)), rng.random((1_000, 10_000)) < 0.1
    return seconds(
        {
            "categorize and by_category": lambda: (
                precall.categorize(truth, score).by_category("AP").mean()
            ),
            "compat.sklearn": lambda: ours.average_precision_score(truth, score),
            "scikit-learn": lambda: average_precision_score(truth, score),
        },
        repeat,
        slow=1,
    )


def _of_kind(kind: str, count: int, share: float) -> tuple[Any, Any]:
    """Labels and scores: probabilities, or logits on both sides of 0, those of relevant cases
    higher.
    """
    rng = np.random.default_rng(4)
    relevant = rng.random(count) < share
    if kind == "probabilities":
        return relevant, rng.random(count)
    return relevant, rng.standard_normal(count) + relevant


def _beside_a_sort(relevant: Any, score: Any, repeat: int) -> tuple[float, float]:
    """Processor seconds of AP and of `np.sort`, in turns; the least of each."""
    import precall

    calls = (lambda: precall.average_precision(relevant, score), lambda: np.sort(score))
    taken: list[list[float]] = [[], []]
    times = max(1, 200_000 // len(score))
    for number in range(repeat + 1):
        for call, one in zip(calls, taken, strict=True):
            start = time.process_time()
            for _ in range(times):
                call()
            if number:
                one.append((time.process_time() - start) / times)
    return min(taken[0]), min(taken[1])


def counting(repeat: int, largest: int) -> dict[str, list[float]]:
    """AP by the share of relevant cases: its processor seconds, and those of `np.sort`."""
    found = {}
    for count in (100_000, 1_000_000, 10_000_000):
        for share in (0.5, 0.1, 0.05, 0.01) if count <= largest else ():
            for kind in ("probabilities", "logits"):
                for narrow in (False, True):
                    relevant, score = _of_kind(kind, count, share)
                    score = score.astype(np.float32) if narrow else score
                    name = f"{count:,}, {share:g}, {kind}, {score.dtype}"
                    found[name] = list(_beside_a_sort(relevant, score, min(repeat, 5)))
    return found


#: Numbers of cases at which the kernel goes over to another way.
LIMITS = (1 << 9, 1 << 14, 1 << 15, 1 << 16, 1 << 17)


def limits(repeat: int) -> dict[str, list[float]]:
    """Processor seconds a case, as a multiple of those of `np.sort`: of AP below each limit of the
    kernel, above it, and the greater of both by the smaller.
    """
    found = {}
    for limit in LIMITS:
        for share in (0.5, 0.1, 0.01):
            for kind in ("probabilities", "logits"):
                ratios = []
                for count in (limit * 49 // 50, limit * 51 // 50):
                    ours, sort = _beside_a_sort(*_of_kind(kind, count, share), repeat)
                    ratios.append(ours / sort)
                name = f"{limit:,}, {share:g}, {kind}"
                found[name] = [*ratios, max(ratios) / min(ratios)]
    return found


def bytes_per_case(count: int) -> float | None:
    """Beyond the input, at the peak of one call, as Linux accounts for it."""
    import precall

    relevant, score = cases(count, 0.5)
    precall.average_precision(relevant[:10_000], score[:10_000])
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return None
    before = _peak()
    precall.average_precision(relevant, score)
    return (_peak() - before) / count


def _peak() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return (
        int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
        * 1024
    )


def median(taken: list[float]) -> float:
    return statistics.median(taken)


def shown(results: dict[str, Any]) -> None:
    for share, taken in results["areas"].items():
        rows = []
        for name, times in taken.items():
            base = "scikit-learn " + name.rpartition(" ")[2]
            rows.append(
                [name, f"{median(times):.4f}", f"{median(taken[base]) / median(times):.1f}"]
            )
        print(
            record.table(
                f"cases: {MANY:,} float32, {share} relevant", ["", "s", "x scikit-learn"], rows
            )
        )
    for title in ("distributions", "growth", "100 cases", "1,000 x 10,000"):
        taken = results[title]
        first = median(next(iter(taken.values())))
        rows = [
            [name, f"{median(times):.6f}", f"{median(times) / first:.2f}"]
            for name, times in taken.items()
        ]
        print(record.table(f"cases: {title}", ["", "s", "x first"], rows))
    rows = [
        [name, f"{ours:.5f}", f"{sort:.5f}", f"{ours / sort:.2f}"]
        for name, (ours, sort) in results["counting"].items()
    ]
    title = "cases: counting, processor seconds"
    print(record.table(title, ["", "AP", "np.sort", "x np.sort"], rows))
    rows = [
        [name, *(f"{each:.2f}" for each in ratios)] for name, ratios in results["limits"].items()
    ]
    title = "cases: around limits of the kernel, x np.sort"
    print(record.table(title, ["", "below", "above", "step"], rows))
    print(f"extra bytes per case: {results['bytes per case'] or float('nan'):.1f}\n")


def main() -> None:
    options = record.arguments(__doc__ or "")
    warnings.simplefilter("ignore")
    # First, before anything else has used the memory.
    results: dict[str, Any] = {"bytes per case": bytes_per_case(MANY)}
    results["areas"] = areas(MANY, options.repeat)
    results["distributions"] = distributions(MANY, options.repeat)
    results["growth"] = growth(options.repeat, 100_000_000)
    results["100 cases"] = calls_of_100(options.repeat)
    results["1,000 x 10,000"] = categories(options.repeat)
    results["counting"] = counting(options.repeat, MANY)
    results["limits"] = limits(options.repeat)
    shown(results)
    print("record:", record.write(options.records, "cases", {"synthetic": results}))


if __name__ == "__main__":
    main()
