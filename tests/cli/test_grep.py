"""``laconic grep``."""

from __future__ import annotations

from pathlib import Path

from cli.command import laconic

from laconic.corpus import Doc, read
from laconic.query import Query


def test_a_table_has_a_line_per_match() -> None:
    lines = [line.split("\t") for line in laconic("grep", "{upos:VERB} >nsubj {}=who ?>obj {}=what").out.splitlines()]
    assert lines[0] == ["file", "sentence", "id", "form", "who.id", "who", "what.id", "what"]
    assert lines[1][1:] == ["harbour-1", "3", "leaves", "2", "ferry", "5", "harbour"]
    assert lines[2][1:] == ["harbour-2", "4", "wait", "1", "It", "", ""]


def test_sentences_with_matches_are_marked_and_nothing_else_changes(small_model: Path, tmp_path: Path) -> None:
    gold = small_model.parent / "dev.conllu"
    pattern = "{upos:VERB}=v > {}=below"
    result = laconic("grep", pattern, gold, "--to", "conllu", "-o", tmp_path / "found.conllu")
    assert result.code == 0, result.err
    found, doc = read(tmp_path / "found.conllu"), read(gold)
    rows = Query(pattern).rows(doc)
    marks = sum(len(token.misc.get("Match", "").split(",")) for token in found if "Match" in token.misc)
    assert marks == 3 * len(rows)
    for token in found:
        token.misc.pop("Match", None)
    matched = sorted({doc[int(row[0])].sentence.number for row in rows})
    assert found == Doc.concatenate(doc.sentences[number : number + 1] for number in matched)


def test_matches_are_counted_by_file(small_model: Path) -> None:
    gold = small_model.parent / "dev.conllu"
    count = len(Query("{upos:VERB}").rows(read(gold)))
    out = laconic("grep", "{upos:VERB}", gold, gold, "--to", "count").out
    assert out == f"{count}\t{gold}\n{count}\t{gold}\n{2 * count}\ttotal\n"


def test_texts_are_parsed_on_the_way(small_model: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Lo petum kui. La dela.\n" * 3, "utf-8")
    result = laconic("grep", "{form:/[Ll]o/}", tmp_path / "text.txt", "-m", small_model, "--effort", "fast")
    assert result.code == 0, result.err
    assert len(result.out.splitlines()) == 4


def test_mistakes_are_pointed_at() -> None:
    result = laconic("grep", "{upos:VERB} >nsubj {lemma:/ca(t/}")
    assert result.code == 1
    assert "pattern:1:30: a ( without its )" in result.err
    assert result.err.splitlines()[-1].endswith("^")
    assert laconic("grep", "{}", "--effort", "fast").code == 2
    assert laconic("grep", "{}", "missing.conllu").code == 1


def test_a_table_is_not_searched_as_if_it_were_a_text(small_model: Path, tmp_path: Path) -> None:
    (tmp_path / "corpus.csv").write_text("id,text\na,Lo petum.\n", "utf-8")
    result = laconic("grep", "{}", tmp_path / "corpus.csv", "-m", small_model)
    assert (result.code, "is a table" in result.err) == (2, True)


def test_too_many_matches_name_the_file(tmp_path: Path) -> None:
    (tmp_path / "long.conllu").write_bytes(Doc.from_words([["w"] * 150]).to_conllu().encode())
    result = laconic("grep", "{}=a .. {}=b .. {}=c .. {}=d", tmp_path / "long.conllu")
    assert (result.code, "long.conllu: more than" in result.err) == (1, True)
