"""Entities of one file laid over the sentences of another."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from laconic.corpus import Doc
from laconic.tag.entity_spans import bilou_labels, bio_names, entity_spans


@dataclass(frozen=True)
class Merged:
    """A treebank with entities, and how much of it got them."""

    doc: Doc
    sentences: int
    by_id: int
    """Sentences with the id and the forms of an annotated one."""
    by_form: int
    """Sentences with the forms of an annotated one that no id led to, in order."""

    @property
    def unannotated(self) -> int:
        """Sentences that nothing is known about: no tag, which is not the same as O."""
        return self.sentences - self.by_id - self.by_form


def merge_entities(treebank: Doc, entities: Doc) -> Merged:
    """The treebank with the tags of ``entities`` in MISC, where sentences agree in id and forms, or in forms alone.

    What does not align gets no tags: it is unannotated, not O. Other entries of MISC stay as they are, and tags that
    the treebank had give way. Each annotated sentence is used once. Linear in the words.
    """
    names = {sentence.sent_id: number for number, sentence in enumerate(entities.sentences)}
    source = [tuple(sentence.words) for sentence in entities.sentences]
    waiting = defaultdict[tuple[str, ...], list[int]](list)
    targets = [tuple(sentence.words) for sentence in treebank.sentences]
    partner = np.full(len(targets), -1, np.int64)
    used = set()
    for number, sentence in enumerate(treebank.sentences):
        found = names.get(sentence.sent_id, -1) if sentence.sent_id is not None else -1
        if found >= 0 and found not in used and source[found] == targets[number]:
            partner[number] = found
            used.add(found)
    by_id = len(used)
    for number in reversed(range(len(source))):
        if number not in used:
            waiting[source[number]].append(number)
    for number, words in enumerate(targets):
        if partner[number] < 0 and waiting.get(words):
            partner[number] = waiting[words].pop()
    spans = entity_spans(entities)
    given = bilou_labels(spans, len(entities))
    tags = bio_names(spans.types)
    labels = np.full(len(treebank), len(tags), np.uint16)
    starts, from_starts = treebank.sentence_starts, entities.sentence_starts
    for number in np.flatnonzero(partner >= 0).tolist():
        labels[starts[number] : starts[number + 1]] = given[
            from_starts[partner[number]] : from_starts[partner[number] + 1]
        ]
    doc = treebank.sentences[:]
    doc.columns.set_entries("NER", labels, [*tags, ""])
    return Merged(doc, len(targets), by_id, int((partner >= 0).sum()) - by_id)
