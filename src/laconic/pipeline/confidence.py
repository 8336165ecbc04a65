"""How probable it is that what a pipeline says is right."""

from __future__ import annotations

import numpy as np

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.learn import Component
from laconic.learn.component import Confidences
from laconic.pipeline.components import Components, warn_unless_given

STEPS = [f"{step / 1000:.3f}" for step in range(1001)]


def confident(components: Components, doc: Doc) -> dict[str, Confidences]:
    """Fill the document; for each component that can tell, the probability per word that it is right. ConfigError where
    it was not calibrated."""
    found: dict[str, Confidences] = {}
    for name, component in components.items():
        warn_unless_given(component, doc)
        if not component.confidence_key:
            component.apply(doc)
            continue
        check_calibrated(component)
        found[name] = component.confident(doc)
    return found


def check_calibrated(component: Component) -> None:
    """ConfigError where confidence was not calibrated."""
    try:
        component.confident(Doc.from_conllu(""))
    except ValueError as error:
        raise ConfigError(f"the {component.name} cannot tell how sure it is: {error}") from None


def write_confidences(doc: Doc, found: dict[str, Confidences]) -> None:
    """Put probabilities into MISC, as thousandths. Linear."""
    for name, confidences in found.items():
        doc.columns.set_entries(name, np.rint(np.clip(confidences, 0, 1) * 1000).astype(np.uint16), STEPS)
