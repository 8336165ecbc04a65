"""What a teacher can say of a word, as the treebank shows it: tags that go together, edit scripts, labels, entities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc
from laconic.errors import ModelError
from laconic.learn.component import has_values, strings_of
from laconic.learn.folding import words_in
from laconic.tag.dictionary import NO_LABEL
from laconic.tag.entity_spans import annotated_sentences, bilou_labels, entity_spans
from laconic.tag.lemmatizer import Script, gold_scripts
from laconic.transition.inventory import MOSTLY

TAGS = ("upos", "xpos", "feats")
IGNORED = -100
"""A target that teaches nothing, as torch has it."""
LabelNumbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class TeacherLabels:
    """The inventories of all outputs; an output whose inventory is empty does not exist."""

    tags: Mapping[str, list[str]]
    """By column, in the order of ``TAGS``."""
    combinations: LabelNumbers
    """The tags of a word that were seen together: a row each, a column for each of ``tags``."""
    scripts: list[Script]
    relations: list[str]
    entity_types: list[str]
    single_root: bool

    @classmethod
    def of(cls, doc: Doc, script_minimum: int) -> Self:
        """As a treebank with heads shows them."""
        columns = {name: doc.codes(name) for name in TAGS if has_values(doc, name)}
        seen = np.stack([codes for codes, _ in columns.values()], 1) if columns else np.zeros((0, 0))
        scripts: list[Script] = gold_scripts(doc, script_minimum)[1] if has_values(doc, "lemma") else []
        starts = doc.sentence_starts.astype(np.int64)
        roots = np.add.reduceat((doc.heads == 0).astype(np.int64), starts[:-1])
        return cls(
            {name: values for name, (_, values) in columns.items()},
            np.unique(seen.astype(np.int64), axis=0),
            scripts,
            doc.codes("deprel")[1],
            entity_spans(doc).types if len(annotated_sentences(doc)) else [],
            bool((roots == 1).mean() >= MOSTLY),
        )

    def facts(self) -> dict[str, Any]:
        return {
            "tags": {name: list(values) for name, values in self.tags.items()},
            "combinations": self.combinations.tolist(),
            "scripts": [list(script) for script in self.scripts],
            "relations": self.relations,
            "entity_types": self.entity_types,
            "single_root": self.single_root,
        }

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self:
        """ModelError for what no labels were written as."""
        try:
            tags = {name: strings_of(facts["tags"][name]) for name in TAGS if name in facts["tags"]}
            rows = np.array(facts["combinations"], np.int64).reshape(-1, len(tags))
            sizes = np.array([len(values) for values in tags.values()])
            if tags and not (len(rows) and bool(((rows >= 0) & (rows < sizes)).all())):
                raise ValueError("combinations of tags that do not exist")
            scripts: list[Script] = [(int(a), int(b), int(c), str(d), str(e)) for a, b, c, d, e in facts["scripts"]]
            relations, types = strings_of(facts["relations"]), strings_of(facts["entity_types"])
            return cls(tags, rows, scripts, relations, types, bool(facts["single_root"]))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError(f"the labels of the teacher are damaged: {error}") from None


@dataclass(frozen=True)
class Targets:
    """What each word of a treebank teaches; ``IGNORED`` where it teaches nothing."""

    columns: dict[str, LabelNumbers]
    """Of tags by column, of edit scripts and entities, where there are any."""
    heads: LabelNumbers
    relations: LabelNumbers

    @classmethod
    def of(cls, doc: Doc, labels: TeacherLabels, script_minimum: int) -> Self:
        """Of the treebank that the labels come from."""
        columns = {name: doc.codes(name)[0].astype(np.int64) for name in labels.tags}
        if labels.scripts:
            scripts = gold_scripts(doc, script_minimum)[0].astype(np.int64)
            columns["scripts"] = np.where(scripts == NO_LABEL, IGNORED, scripts)
        if labels.entity_types:
            known = words_in(doc, annotated_sentences(doc))
            columns["entities"] = np.where(known, bilou_labels(entity_spans(doc), len(doc)).astype(np.int64), IGNORED)
        return cls(columns, doc.heads.astype(np.int64), doc.codes("deprel")[0].astype(np.int64))
