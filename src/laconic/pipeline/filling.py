"""Components at work on a document: some columns may be kept, and what must happen in order is told apart."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from laconic._core.tag import History
from laconic.corpus import Doc
from laconic.errors import ConfigError, choices
from laconic.learn.component import Confidences
from laconic.pipeline.components import Components, WordComponent, columns, stages, warn_unless_given
from laconic.pipeline.confidence import Telling, check, key, write
from laconic.tag import EntityTagger
from laconic.text import Segmenter

COLUMNS = ("lemma", "upos", "xpos", "feats", "head", "deprel")
KEPT = (*COLUMNS, "entities")
"""What of a given document can be kept."""

Memory = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint16], npt.NDArray[np.uint16]]
"""What an entity history holds, as arrays."""


def checked_keep(keep: Collection[str]) -> frozenset[str]:
    """The names of columns to keep; ConfigError for what cannot be kept."""
    if isinstance(keep, str):
        raise ConfigError(f"keep is a list of columns: write ({keep!r},)")
    for name in keep:
        if name == "deps":
            raise ConfigError("deps cannot be kept: the enhanced graph would not belong to the new tree")
        if name not in KEPT:
            raise ConfigError(f"no column {name!r} to keep: there are {choices(name, KEPT)}")
    if len({"head", "deprel"} & set(keep)) == 1:
        raise ConfigError("head and deprel are kept together or not at all: a relation belongs to its head")
    return frozenset(keep)


class Filling:
    """Fills documents. With ``keep``, columns that are not named there are emptied before, and DEPS and empty nodes,
    which belong to the old tree, are dropped; what is kept is what later decisions are given. Without, columns that
    nobody fills stay as they are."""

    def __init__(
        self, components: Components, keep: Collection[str] | None = None, *, confidence: bool = False
    ) -> None:
        """``confidence``: MISC tells how probable it is that tags, lemma and arc are right, as far as they were
        decided. ConfigError where that was not calibrated."""
        self.keep = None if keep is None else checked_keep(keep)
        self.confidence = confidence
        kept = self.keep or frozenset()
        self._local: list[WordComponent] = []
        self.entities: EntityTagger | None = None
        for component in components.values():
            if isinstance(component, EntityTagger):
                self.entities = None if "entities" in kept else component
            elif not isinstance(component, Segmenter):
                self._local += [stage for stage in stages(component) if not set(columns(stage)) <= kept]
        if confidence:
            for stage in self._local:
                check(cast(Telling, stage))

    def apply(self, doc: Doc) -> Doc:
        """All of it, for a document that came whole."""
        self.local(doc)
        self.in_order(doc, None)
        return doc

    def local(self, doc: Doc) -> None:
        """All that needs nothing but the sentence: pieces of one document may go through this at the same time."""
        kept = self.keep or frozenset()
        if self.keep is not None:
            self._empty(doc)
        sure: dict[str, Confidences] = {}
        for component in self._local:
            warn_unless_given(component, doc)
            before = {column: doc.codes(column) for column in columns(component) if column in kept}
            if self.confidence:
                found = cast(Telling, component).confident(doc)
                sure[key(component)] = found * sure.get(key(component), np.float32(1))
            else:
                component.apply(doc)
            for column, (codes, values) in before.items():
                doc.set_codes(column, codes, values)
        write(doc, sure)

    def in_order(self, doc: Doc, history: History | None) -> None:
        """What depends on the words before in the document: its pieces go through this one after another."""
        if self.entities is not None:
            warn_unless_given(self.entities, doc)
            self.entities.apply(doc, history)

    def history(self, memory: Memory | None = None) -> History | None:
        """For a document that comes in pieces: empty, or as another left it."""
        if self.entities is None:
            return None
        history = self.entities.history()
        if memory is not None:
            history.restore(*memory)
        return history

    def _empty(self, doc: Doc) -> None:
        assert self.keep is not None
        nothing: npt.NDArray[Any] = np.zeros(len(doc), np.int32)
        for column in (*COLUMNS, "deps"):
            if column in self.keep:
                continue
            if column == "head":
                doc.heads[:] = -1
            else:
                doc.set_codes(column, nothing, ["_"])
        doc.columns.drop_empty_nodes()
