"""laconic where NLTK expects a parser or a tagger."""

from __future__ import annotations

from pathlib import Path

import pytest
from explained_model import TEXT, trained

from laconic.errors import ConfigError, InputError
from laconic.pipeline import Pipeline

nltk = pytest.importorskip("nltk")

from laconic.integrations.nltk import LaconicParser, LaconicTagger  # noqa: E402


@pytest.fixture(scope="module")
def nlp(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline.load(trained(tmp_path_factory.mktemp("model")))


def test_a_parser_gives_graphs_of_given_words_and_of_texts(nlp: Pipeline) -> None:
    parser = LaconicParser(nlp, effort="full")
    assert isinstance(parser, nltk.parse.api.ParserI)
    words = ["Lo", "petum", "kui", "."]
    (graph,) = parser.parse(words)
    expected = nlp([words])
    assert [graph.nodes[n]["head"] for n in range(1, 5)] == expected.heads.tolist()
    assert parser.parse_one(words).to_conll(10) == graph.to_conll(10)
    both = [list(found) for found in parser.parse_sents([words, words])]
    assert [len(found) for found in both] == [1, 1]
    assert len(list(parser.raw_parse(TEXT))) == len(nlp(TEXT).sentences)


def test_a_tagger_gives_tags_of_either_kind(nlp: Pipeline) -> None:
    words = [["Lo", "petum", "."], [], ["Kui"]]
    for column in ("upos", "xpos"):
        tagger = LaconicTagger(nlp, column, effort="full")
        assert isinstance(tagger, nltk.tag.api.TaggerI)
        tagged = tagger.tag_sents(words)
        assert [[word for word, _ in one] for one in tagged] == words
        assert [tag for one in tagged for _, tag in one] == nlp([words[0], words[2]]).strings(column)
        assert tagger.tag(words[0]) == tagged[0]
        assert tagger.accuracy(tagged) == 1.0


def test_faults_are_told(nlp: Pipeline, small_model: Path) -> None:
    with pytest.raises(InputError, match="a list of words"):
        list(LaconicParser(nlp).parse_sents(["Lo petum"]))
    with pytest.raises(InputError, match="a list of words"):
        LaconicTagger(nlp).tag("Lo petum")
    with pytest.raises(ConfigError, match="one of the columns"):
        LaconicTagger(nlp, "lemma")
    with pytest.raises(ConfigError, match="gives no upos"):
        LaconicTagger(nlp.select("segmenter"))
    with pytest.raises(InputError, match="no head"):
        list(LaconicParser(str(small_model), effort="full").parse(["Lo"]))
