"""Components composed, trained, saved and loaded."""

from __future__ import annotations

from laconic.pipeline.effort import Profile
from laconic.pipeline.loading import bundled, load
from laconic.pipeline.modelfile import ModelFile
from laconic.pipeline.pipeline import Pipeline
from laconic.pipeline.training import TrainConfig, train, with_settings

__all__ = ["ModelFile", "Pipeline", "Profile", "TrainConfig", "bundled", "load", "train", "with_settings"]
