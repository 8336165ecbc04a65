"""Counting what is in a treebank."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from laconic.corpus.doc import Doc
from laconic.corpus.projectivity import nonprojective_arcs


@dataclass
class Statistics:
    """Sums over documents: ``add`` counts one more batch of a file, ``+`` joins the counts of two files.

    Words are syntactic words; a multiword token is one token of several words. Memory grows with the distinct forms.
    """

    sentences: int = 0
    words: int = 0
    tokens: int = 0
    multiword_tokens: int = 0
    empty_nodes: int = 0
    documents: int = 0  # begun by "# newdoc", or by a file
    trees: int = 0  # sentences all of whose words have heads
    projective: int = 0
    roots: int = 0
    forms: set[str] = field(default_factory=set)
    upos: Counter[str] = field(default_factory=Counter)
    deprel: Counter[str] = field(default_factory=Counter)

    def add(self, doc: Doc) -> None:
        """Counts the next sentences of a file. Linear in the words, without a Python loop over them."""
        columns = doc.columns
        begun = columns.document_starts()
        self.documents += len(begun) + (self.sentences == 0 and begun[:1] != [0])
        self.tokens += len(doc)
        for i in range(columns.sentence_count):
            ranges = columns.multiwords(i)
            self.multiword_tokens += len(ranges)
            self.tokens -= sum(last - first for first, last, *_ in ranges)
            self.empty_nodes += len(columns.empty_nodes(i))
        self.sentences += len(doc.sentences)
        self.words += len(doc)
        self.forms.update(doc.codes("form")[1])
        for counter, name in ((self.upos, "upos"), (self.deprel, "deprel")):
            codes, values = doc.codes(name)
            for value, count in zip(values, np.bincount(codes, minlength=len(values)).tolist(), strict=True):
                if value not in ("", "_"):
                    counter[value] += count
        self._add_trees(doc)

    def _add_trees(self, doc: Doc) -> None:
        heads, lengths = doc.heads, np.diff(doc.sentence_starts)
        sentence_of_word = np.repeat(np.arange(len(lengths)), lengths)
        complete = (np.bincount(sentence_of_word[heads < 0], minlength=len(lengths)) == 0) & (lengths > 0)
        starts = np.concatenate(([0], np.cumsum(lengths[complete]))).astype(np.uint32)
        crossing = nonprojective_arcs(heads[complete[sentence_of_word]], starts)
        of_tree = np.repeat(np.arange(len(starts) - 1), lengths[complete])
        self.trees += int(complete.sum())
        self.projective += int((np.bincount(of_tree[crossing], minlength=len(starts) - 1) == 0).sum())
        self.roots += int((heads == 0).sum())

    def __add__(self, other: Statistics) -> Statistics:
        joined: dict[str, Any] = {}
        for one in fields(self):
            mine, theirs = getattr(self, one.name), getattr(other, one.name)
            joined[one.name] = mine | theirs if isinstance(mine, set) else mine + theirs
        return Statistics(**joined)

    def sizes(self) -> dict[str, int | float | None]:
        """The figures that are one number each; None where there is nothing to divide by."""
        return {
            "sentences": self.sentences,
            "words": self.words,
            "tokens": self.tokens,
            "multiword_tokens": self.multiword_tokens,
            "empty_nodes": self.empty_nodes,
            "documents": self.documents,
            "types": len(self.forms),
            "words_per_sentence": self.words / self.sentences if self.sentences else None,
            "trees": self.trees,
            "roots": self.roots,
            "projective_share": self.projective / self.trees if self.trees else None,
        }

    def to_json(self) -> dict[str, Any]:
        """The sizes, and how often each UPOS and each relation occurs, the most frequent first."""
        return {**self.sizes(), "upos": dict(self.upos.most_common()), "deprel": dict(self.deprel.most_common())}
