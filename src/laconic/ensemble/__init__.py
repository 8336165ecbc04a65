"""Agreement of parsers: one tree out of those of several, by vote (Sagae & Lavie 2006)."""

from __future__ import annotations

from laconic.ensemble.config import EnsembleConfig
from laconic.ensemble.parser import Ensemble

__all__ = ["Ensemble", "EnsembleConfig"]
