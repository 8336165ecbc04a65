"""A damaged model file is an error that names it, whatever byte is damaged: never a crash, never another answer."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from cli.command import laconic as command

import laconic
from laconic.errors import ModelError
from laconic.pipeline import ModelFile


@pytest.fixture(scope="module")
def data(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A real model, of one component, so that there is time for every byte."""
    path = tmp_path_factory.mktemp("damage") / "one.laconic"
    laconic.load(small_model).select("lemmatizer").save(path)
    return path.read_bytes()


def damaged(data: bytes, at: int, mask: int) -> bytes:
    return data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :]


def test_every_byte_of_the_header_counts(data: bytes) -> None:
    header = 8 + int.from_bytes(data[:8], "little")
    draw = random.Random(1)
    for at in range(header):
        with pytest.raises(ModelError):
            ModelFile.from_bytes(damaged(data, at, 1 << draw.randrange(8)))


def test_every_bit_of_the_first_bytes_counts(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.laconic"
    for at in range(16):
        for bit in range(8):
            path.write_bytes(damaged(data, at, 1 << bit))
            with pytest.raises(ModelError, match=r"m\.laconic"):
                laconic.load(path)


def test_bytes_elsewhere_count(small_model: Path, tmp_path: Path) -> None:
    whole = small_model.read_bytes()
    path = tmp_path / "m.laconic"
    draw = random.Random(2)
    for at in [*(draw.randrange(len(whole)) for _ in range(60)), len(whole) - 1]:
        path.write_bytes(damaged(whole, at, draw.randrange(1, 256)))
        with pytest.raises(ModelError, match=r"m\.laconic"):
            laconic.load(path)


def test_files_that_end_early_or_go_on_are_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.laconic"
    draw = random.Random(3)
    for size in [*range(20), *(draw.randrange(len(data)) for _ in range(60)), len(data) - 1]:
        path.write_bytes(data[:size])
        with pytest.raises(ModelError, match=r"m\.laconic"):
            laconic.load(path)
    for more in (b"\0", b"\n", data):
        path.write_bytes(data + more)
        with pytest.raises(ModelError):
            laconic.load(path)


def test_the_commands_say_so_in_one_line(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.laconic"
    path.write_bytes(damaged(data, len(data) // 2, 1))
    for arguments in (["info", path], ["bench", path], ["parse", "-m", path, "--text", "a"]):
        result = command(*arguments)
        assert (result.code, result.out) == (1, "")
        assert result.err.startswith(f"laconic: {path}: ")
        assert result.err.count("\n") == 1
