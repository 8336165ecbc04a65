"""Transition parsing: heads and labels, decision by decision, each with as few templates as it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.exports import on_first_use

if TYPE_CHECKING:
    from laconic.transition.arcs import Arcs, ParserWork
    from laconic.transition.config import ParserConfig
    from laconic.transition.parser import Parser
    from laconic.transition.searching import Beam, LookAhead, Search, Tree
    from laconic.transition.training import ParserProgress

__all__ = ["Arcs", "Beam", "LookAhead", "Parser", "ParserConfig", "ParserProgress", "ParserWork", "Search", "Tree"]

__getattr__, __dir__ = on_first_use(
    __name__,
    {
        "laconic.transition.arcs": "Arcs ParserWork",
        "laconic.transition.config": "ParserConfig",
        "laconic.transition.parser": "Parser",
        "laconic.transition.searching": "Beam LookAhead Search Tree",
        "laconic.transition.training": "ParserProgress",
    },
)
