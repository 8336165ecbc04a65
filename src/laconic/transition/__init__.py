"""Transition parsing: heads and labels, decision by decision, each with as few templates as it needs."""

from __future__ import annotations

from laconic.transition.config import ParserConfig
from laconic.transition.parser import Parser, Work
from laconic.transition.training import ParserProgress

__all__ = ["Parser", "ParserConfig", "ParserProgress", "Work"]
