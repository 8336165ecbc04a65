"""From treebanks to a pipeline."""

from __future__ import annotations

import hashlib
import io
import tomllib
from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import laconic
from laconic.corpus import Doc, read
from laconic.corpus.files import read_chunks
from laconic.errors import ConfigError, InputError
from laconic.pipeline.components import Component, in_order
from laconic.pipeline.effort import Profile, profiles
from laconic.pipeline.pipeline import Pipeline
from laconic.progress import Progress
from laconic.tag import (
    EntityConfig,
    EntityTagger,
    Lemmatizer,
    LemmatizerConfig,
    Morphology,
    MorphologyConfig,
    Tagger,
    TaggerConfig,
    merge_entities,
)
from laconic.text import Segmenter, SegmenterConfig


@dataclass(frozen=True)
class TrainConfig:
    """What to train on, and how."""

    train: Path
    dev: Path | None = None
    """Without it there are no effort profiles but ``full``."""
    components: tuple[str, ...] = ("tagger",)
    entity_data: tuple[Path, ...] = ()
    """Files with named entities of the same sentences, for training and, if there is a second one, for development."""
    segmenter: SegmenterConfig = field(default_factory=SegmenterConfig)
    tagger: TaggerConfig = field(default_factory=TaggerConfig)
    morphology: MorphologyConfig = field(default_factory=MorphologyConfig)
    lemmatizer: LemmatizerConfig = field(default_factory=LemmatizerConfig)
    entities: EntityConfig = field(default_factory=EntityConfig)

    def __post_init__(self) -> None:
        object.__setattr__(self, "components", in_order(self.components))
        if len(self.entity_data) > 2:
            raise ConfigError("entity data are at most two files: for training and for development")


def train(config: TrainConfig) -> Generator[Progress, None, Pipeline]:
    """Train all components. The generator tells how far it is and returns the pipeline.

    Each component is calibrated on what models that did not see it made of the training data, and measured on the
    development data as earlier components leave them. Same data, configuration and build: same bytes.
    """
    doc, data = _read(config.train, config.entity_data[:1])
    provenance: dict[str, Any] = {
        "version": laconic.__version__,
        "train": data,
        "config": {name: asdict(getattr(config, name)) for name in config.components},
    }
    dev = given = None
    if config.dev is not None:
        dev, provenance["dev"] = _read(config.dev, config.entity_data[1:])
        _check_dev(config, dev)
        given = dev.sentences[:]
        for column in ("upos", "xpos", "feats", "lemma"):  # nothing is given but what earlier components predict
            given.set_codes(column, np.zeros(len(given), np.int32), ["_"])
    components: dict[str, Component] = {}
    measured: dict[str, dict[str, Profile]] = {}
    tagged: Doc | None = None
    for name in config.components:
        chosen = getattr(config, name)
        if name == "segmenter":
            components[name] = yield from Segmenter.fit(chosen, doc)
        elif name == "tagger":
            components[name], tagged = yield from Tagger.fit_and_jackknife(chosen, doc)
        elif name == "morphology":
            components[name], tagged = yield from Morphology.fit_and_jackknife(chosen, doc)
        elif name == "lemmatizer":
            components[name] = yield from Lemmatizer.fit(chosen, doc, tagged)
        else:
            components[name] = yield from EntityTagger.fit(chosen, doc)
        measured[name] = {}
        if dev is not None and given is not None:
            measured[name] = profiles(components[name], dev, given)
            if name != "segmenter":
                components[name].apply(given)
    return Pipeline(components, measured, provenance)


def _check_dev(config: TrainConfig, dev: Doc) -> None:
    """ConfigError where a component could not be measured, before hours are spent on training it."""
    needed = {"tagger": config.tagger.columns, "morphology": ("upos", "xpos"), "lemmatizer": ("lemma",)}
    for name in config.components:
        columns = needed.get(name, ())
        if columns and not any(value != "_" for column in columns for value in dev.codes(column)[1]):
            raise ConfigError(f"the development data has no {' or '.join(columns)} to measure the {name} by")
        if name == "entities" and not any("NER=" in value for value in dev.codes("misc")[1]):
            raise ConfigError("the development data has no named entities: give a second file of them, or no --dev")


def _read(path: Path, entities: tuple[Path, ...] = ()) -> tuple[Doc, dict[str, Any]]:
    """A treebank, with the entities of another file if there is one, and what tells it apart; not where it lies, which
    is nobody's business."""
    file = io.BytesIO(b"".join(read_chunks(path, -1)))
    file.name = str(path)  # what errors call it
    doc = read(file)
    if not doc:
        raise InputError("there is no sentence in it", str(path))
    digest = hashlib.sha256(file.getvalue()).hexdigest()
    facts: dict[str, Any] = {"file": path.name, "sha256": digest, "sentences": len(doc.sentences), "words": len(doc)}
    for other in entities:
        annotated, facts["entities"] = _read(other)
        doc = merge_entities(doc, annotated).doc
    return doc, facts


def with_settings(config: TrainConfig, changes: Mapping[str, str]) -> TrainConfig:
    """The configuration with single settings changed: ``{"tagger.settings.l2": "1e-5"}``. Values are as in TOML."""
    for key, text in changes.items():
        config = _changed(config, key, key.split("."), text)
    return config


def _changed(part: Any, key: str, path: list[str], text: str) -> Any:
    names = {one.name for one in fields(part)} - {"train", "dev", "components", "entity_data"}
    if path[0] not in names:
        above = ".".join(key.split(".")[: -len(path)]) or "the top"
        raise ConfigError(f"no setting {key!r}: after {above} there are {', '.join(sorted(names))}")
    old = getattr(part, path[0])
    if is_dataclass(old):
        if len(path) == 1:
            raise ConfigError(f"{key!r} has settings of its own: {', '.join(one.name for one in fields(old))}")
        return replace(part, **{path[0]: _changed(old, key, path[1:], text)})
    if len(path) > 1:
        raise ConfigError(f"no setting {key!r}: {'.'.join(key.split('.')[: 1 - len(path)])} is a single value")
    return replace(part, **{path[0]: _value(key, text, old)})


def _value(key: str, text: str, old: Any) -> Any:
    """The text as a value of the old one's type; a bare word is a string."""
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    if isinstance(old, float) and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if isinstance(old, tuple) and isinstance(value, list):
        value = tuple(value)
    if type(value) is not type(old):
        raise ConfigError(f"{key} must be a {type(old).__name__}, like {old!r}, not {text!r}")
    return value
