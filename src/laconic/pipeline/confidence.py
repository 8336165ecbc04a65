"""How sure a pipeline is of what it says."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.learn.component import Confidences
from laconic.pipeline.components import Component, Components, columns, warn_unless_given
from laconic.text import Segmenter

KEYS = dict.fromkeys(("upos", "xpos", "feats"), "TagConf") | {"lemma": "LemmaConf"}
KEYS |= dict.fromkeys(("head", "deprel"), "ArcConf")
"""Entries of MISC, by the first column that a decision fills."""
STEPS = [f"{step / 1000:.3f}" for step in range(1001)]


@runtime_checkable
class Telling(Protocol):
    """A component that can tell how sure it is."""

    def confident(self, doc: Doc) -> Confidences:
        """Fill the columns of a document; how probable it is for each word that what stands there is right."""
        ...


def confident(components: Components, doc: Doc) -> dict[str, Confidences]:
    """Fill the document; for each component that can tell, the probability per word that it is right. ConfigError where
    it was not calibrated."""
    found: dict[str, Confidences] = {}
    for name, component in components.items():
        if isinstance(component, Segmenter):
            continue
        warn_unless_given(component, doc)
        if not isinstance(component, Telling):
            component.apply(doc)
            continue
        check(component, name)
        found[name] = component.confident(doc)
    return found


def check(component: Telling, name: str = "model") -> None:
    """ConfigError where confidence was not calibrated."""
    try:
        component.confident(Doc.from_conllu(""))
    except ValueError as error:
        raise ConfigError(f"the {name} cannot tell how sure it is: {error}") from None


def key(component: Component) -> str:
    """Where the confidence of a component stands in MISC."""
    return KEYS[columns(component)[0]]


def write(doc: Doc, found: dict[str, Confidences]) -> None:
    """Put probabilities into MISC, as thousandths. Linear."""
    for name, sure in found.items():
        doc.columns.set_entries(name, np.rint(np.clip(sure, 0, 1) * 1000).astype(np.uint16), STEPS)
