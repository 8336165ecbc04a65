"""Parts of speech: one label per word."""

from __future__ import annotations

from laconic.tag.tagger import Progress, Tagger, TaggerConfig, Work

__all__ = ["Progress", "Tagger", "TaggerConfig", "Work"]
