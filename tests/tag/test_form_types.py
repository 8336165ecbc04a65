"""Forms are told apart once for a document: what is remembered of them must follow the document."""

from __future__ import annotations

import numpy as np
import pytest
import synthetic

from laconic.corpus import Doc, read
from laconic.learn import TrainingData
from laconic.progress import finished
from laconic.tag import Lemmatizer, LemmatizerConfig


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Doc:
    path = tmp_path_factory.mktemp("types") / "train.conllu"
    path.write_text(synthetic.conllu(60, 1), "utf-8")
    return read(path)


@pytest.fixture(scope="module")
def lemmatizer(corpus: Doc) -> Lemmatizer:
    return finished(Lemmatizer.fit(LemmatizerConfig(folds=0), TrainingData(corpus)))


def lemmas(lemmatizer: Lemmatizer, doc: Doc) -> list[str]:
    lemmatizer.apply(doc)
    return doc.strings("lemma")


def test_forms_that_change_between_two_components_are_read_anew(lemmatizer: Lemmatizer, corpus: Doc) -> None:
    doc = corpus.sentences[:]
    before = lemmas(lemmatizer, doc)
    codes, forms = doc.codes("form")
    turned = np.roll(codes, 1)
    doc.set_codes("form", turned, forms)
    fresh = corpus.sentences[:]
    fresh.set_codes("form", turned, forms)
    after = lemmas(lemmatizer, doc)
    assert after == lemmas(lemmatizer, fresh)
    assert after != before


def test_a_form_with_several_tags_keeps_the_lemma_of_each(lemmatizer: Lemmatizer, corpus: Doc) -> None:
    alone = [lemmas(lemmatizer, corpus.sentences[number : number + 1]) for number in range(len(corpus.sentences))]
    assert lemmas(lemmatizer, corpus.sentences[:]) == [lemma for part in alone for lemma in part]
