"""The graph parser: the best tree of possible arcs, whose features are added only where heads are open (he2013)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.exports import on_first_use

if TYPE_CHECKING:
    from laconic.graph.config import GraphConfig, MiraSettings, PolicySettings, SelectionSettings, SiblingSettings
    from laconic.graph.parser import GraphParser
    from laconic.graph.voting import vote

__all__ = [
    "GraphConfig",
    "GraphParser",
    "MiraSettings",
    "PolicySettings",
    "SelectionSettings",
    "SiblingSettings",
    "vote",
]

__getattr__, __dir__ = on_first_use(
    __name__,
    {
        "laconic.graph.config": "GraphConfig MiraSettings PolicySettings SelectionSettings SiblingSettings",
        "laconic.graph.parser": "GraphParser",
        "laconic.graph.voting": "vote",
    },
)
