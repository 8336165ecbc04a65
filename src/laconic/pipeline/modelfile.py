"""The model file: safetensors, one canonical JSON string as its metadata, and a digest over every byte.

Nothing in it can be executed. Equal models are equal bytes. Format versions: see docs/models.md.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from laconic.errors import ModelError

FORMAT = 5
KEY = "laconic"
BLANK = "0" * 64
START = 9
"""Bytes that tell a safetensors file apart: the length of its header, and the first character of it."""
LARGEST_HEADER = 100_000_000
"""As safetensors has it."""
TYPES = {
    "BOOL": "?",
    **{f"{letter}{8 * size}": f"<{letter.lower()}{size}" for letter in "UI" for size in (1, 2, 4, 8)},
    **{f"F{8 * size}": f"<f{size}" for size in (2, 4, 8)},
}
"""Names that safetensors has for types, and those of NumPy."""


@dataclass(frozen=True)
class ModelFile:
    """Arrays by name, and all else as JSON."""

    arrays: Mapping[str, npt.NDArray[Any]]
    facts: Mapping[str, Any]
    digest: str = ""
    """Of the file that it was read from."""

    def to_bytes(self) -> bytes:
        from safetensors.numpy import save  # not needed to read

        if "digest" in self.facts or "format" in self.facts:
            raise ValueError("digest and format are written by the model file itself")
        text = json.dumps(
            {"digest": BLANK, "format": FORMAT, **self.facts}, sort_keys=True, separators=(",", ":"), allow_nan=False
        )
        arrays = {name: np.ascontiguousarray(self.arrays[name]) for name in sorted(self.arrays)}
        blank = save(arrays, {KEY: text})
        begin, end = _digest_place(blank, BLANK)
        return blank[:begin] + hashlib.sha256(blank).hexdigest().encode() + blank[end:]

    def save(self, path: str | Path) -> str:
        """Write the file whole or not at all; its digest."""
        from laconic.corpus.files import opened_to_write  # not needed to read

        data = self.to_bytes()
        with opened_to_write(path) as file:
            file.write(data)
        return _Header.of(data[: _header_end(data[:START], str(path))], str(path)).digest

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "model") -> ModelFile:
        """ModelError for anything but what ``to_bytes`` wrote: cost is one hash of the bytes. Arrays are views of
        them."""
        end = _header_end(data[:START], name)
        header = _Header.of(data[:end], name)
        contents = memoryview(data)[end:]
        header.check(contents, name)
        return cls(header.arrays(contents, name), header.facts, header.digest)

    @classmethod
    def load(cls, path: str | Path) -> ModelFile:
        """As ``from_bytes``. Of a file whose header is not that of a model of its size, no more than the header is
        read."""
        with cls.checked(path) as file:
            return file

    @classmethod
    @contextmanager
    def checked(cls, path: str | Path) -> Iterator[ModelFile]:
        """The file, while another thread computes its digest. What is built of it inside the block may be used behind
        it: that is where a file that is damaged in any byte is a ModelError, whatever it led to inside.

        The file is read, not mapped: it could change under a mapping after its digest was found right.
        """
        name = str(path)
        header, contents = _read(path, name)
        found: list[str] = []
        thread = Thread(target=lambda: found.append(header.digest_with(contents)), name="laconic-digest")
        thread.start()
        try:
            yield cls(header.arrays(contents, name), header.facts, header.digest)
        finally:
            thread.join()
            if found != [header.digest]:
                raise _damaged(name) from None

    @classmethod
    def described(cls, path: str | Path) -> ModelFile:
        """The facts of a file and the digest that it says it has, without its arrays: no more than the header is read,
        and the digest is not checked. ModelError as for ``load``."""
        name = str(path)
        if Path(path).is_dir():
            raise ModelError(f"{name}: this is a folder, not a model file")
        with Path(path).open("rb") as file:
            header = _read_header(file, name)
        return cls({}, header.facts, header.digest)


def _read_header(file: BinaryIO, name: str) -> _Header:
    start = file.read(START)
    return _Header.of(start + file.read(_header_end(start, name) - len(start)), name)


def _read(path: str | Path, name: str) -> tuple[_Header, memoryview]:
    """The header, and what follows it, of a file that is as long as its header says."""
    if Path(path).is_dir():
        raise ModelError(f"{name}: this is a folder, not a model file")
    with Path(path).open("rb") as file:
        header = _read_header(file, name)
        status = os.fstat(file.fileno())
        if stat.S_ISREG(status.st_mode):
            header.check_size(status.st_size - len(header.text), name)
            buffer = np.empty(header.size + 1, np.uint8).data  # NumPy asks for large pages: half the time
            contents = buffer[: file.readinto(buffer)].toreadonly()
        else:  # the size of a pipe is not known
            contents = memoryview(file.read(header.size + 1))
    header.check_size(len(contents), name)
    return header, contents


@dataclass(frozen=True)
class _Header:
    text: bytes
    """With the length before it."""
    tensors: Mapping[str, Any]
    facts: Mapping[str, Any]
    digest: str
    size: int
    """Of what follows it."""

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
        return cls(head, tensors, facts, digest, max(ends, default=0))

    def check_size(self, size: int, name: str) -> None:
        if size != self.size:
            whole, wanted = len(self.text) + size, len(self.text) + self.size
            raise ModelError(f"{name}: the model file is damaged: it has {whole:,} bytes, and by its header {wanted:,}")

    def check(self, contents: memoryview, name: str) -> None:
        self.check_size(len(contents), name)
        if self.digest_with(contents) != self.digest:
            raise _damaged(name)

    def digest_with(self, contents: memoryview) -> str:
        """Of the whole file, with zeros where the digest stands. Runs without the lock of the interpreter."""
        begin, end = _digest_place(self.text, self.digest)
        found = hashlib.sha256(self.text[:begin] + BLANK.encode() + self.text[end:])
        found.update(contents)
        return found.hexdigest()

    def arrays(self, contents: memoryview, name: str) -> dict[str, npt.NDArray[Any]]:
        """Views of the bytes behind the header; ModelError where the header does not describe them whole, byte after
        byte."""
        made, behind = {}, 0
        try:
            for key, tensor in sorted(self.tensors.items(), key=lambda item: item[1]["data_offsets"]):
                begin, end = tensor["data_offsets"]
                stored, shape = np.dtype(TYPES[tensor["dtype"]]), tuple(tensor["shape"])
                if begin != behind or not all(type(one) is int and one >= 0 for one in shape):
                    raise ValueError(f"the place of {key!r}")
                if end - begin != prod(shape) * stored.itemsize:
                    raise ValueError(f"the shape of {key!r}")
                array: npt.NDArray[Any] = np.ndarray(shape, stored, contents, begin)
                made[key] = np.require(array, stored.newbyteorder("="), "A")  # copied only on a foreign machine
                behind = end
        except (ValueError, KeyError, TypeError) as error:
            raise ModelError(f"{name}: the model file is damaged: {error}") from error
        return made


def _header_end(start: bytes, name: str) -> int:
    """Where the header ends, by the first bytes of a file."""
    end = 8 + int.from_bytes(start[:8], "little")
    if len(start) < START or start[8:] != b"{" or end > LARGEST_HEADER:
        raise _foreign(name)
    return end


def _foreign(name: str) -> ModelError:
    return ModelError(f"{name}: not a laconic model, or its header is damaged")


def _damaged(name: str) -> ModelError:
    return ModelError(f"{name}: the model file is damaged (its digest does not match)")


def _digest_place(data: bytes, digest: str) -> tuple[int, int]:
    """Where the digest stands inside the quoted metadata string of the header; (-1, …) where it does not."""
    before = '\\"digest\\":\\"'
    at = data.find(f'{before}{digest}\\"'.encode())
    begin = at + len(before) if at >= 0 else -1
    return begin, begin + len(digest)
