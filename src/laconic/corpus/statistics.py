"""Counting what is in a treebank."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Statistics:
    """Sums over documents: ``add`` counts one more, ``+`` joins two counts. Words are syntactic words."""

    sentences: int = 0
    words: int = 0
    tokens: int = 0
    multiword_tokens: int = 0
    empty_nodes: int = 0
    documents: int = 0
    trees: int = 0  # sentences with all heads
    projective: int = 0
    roots: int = 0
    longest: int = 0
    forms: set[str] = field(default_factory=set)
    upos: Counter[str] = field(default_factory=Counter)
    deprel: Counter[str] = field(default_factory=Counter)
