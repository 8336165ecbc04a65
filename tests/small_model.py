"""A small model of an invented language, with all components, trained in seconds."""

from __future__ import annotations

from pathlib import Path

from synthetic import conllu

from laconic.pipeline import TrainConfig, train, with_settings
from laconic.progress import finished

COMPONENTS = ("segmenter", "morphology", "lemmatizer", "entities")
PARTS = ("segmenter", "morphology.tagger", "morphology.features", "lemmatizer", "entities")
QUICK = {f"{part}.folds": "2" for part in PARTS} | {f"{part}.settings.epochs": "2" for part in PARTS}


def with_names(text: str) -> str:
    """The invented treebank with every third of its nouns as an entity."""
    lines, nouns = [], 0
    for line in text.splitlines():
        fields = line.split("\t")
        if len(fields) == 10 and fields[0].isdigit():
            nouns += fields[3] == "NOUN"
            tag = "B-THING" if fields[3] == "NOUN" and len(fields[1]) % 3 == 0 else "O"
            fields[9] = f"NER={tag}" if fields[9] == "_" else f"{fields[9]}|NER={tag}"
        lines.append("\t".join(fields))
    return "\n".join(lines) + "\n\n"


def build(place: Path, sentences: int = 150) -> Path:
    """The model file; beside it lie ``train.conllu`` and ``dev.conllu``."""
    for name, seed in (("train", 1), ("dev", 2)):
        (place / f"{name}.conllu").write_text(with_names(conllu(sentences, seed=seed)), "utf-8")
    config = TrainConfig(place / "train.conllu", place / "dev.conllu", components=COMPONENTS)
    path = place / "small.laconic"
    finished(train(with_settings(config, QUICK))).save(path)
    return path


def text(sentences: int, seed: int = 3) -> str:
    """Running text of the language."""
    from laconic.corpus import Doc

    return Doc.from_conllu(conllu(sentences, seed=seed)).text
