"""The text of a treebank, from which a segmenter learns."""

from __future__ import annotations

from typing import Literal

import numpy as np

from laconic.corpus import Doc

Spacing = Literal["auto", "annotated", "none"]
SPACELESS = (
    ("\u0e00", "\u0eff"),
    ("\u1000", "\u109f"),
    ("\u1780", "\u17ff"),
    ("\u3040", "\u30ff"),
    ("\u3400", "\u4dbf"),
    ("\u4e00", "\u9fff"),
)
"""Ranges of letters of scripts that set no space between words: Thai, Lao, Burmese, Khmer, kana, Han."""


NO_SPACES = (
    "no two tokens of the training data stand without a space between them (there is no SpaceAfter=No, and no # text "
    "that says so): a segmenter would learn that tokens end at spaces only"
)


def laid_out(doc: Doc, spacing: Spacing) -> tuple[Doc, bool]:
    """The document with its words where they stand in running text, and whether white space stands between words.

    Where the treebank tells nothing of white space, ``auto`` goes by the script of most words.
    """
    annotated = _tells_of_spaces(doc)
    if spacing == "none" or (spacing == "auto" and not annotated and _spaceless(doc)):
        return _joined(doc), False
    text = doc.text
    words = max(1, len(doc))
    # Japanese texts have a space here and there; most of their words have none behind them.
    return doc, text.count(" ") + text.count("\n") > words // 4


def tokens_touch(doc: Doc) -> bool:
    """Does a token follow another without white space between them?"""
    starts, ends = doc.starts, doc.ends
    touching = (starts[1:] == ends[:-1]) & (starts[1:] >= 0)
    for sentence in doc.sentences:  # the words of a multiword token are within one token
        for token in sentence.multiword_tokens:
            touching[sentence.begin + token.first - 1 : sentence.begin + token.last - 1] = False
    return bool(touching.any())


def shows_tokens(doc: Doc, spacing: Spacing) -> bool:
    """Can a segmenter learn from the document where tokens end? ``annotated`` says that it can."""
    return spacing == "annotated" or tokens_touch(laid_out(doc, spacing)[0])


def _tells_of_spaces(doc: Doc) -> bool:
    """Is there a ``# text`` or a SpaceAfter anywhere?"""
    if any("Space" in value for value in doc.codes("misc")[1]):
        return True
    return any(line.startswith("# text =") for lines in doc.comments for line in lines)


def _spaceless(doc: Doc) -> bool:
    codes, forms = doc.codes("form")
    counts = np.bincount(codes, minlength=len(forms))
    spaceless = np.array([any(low <= form[0] <= high for low, high in SPACELESS) for form in forms], np.bool_)
    letters = np.array([form[0].isalpha() for form in forms], np.bool_)
    return bool(2 * counts[spaceless].sum() > counts[letters].sum())


def _joined(doc: Doc) -> Doc:
    """The same words with nothing between them, sentences included."""
    words = [sentence.words for sentence in doc.sentences]
    return Doc.from_words(words, misc=[["SpaceAfter=No"] * len(row) for row in words])
