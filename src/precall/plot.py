"""Pictures, by matplotlib: imported when one is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from precall.errors import MissingExtra
from precall.infer.null import AveragePrecision
from precall.ragged import Float64


def null_histogram(
    law: AveragePrecision, drawn: Float64, path: str | Path, value: float | None = None
) -> None:
    """Histogram of AP of random rankings, with the exact and the normal densities.

    Parameters
    ----------
    law : of AP under random selection.
    drawn : AP of random rankings.
    path : file to write; its ending says the form (png, svg, pdf).
    value : an AP to mark.

    Raises
    ------
    MissingExtra
        matplotlib is not installed.
    """
    figure, axes = _canvas()
    edges = np.histogram_bin_edges(drawn, "fd")
    axes.hist(
        drawn, edges, density=True, color="0.85", edgecolor="0.6", label=f"{len(drawn)} random rankings"
    )
    # The exact density is that of bins as wide as the histogram's, moved along: the law has atoms.
    width = edges[1] - edges[0]
    x = np.linspace(edges[0] - width, edges[-1] + width, 400)
    axes.plot(x, (law.sf(x - width / 2) - law.sf(x + width / 2)) / width, color="C0", label="exact")
    _normal(axes, x, law.mean, law.std, "normal, exact mean and variance", "--")
    if law.relevant > 1:
        published = law.zhang_su()
        _normal(axes, x, published.mean, published.std, "normal, Zhang & Su (2012)", ":")
    if value is not None:
        axes.axvline(value, color="C3", linewidth=1, label=f"AP {value:g}, p = {law.tail(value).p:.3g}")
    axes.set(xlabel="average precision", ylabel="density", title=law.name)
    axes.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None} if str(path).lower().endswith(".svg") else None)


def _normal(axes: Any, x: Float64, mean: float, std: float, label: str, style: str) -> None:
    density = np.exp(-(((x - mean) / std) ** 2) / 2) / (std * np.sqrt(2 * np.pi))
    axes.plot(x, density, style, color="C1", label=label)


def _canvas() -> tuple[Any, Any]:
    """A figure without a window: neither pyplot's state nor its backend is touched."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("pictures need matplotlib: pip install matplotlib") from error
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    return figure, figure.add_subplot()
