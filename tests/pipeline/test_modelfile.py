from __future__ import annotations

import json
import os
import threading
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.errors import ModelError
from laconic.pipeline import ModelFile
from laconic.pipeline.modelfile import FORMAT

MODEL = ModelFile(
    {"b": np.arange(100, dtype=np.uint8), "a": np.ones((3, 2), np.float32)}, {"name": "né", "x": [1, 2.5]}
)
BYTES = MODEL.to_bytes()
HEADER = 8 + int.from_bytes(BYTES[:8], "little")


def test_what_is_saved_is_loaded_and_equal_models_are_equal_bytes(tmp_path: Path) -> None:
    MODEL.save(tmp_path / "m.laconic")
    again = ModelFile.load(tmp_path / "m.laconic")
    assert again.facts == MODEL.facts
    assert sorted(again.arrays) == ["a", "b"]
    for name in again.arrays:
        np.testing.assert_array_equal(again.arrays[name], MODEL.arrays[name])
    reordered = ModelFile(dict(reversed(list(MODEL.arrays.items()))), dict(reversed(list(MODEL.facts.items()))))
    assert reordered.to_bytes() == again.to_bytes() == BYTES


def test_damage_anywhere_is_an_error() -> None:
    for at in range(len(BYTES)):
        for mask in (0x01, 0x80, 0xFF):
            damaged = bytearray(BYTES)
            damaged[at] ^= mask
            with pytest.raises(ModelError):
                ModelFile.from_bytes(bytes(damaged))


def test_truncation_and_additions_are_errors() -> None:
    for size in range(0, len(BYTES)):
        with pytest.raises(ModelError):
            ModelFile.from_bytes(BYTES[:size])
    with pytest.raises(ModelError):
        ModelFile.from_bytes(BYTES + b"\0")


@given(st.binary(max_size=300))
def test_foreign_files_are_errors(data: bytes) -> None:
    with pytest.raises(ModelError):
        ModelFile.from_bytes(data)


def test_foreign_headers_are_errors() -> None:
    for header in (
        {},
        {"__metadata__": 3},
        {"__metadata__": {"laconic": "[]"}},
        {"__metadata__": {"laconic": '{"format": 1}'}},
        [1],
    ):
        text = json.dumps(header).encode()
        with pytest.raises(ModelError):
            ModelFile.from_bytes(len(text).to_bytes(8, "little") + text)
    deep = b"[" * 100_000
    with pytest.raises(ModelError):
        ModelFile.from_bytes(len(deep).to_bytes(8, "little") + deep)


def test_another_format_says_what_to_do() -> None:
    with pytest.raises(ModelError, match=r"format 7.*train it anew"):
        ModelFile.from_bytes(BYTES.replace(f'\\"format\\":{FORMAT}'.encode(), b'\\"format\\":7'))


def with_header(length: int) -> bytes:
    return length.to_bytes(8, "little") + b"{"


@pytest.mark.parametrize(
    ("data", "most"),
    [(b"", 1 << 16), (with_header(5 << 30), 1 << 16), (with_header(10_000), 1 << 16), (BYTES, 1 << 18)],
    ids=["zeros", "a large header", "a small header", "a model with something behind it"],
)
def test_of_a_large_file_that_is_no_model_only_the_header_is_read(tmp_path: Path, data: bytes, most: int) -> None:
    path = tmp_path / "zeros.laconic"
    with path.open("wb") as file:
        file.write(data)
        file.truncate(6 << 30)  # takes no room on the disk
    tracemalloc.start()
    try:
        with pytest.raises(ModelError, match=r"zeros\.laconic: "):
            ModelFile.load(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < most + (1 << 18)


def test_a_file_that_ends_early_says_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "m.laconic"
    path.write_bytes(BYTES[:-10])
    with pytest.raises(ModelError, match=rf"it has {len(BYTES) - 10:,} bytes, and by its header {len(BYTES):,}"):
        ModelFile.load(path)


@pytest.mark.parametrize("end", ["1e3", "-4", "true", "null", '"4"'])
def test_a_place_of_an_array_that_is_no_place_is_damage(tmp_path: Path, end: str) -> None:
    facts = json.dumps(json.loads(BYTES[8:HEADER])["__metadata__"])
    header = f'{{"__metadata__":{facts},"a":{{"dtype":"U8","shape":[1],"data_offsets":[0,{end}]}}}}'.encode()
    path = tmp_path / "m.laconic"
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(1000))
    with pytest.raises(ModelError, match="its header is damaged"):
        ModelFile.load(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_model_can_come_through_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(BYTES,))
    writer.start()
    assert ModelFile.load(path).to_bytes() == BYTES
    writer.join()


def test_the_header_is_readable_by_any_safetensors_reader() -> None:
    header = json.loads(BYTES[8:HEADER])
    assert list(header["__metadata__"]) == ["laconic"]
    assert json.loads(header["__metadata__"]["laconic"])["name"] == "né"
