"""Labels on a given tree."""

from __future__ import annotations

from laconic.label.labeler import Labeler, LabelerConfig, Work

__all__ = ["Labeler", "LabelerConfig", "Work"]
