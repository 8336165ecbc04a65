"""One label per word: parts of speech, named entities."""

from __future__ import annotations

from laconic.tag.entities import EntityConfig, EntityTagger
from laconic.tag.folding import Progress, Work
from laconic.tag.merging import Merged, merge_entities
from laconic.tag.spans import Entity, spans
from laconic.tag.tagger import Tagger, TaggerConfig

__all__ = [
    "Entity",
    "EntityConfig",
    "EntityTagger",
    "Merged",
    "Progress",
    "Tagger",
    "TaggerConfig",
    "Work",
    "merge_entities",
    "spans",
]
