"""How cost grows with the input, so that a busy machine does not decide."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Input = TypeVar("Input")
FACTOR = 16
ATTEMPTS = 3


def assert_linear(make: Callable[[int], Input], size: int, run: Callable[[Input], object]) -> None:
    """Sixteen times the input takes far less than 256 times the CPU time.

    The bound lies at four times what a linear program needs and at a quarter of what a quadratic one needs, and a
    program fails only if it is beyond it three times in a row: noise would have to be fourfold, each time.
    """
    small, large = make(size), make(FACTOR * size)
    ratios = []
    for _ in range(ATTEMPTS):
        least = min(_seconds(run, small) for _ in range(3))
        ratios.append(_seconds(run, large) / (least + 0.0005))
        if ratios[-1] < FACTOR * FACTOR / 4:
            return
    raise AssertionError(f"{FACTOR} times the input took {', '.join(f'{ratio:.0f}' for ratio in ratios)} times as long")


def _seconds(run: Callable[[Input], object], given: Input) -> float:
    start = time.process_time()
    run(given)
    return time.process_time() - start
