"""Where tokens, words and sentences lie in the characters of a document, spaces left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from laconic.corpus.doc import Codes
from laconic.errors import InputError
from laconic.evaluate.score import Bools, Ints

# The space separators (category Zs) of Unicode. The official scorer removes them before it compares texts.
SPACES = (0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)
_NO_SPACES = dict.fromkeys(SPACES)


def without_spaces(text: str) -> str:
    """The text without any Unicode space separator."""
    return text.translate(_NO_SPACES)


@dataclass(frozen=True, slots=True)
class Multiword:
    """Multiword tokens: the word each one starts with, how many words it covers, and its form."""

    first: Ints
    count: Ints
    forms: Sequence[str]


@dataclass(frozen=True, slots=True)
class TokenLayout:
    """The spans of one document. Tokens follow each other without a gap, so the bounds between them say it all."""

    text: str
    token_bounds: Ints  # character at which each token starts, and the end
    token_words: Ints  # word at which each token starts, and the end
    token_of_word: Ints
    multiword: Bools  # per token: is it a line of its own above its words
    sentence_words: Ints  # word at which each sentence starts, and the end
    sentence_bounds: Ints  # character at which each sentence starts, and the end
    keys: Sequence[str]  # distinct lower-cased forms, as words of multiword spans are compared
    key_of_word: Ints

    @property
    def words(self) -> int:
        return len(self.token_of_word)

    @property
    def sentence_of_word(self) -> Ints:
        return np.repeat(np.arange(len(self.sentence_words) - 1), np.diff(self.sentence_words))

    def sentence_at(self, characters: Ints) -> Ints:
        """The sentences in which these characters lie."""
        return np.searchsorted(self.sentence_bounds, characters, side="right") - 1


def token_layout(
    form_codes: Codes, forms: Sequence[str], sentence_words: Ints, multiword: Multiword, name: str
) -> TokenLayout:
    """Places words, tokens and sentences in the document's characters. O(words); ``name`` is for error messages.

    Raises InputError where there is no word, a sentence has none, or a form has nothing but spaces.
    """
    words = len(form_codes)
    if words == 0:
        raise InputError(f"the {name} document is empty: there is nothing to score")
    hollow = np.flatnonzero(np.diff(sentence_words) == 0)
    if len(hollow):
        raise InputError(f"{name} sentence {hollow[0] + 1} has no words")

    starts_token = np.ones(words, dtype=np.bool_)
    inside = np.repeat(multiword.first - np.cumsum(multiword.count) + multiword.count, multiword.count)
    inside = inside + np.arange(len(inside))
    starts_token[inside] = False
    starts_token[multiword.first] = True
    token_of_word = np.cumsum(starts_token) - 1
    token_words = np.append(np.flatnonzero(starts_token), words)
    is_multiword = np.zeros(len(token_words) - 1, dtype=np.bool_)
    is_multiword[token_of_word[multiword.first]] = True

    bare = [without_spaces(form) for form in forms]
    pieces = np.array(bare, dtype=object)[form_codes[token_words[:-1]]]
    for token, form in zip(token_of_word[multiword.first].tolist(), multiword.forms, strict=True):
        pieces[token] = without_spaces(form)
    sizes = np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces))
    blank = np.flatnonzero(sizes == 0)
    if len(blank):
        sentence = np.searchsorted(sentence_words, token_words[blank[0]], side="right")
        raise InputError(f"a token of {name} sentence {sentence} has an empty form")
    token_bounds = np.concatenate(([0], np.cumsum(sizes)))

    table: dict[str, int] = {}
    whole = np.array([table.setdefault(form.lower(), len(table)) for form in forms], dtype=np.int64)
    bared = np.array([table.setdefault(form.lower(), len(table)) for form in bare], dtype=np.int64)
    return TokenLayout(
        text="".join(pieces.tolist()),
        token_bounds=token_bounds,
        token_words=token_words,
        token_of_word=token_of_word,
        multiword=is_multiword,
        sentence_words=sentence_words,
        sentence_bounds=token_bounds[np.append(token_of_word[sentence_words[:-1]], len(pieces))],
        keys=list(table),
        # The official scorer bares only the forms of words that are tokens of their own.
        key_of_word=np.where(is_multiword[token_of_word], whole[form_codes], bared[form_codes]),
    )
