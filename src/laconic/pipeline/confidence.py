"""How sure a pipeline is of what it says."""

from __future__ import annotations

from typing import Any

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.learn.component import Confidences
from laconic.pipeline.components import Components
from laconic.tag import EntityTagger
from laconic.text import Segmenter


def confident(components: Components, doc: Doc) -> dict[str, Confidences]:
    """Fill the document; for each component that can tell, the probability per word that it is right.

    A component tells by ``confident(doc)``, which fills its columns, or by ``predict(doc, confidence=True)``, whose
    last part is the probability. ConfigError where it was not calibrated.
    """
    found: dict[str, Confidences] = {}
    for name, component in components.items():
        if isinstance(component, Segmenter):
            continue
        try:
            found |= _of(name, component, doc)
        except ValueError as error:
            raise ConfigError(f"the {name} of this model cannot tell how sure it is: {error}") from None
    return found


def _of(name: str, component: Any, doc: Doc) -> dict[str, Confidences]:
    if hasattr(component, "confident"):
        return {name: component.confident(doc)}
    if isinstance(component, EntityTagger):
        component.apply(doc)
        return {}
    sure: Confidences = component.predict(doc, confidence=True)[-1]
    component.apply(doc)
    return {name: sure}
