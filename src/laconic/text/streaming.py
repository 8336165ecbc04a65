"""A text that comes in pieces, segmented as it comes, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from laconic._core import text as core
from laconic.corpus import Doc

if TYPE_CHECKING:
    from laconic.text.segmenter import Segmenter

PIECE = 1 << 18
"""Bytes that are segmented at once, if nothing else is said."""
LIMIT = 1 << 20
"""Bytes after which a sentence ends, whatever is in it: a word with its lemma and the white space behind it then fits
into a line that readers take."""


class TextStream:
    """The state of a text on its way through a segmenter: what is not yet segmented, and what stood before it.

    All documents together are what the text as a whole gives, but where a cut falls on a kept string of more than 150
    characters or a sentence runs on for a megabyte. Offsets count from the beginning of each document.
    """

    def __init__(self, segmenter: Segmenter, *, size: int = PIECE, before: bytes = b"", **options: Any) -> None:
        """``before``: what ``tail`` said where another stream of the same text was left."""
        self._segmenter, self.options = segmenter, replace(segmenter.options, **options)
        self._size = self._wanted = size
        self._limit = max(LIMIT, 4 * size)
        self._pending, self._begin = before, len(before)
        self.consumed = 0
        """Bytes of the text that are in the documents given so far."""
        self.characters = 0
        """The same in characters."""
        self.begin = 0
        """Characters of the text before the document given last."""

    @property
    def waiting(self) -> int:
        """Bytes that were fed and are in no document yet."""
        return len(self._pending) - self._begin

    @property
    def tail(self) -> bytes:
        """As much of the text before the place that ``consumed`` tells as decisions behind it may look at."""
        return self._pending[: self._begin]

    def feed(self, text: bytes, *, last: bool = False) -> Iterator[Doc]:
        """Some more of the text, in whole characters of UTF-8; the documents that are complete with it. Memory: a few
        times the size, or the longest sentence if that is longer."""
        self._pending += text
        while (waiting := self.waiting) > self._wanted or (last and waiting):
            whole = last and waiting <= self._wanted
            end = len(self._pending) if whole else _boundary(self._pending, self._begin + self._wanted)
            forced = whole or self._wanted >= self._limit
            doc, consumed = self._segmenter.piece(self._pending[:end], self._begin, forced, self.options)
            if forced:
                consumed = end
            if not doc and not forced:
                self._wanted *= 2  # a sentence longer than that: each try is twice as long as the last
                continue
            self._wanted = self._size
            self.consumed += consumed - self._begin
            own = self._pending[self._begin : consumed].decode()
            self.begin = self.characters + (_skipped(own, doc) if doc else 0)
            self.characters += len(own)
            self._pending, self._begin = _cut(self._pending, consumed)
            if doc:
                yield doc


def _skipped(text: str, doc: Doc) -> int:
    """White space at the front of a text that is not in its document: where a cut fell within white space, the rest of
    that is nobody's."""
    if not (text[0].isspace() or text[0] in "\0\ufeff"):
        return 0
    start = int(doc.starts[0])
    return text.index(doc.text[start]) - start


def _boundary(text: bytes, at: int) -> int:
    """The last place up to there where a character begins."""
    while 0 < at < len(text) and text[at] & 0xC0 == 0x80:
        at -= 1
    return at


def _cut(pending: bytes, consumed: int) -> tuple[bytes, int]:
    """What is left of a text, with as much before it as decisions may look at."""
    start = _boundary(pending, max(0, consumed - core.CONTEXT))
    return pending[start:], consumed - start
