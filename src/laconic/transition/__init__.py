"""Transition parsing: heads and labels, decision by decision, each with as few templates as it needs."""

from __future__ import annotations

from laconic.transition.arcs import Arcs, ParserWork
from laconic.transition.config import ParserConfig
from laconic.transition.parser import Parser
from laconic.transition.searching import Beam, LookAhead, Search, Tree
from laconic.transition.training import ParserProgress

__all__ = ["Arcs", "Beam", "LookAhead", "Parser", "ParserConfig", "ParserProgress", "ParserWork", "Search", "Tree"]
