"""A small model of the invented language, with every component that explains itself, trained in seconds."""

from __future__ import annotations

from pathlib import Path

import synthetic

from laconic.pipeline import TrainConfig, train, with_settings
from laconic.progress import finished

COMPONENTS = ("segmenter", "morphology", "lemmatizer", "parser", "entities")
PARTS = ("segmenter", "morphology.tagger", "morphology.features", "lemmatizer", "entities")
QUICK = {f"{part}.{key}": "2" for part in PARTS for key in ("folds", "settings.epochs")}
QUICK |= {"parser.hidden.epochs": "3", "parser.hidden.units": "32"}
TEXT = "Lo sub tra kum lo petum. Kui la dela."


def with_names(text: str) -> str:
    """The treebank with its proper nouns as entities."""
    lines = []
    for line in text.splitlines():
        fields = line.split("\t")
        if len(fields) == 10 and fields[0].isdigit():
            tag = "O" if fields[3] != "PROPN" else "I-PER" if fields[7] == "flat" else "B-PER"
            fields[9] = f"NER={tag}" if fields[9] == "_" else f"{fields[9]}|NER={tag}"
        lines.append("\t".join(fields))
    return "\n".join(lines) + "\n\n"


def trained(place: Path, sentences: int = 150) -> Path:
    """The model file."""
    (place / "train.conllu").write_text(with_names(synthetic.conllu(sentences, 1)), "utf-8")
    config = TrainConfig(place / "train.conllu", place / "train.conllu", components=COMPONENTS)
    finished(train(with_settings(config, QUICK))).save(place / "small.laconic")
    return place / "small.laconic"
