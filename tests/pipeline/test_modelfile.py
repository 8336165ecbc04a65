from __future__ import annotations

import hashlib
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


def test_what_is_wrong_inside_a_damaged_file_is_reported_as_damage(tmp_path: Path) -> None:
    path = tmp_path / "m.laconic"
    damaged = bytearray(BYTES)
    damaged[-1] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(ModelError, match="its digest does not match"), ModelFile.checked(path):
        raise LookupError("what a component says of numbers that make no sense")
    path.write_bytes(BYTES)
    with pytest.raises(LookupError), ModelFile.checked(path):
        raise LookupError("of a file that is whole, it is what it is")


@pytest.mark.parametrize(
    "tensors",
    [
        {"a": ("U8", [4], [0, 4]), "b": ("U8", [4], [5, 9])},
        {"a": ("U8", [4], [0, 4]), "b": ("U8", [4], [2, 6])},
        {"a": ("U8", [3], [0, 4])},
        {"a": ("U32", [4], [0, 4])},
        {"a": ("U8", [-4], [0, 4])},
        {"a": ("U7", [4], [0, 4])},
        {"a": ("U8", 4, [0, 4])},
        {"a": ("U8", [4], [0])},
    ],
)
def test_arrays_that_are_not_where_the_header_says_are_damage(
    tensors: dict[str, tuple[str, object, list[int]]],
) -> None:
    """Whole by its digest, but written by somebody else."""
    text = json.dumps({"digest": "0" * 64, "format": FORMAT})
    header = {"__metadata__": {"laconic": text.replace(" ", "")}}
    header |= {name: {"dtype": kind, "shape": shape, "data_offsets": at} for name, (kind, shape, at) in tensors.items()}
    head = json.dumps(header).encode()
    data = len(head).to_bytes(8, "little") + head + bytes(9)[: max(at[-1] for _, _, at in tensors.values())]
    digest = hashlib.sha256(data).hexdigest().encode()
    with pytest.raises(ModelError, match="damaged"):
        ModelFile.from_bytes(data.replace(b"0" * 64, digest))


def test_arrays_of_all_types_and_shapes_come_back(tmp_path: Path) -> None:
    kinds = ["?", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"]
    arrays = {f"{kind}{shape}": np.ones(shape, kind) for kind in kinds for shape in ((3,), (0, 2), (2, 3, 1))}
    ModelFile(arrays, {}).save(tmp_path / "m.laconic")
    again = ModelFile.load(tmp_path / "m.laconic").arrays
    assert again.keys() == arrays.keys()
    for name, array in arrays.items():
        assert (again[name].dtype, again[name].shape) == (array.dtype, array.shape)
        np.testing.assert_array_equal(again[name], array)
        assert again[name].flags.aligned
        assert not again[name].flags.writeable
