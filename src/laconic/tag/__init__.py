"""Parts of speech, morphological features and lemmas: one label per word."""

from __future__ import annotations

from laconic.progress import Progress
from laconic.tag.lemmatizer import Lemmatizer, LemmatizerConfig
from laconic.tag.lexicons import Entry, read_lexicon
from laconic.tag.morphology import Morphology, MorphologyConfig
from laconic.tag.tagger import Tagger, TaggerConfig, Work

__all__ = [
    "Entry",
    "Lemmatizer",
    "LemmatizerConfig",
    "Morphology",
    "MorphologyConfig",
    "Progress",
    "Tagger",
    "TaggerConfig",
    "Work",
    "read_lexicon",
]
