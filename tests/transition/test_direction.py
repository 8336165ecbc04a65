"""Reading from right to left: a parser of sentences in reverse, whose arcs come back in the order of the document."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from parsed import parsed, score

from laconic.corpus import Doc
from laconic.errors import ConfigError, ModelError
from laconic.learn import HiddenSettings, Settings, TrainingData
from laconic.progress import finished
from laconic.transition import Beam, LookAhead, Parser, ParserConfig

SETTINGS = Settings(epochs=2, exits=(4, 10), rate=0.05)
LINEAR = ParserConfig(scorer="linear", settings=SETTINGS, label_settings=SETTINGS, folds=2)
HIDDEN = ParserConfig(hidden=HiddenSettings(units=32, epochs=2, batch=32, exits=(9,)), folds=2)


def backwards(doc: Doc) -> Doc:
    """The document in reverse, made from lists."""
    rows = [list(sentence)[::-1] for sentence in doc.sentences]

    def head(number: int, size: int) -> int:
        return size + 1 - number if number > 0 else number

    fields = {name: [[getattr(t, name) for t in row] for row in rows] for name in ("lemma", "upos", "xpos", "deprel")}
    feats = [[values[i] for i in reversed(range(len(values)))] for values in _by_sentence(doc, "feats")]
    return Doc.from_words(
        [[token.form for token in row] for row in rows],
        head=[[head(token.head_index, len(row)) for token in row] for row in rows],
        feats=feats,
        **fields,
    )


def _by_sentence(doc: Doc, column: str) -> list[list[str]]:
    values, starts = doc.strings(column), doc.sentence_starts.tolist()
    return [values[begin:end] for begin, end in itertools.pairwise(starts)]


@pytest.fixture(scope="module", params=["linear", "hidden"])
def pair(request: pytest.FixtureRequest, train: Doc) -> tuple[Parser, Parser]:
    """One that reads from right to left, and one that reads from left to right what is written in reverse."""
    config = LINEAR if request.param == "linear" else HIDDEN
    own = finished(Parser.fit(replace(config, direction="right-to-left"), TrainingData(train)))
    return own, finished(Parser.fit(config, TrainingData(backwards(train))))


def test_the_words_of_a_document_are_reversed_with_their_heads(dev: Doc) -> None:
    turned = Doc(dev.columns.reversed())
    for column in ("form", "lemma", "upos", "xpos", "feats", "deprel"):
        assert turned.strings(column) == backwards(dev).strings(column)
    assert np.array_equal(turned.heads, backwards(dev).heads)
    assert np.array_equal(turned.columns.reversed().heads, dev.heads)


def test_it_learns_and_says_what_a_parser_of_reversed_sentences_does(pair: tuple[Parser, Parser], dev: Doc) -> None:
    own, other = pair
    guess = parsed(own, dev)
    assert score(dev, guess) > 60
    assert backwards(guess) == parsed(other, backwards(dev))
    confidences, expected = own.confident(guess), other.confident(backwards(dev))
    assert np.array_equal(np.concatenate([some[::-1] for some in _split(confidences, dev)]), expected)


def _split(values: np.ndarray, doc: Doc) -> list[np.ndarray]:
    return np.split(values, doc.sentence_starts[1:-1].astype(int))


@pytest.mark.parametrize("search", [Beam(3), LookAhead(2)])
def test_searches_read_in_the_same_order(pair: tuple[Parser, Parser], dev: Doc, search: Beam | LookAhead) -> None:
    own, other = (parser.searching(search) for parser in pair)
    assert backwards(parsed(own, dev)) == parsed(other, backwards(dev))


def test_the_best_trees_come_back_in_the_order_of_the_document(pair: tuple[Parser, Parser], dev: Doc) -> None:
    own = pair[0].searching(Beam(4))
    best = parsed(own, dev)
    for trees, heads in zip(own.trees(dev, 2), _split(best.heads, dev), strict=True):
        assert len(trees) <= 2
        assert trees[0].heads.shape == heads.shape
    first = np.concatenate([trees[0].heads for trees in own.searching(Beam(4, slack=np.inf)).trees(dev, 1)])
    assert np.mean(first == best.heads) > 0.9


def test_explanations_name_the_words_of_the_document(pair: tuple[Parser, Parser], dev: Doc) -> None:
    own = pair[0]
    guess = parsed(own, dev)
    forms, starts = guess.strings("form"), guess.sentence_starts.astype(int)
    told = [one for one in own.explain(guess, [0, 5]) if one.question == "head"]
    assert told
    sentence_of = np.searchsorted(starts, np.arange(len(guess)), "right") - 1
    for one in told:
        assert sentence_of[one.word] in (0, 5)
        assert one.form == forms[one.word]
        head = int(guess.heads[one.word])
        expected = "becomes a root" if head == 0 else f"{forms[starts[sentence_of[one.word]] + head - 1]} becomes"
        assert expected in one.effect


def test_a_model_keeps_the_direction_and_the_default_says_nothing(pair: tuple[Parser, Parser], dev: Doc) -> None:
    own, other = pair
    arrays, facts = own.state()
    assert parsed(Parser.from_state(arrays, facts), dev) == parsed(own, dev)
    assert "direction" not in other.state()[1]
    with pytest.raises(ModelError, match="direction"):
        Parser.from_state(arrays, facts | {"direction": "inwards"})


def test_an_unknown_direction_is_refused() -> None:
    with pytest.raises(ConfigError, match="left-to-right"):
        ParserConfig(direction="rtl")  # type: ignore[arg-type]
