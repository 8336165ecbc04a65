"""Components composed, trained, saved and loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.exports import on_first_use

if TYPE_CHECKING:
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

__getattr__, __dir__ = on_first_use(
    __name__,
    {
        "laconic.pipeline.config": "TrainConfig default_toml with_seed with_settings",
        "laconic.pipeline.effort": "Profile",
        "laconic.pipeline.loading": "bundled load",
        "laconic.pipeline.modelfile": "ModelFile",
        "laconic.pipeline.pipeline": "Pipeline",
        "laconic.pipeline.training": "check_asked train trained",
    },
)
