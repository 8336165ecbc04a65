"""Paths, pipes, gzip, and files that are whole or not there."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import laconic
from laconic.corpus import Doc, check, read, stream, write
from laconic.errors import InputError

SAMPLE = Path(laconic.__file__).parent / "data" / "sample.conllu"


def test_gzip_is_read_whatever_its_name_and_written_by_its_name(tmp_path: Path) -> None:
    doc = read(SAMPLE)
    path = tmp_path / "out.conllu.gz"
    write(doc, path)
    assert gzip.decompress(path.read_bytes()) == SAMPLE.read_bytes()
    renamed = tmp_path / "renamed.conllu"
    renamed.write_bytes(path.read_bytes())
    assert read(path) == read(renamed) == doc
    assert Doc.concatenate(stream(renamed, words=10)) == doc


def test_equal_documents_pack_to_equal_bytes(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        write(read(SAMPLE), tmp_path / name)
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_gzip_of_several_members_is_one_file(tmp_path: Path) -> None:
    data = SAMPLE.read_bytes()
    path = tmp_path / "members.gz"
    path.write_bytes(gzip.compress(data[:500]) + gzip.compress(b"") + gzip.compress(data[500:]) + b"\0" * 9)
    assert read(path) == read(SAMPLE)


@pytest.mark.parametrize("harm", ["truncated", "damaged", "followed by noise"])
def test_broken_gzip_is_bad_input(tmp_path: Path, harm: str) -> None:
    packed = bytearray(gzip.compress(SAMPLE.read_bytes()))
    if harm == "truncated":
        del packed[-20:]
    elif harm == "damaged":
        packed[len(packed) // 2] ^= 255
    else:
        packed += b"noise"
    path = tmp_path / "bad.conllu.gz"
    path.write_bytes(packed)
    with pytest.raises(InputError, match="gzip") as caught:
        read(path)
    assert caught.value.file == str(path)
    assert "gzip" in list(check(path))[-1].reason


def test_a_gzip_bomb_is_read_in_pieces() -> None:
    sentence = b"1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    packed = gzip.compress(sentence * 400_000)
    assert len(packed) < 100_000
    assert max(len(batch) for batch in stream(io.BytesIO(packed), words=1000)) == 1000


def test_open_files_are_read_and_written() -> None:
    with SAMPLE.open("rb") as binary, SAMPLE.open(encoding="utf-8", newline="") as text:
        doc = read(binary)
        assert read(text) == doc
    out = io.BytesIO()
    write(doc, out)
    assert out.getvalue() == SAMPLE.read_bytes()
    with pytest.raises(InputError) as caught:
        read(io.BytesIO(b"x"))
    assert caught.value.file == "<file>"


def test_a_dash_stands_for_the_standard_streams() -> None:
    code = "from laconic.corpus import stream, write; write(stream('-', words=5), '-')"
    data = SAMPLE.read_bytes()
    done = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True)
    assert done.stdout == data
    bad = subprocess.run([sys.executable, "-c", code], input=b"x", capture_output=True, check=False)
    assert b"<stdin>:1:2: " in bad.stderr


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "out.conllu"
    path.write_text("old")

    def docs() -> Iterator[Doc]:
        yield read(SAMPLE)
        raise RuntimeError("on the way")

    with pytest.raises(RuntimeError, match="on the way"):
        write(docs(), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_may_be_rewritten_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "same.conllu"
    path.write_bytes(SAMPLE.read_bytes() * 300)
    write(stream(path, words=100), path)
    assert path.read_bytes() == SAMPLE.read_bytes() * 300


@pytest.mark.skipif(sys.platform == "win32", reason="modes and links of POSIX")
def test_mode_and_link_of_a_replaced_file_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "out.conllu", tmp_path / "link.conllu"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write(read(SAMPLE), link)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert path.read_bytes() == SAMPLE.read_bytes()
    write(read(SAMPLE), "/dev/null")


def test_a_format_that_does_not_exist_is_refused_with_those_that_do() -> None:
    for call in (read, stream, lambda source, format: list(check(source, format))):
        with pytest.raises(ValueError, match="conllu"):
            call(SAMPLE, "tei")
