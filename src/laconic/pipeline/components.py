"""Which components there are, in the order in which they work on a text, and by what each is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.evaluate import evaluate, evaluate_entities
from laconic.tag import EntityTagger, Lemmatizer, Morphology, Tagger, Work
from laconic.text import Segmenter
from laconic.text.gold import laid_out

Component = Segmenter | Tagger | Morphology | Lemmatizer | EntityTagger
Components = Mapping[str, Component]

COMPONENTS: dict[str, Any] = {
    "segmenter": Segmenter,
    "tagger": Tagger,
    "morphology": Morphology,
    "lemmatizer": Lemmatizer,
    "entities": EntityTagger,
}
METRICS = {"upos": "UPOS", "xpos": "XPOS", "feats": "UFeats"}


def in_order(names: tuple[str, ...]) -> tuple[str, ...]:
    """The components of these names in the order of use; ConfigError for a name that does not exist."""
    for name in names:
        if name not in COMPONENTS:
            raise ConfigError(f"no component {name!r}: there are {', '.join(COMPONENTS)}")
    if not names:
        raise ConfigError(f"nothing to train: choose from {', '.join(COMPONENTS)}")
    return tuple(name for name in COMPONENTS if name in names)


def judge(component: Component, gold: Doc, given: Doc) -> tuple[float, Work]:
    """The component's score against gold, in percent, and what it cost.

    ``given`` is what it works on: the gold document, or the same as earlier components left it. A segmenter is judged
    by the mean F1 of tokens, words and sentences, a tagger by its column, morphology by all tags, entities by spans.
    """
    if isinstance(component, Segmenter):
        laid, _ = laid_out(gold, component.config.spacing)
        guess, cost = component.predict(laid.text)
        scores = evaluate(laid, guess, single_root=False)
        mean = sum(scores[name].f1 for name in ("Tokens", "Words", "Sentences")) / 3
        return mean, Work(cost.decisions, cost.templates, cost.rows)
    guess = given.sentences[:]
    work = component.apply(guess)
    if isinstance(component, EntityTagger):
        return evaluate_entities(gold, guess)["NER"].f1, work
    scores = evaluate(gold, guess, single_root=False)
    if isinstance(component, Lemmatizer):
        return scores["Lemmas"].f1, work
    if isinstance(component, Morphology) or len(component.config.columns) > 1:
        return scores["AllTags"].f1, work
    return scores[METRICS[component.config.column]].f1, work
