"""An encoder from a folder in the layout of Hugging Face: nothing is fetched, nothing in the folder is executed."""

from __future__ import annotations

import logging
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from laconic.errors import ModelError
from laconic.interop.optional import needed

EXTRA = "distill"
USUAL_POSITIONS = 512
"""Pieces that an encoder reads at once where its configuration does not say."""
RESERVED_POSITIONS = 2
"""Of the positions of an encoder, those that some of them (RoBERTa) keep for padding."""
TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "added_tokens.json",
    "sentencepiece.bpe.model",
    "spiece.model",
)


@dataclass
class Tokenizer:
    """Pieces of words, each word by itself and remembered."""

    tokenizer: Any
    most: int
    """Pieces of a word; the others are not read."""
    before: tuple[int, ...]
    after: tuple[int, ...]
    """What the encoder wants around a text."""
    unknown: int
    padding: int
    _known: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def pieces(self, form: str) -> tuple[int, ...]:
        """At least one: a word of which the tokenizer makes nothing is an unknown piece."""
        found = self._known.get(form)
        if found is None:
            ids = self.tokenizer.encode(form, add_special_tokens=False)[: self.most]
            found = self._known[form] = tuple(ids) or (self.unknown,)
        return found


def load_config(folder: Path) -> Any:
    """The configuration of an encoder; ModelError where the folder holds none."""
    if not folder.is_dir():
        raise ModelError(f"{folder}: no such folder: an encoder is a folder with config.json, weights and a tokenizer")
    if not (folder / "config.json").is_file():
        raise ModelError(f"{folder}: no encoder: there is no config.json in it")
    transformers = _transformers()
    try:
        config = transformers.AutoConfig.from_pretrained(str(folder), local_files_only=True)
    except Exception as error:  # whatever a foreign folder makes the package raise
        raise ModelError(f"{folder}: the encoder's configuration cannot be read: {_first_line(error)}") from None
    if getattr(config, "is_encoder_decoder", False):
        raise ModelError(f"{folder}: an encoder with a decoder ({config.model_type}): expected an encoder alone")
    return config


def load_weights(folder: Path, config: Any) -> Any:
    """The encoder itself, as a module of torch. ModelError where weights are missing: they would be random."""
    transformers = _transformers()
    try:
        model, found = transformers.AutoModel.from_pretrained(
            str(folder), config=config, local_files_only=True, output_loading_info=True
        )
    except Exception as error:
        raise ModelError(f"{folder}: the encoder's weights cannot be read: {_first_line(error)}") from None
    missing = sorted(name for name in found["missing_keys"] if "pooler" not in name and "position_ids" not in name)
    if missing:
        raise ModelError(f"{folder}: the encoder lacks weights, such as {missing[0]}: do they belong to config.json?")
    return model.float()


def empty_encoder(config: Any) -> Any:
    """An encoder of this configuration, whose weights are set afterwards."""
    return _transformers().AutoModel.from_config(config)


def load_tokenizer(folder: Path, config: Any, most: int) -> Tokenizer:
    """ModelError where there is none, or it belongs to another encoder."""
    transformers = _transformers()
    if not any((folder / name).is_file() for name in TOKENIZER_FILES if not name.endswith("config.json")):
        raise ModelError(f"{folder}: no tokenizer: expected tokenizer.json or a vocabulary beside config.json")
    try:
        made = transformers.AutoTokenizer.from_pretrained(str(folder), local_files_only=True, add_prefix_space=True)
        bare = made.encode("a", add_special_tokens=False)
        whole = made.encode("a", add_special_tokens=True)
    except Exception as error:
        raise ModelError(f"{folder}: the tokenizer cannot be read: {_first_line(error)}") from None
    rows = int(getattr(config, "vocab_size", 0))
    largest = max(made.get_vocab().values(), default=0)
    if not rows or largest >= rows:
        raise ModelError(
            f"{folder}: the tokenizer does not belong to the encoder: it has pieces up to number {largest:,}, and the "
            f"encoder {rows:,} of them"
        )
    at = next((i for i in range(len(whole) - len(bare) + 1) if whole[i : i + len(bare)] == bare), 0)
    unknown = made.unk_token_id if made.unk_token_id is not None else 0
    padding = made.pad_token_id if made.pad_token_id is not None else 0
    return Tokenizer(made, most, tuple(whole[:at]), tuple(whole[at + len(bare) :]), unknown, padding)


def most_pieces(folder: Path, config: Any, tokenizer: Tokenizer) -> int:
    """How many pieces of words the encoder reads at once. ModelError for fewer than a word may have."""
    positions = int(getattr(config, "max_position_embeddings", 0) or USUAL_POSITIONS) - RESERVED_POSITIONS
    positions = min(positions, int(tokenizer.tokenizer.model_max_length)) - len(tokenizer.before) - len(tokenizer.after)
    if positions < tokenizer.most:
        raise ModelError(
            f"{folder}: the encoder reads {max(0, positions)} pieces at once, and a word may have {tokenizer.most}: "
            "set word_pieces lower"
        )
    return positions


def copy_tokenizer(source: Path, target: Path) -> None:
    """Configuration and tokenizer, without which weights mean nothing."""
    target.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", *TOKENIZER_FILES):
        if (source / name).is_file():
            shutil.copyfile(source / name, target / name)


def _transformers() -> Any:
    package = needed("transformers", EXTRA)
    package.utils.logging.set_verbosity_error()
    package.utils.logging.disable_progress_bar()
    logging.getLogger("transformers").propagate = False
    return package


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:300] or type(error).__name__
