"""One label per word: parts of speech, morphological features, lemmas, named entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.exports import on_first_use

if TYPE_CHECKING:
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

__getattr__, __dir__ = on_first_use(
    __name__,
    {
        "laconic.learn": "Work",
        "laconic.progress": "Progress",
        "laconic.tag.entities": "EntityConfig EntityTagger",
        "laconic.tag.lemmatizer": "Lemmatizer LemmatizerConfig",
        "laconic.tag.lexicons": "Entry read_lexicon",
        "laconic.tag.merging": "Merged merge_entities",
        "laconic.tag.morphology": "Morphology MorphologyConfig",
        "laconic.tag.tagger": "Tagger TaggerConfig",
    },
)
