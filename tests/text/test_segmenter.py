"""Raw text to sentences, tokens and words: nothing is lost, nothing is moved, and what was learned is applied."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic._core.text import Multiwords
from laconic.corpus import Doc, read
from laconic.errors import ConfigError, InputError, ModelError
from laconic.evaluate import evaluate
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.text import Exceptions, Segmenter, SegmenterConfig, Work, read_exceptions
from laconic.text.gold import laid_out
from laconic.text.source import worded

QUICK = SegmenterConfig(folds=0, settings=Settings(epochs=4, cutoff=1))
NAMES = ("Ann", "Bob", "Dr. Cole", "Mr. Dean", "Eve")
VERBS = ("saw", "didn't see", "called", "won't call", "met")
THINGS = ("the dog", "3.5 apples", "a well-known house", "it", "the U.S. flag")
ENDS = (".", "!", "?", "...")


def treebank() -> str:
    """A small treebank of our own: abbreviations, numbers, contractions, paragraphs."""
    lines: list[str] = []
    for number in range(240):
        name, verb = NAMES[number % 5], VERBS[number // 5 % 5]
        thing, end = THINGS[number // 7 % 5], ENDS[number // 3 % 4]
        chunks = [*name.split(), *verb.split(), *(f"{thing}{end}").split()]
        if number % 12 == 0:
            lines.append("# newpar")
        lines.append(f"# text = {' '.join(chunks)}")
        id = 1
        for place, chunk in enumerate(chunks):
            last = place == len(chunks) - 1
            form = chunk.removesuffix(end) if last else chunk
            misc = "SpaceAfter=No" if last else "_"
            if form in ("didn't", "won't"):
                lines.append(f"{id}-{id + 1}\t{form}" + "\t_" * 7 + f"\t{misc}")
                for word in (form[:-3], "n't"):
                    lines.append(f"{id}\t{word}" + "\t_" * 8)
                    id += 1
            else:
                lines.append(f"{id}\t{form}" + "\t_" * 7 + f"\t{misc}")
                id += 1
            if last:
                lines.append(f"{id}\t{end}" + "\t_" * 8)
        lines.append("")
    return "\n".join(lines) + "\n"


@cache
def gold() -> Doc:
    return Doc.from_conllu(treebank())


@cache
def segmenter() -> Segmenter:
    return finished(Segmenter.fit(QUICK, TrainingData(gold())))


def tokens(doc: Doc) -> list[list[str]]:
    """Surface tokens of each sentence."""
    result = []
    for sentence in doc.sentences:
        row, covered = [], 0
        over = {token.first: token for token in sentence.multiword_tokens}
        for word in sentence:
            if word.id in over:
                row.append(over[word.id].form)
                covered = over[word.id].last
            elif word.id > covered:
                row.append(word.form)
        result.append(row)
    return result


def has_token(text: str) -> bool:
    return any(not (char.isspace() or char in "\0\ufeff") for char in text)


TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
    st.text(
        st.sampled_from(
            "aA1.,!?'\"()-@/:|\\_# \t\n\r\v\f\0\x01\x1f\x7f\x85\xa0\u200b\u200d\u2028\u2029\u3000\ufeff"
            "e\u0301\u05d0\u0627\u0e01\u3042\u6f22\U0001f469\U0001f680"
        ),
        max_size=80,
    ),
    st.lists(st.sampled_from([*NAMES, *VERBS, *THINGS, *ENDS, " ", "\n\n", "\r\n", "x@y.org", "http://a.b/c"])).map(
        "".join
    ),
)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_the_text_comes_back_from_the_document_and_from_its_file(text: str) -> None:
    doc = segmenter()(text)
    if not has_token(text):
        assert len(doc) == 0
        return
    again = Doc.from_conllu(doc.to_conllu())
    assert doc.text == text
    assert again == doc
    assert again.text == text
    assert doc.starts.tolist() == again.starts.tolist()
    assert doc.ends.tolist() == again.ends.tolist()


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_tokens_stand_where_they_say_and_cover_all_but_white_space(text: str) -> None:
    doc = segmenter()(text)
    at = 0
    for start, end in sorted(set(zip(doc.starts.tolist(), doc.ends.tolist(), strict=True))):
        assert start >= at
        assert end > start
        assert not has_token(text[at:start])
        at = end
    assert not has_token(text[at:])
    for sentence in doc.sentences:
        assert len(sentence) > 0
        for token in sentence.multiword_tokens:
            assert text[token.start : token.end] == token.form
            assert [text[word.start : word.end] for word in sentence[token.first - 1 : token.last]] == [
                word.form for word in sentence[token.first - 1 : token.last]
            ]


def test_the_words_of_a_contraction_stand_where_their_letters_stand() -> None:
    text = "\U0001f469 DIDN'T see it."
    doc = segmenter()(text)
    assert [(token.form, token.start, token.end) for token in doc.multiword_tokens[0]] == [("DIDN'T", 2, 8)]
    assert [(word.form, word.start, word.end) for word in doc.sentences[0]][1:3] == [("DID", 2, 5), ("N'T", 5, 8)]


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.lists(st.integers(0, 80), max_size=5), st.integers(1, 40))
def test_a_text_in_pieces_gives_the_sentences_of_the_whole(text: str, cuts: list[int], size: int) -> None:
    edges = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    pieces = [text[a:b] for a, b in pairwise(edges)]
    docs = list(segmenter().stream(pieces, characters=size))
    whole = segmenter()(text)
    assert [row for doc in docs for row in tokens(doc)] == tokens(whole)
    if whole:
        assert Doc.concatenate(docs).to_conllu() == whole.to_conllu()
        assert Doc.concatenate(docs).text == text


def test_a_long_text_is_streamed_in_bounded_pieces() -> None:
    text = gold().text * 20
    docs = list(segmenter().stream(text, characters=5000))
    assert len(docs) > 10
    assert max(len(doc.text) for doc in docs) < 10_000
    assert Doc.concatenate(docs).text == text
    assert [row for doc in docs for row in tokens(doc)] == tokens(segmenter()(text))


def test_it_learns_the_treebank_it_is_trained_on() -> None:
    scores = evaluate(gold(), segmenter()(gold().text))
    assert min(scores[name].f1 for name in ("Tokens", "Words", "Sentences")) > 97


def test_abbreviations_numbers_and_contractions_are_told_from_ends() -> None:
    doc = segmenter()("Dr. Cole didn't see 3.5 apples. Eve won't call Mr. Dean!")
    assert tokens(doc) == [
        ["Dr.", "Cole", "didn't", "see", "3.5", "apples", "."],
        ["Eve", "won't", "call", "Mr.", "Dean", "!"],
    ]
    assert doc.sentences[0].words[2:4] == ["did", "n't"]
    assert [(t.first, t.last, t.form) for t in doc.sentences[1].multiword_tokens] == [(2, 3, "won't")]
    assert doc.sentences[1].comment("text") == "Eve won't call Mr. Dean!"


def test_multiword_tokens_keep_their_casing_and_can_be_left_whole() -> None:
    assert segmenter()("Bob DIDN'T see it.").sentences[0].words[1:3] == ["DID", "N'T"]
    whole = segmenter()("Bob DIDN'T see it.", mwt=False)
    assert whole.sentences[0].words[1] == "DIDN'T"
    assert whole.multiword_tokens == [[]]


def test_a_token_is_split_by_the_token_behind_it_in_its_sentence() -> None:
    own = segmenter()
    multiwords = Multiwords(["it\na"], [], [0, 2], ["i", "t"])
    made = Segmenter(own.config, own.plan, own.frozen, own.statistics, multiwords, True)
    doc = made("Bob saw it A dog\nBob saw it\na dog saw  it  a\nit", lines=True)
    words = [list(sentence.words) for sentence in doc.sentences]
    assert words == [
        ["Bob", "saw", "i", "t", "A", "dog"],
        ["Bob", "saw", "it"],
        ["a", "dog", "saw", "i", "t", "a"],
        ["it"],
    ]


@pytest.mark.parametrize("text", ["", " ", "\n\n\t \u00a0", "\0", "\ufeff\r\n", b"", b" \n"])
def test_a_text_without_a_token_is_an_empty_document(text: str | bytes) -> None:
    assert len(segmenter()(text)) == 0
    assert not segmenter()(text)
    assert list(segmenter().stream(text)) == []


@pytest.mark.parametrize("char", ["a", ".", "-", "@", "'", "\u6f22", "1", "\U0001f680", "(", "w"])
def test_a_million_equal_characters_have_a_defined_result(char: str) -> None:
    text = char * 1_000_000
    doc, work = segmenter().predict(text)
    assert doc.text == text
    assert work.decisions <= len(text)
    assert work.templates <= len(text) * len(segmenter().plan)


def test_a_sentence_ends_at_the_latest_after_so_many_tokens() -> None:
    doc = segmenter()("the dog saw " * 3000, longest=100)
    assert np.diff(doc.sentence_starts).max() <= 100
    assert doc.text == "the dog saw " * 3000


def test_lines_can_be_sentences() -> None:
    doc = segmenter()("Ann saw it. Bob met\nEve called the dog!\r\n\r\n\n it", lines=True)
    assert [len(row) for row in tokens(doc)] == [6, 5, 1]
    assert doc.sentences[1].newpar is None
    assert doc.sentences[2].newpar == ""


def test_line_ends_can_be_sentence_ends_or_spaces() -> None:
    text = "Ann saw it. Bob met\nEve called\nthe dog!"
    assert [len(row) for row in tokens(segmenter()(text, line_ends="hard"))] == [4, 2, 2, 3]
    assert tokens(segmenter()(text, line_ends="keep")) == tokens(segmenter()(text.replace("\n", " ")))
    with pytest.raises(ConfigError, match="line_ends"):
        segmenter()(text, line_ends="solid")


TECHNICAL = (
    "main.py a.tar.gz src/core/main.cpp /usr/lib/x ./run ../a/b ~/notes.txt C:\\dir\\f.txt #tag #no2waste C++ C# "
    "2024-05-01T12:30 2024-05-01T12:30:00.5+02:00"
)


@pytest.mark.parametrize("string", TECHNICAL.split())
def test_what_is_written_about_computers_is_kept_whole(string: str) -> None:
    for text in (f"Ann saw {string} .", f'Ann saw ("{string}").', f"Ann saw {string}, Bob"):
        assert string in [token for row in tokens(segmenter()(text)) for token in row]


@pytest.mark.parametrize("string", ["👍🏽", "👨\u200d👩\u200d👧", "🇸🇪", "❤\ufe0f", "1\ufe0f\u20e3"])
def test_what_is_one_picture_is_one_token(string: str) -> None:
    assert string in [token for row in tokens(segmenter()(f"Ann saw {string} .")) for token in row]


@pytest.mark.parametrize("text", ["Ann saw it.Bob", "Ann saw/met Bob", "Ann saw #1", "/s", "Ann.", "a-b", "+1", "#"])
def test_what_only_looks_technical_is_decided_as_ever(text: str) -> None:
    assert tokens(segmenter()(text)) == tokens(segmenter()(text, technical=False))


def test_two_flags_are_two_pictures() -> None:
    parts = [token for row in tokens(segmenter()("Ann saw 🇸🇪🇳🇴 .")) for token in row]
    assert "🇸" not in parts
    assert "🇪" not in parts


def test_a_blank_line_ends_a_sentence_and_begins_a_paragraph() -> None:
    doc = segmenter()("Ann saw the dog\n\nBob met it.")
    assert [row[-1] for row in tokens(doc)] == ["dog", "."]
    assert [sentence.newpar for sentence in doc.sentences] == [None, ""]


def test_addresses_are_kept_whole_unless_told_not_to_be() -> None:
    text = "Ann saw a.b-c@mail.example.org, and http://www.example.org/a(b)?c=d.e!f. (www.x.org/y)"
    flat = [token for row in tokens(segmenter()(text)) for token in row]
    assert {"a.b-c@mail.example.org", "http://www.example.org/a(b)?c=d.e!f", "www.x.org/y"} <= set(flat)
    assert segmenter()(text, emails=False, urls=False).text == text


def test_the_user_names_strings_that_are_never_split(tmp_path: Path) -> None:
    file = tmp_path / "keep.txt"
    file.write_text("C++!\n\n  New York. City \n", encoding="utf-8")
    text = "Ann saw C++!. Bob met (New  York. City) it."
    flat = [token for row in tokens(segmenter()(text, exceptions=read_exceptions(file))) for token in row]
    assert "C++!" in flat
    assert "New York. City" in flat
    kept = segmenter()(text, exceptions=Exceptions(["New York. City"]))
    assert kept.text == text
    assert any("SpacesInToken=New\\s\\sYork.\\sCity" in misc for misc in kept.strings("misc"))


def test_a_string_never_split_has_a_limit_which_bounds_the_cost_of_a_text() -> None:
    assert Exceptions(["a" * 1000])
    with pytest.raises(ValueError, match="at most 1000 characters, not 1001"):
        Exceptions(["a" * 1001])


def test_a_lone_surrogate_in_a_stream_is_told_with_its_place_in_all_of_it() -> None:
    with pytest.raises(InputError, match="character 12 is a lone surrogate, U\\+D800") as caught:
        list(segmenter().stream(["Ann ", "saw.\nBo", "b\ud800 ran"], characters=3))
    assert (caught.value.line, caught.value.column) == (2, 4)


def test_a_lone_surrogate_is_an_error_with_its_place_or_is_replaced() -> None:
    with pytest.raises(InputError, match="character 8 is a lone surrogate, U\\+D800") as caught:
        segmenter()("Ann.\nBob\ud800 saw")
    assert (caught.value.line, caught.value.column) == (2, 4)
    doc = segmenter()("Ann.\nBob\ud800 saw \ud83d\ude80", surrogates="replace")
    assert doc.text == "Ann.\nBob\ufffd saw \ufffd\ufffd"


def test_bytes_are_utf8_or_an_error_with_its_place() -> None:
    assert segmenter()("Ann saw Zoë.".encode()).text == "Ann saw Zoë."
    with pytest.raises(InputError, match="byte 5 is not UTF-8") as caught:
        segmenter()(b"Ann.\n\xff")
    assert (caught.value.line, caught.value.column) == (2, 1)
    assert segmenter()(b"Ann \xff", surrogates="replace").text == "Ann \ufffd"


def test_sentences_are_found_in_tokens_that_are_given() -> None:
    given = [token for row in tokens(gold()) for token in row]
    doc = segmenter().split(given)
    assert doc.strings("form") == given
    found = [sentence.words for sentence in doc.sentences]
    right = sum(row in found for row in tokens(gold()))
    assert right > 0.9 * len(gold().sentences)
    assert len(segmenter().split([])) == 0


def test_whatever_is_given_becomes_a_document_or_an_error_that_helps() -> None:
    doc = gold()
    assert segmenter().apply(doc) == Work()
    assert doc == gold()
    split = segmenter().split
    assert [s.words for s in worded([["Ann"], ["saw", "it"]], "error", split).sentences] == [["Ann"], ["saw", "it"]]
    flat = ["Ann", "saw", "it", ".", "Bob", "called", "."]
    with pytest.raises(InputError, match="two pairs of brackets"):
        worded(flat, "error", split)
    assert len(worded(flat, "sentence", split).sentences) == 1
    assert len(worded(flat, "split", split).sentences) == 2
    with pytest.raises(InputError, match="list of tokens"):
        segmenter().split("Ann saw it.")


def test_its_state_makes_an_equal_segmenter_through_json() -> None:
    arrays, facts = segmenter().state()
    again = Segmenter.from_state(arrays, json.loads(json.dumps(facts)))
    assert again(gold().text) == segmenter()(gold().text)
    for name, array in again.state()[0].items():
        assert np.array_equal(array, arrays[name])


def test_training_twice_gives_the_same_bytes() -> None:
    once, twice = (finished(Segmenter.fit(QUICK, TrainingData(gold()))).state() for _ in range(2))
    assert once[1] == twice[1]
    assert all(array.tobytes() == twice[0][name].tobytes() for name, array in once[0].items())


@pytest.mark.parametrize("name", sorted(segmenter().state()[0]))
def test_a_damaged_state_is_a_model_error(name: str) -> None:
    arrays, facts = segmenter().state()
    without = {key: array for key, array in arrays.items() if key != name}
    with pytest.raises(ModelError):
        Segmenter.from_state(without, facts)
    if name in ("pairs", "set_begins", "set_members") or not len(arrays[name]):
        return
    with pytest.raises(ModelError):
        Segmenter.from_state({**arrays, name: arrays[name][:-1]}, facts)


def test_effort_saves_templates_and_keeps_nearly_all_decisions() -> None:
    config = SegmenterConfig(folds=3, settings=Settings(epochs=4, cutoff=1))
    trained = finished(Segmenter.fit(config, TrainingData(gold())))
    full, cost = trained.predict(gold().text)
    trained.effort(0.05)
    fast, saved = trained.predict(gold().text)
    assert saved.templates < cost.templates / 2
    assert evaluate(full, fast)["Tokens"].f1 > 95


def test_one_segmenter_serves_many_threads() -> None:
    texts = [f"{name} {verb} {thing}{end}" for name in NAMES for verb in VERBS for thing in THINGS for end in ENDS]
    alone = [segmenter()(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(segmenter(), texts)) == alone


def test_words_without_spaces_are_learned_when_the_treebank_has_none() -> None:
    words = [["\u732b", "\u304c", "\u597d\u304d", "\u3060", "\u3002"], ["\u72ac", "\u3082", "\u6765\u308b", "\u3002"]]
    flat = [word for row in words for word in row]
    doc = Doc.from_words(words * 30)
    joined, spaced = laid_out(doc, "auto")
    assert not spaced
    assert " " not in joined.text
    trained = finished(Segmenter.fit(QUICK, TrainingData(doc)))
    assert [s.words for s in trained("".join(flat)).sentences] == words
    assert [s.words for s in trained.split(flat).sentences] == words
    assert laid_out(gold(), "auto") == (gold(), True)
    assert not laid_out(gold(), "none")[0].text.count(" ")


def test_settings_that_cannot_work_are_refused() -> None:
    for wrong in ({"spacing": "some"}, {"share": 1.5}, {"folds": 1}):
        with pytest.raises(ConfigError):
            SegmenterConfig(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="no words"):
        finished(Segmenter.fit(QUICK, TrainingData(Doc.from_words([]))))
    with pytest.raises(ValueError, match="surrogates"):
        segmenter()("a", surrogates="ignore")


def test_english_is_segmented_at_least_as_well_as_by_a_neural_peer(treebanks: Path) -> None:
    trained = finished(
        Segmenter.fit(SegmenterConfig(folds=0), TrainingData(read(treebanks / "en_ewt" / "train.conllu")))
    )
    dev = read(treebanks / "en_ewt" / "dev.conllu")
    doc = trained(dev.text)
    assert doc.text == dev.text
    scores = evaluate(dev, doc)
    for name, least in (("Tokens", 99.34), ("Words", 98.98), ("Sentences", 87.86)):
        assert scores[name].f1 >= least, name
