"""The model file: safetensors, one canonical JSON string as its metadata, and a digest over every byte.

Nothing in it can be executed. Equal models are equal bytes. Format versions: see docs/models.md.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from laconic.corpus.files import opened_to_write
from laconic.errors import ModelError

FORMAT = 2
KEY = "laconic"
BLANK = "0" * 64


@dataclass(frozen=True)
class ModelFile:
    """Arrays by name, and all else as JSON."""

    arrays: Mapping[str, npt.NDArray[Any]]
    facts: Mapping[str, Any]
    digest: str = ""
    """Of the file that it was read from."""

    def to_bytes(self) -> bytes:
        if "digest" in self.facts or "format" in self.facts:
            raise ValueError("digest and format are written by the model file itself")
        text = json.dumps(
            {"digest": BLANK, "format": FORMAT, **self.facts}, sort_keys=True, separators=(",", ":"), allow_nan=False
        )
        arrays = {name: np.ascontiguousarray(self.arrays[name]) for name in sorted(self.arrays)}
        blank = save_tensors(arrays, {KEY: text})
        return _with_digest(blank, BLANK, hashlib.sha256(blank).hexdigest())

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "model") -> ModelFile:
        """ModelError for anything but what ``to_bytes`` wrote: cost is one hash of the bytes."""
        facts = _facts(data, name)
        if facts.get("format") != FORMAT:
            raise ModelError(
                f"{name}: model format {facts.get('format')!r}, but this laconic reads format {FORMAT}: train it anew"
            )
        digest = facts.pop("digest", None)
        if not isinstance(digest, str) or len(digest) != len(BLANK):
            raise ModelError(f"{name}: not a laconic model, or its header is damaged")
        if hashlib.sha256(_with_digest(data, digest, BLANK)).hexdigest() != digest:
            raise ModelError(f"{name}: the model file is damaged (its digest does not match)")
        try:
            arrays = load_tensors(data)
        except (SafetensorError, ValueError, KeyError) as error:
            raise ModelError(f"{name}: the model file is damaged: {error}") from error
        del facts["format"]
        return cls(arrays, facts, digest)

    def save(self, path: str | Path) -> str:
        """Write the file whole or not at all; its digest."""
        data = self.to_bytes()
        with opened_to_write(path) as file:
            file.write(data)
        return str(_facts(data, str(path))["digest"])

    @classmethod
    def load(cls, path: str | Path) -> ModelFile:
        return cls.from_bytes(Path(path).read_bytes(), str(path))


def _facts(data: bytes, name: str) -> dict[str, Any]:
    """The JSON of the header, read by hand: a foreign file is told apart before anything in it is trusted."""
    foreign = ModelError(f"{name}: not a laconic model, or its header is damaged")
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or size > len(data) - 8:
        raise foreign
    try:
        facts = json.loads(json.loads(data[8 : 8 + size])["__metadata__"][KEY])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise foreign from None
    if not isinstance(facts, dict):
        raise foreign
    return facts


def _with_digest(data: bytes, old: str, new: str) -> bytes:
    """Swaps the digest inside the quoted metadata string of the header; nothing is left of data that lacks it."""
    mark = f'\\"digest\\":\\"{old}\\"'.encode()
    at = data.find(mark)
    if at < 0:
        return b""
    return data[:at] + mark.replace(old.encode(), new.encode()) + data[at + len(mark) :]
