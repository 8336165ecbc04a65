"""What a teacher is made from, and how."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from laconic.errors import ConfigError
from laconic.learn.settings import check_shares, check_whole

WHOLE = (
    ("epochs", 1, 10_000),
    ("step_words", 1, 1_000_000),
    ("word_pieces", 1, 64),
    ("tag_units", 1, 65_536),
    ("arc_units", 1, 65_536),
    ("label_units", 1, 65_536),
    ("casing_units", 1, 4096),
    ("script_minimum", 1, 2**31),
    ("seed", 0, 2**32 - 1),
    ("threads", 1, 1024),
)
FILES = ("encoder", "train", "dev", "entity_data")


@dataclass(frozen=True)
class TeacherConfig:
    """How a teacher is trained: an encoder that was trained before, and a treebank on which it is trained on.

    The defaults are those of a small encoder (22 million weights). A larger one wants lower rates, as its authors
    say."""

    encoder: Path
    """A folder in the layout of Hugging Face: ``config.json``, weights, tokenizer."""
    train: Path
    """Treebank to learn from. What it shows is learned: tags, features, lemmas, trees, entities."""
    dev: Path | None = None
    """Treebank that is scored after each epoch. Nothing is chosen by it."""
    entity_data: tuple[Path, ...] = ()
    """Files with named entities of the same sentences, for training and, if there is a second one, for development."""
    epochs: int = 5
    step_words: int = 700
    """About so many words are learned from at once."""
    rate: float = 2.5e-4
    """Of the encoder; it rises over the first twentieth of all steps and then falls to nothing."""
    output_rate: float = 1e-3
    """Of all that is trained from nothing."""
    dropout: float = 0.2
    """Of words and hidden units of the outputs; in the encoder as its own configuration says."""
    word_pieces: int = 8
    """Of longer words only so many pieces are read."""
    tag_units: int = 384
    arc_units: int = 400
    label_units: int = 80
    casing_units: int = 32
    """How the case of a word is told to an encoder that does not see it."""
    script_minimum: int = 2
    """Edit scripts of lemmas that are seen less often are not learned."""
    seed: int = 1
    threads: int = 1
    """Results may differ in the last digits with another number, and with equal ones are the same."""

    def __post_init__(self) -> None:
        check_whole(self, WHOLE)
        check_shares(self, ("dropout",))
        for name in ("rate", "output_rate"):
            value = getattr(self, name)
            if not (isinstance(value, int | float) and math.isfinite(value) and 0 < value <= 1):
                raise ConfigError(f"{name} must be a number above 0 and at most 1, not {value!r}")
        if len(self.entity_data) > 2:
            raise ConfigError("entity data are at most two files: for training and for development")

    def settings(self) -> dict[str, Any]:
        """All but the files, as JSON has it."""
        return {name: value for name, value in asdict(self).items() if name not in FILES}
