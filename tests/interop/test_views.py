"""Documents as JSON, tables and the documents of other packages."""

from __future__ import annotations

import json
import sys
import unicodedata

import json_words
import pytest
from conllu import parse
from conllu_strategies import conllu_bytes
from hypothesis import given

from laconic.corpus import Doc, read
from laconic.errors import InputError, LaconicError
from laconic.interop.tables import NAMES
from laconic.interop.writers import WRITERS

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")


def entities() -> Doc:
    """Made anew each time: what a module holds, hypothesis holds at the end of the process, as a leak."""
    return Doc.from_words(
        [["Marta", "Lind", "saw", "Oslo", "."], ["Oslo", "slept", "."]],
        upos=[["PROPN", "PROPN", "VERB", "PROPN", "PUNCT"], ["PROPN", "VERB", "PUNCT"]],
        head=[[3, 1, 0, 3, 3], [2, 0, 2]],
        deprel=[["nsubj", "flat", "root", "obj", "punct"], ["nsubj", "root", "punct"]],
        misc=[["NER=B-PER", "NER=I-PER", "NER=O", "SpaceAfter=No|NER=B-LOC", "NER=O"], ["NER=B-LOC", "NER=O", "_"]],
    )


@pytest.fixture(scope="module")
def sample() -> Doc:
    from laconic.cli.source import SAMPLE, source

    return read(source(SAMPLE))


def documents() -> list[Doc]:
    """Small ones of every kind: empty, words alone, multiword tokens, odd characters."""
    return [
        Doc.from_conllu(""),
        Doc.from_words([["a"]]),
        entities(),
        Doc.from_conllu(
            "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\t_\t_\t_\t_\t_\t_\t_\n2\tle\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
        ),
        Doc.from_words([["_", "x"]], lemma=[["_", "_"]]),
    ]


@given(conllu_bytes())
def test_json_says_what_conllu_says(data: bytes) -> None:
    doc = Doc.from_conllu(data)
    found = json.loads(doc.to_json())
    assert len(found["sentences"]) == len(doc.sentences)
    assert json_words.text(found["sentences"]) == (doc.text if doc else "")
    for record, sentence in zip(found["sentences"], doc.sentences, strict=True):
        assert record.get("sent_id") == sentence.sent_id
        for one, word in zip(json_words.words(record), sentence, strict=True):
            assert one["id"] == word.id
            assert one["form"] == word.form
            for name in COLUMNS[1:-1]:
                assert one[name] == (
                    None if getattr(word, name) == "_" and (name, word.form) != ("lemma", "_") else getattr(word, name)
                )
            assert one["head"] == (None if word.head_index < 0 else word.head_index)
            assert (one["start"], one["end"]) == (
                word.start if word.start >= 0 else None,
                word.end if word.end >= 0 else None,
            )
        assert [(t["first"], t["last"], t["form"]) for t in record.get("multiword_tokens", [])] == [
            (t.first, t.last, t.form) for t in sentence.multiword_tokens
        ]
        assert [node["id"] for node in record.get("empty_nodes", [])] == [node.id for node in sentence.empty_nodes]


def test_json_agrees_with_another_reader_of_the_file(sample: Doc) -> None:
    other = parse(sample.to_conllu())
    for record, sentence in zip(json.loads(sample.to_json())["sentences"], other, strict=True):
        words = [token for token in sentence if isinstance(token["id"], int)]
        for one, word in zip(json_words.words(record), words, strict=True):
            assert one["head"] == word["head"]
            assert [one[name] for name in ("form", "lemma", "upos", "xpos", "deprel")] == [
                word[name] for name in ("form", "lemma", "upos", "xpos", "deprel")
            ]
            feats = dict(pair.split("=") for pair in one["feats"].split("|")) if one["feats"] else None
            assert feats == word["feats"]


def test_offsets_of_json_cut_the_words_out_of_the_text(sample: Doc) -> None:
    for sentence in json.loads(sample.to_json())["sentences"]:
        end = sentence["start"] + len(sentence["text"])
        assert sample.text[sentence["start"] : end] == sentence["text"]
        for token in (*json_words.words(sentence), *json_words.multiwords(sentence)):
            assert sample.text[token["start"] : token["end"]] == token["form"]


def test_entities_are_those_of_the_document() -> None:
    found = [
        (entity["label"], words[entity["first"] - 1]["start"], words[entity["last"] - 1]["end"])
        for sentence in json.loads(entities().to_json())["sentences"]
        for words in [json_words.words(sentence)]
        for entity in sentence["entities"]
    ]
    assert found == [(one.label, one.start, one.end) for one in entities().entities]


def possessive() -> Doc:
    """An entity that is one word of a multiword token, behind a character outside the basic plane."""
    return Doc.from_words(
        [["\U0001f469", "Oslo", "'s", "mayor"]],
        misc=[["NER=O", "NER=B-LOC", "NER=O", "NER=O"]],
        multiword_tokens=[[(2, 3, "Oslo's")]],
    )


def test_an_entity_is_shown_without_the_clitic_behind_it() -> None:
    (sentence,) = json.loads(possessive().to_json())["sentences"]
    assert sentence["entities"] == [{"label": "LOC", "first": 2, "last": 2}]
    words = [sentence["text"][one["start"] : one["end"]] for one in json_words.words(sentence)]
    assert words == ["\U0001f469", "Oslo", "'s", "mayor"]
    (multiword,) = json_words.multiwords(sentence)
    assert (multiword["start"], multiword["end"]) == (2, 8)
    (part,) = possessive().to_displacy("ent")
    assert [part["text"][one["start"] : one["end"]] for one in part["ents"]] == ["Oslo"]


def test_tables_have_the_places_of_the_words_of_a_multiword_token() -> None:
    pytest.importorskip("pyarrow")
    table = possessive().to_arrow()
    assert (table["start"].to_pylist(), table["end"].to_pylist()) == ([0, 2, 6, 9], [1, 6, 8, 14])


def test_spacy_sets_no_space_before_a_clitic() -> None:
    pytest.importorskip("spacy")
    doc = possessive().to_spacy()
    assert doc.text == possessive().text
    assert [entity.text for entity in doc.ents] == ["Oslo"]


def test_what_is_no_entity_tag_is_left_to_misc() -> None:
    doc = Doc.from_words([["a", "b"]], misc=[["NER=whatever", "NER=B-X"]])
    record = json.loads(doc.to_json())["sentences"][0]
    assert [entity["label"] for entity in record["entities"]] == ["X"]
    assert record["words"]["misc"] == ["NER=whatever", None]


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("view", ["arrow", "pandas"])
def test_tables_have_a_row_per_word_and_nothing_where_nothing_is_known(number: int, view: str) -> None:
    doc = documents()[number]
    if view == "arrow":
        pytest.importorskip("pyarrow")
        table = doc.to_arrow()
        assert table.column_names == list(NAMES)
        rows = table.to_pylist()
    else:
        pandas = pytest.importorskip("pandas")
        frame = doc.to_pandas()
        assert list(frame.columns) == list(NAMES)
        rows = [
            {name: None if pandas.isna(value) else value for name, value in row.items()}
            for row in frame.to_dict("records")
        ]
    records = [word for sentence in json.loads(doc.to_json())["sentences"] for word in json_words.words(sentence)]
    assert [{name: row[name] for name in record} for row, record in zip(rows, records, strict=True)] == records


def test_tables_tell_sentences_entities_and_multiword_tokens() -> None:
    pytest.importorskip("pyarrow")
    table = entities().to_arrow()
    assert table["sentence"].to_pylist() == [0, 0, 0, 0, 0, 1, 1, 1]
    assert table["entity"].to_pylist() == ["B-PER", "I-PER", "O", "B-LOC", "O", "B-LOC", "O", None]
    assert documents()[3].to_arrow()["multiword"].to_pylist() == ["du", "du"]


def test_tables_go_through_parquet(tmp_path, sample: Doc) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(sample.to_arrow(), tmp_path / "words.parquet")
    assert parquet.read_table(tmp_path / "words.parquet").to_pylist() == sample.to_arrow().to_pylist()


def test_spacy_gets_words_trees_sentences_and_entities(sample: Doc) -> None:
    pytest.importorskip("spacy")
    there = sample.to_spacy()
    assert [token.text for token in there] == sample.strings("form")
    assert [token.pos_ for token in there] == sample.strings("upos")
    assert [token.lemma_ for token in there] == sample.strings("lemma")
    assert [str(token.morph) or "_" for token in there] == sample.strings("feats")
    assert there.text.split() == sample.text.split()
    assert len(list(there.sents)) == len(sample.sentences)
    heads = [0 if token.head == token else token.head.i - token.sent.start + 1 for token in there]
    assert heads == sample.heads.tolist()
    found = [(entity.text, entity.label_) for entity in entities().to_spacy().ents]
    assert found == [("Marta Lind", "PER"), ("Oslo", "LOC"), ("Oslo", "LOC")]


def test_spacy_gets_what_there_is_and_refuses_what_is_no_tree() -> None:
    pytest.importorskip("spacy")
    for doc in documents():
        assert len(doc.to_spacy()) == len(doc)
    with pytest.raises(InputError, match="sentence 1 is no tree"):
        Doc.from_words([["a", "b"]], head=[[2, 1]]).to_spacy()


def test_nltk_gets_graphs(sample: Doc) -> None:
    pytest.importorskip("nltk")
    graphs = sample.to_nltk()
    assert str(graphs[0].tree()) == "(leaves (ferry The) (harbour the) (dawn at) .)"
    for graph, sentence in zip(graphs, sample.sentences, strict=True):
        assert [graph.nodes[i + 1]["head"] for i in range(len(sentence))] == sentence.heads.tolist()
        assert not graph.contains_cycle()
    with pytest.raises(InputError, match="no head"):
        Doc.from_words([["a"]]).to_nltk()


def test_displacy_gets_arcs_whose_ends_are_a_word_and_its_head(sample: Doc) -> None:
    for part, sentence in zip(sample.to_displacy(), sample.sentences, strict=True):
        assert [word["text"] for word in part["words"]] == sentence.words
        for arc in part["arcs"]:
            word, head = (arc["start"], arc["end"]) if arc["dir"] == "left" else (arc["end"], arc["start"])
            assert sentence[word].head_index == head + 1
            assert sentence[word].deprel == arc["label"]
    for part in entities().to_displacy("ent"):
        assert all(part["text"][e["start"] : e["end"]] in ("Marta Lind", "Oslo") for e in part["ents"])
    with pytest.raises(ValueError, match="'dep' or 'ent'"):
        sample.to_displacy("tree")  # type: ignore[arg-type]


def test_displacy_draws_it(sample: Doc) -> None:
    spacy = pytest.importorskip("spacy")
    assert "harbour" in spacy.displacy.render(sample.to_displacy(), manual=True)
    assert "Oslo" in spacy.displacy.render(entities().to_displacy("ent"), style="ent", manual=True)


@pytest.mark.parametrize(
    ("package", "extra", "view"),
    [
        ("pyarrow", "arrow", "to_arrow"),
        ("pandas", "pandas", "to_pandas"),
        ("spacy", "spacy", "to_spacy"),
        ("nltk", "nltk", "to_nltk"),
    ],
)
def test_a_missing_package_is_an_error_that_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, package: str, extra: str, view: str
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(LaconicError, match=rf"pip install 'laconic\[{extra}\]'"):
        getattr(entities(), view)()


@given(conllu_bytes())
def test_every_writer_takes_every_document(data: bytes) -> None:
    doc = Doc.from_conllu(data)
    for writer in WRITERS.values():
        b"".join(writer(doc)).decode()


def test_a_stream_of_documents_is_one_file(sample: Doc) -> None:
    parts = [sample.sentences[:3], sample.sentences[3:]]
    as_json = json.loads(b"".join(WRITERS["json"].stream(parts)))
    assert [json.loads(part.to_json()) for part in parts] == as_json["documents"]
    lines = b"".join(WRITERS["jsonl"].stream(parts)).splitlines()
    assert [json.loads(line)["sent_id"] for line in lines] == [sentence.sent_id for sentence in sample.sentences]
    for name in ("conllu", "text", "table"):
        assert b"".join(WRITERS[name].stream(parts)) == b"".join(WRITERS[name](sample))
    assert b"".join(WRITERS["html"].stream(parts)).count(b"<html") == 1
    assert b"".join(WRITERS["svg"](sample)).count(b"<svg") == 1


def test_a_document_in_parts_is_one_entry_with_offsets_into_all_of_it(sample: Doc) -> None:
    write = WRITERS["json"]
    whole, text = [], ""
    for begin in range(len(sample.sentences)):
        doc = sample.sentences[begin : begin + 1]
        whole.append(write.part(doc, opens=begin == 0, begin=len(text)))
        text += doc.text + "  "  # white space that no part has is told as spaces
    other = write.part(sample)
    made = json.loads(b"".join(write.file([*whole, other])))["documents"]
    found = [json_words.text(one["sentences"]) for one in made]
    assert [one.split() for one in found] == [text.split(), sample.text.split()]
    assert len(found[0]) == len(text.rstrip())
    words = [word for sentence in made[0]["sentences"] for word in json_words.words(sentence)]
    assert [text[word["start"] : word["end"]] for word in words] == [
        sample.text[start:end] for start, end in zip(sample.starts, sample.ends, strict=True)
    ]


def test_offsets_of_a_part_count_from_where_the_document_begins(sample: Doc) -> None:
    record = json.loads(next(iter(WRITERS["jsonl"].render(sample, 100))))
    assert (record["start"], json_words.words(record)[1]["start"]) == (100, 104)


def test_no_document_is_a_whole_file_too() -> None:
    for writer in WRITERS.values():
        b"".join(writer.stream([]))
    assert json.loads(b"".join(WRITERS["json"].stream([]))) == {"documents": []}


def test_tables_for_terminals_hold_nothing_that_steers_them() -> None:
    doc = Doc.from_words([["\x1b[2J", "a\u202eb", "\x07"]], upos=[["\x9b", "X", "Y"]])
    text = b"".join(WRITERS["table"](doc)).decode()
    assert all(unicodedata.category(c) not in ("Cc", "Cf") for c in text if c != "\n")
