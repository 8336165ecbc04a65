"""Which files are meant, and where the output of each goes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.command import laconic

from laconic.corpus import Doc, read
from laconic.corpus.writing import running_text

TEXT = "Lo petum kui. La dela."


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("texts/b.txt", "texts/deep/a.txt", "texts/.hidden.txt", "texts/picture.png", "other/b.txt"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{TEXT}\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def newdocs(file: Path) -> list[str]:
    return [line for line in file.read_text("utf-8").splitlines() if line.startswith("# newdoc")]


def test_folders_globs_and_lists_are_read_in_order_and_named_by_their_paths(place: Path, small_model: Path) -> None:
    (place / "names").write_text("other/b.txt\n\n", "utf-8")
    result = laconic("parse", "-m", small_model, "texts", "texts/**/*.txt", "--list", "names", "-o", "out.conllu")
    assert result.code == 0, result.err
    folder = ["texts/b.txt", "texts/deep/a.txt"]
    assert newdocs(place / "out.conllu") == [f"# newdoc id = {name}" for name in (*folder, *folder, "other/b.txt")]


def test_of_a_folder_hidden_folders_and_tables_beside_texts_are_left_out(place: Path, small_model: Path) -> None:
    (place / "texts" / ".git").mkdir()
    (place / "texts" / ".git" / "c.txt").write_text(TEXT, "utf-8")
    (place / "texts" / "names.csv").write_text("name,year\nb,1887\n", "utf-8")
    result = laconic("parse", "-m", small_model, "texts", "-o", "out.conllu")
    assert result.code == 0, result.err
    assert newdocs(place / "out.conllu") == ["# newdoc id = texts/b.txt", "# newdoc id = texts/deep/a.txt"]


def test_each_input_has_an_output_of_its_name(place: Path, small_model: Path) -> None:
    command = ("parse", "-m", small_model, "texts", "--outdir", "out", "--to", "jsonl")
    assert laconic(*command).code == 0
    files = sorted(str(file.relative_to(place / "out")) for file in (place / "out").rglob("*") if file.is_file())
    assert files == ["b.jsonl", "deep/a.jsonl"]
    (place / "out" / "b.jsonl").write_text("kept", "utf-8")
    (place / "out" / "deep" / "a.jsonl").unlink()
    assert laconic(*command, "--resume").code == 0
    assert (place / "out" / "b.jsonl").read_text("utf-8") == "kept"
    assert (place / "out" / "deep" / "a.jsonl").exists()


def test_what_a_run_wrote_below_its_input_is_no_input_of_the_next(place: Path, small_model: Path) -> None:
    for _ in range(2):
        result = laconic("parse", "-m", small_model, "texts", "--outdir", "texts/parsed", "--resume")
        assert result.code == 0, result.err
    found = sorted(str(file.relative_to(place)) for file in (place / "texts" / "parsed").rglob("*.conllu"))
    assert found == ["texts/parsed/b.conllu", "texts/parsed/deep/a.conllu"]
    assert laconic("parse", "-m", small_model, "other", "--outdir", "other").code == 0  # beside the inputs
    assert (place / "other" / "b.conllu").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("texts/b.txt", "other/b.txt", "--outdir", "out"), "would both be written"),
        (("--text", "Lo", "--outdir", "out"), "needs files"),
        (("-", "--outdir", "out"), "needs files"),
        (("texts", "--outdir", "out", "-o", "x"), "give -o or --outdir"),
        (("none/*.txt",), "no file is called so"),
        (("empty",), "no file in it ends in"),
        (("--list", "empty.list"), "lists no input"),
        (("--list", "missing.list"), "missing.list"),
        (("texts/b.txt", "--resegment"), "no treebank"),
        (("twice", "--outdir", "out"), "would both be written to out/a.conllu: choose among them"),
        (("twice/a.conllu", "--resegment", "--keep", "upos"), "nothing is kept"),
        (("--text", "Lo", "--resegment"), "no treebank"),
    ],
)
def test_what_names_nothing_is_refused(
    place: Path, small_model: Path, arguments: tuple[str, ...], message: str
) -> None:
    (place / "empty").mkdir()
    (place / "twice").mkdir()
    for ending in ("txt", "conllu"):
        (place / "twice" / f"a.{ending}").touch()
    (place / "empty.list").write_text("\n", "utf-8")
    result = laconic("parse", "-m", small_model, *arguments)
    assert result.code != 0
    assert message in " ".join(result.err.replace("│", " ").split())
    assert not (place / "out").exists()


def test_a_question_is_a_text_and_no_glob(place: Path, small_model: Path) -> None:
    for text in ("Kui?", "Lo petum [kui] *?"):
        result = laconic("parse", "-m", small_model, text)
        assert result.code == 0, result.err
        assert "# newdoc" not in result.out


def test_a_treebank_is_scored_from_its_text(small_model: Path, tmp_path: Path) -> None:
    gold, raw = small_model.parent / "dev.conllu", tmp_path / "raw.conllu"
    assert laconic("parse", "-m", small_model, "--resegment", gold, "-o", raw).code == 0
    both = json.loads(laconic("evaluate", gold, raw, "--json").out)
    assert json.loads(laconic("evaluate", "--raw", small_model, gold, "--json").out) == both
    assert laconic("evaluate", gold).code == 2
    assert laconic("evaluate", gold, raw, "--raw", small_model).code == 2
    assert laconic("evaluate", gold, raw, "--effort", "fast").code == 2


def test_the_text_of_a_treebank_is_the_same_in_pieces(small_model: Path, tmp_path: Path) -> None:
    gold = read(small_model.parent / "dev.conllu")
    for size in (1, 3):
        parts = [gold.sentences[at : at + size] for at in range(0, len(gold.sentences), size)]
        assert "".join(running_text([Doc.from_words([]), *parts])) == gold.text
    assert laconic("convert", small_model.parent / "dev.conllu", tmp_path / "dev.txt", "--to", "text").code == 0
    assert (tmp_path / "dev.txt").read_text("utf-8").rstrip("\n") == gold.text.rstrip("\n")
