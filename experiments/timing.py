"""CPU time, in turns, so that a busy machine slows all that is compared alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

LEAST = 0.5
"""CPU seconds that a turn takes at least, so that what is fast is timed as well as what is slow."""


def cpu(action: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    begun = time.process_time()
    action()
    return time.process_time() - begun


def turn(action: Callable[[], object]) -> float:
    """CPU seconds of one call, as the mean of so many as fill a turn."""
    begun, calls = time.process_time(), 0
    while calls == 0 or time.process_time() - begun < LEAST:
        action()
        calls += 1
    return (time.process_time() - begun) / calls


def in_turns(
    actions: Mapping[str, Callable[[], object]], rounds: int, timed: Callable[[Callable[[], object]], float] = turn
) -> dict[str, list[float]]:
    """The seconds of each action, round after round."""
    seconds: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            seconds[name].append(timed(action))
    return seconds
