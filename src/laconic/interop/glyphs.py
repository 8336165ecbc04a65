"""Text for pictures and terminals: how wide it is, which way it runs, and what of it can be shown at all."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

ELLIPSIS = "…"
NARROW, WIDE = frozenset("iljtfrI.,:;'`|!()[]{}/\\-\"* "), frozenset("mwMWQO@%&©®—…")
RIGHT_TO_LEFT, LEFT_TO_RIGHT = ("R", "AL"), ("L",)


@lru_cache(maxsize=4096)
def advance(character: str) -> float:
    """The width of a character in parts of the font size, as broad sans-serif fonts have it: a picture does not know
    the font it will be shown in, and too much room is better than too little."""
    if character in NARROW:
        return 0.42
    if character in WIDE:
        return 0.95
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    if character.isascii():
        return 0.72 if character.isupper() else 0.64
    return 0.75 if character.isupper() else 0.68


def width(text: str, size: float) -> float:
    """About how wide a text is in pixels."""
    return size * sum(map(advance, text))


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    total = 0
    for character in text:
        if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
            continue
        total += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return total


def shown(text: str, longest: int = 40) -> str:
    """The text on one line, cut in the middle if it is longer than that. What would steer a terminal or break XML is
    replaced: control characters by their pictures, broken code points by U+FFFD."""
    if len(text) > longest:
        text = f"{text[: longest - 8]}{ELLIPSIS}{text[-7:]}"
    return text if text.isascii() and text.isprintable() else "".join(map(_shown, text))


@lru_cache(maxsize=4096)
def _shown(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    category = unicodedata.category(character)
    if category in ("Cc", "Cs") or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:
        return "\ufffd"
    if category in ("Zl", "Zp"):
        return " "
    # What turns the direction of text around would reorder what stands beside it.
    return "" if unicodedata.bidirectional(character) in BIDI_CONTROLS else character


BIDI_CONTROLS = frozenset(("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"))


def right_to_left(words: list[str]) -> bool:
    """Do more letters run from right to left than from left to right?"""
    balance = 0
    for word in words:
        for character in word:
            if not character.isascii():
                kind = unicodedata.bidirectional(character)
                balance += (kind in RIGHT_TO_LEFT) - (kind in LEFT_TO_RIGHT)
            elif character.isalpha():
                balance -= 1
    return balance > 0
