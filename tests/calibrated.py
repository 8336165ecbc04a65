"""Whether confidences are as good as a temperature makes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from laconic.learn import Stop, expected_calibration_error

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


def heated(stop: Stop, factor: float) -> Stop:
    """The same stops with temperatures so many times as high."""
    return replace(stop, temperatures=tuple(factor * one for one in stop.temperatures))


def assert_best_temperature(predicted: Callable[[float], tuple[Floats, Bools]]) -> None:
    """Confidences are probabilities, and clearly closer to how often decisions are right than with temperatures four
    times as high or as low. ``predicted`` gives confidences at so many times the calibrated temperatures, and what is
    right: less than 95 %, because of decisions that are nearly all right certainty itself is a good guess."""
    errors = {}
    for factor in (0.25, 1.0, 4.0):
        sure, right = predicted(factor)
        assert ((sure > 0) & (sure <= 1)).all()
        assert right.mean() < 0.95
        errors[factor] = expected_calibration_error(sure, right)
    assert errors[1.0] < 0.7 * min(errors[0.25], errors[4.0]), errors
