"""Heads as word indices, checked to be trees."""

from __future__ import annotations

import numpy as np

from laconic.corpus.doc import Codes
from laconic.errors import InputError
from laconic.evaluate.score import Ints


def parents(heads: Codes, sentence_starts: Ints, name: str, *, single_root: bool) -> Ints | None:
    """Per word the index of its head in the whole document, -1 for a root; None if no word has a head.

    Raises InputError, naming the sentence, where only some words have heads, a head lies outside the sentence, there is
    a cycle or no root, or there are several roots and ``single_root`` asks for one. O(n log n) for the longest n.
    """
    absent = heads < 0
    if absent.all():
        return None
    sentence = np.repeat(np.arange(len(sentence_starts) - 1), np.diff(sentence_starts))

    def refuse(words: Ints, reason: str) -> None:
        if len(words):
            at = sentence[words[0]]
            raise InputError(f"{name} sentence {at + 1}: {reason.format(word=words[0] - sentence_starts[at] + 1)}")

    refuse(np.flatnonzero(absent), "word {word} has no head, others have one")
    sizes = np.diff(sentence_starts)
    refuse(np.flatnonzero(heads > sizes[sentence]), "the head of word {word} is outside the sentence")
    root = heads == 0
    above = np.where(root, -1, sentence_starts[sentence] + heads - 1)
    refuse(_unrooted(above), "the heads above word {word} form a cycle")
    if single_root:
        roots = np.flatnonzero(root)
        refuse(roots[1:][sentence[roots[1:]] == sentence[roots[:-1]]], "word {word} is a second root, one is allowed")
    return above


def _unrooted(above: Ints) -> Ints:
    """Words from which no root is reached, by doubling the length of the jumps upwards."""
    jump = np.append(above, -1)  # -1 is its own head
    for _ in range(max(1, len(above)).bit_length()):
        jump = jump[jump]
        if (jump < 0).all():
            return np.zeros(0, dtype=np.int64)
    return np.flatnonzero(jump >= 0)
