"""Components composed, trained, saved and loaded."""

from __future__ import annotations

from laconic.pipeline.config import TrainConfig, default_toml, with_seed, with_settings
from laconic.pipeline.effort import Profile
from laconic.pipeline.loading import bundled, load
from laconic.pipeline.modelfile import ModelFile
from laconic.pipeline.pipeline import Pipeline
from laconic.pipeline.training import check_asked, train, trained

__all__ = [
    "ModelFile",
    "Pipeline",
    "Profile",
    "TrainConfig",
    "bundled",
    "check_asked",
    "default_toml",
    "load",
    "train",
    "trained",
    "with_seed",
    "with_settings",
]
