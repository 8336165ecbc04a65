"""Jobs in shards: where shards end, what may be resumed, and that two jobs do not meet in a directory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli.command import COMMAND, PLAIN, laconic
from small_model import text as running_text

from laconic.corpus import Doc, read
from laconic.errors import ConfigError
from laconic.pipeline.lock import locked


@pytest.fixture
def parse(small_model: Path):  # type: ignore[no-untyped-def]
    def run(*arguments: str | Path, stdin: bytes = b""):  # type: ignore[no-untyped-def]
        return laconic("parse", "-m", small_model, *arguments, stdin=stdin)

    return run


@pytest.fixture(scope="module")
def inputs(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Of each kind: some small files, and one that comes in several pieces."""
    place = tmp_path_factory.mktemp("inputs")
    (place / "long.txt").write_text(running_text(5500), "utf-8")
    (place / "many.txt").write_text("\f".join(running_text(9, seed) for seed in range(9)), "utf-8")
    treebank = small_model.with_name("dev.conllu").read_text("utf-8")
    (place / "big.conllu").write_text(treebank * 20, "utf-8")
    (place / "small.conllu").write_text(treebank.rstrip("\n"), "utf-8")
    return {
        "text": [place / "long.txt", place / "many.txt"],
        "words": [place / "many.txt", place / "long.txt"],
        "treebank": [place / "small.conllu", place / "big.conllu"],
    }


def options(kind: str) -> list[str]:
    return ["--pretokenized"] if kind == "words" else []


def shards(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(place.iterdir())}


@pytest.mark.parametrize("kind", ["text", "words", "treebank"])
@pytest.mark.parametrize("words", [1000, 7777])
def test_a_shard_ends_with_the_sentence_that_fills_it(parse, inputs, tmp_path, kind: str, words: int) -> None:  # type: ignore[no-untyped-def]
    arguments = [*inputs[kind], *options(kind), "--shard", str(words)]
    for threads in ("1", "3"):
        assert parse(*arguments, "-o", f"{tmp_path}/{threads}/", "--threads", threads).code == 0
    made = shards(tmp_path / "1")
    assert made == shards(tmp_path / "3")
    del made[".laconic-job.jsonl"]
    docs = [Doc.from_conllu(content) for content in made.values()]
    assert len(docs) > 1
    for doc in docs[:-1]:
        assert len(doc) - len(doc.sentences[-1]) < words <= len(doc)
    assert 0 < len(docs[-1]) - len(docs[-1].sentences[-1]) < words
    assert b"".join(made.values()).decode() == parse(*inputs[kind], *options(kind)).out


def test_a_shard_may_be_one_sentence(parse, inputs, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert parse(inputs["text"][1], "-o", f"{tmp_path}/d/", "--shard", "1").code == 0
    made = shards(tmp_path / "d")
    del made[".laconic-job.jsonl"]
    assert all(len(Doc.from_conllu(content).sentences) == 1 for content in made.values())
    assert b"".join(made.values()).decode() == parse(inputs["text"][1]).out


@pytest.mark.parametrize("kind", ["text", "words", "treebank"])
def test_a_job_is_resumed_behind_any_of_its_shards(parse, inputs, tmp_path: Path, kind: str) -> None:  # type: ignore[no-untyped-def]
    arguments = [*inputs[kind], *options(kind), "-o", f"{tmp_path}/d/", "--shard", "3000", "--effort", "fast"]
    assert parse(*arguments, "--to", "jsonl").code == 0
    wanted = shards(tmp_path / "d")
    lines = wanted[".laconic-job.jsonl"].splitlines(keepends=True)
    assert len(lines) > 6
    for kept in {1, 2, 4, len(lines) // 2, len(lines) - 2, len(lines) - 1}:
        for path in (tmp_path / "d").glob("part-*"):
            if int(path.stem.removeprefix("part-")) >= kept - 1:
                path.unlink()
        (tmp_path / "d" / ".laconic-job.jsonl").write_bytes(b"".join(lines[:kept]))
        assert parse(*arguments, "--to", "jsonl", "--resume").code == 0
        assert shards(tmp_path / "d") == wanted


@pytest.mark.parametrize("kind", ["text", "words", "treebank"])
def test_offsets_in_shards_count_from_the_beginning_of_the_document(parse, inputs, tmp_path, kind: str) -> None:  # type: ignore[no-untyped-def]
    arguments = [*inputs[kind], *options(kind)]
    assert parse(*arguments, "-o", f"{tmp_path}/d/", "--shard", "500", "--to", "jsonl").code == 0
    made = shards(tmp_path / "d")
    del made[".laconic-job.jsonl"]
    assert len(made) > 5
    assert b"".join(made.values()).decode() == parse(*arguments, "--to", "jsonl").out
    assert parse(*arguments, "-o", f"{tmp_path}/j/", "--shard", "500", "--to", "json").code == 0
    documents = [
        one for path in sorted((tmp_path / "j").glob("part-*")) for one in json.loads(path.read_bytes())["documents"]
    ]
    sentences = [sentence for document in documents for sentence in document["sentences"]]
    assert sentences == [json.loads(line) for content in made.values() for line in content.splitlines()]
    whole = json.loads(parse(*arguments, "--to", "json").out)["documents"]
    assert sentences == [sentence for document in whole for sentence in document["sentences"]]


@pytest.mark.parametrize("place", [0, 100_000, -1])
def test_an_input_that_was_edited_is_not_resumed(parse, tmp_path: Path, place: int) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "a.txt"
    path.write_text(running_text(2500), "utf-8")
    arguments = [path, "-o", f"{tmp_path}/d/", "--shard", "2000"]
    assert parse(*arguments).code == 0
    journal = tmp_path / "d" / ".laconic-job.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:3]))
    before = shards(tmp_path / "d")
    data = bytearray(path.read_bytes())
    assert len(data) > 100_000
    data[place] = ord("x" if data[place] != ord("x") else "y")
    path.write_bytes(data)
    result = parse(*arguments, "--resume")
    assert (result.code, result.err) == (
        1,
        f"laconic: {tmp_path}/d: holds the output of another job: inputs differ\n",
    )
    assert shards(tmp_path / "d") == before


def test_a_journal_whose_position_or_memory_was_changed_is_an_error_without_a_traceback(parse, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "a.txt"
    path.write_text(running_text(60), "utf-8")
    arguments = [path, "-o", f"{tmp_path}/d/", "--shard", "200"]
    assert parse(*arguments).code == 0
    journal = tmp_path / "d" / ".laconic-job.jsonl"
    facts, first = journal.read_text("utf-8").splitlines()[:2]
    changes = [{"end": {key: value}} for key, value in (("input", -1), ("done", "x"), ("tail", 5), ("opens", 1))]
    changes += [{"states": states} for states in ([], [[[1], [2]]], [[[-1], [0], [0]]], [[[1], [60_000], [0]]])]
    for change in changes:
        entry = json.loads(first)
        entry |= {"end": entry["end"] | change["end"]} if "end" in change else change
        journal.write_text(f"{facts}\n{json.dumps(entry)}\n", "utf-8")
        result = parse(*arguments, "--resume")
        assert result.code == 1, change
        assert result.err.startswith("laconic: "), change
        assert result.err.count("\n") == 1, change


def test_a_job_from_a_stream_says_at_its_start_that_it_cannot_be_resumed(parse, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    result = parse("-", "-o", f"{tmp_path}/d/", stdin=b"La ship sails.")
    assert result.code == 0
    assert result.err == "laconic: warning: standard input cannot be read again: this job cannot be resumed\n"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Unix")
def test_a_named_pipe_is_read_once_and_whole(small_model: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [*COMMAND, "parse", "-m", str(small_model), pipe, "-o", f"{tmp_path}/d/"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=os.environ | PLAIN) as process:
        pipe.write_text("La ship sails.", "utf-8")
        _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert err.endswith(b"cannot be read again: this job cannot be resumed\n")
    assert b"# text = La ship sails.\n" in (tmp_path / "d" / "part-00000.conllu").read_bytes()


HOLD = """
import sys
from pathlib import Path
from laconic.pipeline.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_job_in_a_directory_is_refused_and_told_the_first(parse, inputs, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    place = tmp_path / "d"
    place.mkdir()
    lock = place / ".laconic-job.lock"
    command = [sys.executable, "-c", HOLD, lock]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"held"
        for more in ([], ["--resume"]):
            result = parse(inputs["text"][1], "-o", place, *more)
            assert (result.code, result.err) == (
                1,
                f"laconic: {place}: process {process.pid} is writing there: wait for it, or stop it\n",
            )
        assert [path.name for path in place.iterdir()] == [lock.name]
        process.kill()
    assert lock.read_text("ascii") == f"{process.pid}\n"  # what a killed job leaves is in nobody's way
    assert parse(inputs["text"][1], "-o", place).code == 0
    assert not lock.exists()


def test_a_lock_is_held_within_a_process_as_well_and_gone_after_an_error(tmp_path: Path) -> None:
    path = tmp_path / "lock"

    def fail() -> None:
        with locked(path):
            with pytest.raises(ConfigError, match=f"process {os.getpid()} is writing"), locked(path):
                raise AssertionError
            raise KeyError

    for _ in range(2):
        with pytest.raises(KeyError):
            fail()
        assert not path.exists()


def test_a_shard_that_is_gone_is_noticed(small_model: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Lo petum kui. La dela. " * 3, "utf-8")
    command = ("parse", tmp_path / "text.txt", "-m", small_model, "-o", tmp_path / "job/", "--shard", "1")
    (tmp_path / "job").mkdir()
    assert laconic(*command).code == 0
    assert laconic(*command, "--resume").code == 0
    (tmp_path / "job" / "part-00001.conllu").unlink()
    done = laconic(*command, "--resume")
    assert (done.code, "part-00001.conllu was written and is gone" in done.err) == (1, True), done.err


def test_pieces_of_a_treebank_begin_where_its_running_text_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from laconic.pipeline import sources

    monkeypatch.setattr(sources, "BATCH", 10)
    spaces = ["SpaceAfter=No", "_", "SpacesAfter=\\n\\n\\n"]
    rows = (f"1\tLo{n}\t_\t_\t_\t_\t_\t_\t_\t{spaces[n // 3 % 3]}\n\n" for n in range(200))
    (tmp_path / "a.conllu").write_text("".join(rows), "utf-8")
    text = read(tmp_path / "a.conllu").text
    reading = sources.Reading((sources.Input(str(tmp_path / "a.conllu"), format="conllu"),))
    pieces = list(reading.pieces())
    assert len(pieces) > 10
    assert all(text.startswith(piece.doc.text, piece.begin) for piece in pieces)
    for number in (0, 7):
        later = reading.pieces(pieces[number].end)
        assert [piece.begin for piece in later] == [piece.begin for piece in pieces[number + 1 :]]
