"""Where tests find real treebanks, and how long a test may take. A fresh clone has no treebanks: tests that need them
are then reported as skipped."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no reason to fail: time belongs in benchmarks.
settings.register_profile("laconic", deadline=None)
settings.load_profile("laconic")

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 300
"""Seconds that a test may take: far more than any needs, and less than quadratic work on the inputs of those tests that
are about linear time."""


@pytest.fixture(autouse=True)
def time_limit() -> Iterator[None]:
    """Fails a test that takes longer. A call of the core cannot be interrupted: then it fails when the call returns."""
    if not hasattr(signal, "SIGALRM") or "LACONIC_SANITIZED" in os.environ:  # sanitizers make everything slow
        yield
        return

    def fail(number: int, frame: object) -> None:
        pytest.fail(f"the test takes more than {LONGEST} seconds: is its work still linear?")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(LONGEST)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    place = Path(os.environ.get("LACONIC_DATA", ROOT.parent / "shared" / "data"))
    if not place.is_dir():
        pytest.skip("no treebanks: put them beside the repository in shared/data, or set LACONIC_DATA")
    return place


@pytest.fixture(scope="session")
def treebanks(shared_data: Path) -> Path:
    return shared_data / "ud"


@pytest.fixture(scope="session")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of all components, and ``train.conllu`` and ``dev.conllu`` beside it."""
    from small_model import build

    return build(tmp_path_factory.mktemp("small-model"))
