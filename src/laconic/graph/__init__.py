"""The graph parser: the best tree of possible arcs, whose features are added only where heads are open (he2013)."""

from __future__ import annotations

from laconic.graph.config import GraphConfig, MiraSettings, PolicySettings, SelectionSettings, SiblingSettings
from laconic.graph.parser import GraphParser
from laconic.graph.vote import vote

__all__ = [
    "GraphConfig",
    "GraphParser",
    "MiraSettings",
    "PolicySettings",
    "SelectionSettings",
    "SiblingSettings",
    "vote",
]
