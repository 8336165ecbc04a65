"""From treebanks to a pipeline."""

from __future__ import annotations

import hashlib
import io
import tomllib
from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import laconic
from laconic.corpus import Doc, read
from laconic.corpus.files import read_chunks
from laconic.errors import ConfigError, InputError
from laconic.pipeline.effort import profiles
from laconic.pipeline.pipeline import COMPONENTS, Pipeline
from laconic.tag import Progress, Tagger, TaggerConfig


@dataclass(frozen=True)
class TrainConfig:
    """What to train on, and how."""

    train: Path
    dev: Path | None = None
    """Without it there are no effort profiles but ``full``."""
    components: tuple[str, ...] = ("tagger",)
    tagger: TaggerConfig = field(default_factory=TaggerConfig)

    def __post_init__(self) -> None:
        for name in self.components:
            if name not in COMPONENTS:
                raise ConfigError(f"no component {name!r}: there are {', '.join(COMPONENTS)}")
        if not self.components:
            raise ConfigError(f"nothing to train: choose from {', '.join(COMPONENTS)}")


def train(config: TrainConfig) -> Generator[Progress, None, Pipeline]:
    """Train all components. The generator tells how far it is and returns the pipeline.

    Same data, configuration and build: same bytes.
    """
    doc, data = _read(config.train)
    provenance: dict[str, Any] = {
        "version": laconic.__version__,
        "train": data,
        "config": {name: asdict(getattr(config, name)) for name in config.components},
    }
    dev = None
    if config.dev is not None:
        dev, provenance["dev"] = _read(config.dev)
    components, measured = {}, {}
    for name in config.components:
        components[name] = yield from Tagger.fit(getattr(config, name), doc)
        measured[name] = profiles(components[name], dev) if dev is not None else {}
    return Pipeline(components, measured, provenance)


def _read(path: Path) -> tuple[Doc, dict[str, Any]]:
    """A treebank, and what tells it apart; not where it lies, which is nobody's business."""
    file = io.BytesIO(b"".join(read_chunks(path, -1)))
    file.name = str(path)  # type: ignore[attr-defined]  # what errors call it
    doc = read(file)
    if not doc:
        raise InputError("there is no sentence in it", str(path))
    digest = hashlib.sha256(file.getvalue()).hexdigest()
    return doc, {"file": path.name, "sha256": digest, "sentences": len(doc.sentences), "words": len(doc)}


def with_settings(config: TrainConfig, changes: Mapping[str, str]) -> TrainConfig:
    """The configuration with single settings changed: ``{"tagger.settings.l2": "1e-5"}``. Values are as in TOML."""
    for key, text in changes.items():
        config = _changed(config, key, key.split("."), text)
    return config


def _changed(part: Any, key: str, path: list[str], text: str) -> Any:
    names = {one.name for one in fields(part)} - {"train", "dev", "components"}
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
