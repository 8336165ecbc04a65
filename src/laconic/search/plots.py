"""Pictures of a discovery: score by generation, score against cost. They need matplotlib (the extra ``plot``)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from laconic.errors import ConfigError
from laconic.search.discovery import Discovery


def check_picture(path: Path) -> None:
    """ConfigError where no picture could be drawn into a file of this name."""
    known = sorted(_figure()[0].canvas.get_supported_filetypes())
    if path.suffix.removeprefix(".").lower() not in known:
        raise ConfigError(f"{path}: a picture has one of the endings {', '.join(known)}")


def plot_generations(found: Discovery, path: Path) -> None:
    """Scores of the best set of every generation, on every document; the chosen one is marked."""
    figure, axes = _figure()
    numbers = range(1, len(found.generations) + 1)
    for name in sorted(found.generations[0].results):
        scores = [100 * found.result(number, name).score for number in numbers]
        axes.plot(numbers, scores, marker="o", markersize=3, label=name)
    axes.axvline(found.chosen, color="grey", linewidth=0.8, linestyle=":")
    axes.set_xlabel("features")
    axes.set_ylabel(found.metric.upper())
    axes.set_ylim(bottom=max(0, min(100 * found.result(min(3, len(numbers)), name).score for name in ("develop",)) - 5))
    axes.legend()
    figure.savefig(path, dpi=150)


def plot_front(points: Sequence[tuple[float, float]], path: Path, *, cost: str, metric: str) -> None:
    """Scores (shares) against costs, joined from the cheapest to the dearest."""
    figure, axes = _figure()
    ordered = sorted(points)
    axes.plot([cost for cost, _ in ordered], [100 * score for _, score in ordered], marker="o", markersize=3)
    axes.set_xlabel(cost)
    axes.set_ylabel(metric.upper())
    figure.savefig(path, dpi=150)


def _figure() -> tuple[Any, Any]:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ConfigError("pictures need matplotlib: pip install 'laconic[plot]'") from None
    figure = Figure(figsize=(6, 4), layout="constrained")
    return figure, figure.add_subplot()
