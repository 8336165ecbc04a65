"""The model file: safetensors, one canonical JSON string as its metadata, and a digest over every byte.

Nothing in it can be executed. Equal models are equal bytes. Format versions: see docs/models.md.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
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

FORMAT = 3
KEY = "laconic"
BLANK = "0" * 64
START = 9
"""Bytes that tell a safetensors file apart: the length of its header, and the first character of it."""
LARGEST_HEADER = 100_000_000
"""As safetensors has it."""


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
        begin, end = _digest_place(blank, BLANK)
        return blank[:begin] + hashlib.sha256(blank).hexdigest().encode() + blank[end:]

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "model") -> ModelFile:
        """ModelError for anything but what ``to_bytes`` wrote: cost is one hash of the bytes."""
        header = _Header.of(data[: _header_end(data[:START], name)], name)
        return cls._from_bytes(data, header, name)

    @classmethod
    def _from_bytes(cls, data: bytes, header: _Header, name: str) -> ModelFile:
        header.check_size(len(data), name)
        begin, end = _digest_place(data, header.digest)
        found = hashlib.sha256(memoryview(data)[:begin])
        found.update(BLANK.encode())
        found.update(memoryview(data)[end:])
        if found.hexdigest() != header.digest:
            raise ModelError(f"{name}: the model file is damaged (its digest does not match)")
        try:
            arrays = load_tensors(data)
        except (SafetensorError, ValueError, KeyError) as error:
            raise ModelError(f"{name}: the model file is damaged: {error}") from error
        return cls(arrays, header.facts, header.digest)

    def save(self, path: str | Path) -> str:
        """Write the file whole or not at all; its digest."""
        data = self.to_bytes()
        with opened_to_write(path) as file:
            file.write(data)
        return _Header.of(data[: _header_end(data[:START], str(path))], str(path)).digest

    @classmethod
    def load(cls, path: str | Path) -> ModelFile:
        """As ``from_bytes``. Of a file whose header is not that of a model of its size, no more than the header is
        read."""
        name = str(path)
        if Path(path).is_dir():
            raise ModelError(f"{name}: this is a folder, not a model file")
        with Path(path).open("rb") as file:
            start = file.read(START)
            head = start + file.read(_header_end(start, name) - len(start))
            header = _Header.of(head, name)
            status = os.fstat(file.fileno())
            if stat.S_ISREG(status.st_mode):  # the size of a pipe is not known
                header.check_size(status.st_size, name)
            data = head + file.read(header.size - len(head) + 1)
        return cls._from_bytes(data, header, name)


@dataclass(frozen=True)
class _Header:
    facts: Mapping[str, Any]
    digest: str
    size: int
    """Of the whole file."""

    @classmethod
    def of(cls, head: bytes, name: str) -> _Header:
        """Read by hand: a foreign file is told apart before anything in it is trusted."""
        try:
            tensors = json.loads(head[8:])
            facts = json.loads(tensors.pop("__metadata__")[KEY])
            ends = [tensor["data_offsets"][1] for tensor in tensors.values()]
            version, digest = facts.pop("format"), facts.pop("digest", None)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            raise _foreign(name) from None
        if version != FORMAT:
            raise ModelError(f"{name}: model format {version!r}, but this laconic reads format {FORMAT}: train it anew")
        if not isinstance(digest, str) or len(digest) != len(BLANK) or _digest_place(head, digest)[0] < 0:
            raise _foreign(name)
        if not all(type(end) is int and end >= 0 for end in ends):
            raise _foreign(name)
        return cls(facts, digest, len(head) + max(ends, default=0))

    def check_size(self, size: int, name: str) -> None:
        if size != self.size:
            raise ModelError(
                f"{name}: the model file is damaged: it has {size:,} bytes, and by its header {self.size:,}"
            )


def _header_end(start: bytes, name: str) -> int:
    """Where the header ends, by the first bytes of a file."""
    end = 8 + int.from_bytes(start[:8], "little")
    if len(start) < START or start[8:] != b"{" or end > LARGEST_HEADER:
        raise _foreign(name)
    return end


def _foreign(name: str) -> ModelError:
    return ModelError(f"{name}: not a laconic model, or its header is damaged")


def _digest_place(data: bytes, digest: str) -> tuple[int, int]:
    """Where the digest stands inside the quoted metadata string of the header; (-1, …) where it does not."""
    before = '\\"digest\\":\\"'
    at = data.find(f'{before}{digest}\\"'.encode())
    begin = at + len(before) if at >= 0 else -1
    return begin, begin + len(digest)
