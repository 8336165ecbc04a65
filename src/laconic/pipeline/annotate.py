"""Components at work on a document: some columns may be kept, and what depends on the words before goes in order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from laconic._core.corpus import Joined
from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError, choices
from laconic.learn import Component
from laconic.learn.component import Confidences, DocumentState
from laconic.pipeline.components import Components, warn_unless_given
from laconic.pipeline.confidence import check_calibrated, write_confidences
from laconic.pipeline.pieces import KeptStates

COLUMNS = ("lemma", "upos", "xpos", "feats", "head", "deprel")
KEPT = (*COLUMNS, "entities")
"""What of a given document can be kept."""

MOST_WORDS = 4096
"""Documents are joined up to so many words: by then a call costs nothing beside its words."""
States = list[DocumentState | None]
"""What components remember of a document, for each one that works in order."""


@dataclass(frozen=True)
class StageStep:
    """A decision, and what is known of it before any document is seen."""

    stage: Component
    lasting: tuple[str, ...]
    """Columns that it fills and no later step of the run does."""
    kept: tuple[str, ...]
    """Columns that it fills and that are to stay as they were."""
    given: bool
    """Earlier steps fill all that it reads."""


def checked_keep(keep: Collection[str]) -> frozenset[str]:
    """The names of columns to keep; ConfigError for what cannot be kept."""
    if isinstance(keep, str):
        raise ConfigError(f"keep is a list of columns: write ({keep!r},)")
    for name in keep:
        if name == "deps":
            raise ConfigError("deps cannot be kept: the enhanced graph would not belong to the new tree")
        if name not in KEPT:
            raise ConfigError(f"no column {name!r} to keep: there are {choices(name, KEPT)}")
    if "deprel" in keep and "head" not in keep:
        raise ConfigError("deprel is not kept without head: a label belongs to an arc")
    return frozenset(keep)


def used_stages(components: Components, kept: Collection[str]) -> list[Component]:
    """The decisions that are made where some columns are kept: those that fill others. Where heads are kept and labels
    are not, only a component that labels given trees does so; ConfigError if there is none."""
    stages = [stage for component in components.values() for stage in component.stages]
    used = [stage for stage in stages if not set(stage.columns) <= set(kept)]
    if "head" in kept and "deprel" not in kept:
        used = [stage for stage in used if "head" not in stage.columns]
        if not any("deprel" in stage.columns for stage in used):
            raise ConfigError(
                "head is kept without deprel only where a component labels given trees, and there is no labeler among "
                f"those in use ({', '.join(components)}): keep deprel too, or use a model or --components with a "
                "labeler"
            )
    return used


class JoinedDocs:
    """Documents that are at work as one, ``doc``, and then get back what was found out about their words. A single
    document is that one itself."""

    def __init__(self, docs: Sequence[Doc], opens: Sequence[bool]) -> None:
        """``opens``: which of them are, or begin, a document; the others go on with the one before."""
        self._columns = [doc.columns for doc in docs]
        self._joined = Joined(self._columns, opens) if len(docs) > 1 else None
        self.doc = docs[0] if self._joined is None else Doc(self._joined.columns)

    def hand_back(self) -> None:
        if self._joined is not None:
            self._joined.hand_back(self._columns)


class Annotator:
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
        stages = used_stages(components, kept)
        first = next((number for number, stage in enumerate(stages) if stage.in_order), len(stages))
        self._local, self._ordered = self._steps(stages, 0, first), self._steps(stages, first, len(stages))
        if confidence:
            for stage in stages:
                if stage.confidence_key:
                    check_calibrated(stage)

    def apply(self, doc: Doc) -> Doc:
        """All of it, for a document that came whole."""
        self.local(doc)
        self.apply_in_order(doc, self.states())
        return doc

    def local(self, doc: Doc) -> None:
        """All that needs nothing but the sentence: pieces of one document may go through this at the same time."""
        if self.keep is not None:
            self._empty(doc)
        self._run(doc, self._local, [None] * len(self._local))

    def apply_joined(self, docs: Sequence[Doc]) -> None:
        """As ``apply`` to each of the documents, at the cost of one call. All of them are filled, or, where that fails,
        none. Only where ``joins``."""
        whole = JoinedDocs(docs, [True] * len(docs))
        self.apply(whole.doc)
        whole.hand_back()

    @property
    def joins(self) -> bool:
        """Can several documents be at work as one? Not where what is given in each decides what is done: what was kept,
        or whether there is something to warn of."""
        return self.keep is None and all(step.given for step in (*self._local, *self._ordered))

    @property
    def has_order(self) -> bool:
        """Is there anything that depends on the words before?"""
        return bool(self._ordered)

    def apply_in_order(self, doc: Doc, states: States) -> None:
        """What depends on the words before in the document, and what comes after it: pieces of a document go through
        this one after another."""
        self._run(doc, self._ordered, states)

    def states(self, kept: KeptStates | None = None) -> States:
        """For a document that comes in pieces: empty, or as others ``kept`` them. InputError for what they did not."""
        stages = [step.stage for step in self._ordered]
        given: Sequence[Any] = [None] * len(stages) if kept is None else kept
        try:
            return [stage.document_state(one) for stage, one in zip(stages, given, strict=True)]
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(
                f"what was kept of the words before does not belong to these components: {error}"
            ) from None

    def _steps(self, stages: Sequence[Component], begin: int, end: int) -> list[StageStep]:
        """Those from ``begin`` to ``end`` as one run."""
        kept = self.keep or frozenset()
        steps = []
        for number in range(begin, end):
            stage = stages[number]
            anew = {column for later in stages[number + 1 : end] for column in later.columns}
            filled = {column for earlier in stages[:number] for column in earlier.columns}
            steps.append(
                StageStep(
                    stage,
                    tuple(column for column in stage.columns if column not in anew),
                    tuple(column for column in stage.columns if column in kept),
                    filled.issuperset(stage.reads),
                )
            )
        return steps

    def _run(self, doc: Doc, steps: Sequence[StageStep], states: States) -> None:
        confidences: dict[str, Confidences] = {}
        for step, state in zip(steps, states, strict=True):
            stage = step.stage
            if not step.given:
                warn_unless_given(stage, doc)
            before = {column: doc.codes(column) for column in step.kept}
            # a labeler may put arcs back that were lifted
            heads = doc.heads.copy() if self.keep is not None and "head" in self.keep else None
            if self.confidence and stage.confidence_key and step.lasting:
                found = stage.confident_of(doc, step.lasting)
                confidences[stage.confidence_key] = found * confidences.get(stage.confidence_key, np.float32(1))
            else:
                stage.apply(doc, state)
            for column, (codes, values) in before.items():
                doc.set_codes(column, codes, values)
            if heads is not None:
                doc.heads[:] = heads
        if confidences:
            write_confidences(doc, confidences)

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
