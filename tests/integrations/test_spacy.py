"""laconic in pipelines of spaCy's."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from explained_model import trained

from laconic.corpus import Doc
from laconic.errors import ConfigError, ModelError
from laconic.pipeline import Pipeline

spacy = pytest.importorskip("spacy")

from laconic.integrations.spacy import LaconicComponent  # noqa: E402
from laconic.integrations.spacy_tokens import layout, units  # noqa: E402

TEXTS = [
    "The ferry to Oslo doesn't leave.  Who waits?\n\nMarta Lind does. ",
    "",
    "  ",
    " \n Hi",
    "a",
    "Naïve café — “quoted”… e.g. 3.5\u00a0km\t(tab)\r\nend",
    "\u0301 lone mark 👩‍🚀 emoji",
]


@pytest.fixture(scope="module")
def nlp() -> Any:
    """The bundled model: the invented one has no white space of interest, and no trees in English."""
    made = spacy.blank("en")
    made.add_pipe("laconic")
    return made


@pytest.fixture(scope="module")
def own() -> Any:
    made = spacy.blank("en")
    made.add_pipe("laconic", config={"tokens": "own"})
    return made


@pytest.fixture(scope="module")
def laconic_en() -> Pipeline:
    import laconic

    return laconic.load("en").at("balanced")


@pytest.mark.parametrize("text", TEXTS)
def test_the_text_is_the_text_with_either_tokens(nlp: Any, own: Any, text: str) -> None:
    assert nlp(text).text == text
    assert own(text).text == text
    assert [token.text for token in nlp(text)] == [token.text for token in nlp.make_doc(text)]


def test_own_tokens_have_what_laconic_says_of_its_words(own: Any, laconic_en: Pipeline) -> None:
    for text in TEXTS:
        expected = laconic_en(text)
        words = [token for token in own(text) if not token.is_space]
        assert [token.text for token in words] == expected.strings("form")
        assert [token.pos_ for token in words] == expected.strings("upos")
        assert [token.tag_ for token in words] == expected.strings("xpos")
        assert [token.lemma_ for token in words] == expected.strings("lemma")
        assert [str(token.morph) or "_" for token in words] == expected.strings("feats")
        sentences = [[t for t in sentence if not t.is_space] for sentence in own(text).sents] if text else []
        assert [len(one) for one in sentences if one] == [len(one) for one in expected.sentences]
        position = {token.i: number for number, token in enumerate(words)}
        starts = expected.sentence_starts.tolist()
        for number, token in enumerate(words):
            begin = max(start for start in starts[:-1] if start <= number)
            head = position[token.head.i] - begin + 1 if token.head.i != token.i else 0
            assert head == expected.heads[number]
            assert token.dep_ == (expected.strings("deprel")[number] if head else "ROOT")
    assert [(one.text, one.label_) for one in own(TEXTS[0]).ents] == [("Oslo", "LOC"), ("Marta Lind", "PER")]


def test_sentences_and_entities_that_are_there_stay(nlp: Any) -> None:
    made = spacy.blank("en")
    made.add_pipe("sentencizer", config={"punct_chars": [";"]})
    ruler = made.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "BOAT", "pattern": "ferry"}])
    made.add_pipe("laconic")
    doc = made("The ferry waits. Marta left; Oslo slept.")
    assert [one.text for one in doc.sents] == ["The ferry waits. Marta left;", "Oslo slept."]
    assert [(one.text, one.label_) for one in doc.ents] == [("ferry", "BOAT")]
    assert all(token.dep_ for token in doc)


def test_batches_give_what_single_texts_give(nlp: Any, own: Any) -> None:
    for pipeline in (nlp, own):
        together = list(pipeline.pipe(TEXTS * 3, batch_size=4))
        for doc, text in zip(together, TEXTS * 3, strict=True):
            assert doc.to_bytes() == pipeline(text).to_bytes()


def test_a_batch_is_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    component = LaconicComponent()
    calls, real = [], Pipeline.pipe

    def counted(self: Pipeline, sources: Any, **options: Any) -> Any:
        calls.append(len(sources))
        return real(self, sources, **options)

    monkeypatch.setattr(Pipeline, "pipe", counted)
    blank = spacy.blank("en")
    assert len(list(component.pipe(map(blank.make_doc, ["One.", "Two.", "Three."]), batch_size=2))) == 3
    assert calls == [2, 1]


def test_displacy_matchers_and_docbin_take_it(nlp: Any) -> None:
    from spacy.matcher import DependencyMatcher
    from spacy.tokens import DocBin

    doc = nlp("Marta Lind saw the ferry in Oslo.")
    assert "nsubj" in spacy.displacy.render(doc, style="dep")
    assert "PER" in spacy.displacy.render(doc, style="ent")
    matcher = DependencyMatcher(nlp.vocab)
    pattern = [
        {"RIGHT_ID": "verb", "RIGHT_ATTRS": {"POS": "VERB"}},
        {"LEFT_ID": "verb", "REL_OP": ">", "RIGHT_ID": "object", "RIGHT_ATTRS": {"DEP": "obj"}},
    ]
    matcher.add("seen", [pattern])
    ((_, words),) = matcher(doc)
    assert [doc[index].text for index in words] == ["saw", "ferry"]
    (back,) = DocBin(docs=[doc], store_user_data=True).get_docs(nlp.vocab)
    assert back.to_json() == doc.to_json()


def test_a_pipeline_on_disk_needs_nothing_else(tmp_path: Path) -> None:
    model = trained(tmp_path)
    made = spacy.blank("en")
    made.add_pipe("laconic", config={"model": str(model), "effort": "full", "tokens": "own"})
    doc = made("Lo petum kui.")
    made.to_disk(tmp_path / "written")
    model.unlink()
    back = spacy.load(tmp_path / "written")
    assert back("Lo petum kui.").to_json() == doc.to_json()
    component = back.get_pipe("laconic")
    assert (component.effort, component.tokens) == ("full", "own")


def test_bytes_and_pickles_name_the_model_by_its_digest(small_model: Path, tmp_path: Path) -> None:
    made = spacy.blank("en")
    made.add_pipe("laconic", config={"model": str(small_model)})
    text = "Lo petum kui. La dela?"
    expected = made(text).to_json()
    assert pickle.loads(pickle.dumps(made))(text).to_json() == expected
    other = spacy.blank("en")
    other.add_pipe("laconic")
    other.from_bytes(made.to_bytes())
    assert other(text).to_json() == expected
    data = made.get_pipe("laconic").to_bytes().replace(made.get_pipe("laconic").pipeline.digest.encode(), b"0" * 64)
    with pytest.raises(ModelError, match="not the one that was written"):
        LaconicComponent().from_bytes(data)


def test_a_model_without_trees_leaves_sentences_and_tags(small_model: Path) -> None:
    made = spacy.blank("en")
    made.add_pipe("laconic", config={"model": str(small_model), "components": ["segmenter", "morphology"]})
    doc = made("Lo petum kui. La dela?")
    assert not doc.has_annotation("DEP")
    assert doc.has_annotation("SENT_START")
    assert all(token.pos_ for token in doc)
    assert not doc.ents


def test_wrong_settings_are_told(small_model: Path) -> None:
    with pytest.raises(ConfigError, match="keep or own"):
        LaconicComponent(tokens="some")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="no such model"):
        LaconicComponent(model="nosuch")(spacy.blank("en")("Hi"))


def test_words_that_share_a_place_are_one_token() -> None:
    doc = Doc.from_conllu(
        "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t3\tcase\t_\t_\n2\tle\tle\tDET\t_\t_\t3\tdet\t_\t_\n"
        "3\tport\tport\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    )
    assert [(piece.first, piece.last) for piece in units(doc)] == [(0, 1), (2, 2)]
    words, spaces, places = layout("du port\n", units(doc))
    assert (words, spaces, places) == (["du", "port", "\n"], [True, False, False], [0, 1])
