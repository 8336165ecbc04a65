"""JSON and back: nothing is lost, and what is no document is told with its place."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from conllu_strategies import conllu_bytes
from hypothesis import given

from laconic.corpus import Doc, read, stream
from laconic.errors import InputError
from laconic.interop.writers import WRITERS


def plain(doc: Doc) -> bytes:
    """As CoNLL-U without what lies around sentences in a file: byte order marks, other line ends, blank lines."""
    return doc.columns.to_conllu(exact=False)


def lines(doc: Doc) -> bytes:
    return b"".join(WRITERS["jsonl"](doc))


@given(conllu_bytes())
def test_a_document_comes_back_as_it_was(data: bytes) -> None:
    doc = Doc.from_conllu(data)
    assert plain(Doc.from_json(doc.to_json())) == plain(doc)
    assert plain(Doc.from_json(doc.to_json(indent=1).encode())) == plain(doc)


@given(conllu_bytes())
def test_files_come_back_as_they_were(data: bytes) -> None:
    doc = Doc.from_conllu(data)
    assert plain(Doc.from_json(b"".join(WRITERS["json"](doc)))) == plain(doc)


def test_treebanks_come_back_as_they_were(treebanks: Path, tmp_path: Path) -> None:
    for number, path in enumerate(sorted(treebanks.glob("*/dev.conllu"))):
        doc = next(stream(path, words=5000))
        target = tmp_path / f"{number}.jsonl"
        target.write_bytes(lines(doc))
        assert plain(read(target)) == plain(doc)


def test_what_follows_from_the_rest_is_left_out() -> None:
    doc = Doc.from_words(
        [["Marta", "sleeps", "."]],
        misc=[["NER=B-PER", "SpaceAfter=No|NER=O", "SpaceAfter=No|NER=O"]],
        comments=[["# sent_id = 1", "# text = Marta sleeps."]],
    )
    (sentence,) = json.loads(doc.to_json())["sentences"]
    assert sentence == {
        "sent_id": "1",
        "text": "Marta sleeps.",
        "start": 0,
        "after": "",
        "words": {"form": ["Marta", "sleeps", "."]},
        "entities": [{"label": "PER", "first": 1, "last": 1}],
    }


@pytest.mark.parametrize(
    ("misc", "told"),
    [
        (["Gloss=x", "_"], ["Gloss=x", None]),
        (["SpaceAfter=No", "_"], [None, None]),
        (["NER=B-X|Gloss=y", "NER=O"], ["NER=B-X|Gloss=y", None]),
        (["NER=B-X", "_"], [None, "_"]),
        (["NER=U-X", "NER=O"], ["NER=U-X", None]),
    ],
)
def test_misc_stays_where_it_says_more(misc: list[str], told: list[str | None]) -> None:
    doc = Doc.from_words([["a", "b"]], misc=[misc])
    (sentence,) = json.loads(doc.to_json())["sentences"]
    assert sentence["words"].get("misc", [None, None]) == told
    assert plain(Doc.from_json(doc.to_json())) == plain(doc)


def test_comments_keep_their_order_and_are_not_repeated() -> None:
    comments = ["# meta = x", "# sent_id = 7", "# newpar id = p", "# text = a b", "# text"]
    doc = Doc.from_words([["a", "b"]], comments=[comments])
    (sentence,) = json.loads(doc.to_json())["sentences"]
    assert sentence["comments"] == ["# meta = x", "sent_id", "newpar", "text", "# text"]
    assert Doc.from_json(doc.to_json()).sentences[0].comments == comments


def test_words_alone_are_a_document() -> None:
    doc = Doc.from_json('{"sentences": [{"words": {"form": ["Who", "waits"], "upos": ["PRON", null], "mine": 3}}]}')
    assert (doc.strings("form"), doc.strings("upos"), doc.strings("misc")) == (
        ["Who", "waits"],
        ["PRON", "_"],
        ["_"] * 2,
    )


FORM = {"form": ["a", "b"]}
FAULTS: list[tuple[Any, str]] = [
    ([], "expected an object with words"),
    ({"words": {"form": "ab"}}, "words.form must be a list of strings"),
    ({"words": {"form": ["a", 1]}}, "words.form must be a list of strings"),
    ({"words": FORM | {"upos": ["X"]}}, "words.upos has 1 values for 2 words"),
    ({"words": FORM | {"head": ["1", 0]}}, "words.head must be a list of whole numbers"),
    ({"words": FORM | {"head": [True, 0]}}, "words.head must be a list of whole numbers"),
    ({"words": FORM | {"head": [7, 0]}}, "word 1: "),
    ({"words": FORM | {"head": [2, 1]}}, "no root"),
    ({"words": FORM | {"lemma": ["a\tb", "c"]}}, "word 1: a value with a tab"),
    ({"words": FORM | {"lemma": ["a", ""]}}, "word 2: an empty value"),
    ({"words": FORM | {"start": [0, 1]}}, "need each other"),
    ({"words": FORM | {"start": [0, 9], "end": [1, 10]}, "text": "a b"}, "word 2: no place in a text of 3 characters"),
    ({"words": FORM | {"start": [1, 2], "end": [0, 3]}, "text": "a b"}, "word 1: no place in a text"),
    ({"words": FORM | {"start": [-1, 2], "end": [1, 3]}, "text": "a b"}, "word 1: no place in a text"),
    ({"words": FORM | {"start": [0, 4], "end": [1, 5]}, "text": "a x b"}, "word 2: ' x ' stands before it"),
    ({"words": FORM | {"start": [2, 0], "end": [3, 1]}, "text": "b a"}, "word 2: begins at 0, before the word before"),
    ({"words": FORM | {"start": [0, None], "end": [1, 3]}, "text": "a b"}, "word 2: start and end need each other"),
    (
        {"words": FORM | {"misc": ["NER=O", None]}, "entities": [{"first": 1, "last": 2, "label": "PER"}]},
        "entities and misc contradict each other: PER from word 1 to 2: entities has it, misc has not",
    ),
    (
        {"words": FORM | {"misc": ["NER=B-PER", "_"]}, "entities": []},
        "entities and misc contradict each other: PER from word 1 to 1: misc has it, entities has not",
    ),
    ({"words": {"form": ["a", "\ud800"]}}, "a lone surrogate"),
    ({"words": FORM | {"start": [0, 1], "end": [1, 2]}}, "words.start needs text"),
    ({"words": FORM, "text": 3}, "text must be a string"),
    ({"words": FORM, "comments": ["no"]}, "a comment must be a line that begins with #"),
    ({"words": FORM, "comments": ["sent_id"]}, "comments name sent_id, which is not there"),
    ({"words": FORM, "comments": ["# a\nb"]}, "a comment must be a line"),
    ({"words": FORM, "multiword_tokens": [{"first": 2, "last": 3, "form": "x"}]}, "words from 1 to 2"),
    ({"words": FORM, "entities": [{"first": 1, "last": 1}]}, "entities: label must be a string"),
    ({"words": FORM, "entities": [3]}, "entities must be a list of objects"),
    ({"words": FORM, "empty_nodes": [{"id": "x"}]}, "id must be like 7.1"),
    ({"words": FORM, "empty_nodes": [{"id": "1.1", "form": []}]}, "values must be strings or numbers"),
    ({"words": FORM, "empty_nodes": [{"id": "3.1", "form": "x"}]}, "3.1 stands behind a word that is not there"),
    ({"words": FORM, "empty_nodes": [{"id": "9" * 5000 + ".1"}]}, "stands behind a word that is not there"),
    ({"words": FORM, "entities": 2 * [{"first": 1, "last": 2, "label": "A"}]}, "word 1 is part of two"),
    ({"words": FORM, "entities": [{"first": 1, "last": 1, "label": "A|B"}]}, "'A|B' does not fit a column"),
    ({"words": FORM, "entities": [{"first": 1, "last": 1, "label": ""}]}, "'' does not fit a column"),
]


@pytest.mark.parametrize(("record", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_what_is_no_sentence_is_told_with_its_place(record: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"sentences\[1\]: ") as raised:
        Doc.from_json(json.dumps({"sentences": [{"words": FORM}, record]}))
    assert message in str(raised.value)
    path = tmp_path / "x.jsonl"
    path.write_text(f"{json.dumps({'words': FORM})}\n\n{json.dumps(record)}\n{json.dumps({'words': FORM})}\n", "utf-8")
    with pytest.raises(InputError) as raised:
        read(path)
    assert (raised.value.line, message in str(raised.value)) == (3, True)
    assert len(read(path, lenient=True).sentences) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "1:2: no JSON"),
        ('{"sentences": [\n}', "2:1: no JSON"),
        ("3", "expected"),
        ('{"documents": 3}', "documents must be a list"),
        ('{"documents": [3]}', "documents[0].sentences must be a list"),
        ('{"sentences": [{"words": {"form": ["\\ud800"]}}]}', "lone surrogate"),
        ("[" * 100_000, "nested too deeply"),
        ('{"sentences": [' + "9" * 5000 + "]}", "a number is too long"),
    ],
)
def test_what_is_no_json_of_ours_is_told(text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        Doc.from_json(text)
    assert message in str(raised.value)


def test_a_file_of_no_known_ending_that_is_nested_too_deeply_is_told(tmp_path: Path) -> None:
    path = tmp_path / "deep.dat"
    path.write_text('{"a":' * 100_000, "utf-8")
    with pytest.raises(InputError):
        read(path)


def test_bytes_that_are_not_utf8_are_told() -> None:
    with pytest.raises(InputError, match=r"^2:2: invalid UTF-8"):
        Doc.from_json(b'{\n"\xff')


def test_misc_that_says_the_same_as_entities_is_taken_as_it_is() -> None:
    record = {
        "words": FORM | {"misc": ["NER=U-PER|Gloss=x", None]},
        "entities": [{"first": 1, "last": 1, "label": "PER"}],
    }
    doc = Doc.from_json(json.dumps({"sentences": [record]}))
    assert doc.strings("misc") == ["NER=U-PER|Gloss=x", "NER=O"]
    assert [(entity.label, entity.begin, entity.stop) for entity in doc.entities] == [("PER", 0, 1)]


def test_json_lines_stream_in_batches(tmp_path: Path) -> None:
    doc = Doc.from_words([[f"w{number}", "x"] for number in range(500)])
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(lines(doc)))
    batches = list(stream(path, words=100))
    assert max(len(batch) for batch in batches) <= 100
    assert len(batches) >= 10
    assert plain(Doc.concatenate(batches)) == plain(doc)


def test_a_long_sentence_may_be_a_long_line(tmp_path: Path) -> None:
    doc = Doc.from_words([["word"] * 500_000])
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines(doc))
    assert path.stat().st_size > 1 << 22
    (batch,) = stream(path)
    assert len(batch) == 500_000


def test_the_content_tells_json_from_json_lines(tmp_path: Path) -> None:
    doc = Doc.from_words([["a"], ["b"]])
    for name in ("json", "jsonl"):
        path = tmp_path / f"{name}.data"
        path.write_bytes(b"".join(WRITERS[name](doc)))
        assert plain(read(path)) == plain(doc)
