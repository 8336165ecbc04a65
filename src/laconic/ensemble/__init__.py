"""Agreement of parsers: one tree out of those of several, by vote (Sagae & Lavie 2006)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.exports import on_first_use

if TYPE_CHECKING:
    from laconic.ensemble.config import EnsembleConfig
    from laconic.ensemble.parser import Ensemble

__all__ = ["Ensemble", "EnsembleConfig"]

__getattr__, __dir__ = on_first_use(
    __name__,
    {
        "laconic.ensemble.config": "EnsembleConfig",
        "laconic.ensemble.parser": "Ensemble",
    },
)
