"""Which components there are, in the order in which they work on a text, and by what each is judged."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy.typing as npt

from laconic.corpus import Doc
from laconic.errors import ConfigError, MissingColumnsWarning, choices
from laconic.evaluate import evaluate, evaluate_entities
from laconic.label import Labeler
from laconic.learn import Work
from laconic.tag import EntityTagger, Lemmatizer, Morphology, Tagger
from laconic.text import Segmenter
from laconic.text.gold import laid_out
from laconic.transition import Parser


@runtime_checkable
class Face(Protocol):
    """What a component has, whatever it does. Those that work on words also have ``apply``, which fills columns."""

    @property
    def templates(self) -> str: ...
    def effort(self, tolerance: float) -> None: ...
    def state(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]: ...


class WordComponent(Face, Protocol):
    """A component that fills columns of a document."""

    def apply(self, doc: Doc) -> Any: ...


Component = Segmenter | WordComponent
Components = Mapping[str, Component]
Kind = TypeVar("Kind")

COMPONENTS: dict[str, Any] = {
    "segmenter": Segmenter,
    "tagger": Tagger,
    "morphology": Morphology,
    "lemmatizer": Lemmatizer,
    "parser": Parser,
    "labeler": Labeler,
    "entities": EntityTagger,
}
METRICS = {"upos": "UPOS", "xpos": "XPOS", "feats": "UFeats", "lemma": "Lemmas", "head": "UAS", "deprel": "LAS"}


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """The components of these names in the order of use; ConfigError for a name that does not exist."""
    chosen = set(names)
    for name in sorted(chosen - COMPONENTS.keys()):
        raise ConfigError(f"no component {name!r}: there are {choices(name, COMPONENTS)}")
    if not chosen:
        raise ConfigError(f"no component is named: choose from {', '.join(COMPONENTS)}")
    return tuple(name for name in COMPONENTS if name in chosen)


def twin(component: Kind) -> Kind:
    """A component that shares all that was learned, but has an effort of its own."""
    other = copy.copy(component)
    if isinstance(other, Morphology):
        other.stages = tuple(twin(stage) for stage in other.stages)
    return other


def stages(component: WordComponent) -> tuple[WordComponent, ...]:
    """The decisions of a component one after another, each of which fills columns of its own."""
    return component.stages if isinstance(component, Morphology) else (component,)


def columns(component: Component) -> tuple[str, ...]:
    """What the component writes; ``entities`` are in MISC."""
    if isinstance(component, Segmenter):
        return ()
    return ("entities",) if isinstance(component, EntityTagger) else tuple(getattr(component, "columns", ()))


def read_columns(component: WordComponent) -> tuple[str, ...]:
    """What other components, or the user, must have written before. Of the templates of a parser or labeler only the
    column that POS means counts: the treebank that it was trained on may have lacked the others."""
    if isinstance(component, Lemmatizer | Tagger):
        return component.words.given
    if isinstance(component, Parser | Labeler):
        return (component.config.pos,)
    return component.reads if isinstance(component, EntityTagger) else ()


def warn_unless_given(component: WordComponent, doc: Doc) -> None:
    """A lemma, a head or an entity made without tags is poor, and nothing would tell.

    A column is missing if no word of the document has a value there; of columns of features, which many a short text
    does not have, this is said only where nothing else is there either. Cost: a look at the first word per column, and
    at all words only where that one has no value.
    """
    needed = read_columns(component)
    if not len(doc) or not needed:
        return
    missing = [column for column in needed if column != "feats" and _is_empty(doc, column)]
    if "feats" in needed and len(missing) == len(needed) - 1 and _is_empty(doc, "feats"):
        missing.append("feats")
    if missing:
        warnings.warn(
            f"the {name_of(component)} component reads {', '.join(missing)}, which nothing has filled: "
            "what it says will be poor",
            MissingColumnsWarning,
            stacklevel=2,
        )


def _is_empty(doc: Doc, column: str) -> bool:
    if doc.columns.strings(column, 0, 1) != ["_"] or doc.codes(column)[1] != ["_"]:
        return False
    return column != "lemma" or doc.codes("form")[1] != ["_"]  # the lemma of an underscore is an underscore


def name_of(component: Component) -> str:
    """What a component of this kind is called."""
    return next(name for name, kind in COMPONENTS.items() if isinstance(component, kind))


def segmenter_of(components: Components) -> Segmenter:
    """The segmenter among these components; ConfigError, with what to do, where there is none."""
    segmenter = components.get("segmenter")
    if isinstance(segmenter, Segmenter):
        return segmenter
    raise ConfigError(
        f"a text must be segmented into sentences and words first, and there is no segmenter among the components in "
        f"use ({', '.join(components)}): add segmenter to them, if the model has one, or give words in place of text: "
        "a treebank such as CoNLL-U, one sentence a line with --pretokenized, in Python a document or lists of words"
    )


def tolerances(component: Component) -> list[float]:
    """Those for which the component has calibrated margins."""
    parts: Iterable[Any] = (component,) if isinstance(component, Segmenter) else stages(component)
    classifiers = [one for part in parts for one in (part.frozen if isinstance(part.frozen, tuple) else (part.frozen,))]
    return sorted({tolerance for one in classifiers for tolerance in one.stops if tolerance > 0})


def judge(component: Component, gold: Doc, given: Doc) -> tuple[float, Work]:
    """The component's score against gold, in percent, and what it cost.

    ``given`` is what it works on: the gold document, or the same as earlier components left it. A segmenter is judged
    by the lowest F1 of tokens, words and sentences, a component of one column by that, of several tags by all tags, of
    trees by LAS, entities by spans.
    """
    if isinstance(component, Segmenter):
        laid, _ = laid_out(gold, component.config.spacing)
        guess, cost = component.predict(laid.text)
        scores = evaluate(laid, guess, single_root=False)
        # Ends of sentences are few: in a mean an effort could lose many of them unseen.
        return min(scores[name].f1 for name in ("Tokens", "Words", "Sentences")), cost
    guess = given.sentences[:]
    work: Work = component.apply(guess)
    if isinstance(component, EntityTagger):
        return evaluate_entities(gold, guess)["NER"].f1, work
    return evaluate(gold, guess, single_root=False)[metric(columns(component))].f1, work


def metric(filled: tuple[str, ...]) -> str:
    """By which score a component that fills these columns is judged."""
    if len(filled) == 1:
        return METRICS[filled[0]]
    return "LAS" if "deprel" in filled else "AllTags"
