"""Noun phrases without what follows or embeds them, read from the tree: "the old harbour" of "the old harbour that we
left"."""

from __future__ import annotations

from collections.abc import Iterator

from laconic.corpus.sentence import Sentence
from laconic.corpus.span import Span

NOMINALS = frozenset(("NOUN", "PROPN", "PRON"))
MODIFIERS = frozenset(("det", "amod", "nummod", "compound", "flat", "fixed", "goeswith", "clf", "nmod:poss"))
"""Relations of words that belong to the chunk of their noun."""
WITHIN = MODIFIERS | {"advmod", "case", "cc", "conj", "punct"}
"""Relations below such words: very old, old and new, the dog's."""


def noun_chunks(sentence: Sentence) -> Iterator[Span]:
    """The chunks of a sentence, in their order; none overlaps another.

    A chunk is a noun, proper noun or pronoun that is in no other's chunk, and the unbroken run of words around it that
    depend on it by MODIFIERS, or on those by WITHIN. Subtypes count as their relation, but for nmod, of which only
    nmod:poss does. Linear in the sentence.
    """
    heads = [head - 1 for head in sentence.heads.tolist()]
    relations = [_relation(deprel) for deprel in sentence.strings("deprel")]
    tags = sentence.strings("upos")
    words = len(heads)
    noun = [-1] * words  # the noun that a word belongs to, itself included
    for word in _downwards(heads):
        head = heads[word]
        above = noun[head] if head >= 0 else -1
        if above >= 0 and relations[word] in (MODIFIERS if head == above else WITHIN):
            noun[word] = above
        elif tags[word] in NOMINALS:
            noun[word] = word
    begin = 0
    for stop in range(1, words + 1):
        if stop == words or noun[stop] != noun[begin]:
            if begin <= noun[begin] < stop:  # what of a chunk lies apart from its noun is left out
                yield Span(sentence.doc, sentence.begin + begin, sentence.begin + stop)
            begin = stop


def _relation(deprel: str) -> str:
    return deprel if deprel == "nmod:poss" else deprel.partition(":")[0]


def _downwards(heads: list[int]) -> list[int]:
    """All words that hang on a root, heads before what depends on them."""
    below: list[list[int]] = [[] for _ in heads]
    order = []
    for word, head in enumerate(heads):
        if 0 <= head < len(heads):
            below[head].append(word)
        elif head == -1:
            order.append(word)
    for word in order:
        order.extend(below[word])
    return order
