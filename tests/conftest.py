"""Where tests find real treebanks. A fresh clone has none: tests that need them are then reported as skipped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no reason to fail: time belongs in benchmarks.
settings.register_profile("laconic", deadline=None)
settings.load_profile("laconic")

ROOT = Path(__file__).resolve().parent.parent


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
