"""Labels on a given tree."""

from __future__ import annotations

from laconic.label.labeler import Labeler, LabelerConfig
from laconic.learn import Work

__all__ = ["Labeler", "LabelerConfig", "Work"]
