"""``laconic parse``: what its arguments mean, what it writes, and what is left of a job that is killed."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import json_words
import pytest
from cli.command import COMMAND, PLAIN, laconic
from peak_memory import measurable
from small_model import text as running_text

import laconic as package
from laconic.cli.parse import NAMES
from laconic.corpus import Doc, read
from laconic.interop.writers import WRITERS

TEXT = "La ship sails. Who waits?"


@pytest.fixture
def parse(small_model: Path):  # type: ignore[no-untyped-def]
    def run(*arguments: str | Path, stdin: bytes = b""):  # type: ignore[no-untyped-def]
        return laconic("parse", "-m", small_model, *arguments, stdin=stdin)

    return run


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Some files: one long, one of many documents, one of words."""
    place = tmp_path_factory.mktemp("texts")
    for name, content in (
        ("long.txt", running_text(5500)),
        ("many.txt", "\f".join(running_text(30, seed) for seed in range(40))),
        ("short.txt", "La end ."),
    ):
        (place / name).write_text(content, "utf-8")
    return [place / name for name in ("long.txt", "many.txt", "short.txt")]


def test_a_lone_argument_that_is_no_file_is_a_text(parse, small_model: Path, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    doc = package.load(small_model)(TEXT)
    doc.columns.number_sentences(1)
    expected = doc.to_conllu()
    assert parse(TEXT).out == parse("--text", TEXT).out == expected
    assert parse("Hello.").code == parse("wait").code == parse("and so on / or not").code == 0
    assert parse("--text", "missing.txt").out.startswith("# sent_id = 1\n# text = missing.txt\n")
    (tmp_path / "wait").write_text("La file .", "utf-8")
    assert "# newdoc id = wait\n# sent_id = 1\n# text = La file .\n" in parse("wait").out


def test_a_text_for_components_without_a_segmenter_is_wrong_usage_and_says_what_to_do(parse, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    result = parse(TEXT, "--components", "morphology", "-o", tmp_path / "out.conllu")
    said = " ".join(result.err.replace("│", "").split())
    assert result.code == 2
    assert "no segmenter among the components in use (morphology): add segmenter" in said
    assert "--pretokenized" in said
    assert not (tmp_path / "out.conllu").exists()


@pytest.mark.parametrize("name", ["missing.txt", "a/b", "./x y", "my notes.txt", "data.json", "C:\\x", "/no such"])
def test_a_missing_file_is_an_error_and_no_text(parse, name: str, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    result = parse(name)
    assert (result.code, result.out) == (1, "")
    assert name.removeprefix("./") in result.err
    assert result.err.count("\n") == 1


def test_of_several_arguments_all_must_be_files(parse, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "a.txt").write_text(TEXT, "utf-8")
    result = parse(tmp_path / "a.txt", "no such text")
    assert (result.code, result.out) == (1, "")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["-", "-"],
        ["--text", "a", "b.txt"],
        ["a text", "--to", "latex"],
        ["a text", "--effort", "turbo"],
        ["a text", "--effort", "7"],
        ["a text", "--threads", "0"],
        ["a text", "--keep", "upos"],
        ["a text", "--resume"],
        ["a text", "--components", "oracle"],
        ["a text", "--from", "conllu"],
        ["a text", "--from", "latex"],
        ["a text", "--pretokenized", "--no-mwt"],
        ["a text", "--pretokenized", "--sentence-per-line"],
        ["a text", "--pretokenized", "--lines", "hard"],
        ["a text", "--lines", "solid"],
        ["a text", "--shard", "0"],
        ["a text", "--shard", "1000"],
        ["a text", "--shard", "1000", "-o", "no-directory"],
    ],
    ids=" ".join,
)
def test_what_cannot_work_is_wrong_usage(parse, arguments: list[str]) -> None:  # type: ignore[no-untyped-def]
    result = parse(*arguments)
    assert (result.code, result.out) == (2, "")


def test_every_writer_can_be_asked_for() -> None:
    assert tuple(WRITERS) == NAMES


def test_options_of_a_text(parse) -> None:  # type: ignore[no-untyped-def]
    assert parse("a b\nc d", "--sentence-per-line", "--to", "text").out == "a b\nc d\n"
    assert parse("a b\nc d", "--lines", "hard", "--to", "text").out == "a b\nc d\n"
    assert parse("a.b c\n\nd", "--pretokenized", "--to", "text").out == "a.b c\nd\n"
    words = Doc.from_conllu(parse("dela .", "--no-mwt").out)
    assert words.multiword_tokens == [[]]
    assert parse("--text", TEXT, "--components", "segmenter").out.count("\t_\t_\t_") >= 7


def test_stdin_gzip_and_byte_order_marks_are_seen_through(parse, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    plain = parse("-", stdin=TEXT.encode()).out
    assert plain.startswith("# newdoc\n")
    assert parse("-", stdin=b"\xef\xbb\xbf" + TEXT.encode()).out == plain
    assert parse("-", stdin=gzip.compress(TEXT.encode())).out == plain
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    assert parse(tmp_path / "a.txt.gz").out == plain.replace("# newdoc\n", f"# newdoc id = {tmp_path}/a.txt.gz\n")


def test_bytes_that_are_not_utf8_are_named_or_replaced(parse, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "latin.txt"
    path.write_bytes(b"a good line\nna\xefve words\n" * 10_000)
    result = parse(path)
    assert result.code == 1
    assert result.err == f"laconic: {path}:2:3: byte 0xef is not UTF-8: repair the file, or ask for replacement\n"
    assert "na\ufffdve" in parse(path, "--replace").out
    path.write_bytes(b"a " * 40_000 + b"\n" + b"b " * 40_000 + b"\xff")
    assert parse(path).err.startswith(f"laconic: {path}:2:80001: ")


def test_documents_end_at_form_feeds_and_files(parse, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "a.txt").write_text("La one .\fLa two .\f\f La four .", "utf-8")
    (tmp_path / "b.txt").write_text("La five .", "utf-8")
    for options in [], ["--pretokenized"]:
        doc = Doc.from_conllu(parse(tmp_path / "a.txt", tmp_path / "b.txt", *options).out)
        found = [part.sentences[0].newdoc for part in doc.documents()]
        assert found == [str(tmp_path / name) for name in ("a.txt", "a.txt-2", "a.txt-4", "b.txt")]


@pytest.mark.parametrize("options", [[], ["--pretokenized"]], ids=["text", "words"])
def test_sentences_are_numbered_through_all_inputs(parse, texts: list[Path], options: list[str]) -> None:  # type: ignore[no-untyped-def]
    doc = Doc.from_conllu(parse(*texts, *options, "--components", "segmenter").out)
    ids = [sentence.sent_id for sentence in doc.sentences]
    assert ids == [str(number + 1) for number in range(len(ids))]
    for sentence in doc.sentences:
        keys = [line.removeprefix("# ").split()[0] for line in sentence.comments]
        assert keys in (["newdoc", "sent_id", *keys[2:]], ["newpar", "sent_id", *keys[2:]], ["sent_id", *keys[1:]])


def test_confidence_is_told_in_misc(parse, small_model: Path) -> None:  # type: ignore[no-untyped-def]
    plain, confident = (Doc.from_conllu(parse(TEXT, *options).out) for options in ([], ["--confidence"]))
    nlp = package.load(small_model)
    _, sure = nlp.confident(TEXT)
    for misc, tags, lemma in zip(confident.strings("misc"), sure["morphology"], sure["lemmatizer"], strict=True):
        entries = dict(entry.split("=") for entry in misc.split("|"))
        assert abs(float(entries.pop("TagConf")) - tags) <= 0.00051
        assert abs(float(entries.pop("LemmaConf")) - lemma) <= 0.00051
        assert entries.keys() <= {"SpaceAfter", "SpacesAfter", "NER"}
    confident.columns.set_strings("misc", plain.strings("misc"))
    assert confident == plain
    path = small_model.with_name("dev.conllu")
    kept = Doc.from_conllu(parse(path, "--keep", "upos,xpos,feats", "--confidence").out)
    assert all("TagConf" not in misc and "LemmaConf=" in misc for misc in kept.strings("misc"))


def test_a_treebank_keeps_its_words_and_the_columns_that_are_named(parse, small_model: Path) -> None:  # type: ignore[no-untyped-def]
    path = small_model.with_name("dev.conllu")
    gold = read(path)
    free, kept = (Doc.from_conllu(parse(path, *options).out) for options in ([], ["--keep", "upos, head,deprel"]))
    assert free.strings("form") == gold.strings("form")
    assert free.comments == gold.comments
    assert set(free.strings("deprel")) == {"_"}
    assert kept.strings("upos") == gold.strings("upos")
    assert (kept.heads == gold.heads).all()
    assert parse("-", "--from", "conllu", stdin=path.read_bytes()).out == free.to_conllu()


@pytest.mark.parametrize(("gap", "threads"), [("\n", "3"), (" " * (1 << 20), "1")], ids=["line", "megabyte of spaces"])
def test_offsets_count_from_the_beginning_of_a_document_in_many_pieces(parse, tmp_path, gap, threads) -> None:  # type: ignore[no-untyped-def]
    texts = [running_text(6000) + gap + running_text(30), running_text(10)]
    assert len(texts[0]) > 1 << 18
    (tmp_path / "a.txt").write_text("\f".join(texts), "utf-8")
    texts[0] += "\f"
    documents = json.loads(parse(tmp_path / "a.txt", "--to", "json", "-j", threads).out)["documents"]
    assert [json_words.text(one["sentences"]).split() for one in documents] == [text.split() for text in texts]
    lines = [json.loads(line) for line in parse(tmp_path / "a.txt", "--to", "jsonl", "-j", threads).out.splitlines()]
    assert lines == [sentence for one in documents for sentence in one["sentences"]]
    for one, text in zip(documents, texts, strict=True):
        for source in text, json_words.text(one["sentences"]):
            for token in json_words.surface(one["sentences"]):
                assert source[token["start"] : token["end"]] == token["form"]


@pytest.mark.parametrize("options", [["--pretokenized"], ["--from", "conllu"]], ids=" ".join)
def test_given_words_have_offsets_into_the_text_of_the_document(parse, small_model, tmp_path, options) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "given"
    doc = Doc.from_conllu(small_model.with_name("dev.conllu").read_text("utf-8") * 30)
    path.write_text(doc.to_conllu() if "conllu" in options else running_text(25_000), "utf-8")
    (one,) = json.loads(parse(path, "--to", "json", *options).out)["documents"]
    assert sum(len(sentence["words"]["form"]) for sentence in one["sentences"]) > 25_000  # several pieces
    text = json_words.text(one["sentences"])
    for token in json_words.surface(one["sentences"]):
        assert text[token["start"] : token["end"]] == token["form"]


@pytest.mark.parametrize("to", ["json", "jsonl"])
def test_shards_within_a_document_say_where_they_begin(parse, tmp_path: Path, to: str) -> None:  # type: ignore[no-untyped-def]
    text = running_text(6000)
    (tmp_path / "a.txt").write_text(text, "utf-8")
    assert parse(tmp_path / "a.txt", "--to", to, "-o", f"{tmp_path}/d/", "--shard", "8000").code == 0
    made = sorted((tmp_path / "d").glob("part-*"))
    assert len(made) > 1
    for path in made:
        if to == "json":
            (one,) = json.loads(path.read_bytes())["documents"]
            sentences = one["sentences"]
        else:
            sentences = [json.loads(line) for line in path.read_bytes().splitlines()]
        begin = sentences[0]["start"]
        assert text[begin:].startswith(json_words.text(sentences).rstrip())
        for token in json_words.surface(sentences):
            assert text[token["start"] : token["end"]] == token["form"]


def test_output_goes_to_a_file_whole_or_not_at_all(parse, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    out = tmp_path / "out.conllu"
    assert parse(TEXT, "-o", out).code == 0
    assert out.read_text("utf-8") == parse(TEXT).out
    assert parse("-", "-o", out, stdin=b"bad \xff").code == 1
    assert out.read_text("utf-8") == parse(TEXT).out
    assert [path.name for path in tmp_path.iterdir()] == ["out.conllu"]


def shards(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(place.iterdir())}


@pytest.mark.parametrize("to", ["conllu", "json", "jsonl", "text"])
def test_threads_give_the_same_bytes(parse, texts: list[Path], to: str) -> None:  # type: ignore[no-untyped-def]
    one = parse(*texts, "--to", to)
    assert one.code == 0
    assert parse(*texts, "--to", to, "--threads", "3").out == one.out


def test_shards_joined_are_the_output_of_one_file(parse, texts: list[Path], tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert parse(*texts, "-o", f"{tmp_path}/d/", "--shard", "8000").code == 0
    made = shards(tmp_path / "d")
    journal = made.pop(".laconic-job.jsonl")
    assert str(tmp_path) not in journal.decode()
    assert len(made) > 2
    assert b"".join(made.values()).decode() == parse(*texts).out


def test_a_directory_with_output_is_not_written_over(parse, texts: list[Path], tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    short = texts[2]
    place = tmp_path / "d"
    assert parse(short, "-o", f"{place}/").code == 0
    before = shards(place)
    assert "resume" in parse(short, "-o", place).err
    assert parse(short, "-o", place, "--resume").code == 0
    for changed in (["--effort", "fast"], ["--to", "text"], ["--no-mwt"], ["--shard", "7"]):
        assert "differ" in parse(short, "-o", place, "--resume", *changed).err
    assert "differ" in parse(texts[1], "-o", place, "--resume").err
    assert shards(place) == before


def test_standard_input_cannot_be_resumed(parse, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert parse("-", "-o", f"{tmp_path}/d/", stdin=b"a").code == 0
    assert "cannot be read again" in parse("-", "-o", f"{tmp_path}/d/", "--resume", stdin=b"a").err


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("threads", ["1", "3"])
def test_a_job_that_is_killed_and_resumed_leaves_what_an_undisturbed_one_leaves(
    small_model: Path, texts: list[Path], tmp_path: Path, threads: str
) -> None:
    command = [*COMMAND, "parse", "-m", small_model, *texts, "--shard", "5000", "--effort", "fast"]
    subprocess.run([*command, "-o", f"{tmp_path}/whole/"], check=True)
    wanted = shards(tmp_path / "whole")
    place = tmp_path / "killed"
    for enough in (1, 4, 9):  # shards that are there when it is killed
        with subprocess.Popen([*command, "-o", f"{place}/", "--resume", "--threads", threads]) as process:
            while process.poll() is None and len(list(place.glob("part-*"))) < enough:
                time.sleep(0.002)
            process.kill()
    subprocess.run([*command, "-o", f"{place}/", "--resume", "--threads", threads], check=True)
    assert shards(place) == wanted


def test_a_journal_that_was_torn_is_mended(parse, texts: list[Path], tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    place = tmp_path / "d"
    assert parse(*texts, "-o", f"{place}/", "--shard", "8000").code == 0
    wanted = shards(place)
    journal = place / ".laconic-job.jsonl"
    for kept in (0, 10, 500, len(wanted[journal.name]) // 2, len(wanted[journal.name]) - 3):
        journal.write_bytes(wanted[journal.name][:kept])
        result = parse(*texts, "-o", place, "--shard", "8000", "--resume")
        assert result.code == 0, result.err
        assert shards(place) == wanted


def test_a_finished_job_of_nothing_can_be_resumed(parse, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "empty.txt"
    path.write_text("", "utf-8")
    for more in ([], ["--resume"], ["--resume"]):
        assert parse(path, "-o", f"{tmp_path}/d/", *more).code == 0


def test_nothing_is_a_text_of_no_words(parse) -> None:  # type: ignore[no-untyped-def]
    found = parse("")
    assert (found.code, found.out) == (0, "")


def test_a_treebank_is_resumed_as_well(parse, small_model: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "big.conllu"
    path.write_text(small_model.with_name("dev.conllu").read_text("utf-8") * 60, "utf-8")
    arguments = [path, "-o", f"{tmp_path}/d/", "--shard", "10000"]
    assert parse(*arguments).code == 0
    wanted = shards(tmp_path / "d")
    lines = wanted[".laconic-job.jsonl"].splitlines(keepends=True)
    assert len(lines) > 4
    (tmp_path / "d" / ".laconic-job.jsonl").write_bytes(b"".join(lines[:3]))
    assert parse(*arguments, "--resume").code == 0
    assert shards(tmp_path / "d") == wanted


@measurable
@pytest.mark.parametrize("shape", ["one line", "one word", "no words", "lines of words"])
def test_memory_is_bounded_by_the_piece_and_not_by_the_text(small_model: Path, tmp_path: Path, shape: str) -> None:
    megabytes = 10
    if shape == "one word":
        content = "a" * (megabytes << 20)
    elif shape == "no words":
        content = " \n" * (megabytes << 19)
    else:
        line = running_text(500).replace("\n", " ") + " "
        content = line * ((megabytes << 20) // len(line))
    (tmp_path / "big.txt").write_text(content, "utf-8")
    (tmp_path / "small.txt").write_text(running_text(500), "utf-8")
    options = ["--pretokenized"] if shape == "lines of words" else []
    peaks = [
        peak(
            [*COMMAND, "parse", "-m", str(small_model), str(tmp_path / name), *options, "-o", os.devnull, "-e", "fast"]
        )
        for name in ("small.txt", "big.txt")
    ]
    # The columns of all of it would be more than 100 MB.
    assert peaks[1] - peaks[0] < 60, peaks


def peak(command: list[str]) -> float:
    """Megabytes that a process needs at most."""
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, check=True, env=os.environ | PLAIN
    )
    return float(done.stdout)
