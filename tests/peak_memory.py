"""Where the memory of a process can be measured."""

from __future__ import annotations

import os
import sys

import pytest

measurable = pytest.mark.skipif(
    sys.platform != "linux" or "LACONIC_SANITIZED" in os.environ,
    reason="resident memory is measured as Linux reports it, and not where a sanitizer keeps what was freed",
)
