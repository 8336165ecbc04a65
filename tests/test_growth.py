"""The measure of growth itself."""

from __future__ import annotations

import pytest
from growth import assert_linear


def test_linear_work_passes_and_quadratic_work_does_not() -> None:
    assert_linear(range, 30_000, sum)
    with pytest.raises(AssertionError, match="times as long"):
        assert_linear(range, 200, lambda some: sum(a < b for a in some for b in some))
