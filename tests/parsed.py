"""What a parser makes of a document, whatever stood there before."""

from __future__ import annotations

import numpy as np
from calibrated import Bools, Floats, assert_best_temperature, heated

from laconic.corpus import Doc
from laconic.evaluate import evaluate
from laconic.transition import Parser


def parsed(parser: Parser, doc: Doc) -> Doc:
    guess = doc.sentences[:]
    guess.heads[:] = 0
    guess.set_codes("deprel", np.zeros(len(guess), np.int32), ["x"])
    parser.apply(guess)
    return guess


def score(gold: Doc, guess: Doc, measure: str = "LAS") -> float:
    return evaluate(gold, guess, single_root=False)[measure].f1


def assert_calibrated(parser: Parser, gold: Doc) -> None:
    """Of the heads. The parser must be bad enough for that to be a question."""
    own = parser.stops

    def predicted(factor: float) -> tuple[Floats, Bools]:
        parser.stops = (heated(own[0], factor), heated(own[1], factor))
        found = parser.predict(gold, confidence=True)
        parser.stops = own
        assert ((found.label_confidence > 0) & (found.label_confidence <= 1)).all()
        return found.head_confidence, np.asarray(found.heads == gold.heads)

    assert_best_temperature(predicted)
