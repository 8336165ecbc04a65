"""What ``parse`` and ``convert`` write: valid whatever the ends of the inputs, never over an input, in the format that
the ending tells, and nothing half done after a signal."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.command import COMMAND, PLAIN, TREE, laconic
from small_model import text as running_text

from laconic.corpus import Doc, read
from laconic.interop.writers import WRITERS

BYTE_ORDER_MARK = "\ufeff"
ENDS = {
    "whole": TREE * 2,
    "no blank line": (TREE * 2)[:-1],
    "no line end": (TREE * 2)[:-2],
    "byte order mark": BYTE_ORDER_MARK + TREE * 2,
    "CR LF": (TREE * 2).replace("\n", "\r\n"),
    "CR LF, no line end": BYTE_ORDER_MARK + (TREE * 2)[:-2].replace("\n", "\r\n"),
    "blank lines": "\n\n" + TREE + "\n\n" + TREE + "\n\n",
}


@pytest.fixture
def parse(small_model: Path):  # type: ignore[no-untyped-def]
    def run(*arguments: str | Path, stdin: bytes = b""):  # type: ignore[no-untyped-def]
        return laconic("parse", "-m", small_model, *arguments, stdin=stdin)

    return run


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text("La ship sails. Who waits?", "utf-8")
    return path


def shards(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(place.iterdir())}


def joined(place: Path) -> bytes:
    return b"".join(content for name, content in shards(place).items() if name.startswith("part-"))


# Ends of inputs


@pytest.mark.parametrize("first", ENDS)
@pytest.mark.parametrize("second", ["whole", "CR LF, no line end"])
def test_several_treebanks_give_one_valid_treebank_whatever_their_ends(parse, tmp_path, first, second) -> None:  # type: ignore[no-untyped-def]
    paths = [tmp_path / "a.conllu", tmp_path / "b.conllu", tmp_path / "c.conllu"]
    for path, ends in zip(paths, (first, second, first), strict=True):
        path.write_bytes(ENDS[ends].encode())
    out = tmp_path / "out.conllu"
    assert parse(*paths, "-o", out).code == 0
    data = out.read_bytes()
    assert (b"\r" in data, b"\xef\xbb\xbf" in data) == (False, False)
    assert re.fullmatch(rb"((\d+\t.*\n)+\n)+", data)
    assert Doc.from_conllu(data).strings("form") == ["Ships", "sail"] * 6
    assert parse(*paths, "-o", f"{tmp_path}/d/", "--shard", "3").code == 0
    assert joined(tmp_path / "d") == data
    assert len(shards(tmp_path / "d")) == 4  # two sentences each, and the journal


def test_a_resumed_job_over_treebanks_without_ends_is_valid(parse, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    paths = [tmp_path / f"{number}.conllu" for number in range(len(ENDS))]
    for path, content in zip(paths, ENDS.values(), strict=True):
        path.write_bytes(content.encode())
    arguments = [*paths, "-o", f"{tmp_path}/d/", "--shard", "6"]
    assert parse(*arguments).code == 0
    wanted = shards(tmp_path / "d")
    assert Doc.from_conllu(joined(tmp_path / "d")).strings("form") == ["Ships", "sail"] * 2 * len(ENDS)
    lines = wanted[".laconic-job.jsonl"].splitlines(keepends=True)
    for kept in range(1, len(lines)):
        (tmp_path / "d" / ".laconic-job.jsonl").write_bytes(b"".join(lines[:kept]))
        assert parse(*arguments, "--resume").code == 0
        assert shards(tmp_path / "d") == wanted


# Lines that are too long


@pytest.mark.parametrize(
    "content", ["a" * (10 << 20), "a " + " \n" * (3 << 20) + "b", "A\u00df" * (4 << 20)], ids=["word", "gap", "letters"]
)
def test_what_is_written_can_be_read_however_long_words_and_gaps_are(parse, tmp_path: Path, content: str) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "a.txt").write_text(content, "utf-8")
    assert parse(tmp_path / "a.txt", "-o", tmp_path / "out.conllu", "--effort", "fast").code == 0
    result = laconic("check", tmp_path / "out.conllu")
    assert (result.code, result.out) == (0, "0 faults\n")
    assert "".join(read(tmp_path / "out.conllu").strings("form")) == "".join(content.split())


# Outputs that are inputs


@pytest.mark.skipif(sys.platform == "win32", reason="links of Unix")
@pytest.mark.parametrize("way", ["itself", "symbolic link", "hard link", "another spelling"])
def test_an_input_is_not_written_over(parse, notes: Path, way: str) -> None:  # type: ignore[no-untyped-def]
    treebank = notes.with_name("a.conllu")
    treebank.write_text(TREE, "utf-8")
    for given, verb in ((notes, parse), (treebank, lambda a, _, b: laconic("convert", a, b))):
        same = given.with_name(f"same{given.suffix}")
        if way == "symbolic link":
            same.symlink_to(given)
        elif way == "hard link":
            same.hardlink_to(given)
        else:
            same = given if way == "itself" else given.parent / ".." / given.parent.name / given.name
        before = given.read_bytes()
        result = verb(given, "-o", same)
        assert (result.code, result.out) == (1, "")
        assert result.err == f"laconic: {same}: is an input as well: choose another output\n"
        assert given.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="redirection as of Unix")
def test_a_redirected_stream_is_not_written_over(small_model: Path, notes: Path) -> None:
    command = [*COMMAND, "parse", "-m", str(small_model)]
    before = notes.read_bytes()
    with notes.open("rb") as stdin:
        assert subprocess.run([*command, "-", "-o", notes], stdin=stdin, check=False).returncode == 1
    with notes.open("ab") as stdout:
        assert subprocess.run([*command, notes], stdout=stdout, check=False).returncode == 1
    assert notes.read_bytes() == before
    assert subprocess.run([*command, os.devnull, "-o", os.devnull], check=False).returncode == 0


@pytest.mark.parametrize("name", ["part-00000.conllu", "part-00007.conllu", ".part-00000.conllu.part"])
def test_an_input_is_no_shard(parse, tmp_path: Path, name: str) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "d").mkdir()
    given = tmp_path / "d" / name
    given.write_text(TREE, "utf-8")
    linked = tmp_path / "linked.conllu"
    linked.hardlink_to(given)
    for path in given, linked:
        result = parse(path, "--from", "conllu", "-o", tmp_path / "d")
        assert result.err == f"laconic: {given}: is an input as well: choose another output\n"
    assert shards(tmp_path / "d") == {name: TREE.encode()}


# Formats by ending


def test_the_ending_decides_the_format(parse, notes: Path) -> None:  # type: ignore[no-untyped-def]
    for writer in WRITERS.values():
        if writer.name == "table":  # whose ending is that of texts
            continue
        out, packed = notes.with_name(f"out{writer.suffix}"), notes.with_name(f"out{writer.suffix}.gz")
        wanted = parse(notes, "--to", writer.name).out
        for path in out, packed:
            assert parse(notes, "-o", path).code == 0
        assert out.read_text("utf-8") == gzip.decompress(packed.read_bytes()).decode() == wanted
    assert parse(notes, "-o", notes.with_name("bare")).code == 0
    assert notes.with_name("bare").read_text("utf-8") == parse(notes).out
    assert parse(notes, "-o", notes.with_name("Out.JSON")).code == 0
    assert json.loads(notes.with_name("Out.JSON").read_bytes())["documents"]


def test_a_named_format_wins_over_the_ending(parse, notes: Path) -> None:  # type: ignore[no-untyped-def]
    for name in ("out.xyz", "out.conllu"):
        assert parse(notes, "-o", notes.with_name(name), "--to", "text").code == 0
        assert notes.with_name(name).read_text("utf-8") == parse(notes, "--to", "text").out


@pytest.mark.parametrize("name", ["out.parquet", "out.xyz", "out.conllx", "out.xyz.gz"])
def test_an_unknown_ending_is_refused_with_the_known_ones(parse, notes: Path, name: str) -> None:  # type: ignore[no-untyped-def]
    result = parse(notes, "-o", notes.with_name(name))
    assert result.code == 2
    assert all(writer.suffix in result.err and writer.name in result.err for writer in WRITERS.values())
    assert [path.name for path in notes.parent.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("name", ["out.parquet", "out.mrg", "out.xyz.gz"])
def test_convert_refuses_an_unknown_ending_with_the_known_ones(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.conllu").write_text(TREE, "utf-8")
    result = laconic("convert", tmp_path / "a.conllu", tmp_path / name)
    assert result.code == 2
    assert all(ending in result.err for ending in (".conllu", ".conllx", ".conll09", ".iob"))
    message = " ".join(result.err.replace("│", " ").split())
    unknown = f"no format has files ending in {Path(name.removesuffix('.gz')).suffix}: "
    said = "ptb can be read here, but not written; " if name == "out.mrg" else unknown
    assert f"Invalid value for OUT: {said}" in message
    assert not (tmp_path / name).exists()
    assert laconic("convert", tmp_path / "a.conllu", tmp_path / name, "--to", "conllx").code == 0
    assert laconic("convert", tmp_path / "a.conllu", tmp_path / "bare").code == 0
    assert (tmp_path / "bare").read_text("utf-8") == TREE


# Messages


@pytest.mark.parametrize("verb", ["parse", "convert"])
def test_a_missing_directory_is_named_and_no_draft(small_model: Path, tmp_path: Path, verb: str) -> None:
    (tmp_path / "a.conllu").write_text(TREE, "utf-8")
    out = tmp_path / "missing" / "out.conllu"
    more = ["-m", small_model, "-o"] if verb == "parse" else []
    result = laconic(verb, tmp_path / "a.conllu", *more, out)
    assert (result.code, result.err) == (1, f"laconic: {out.parent}: no such directory\n")


def test_warnings_are_lines_without_the_place_in_the_source(small_model: Path, notes: Path) -> None:
    command = [*COMMAND, "parse", "-m", str(small_model), notes, "--components", "segmenter,lemmatizer"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | PLAIN)
    assert re.fullmatch("laconic: warning: the lemmatizer component reads .* poor\n", done.stderr)


# Signals


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("target", ["out.conllu", "d/"])
@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGINT", 130), ("SIGHUP", 129)])
def test_a_signal_leaves_no_half_file(small_model: Path, tmp_path: Path, target: str, name: str, code: int) -> None:
    number = getattr(signal, name)
    command = [*COMMAND, "parse", "-m", str(small_model), "-", "-o", f"{tmp_path}/{target}"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell that runs the tests in the background tells its children to ignore Ctrl-C, nohup SIGHUP.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # type: ignore[arg-type,return-value]
    ) as process:
        assert process.stdin is not None
        process.stdin.write(running_text(9000).encode())  # a piece is written, more is waited for
        process.stdin.flush()
        while not list(tmp_path.rglob("*.part")) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert b"Traceback" not in err
    assert [path for path in tmp_path.rglob("*") if path.suffix in (".part", ".lock", ".conllu")] == []
