"""One label per word: parts of speech, morphological features, lemmas, named entities."""

from __future__ import annotations

from laconic.learn import Work
from laconic.progress import Progress
from laconic.tag.entities import EntityConfig, EntityTagger
from laconic.tag.lemmatizer import Lemmatizer, LemmatizerConfig
from laconic.tag.lexicons import Entry, read_lexicon
from laconic.tag.merging import Merged, merge_entities
from laconic.tag.morphology import Morphology, MorphologyConfig
from laconic.tag.tagger import Tagger, TaggerConfig

__all__ = [
    "EntityConfig",
    "EntityTagger",
    "Entry",
    "Lemmatizer",
    "LemmatizerConfig",
    "Merged",
    "Morphology",
    "MorphologyConfig",
    "Progress",
    "Tagger",
    "TaggerConfig",
    "Work",
    "merge_entities",
    "read_lexicon",
]
