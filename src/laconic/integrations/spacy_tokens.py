"""Words of a document as tokens of spaCy's, which are stretches of the text and of white space between them."""

from __future__ import annotations

from typing import NamedTuple

from laconic.corpus import Doc


class PlacedWords(NamedTuple):
    """Words ``first`` to ``last`` of a document that are one token, and its place in the text."""

    first: int
    last: int
    start: int
    end: int


def units(doc: Doc) -> list[PlacedWords]:
    """Words that have a place of their own in the text, and several words at one place (du: de, le) as one."""
    found: list[PlacedWords] = []
    for word, (start, end) in enumerate(zip(doc.starts.tolist(), doc.ends.tolist(), strict=True)):
        if found and start < found[-1].end:
            found[-1] = PlacedWords(found[-1].first, word, found[-1].start, max(end, found[-1].end))
        else:
            found.append(PlacedWords(word, word, start, end))
    return found


def layout(text: str, pieces: list[PlacedWords]) -> tuple[list[str], list[bool], list[int]]:
    """Tokens, whether a space follows each, and the number of the token of each piece. Joined they are the text."""
    words: list[str] = []
    spaces: list[bool] = []
    places: list[int] = []
    behind = 0

    def gap(between: str) -> None:
        if between.startswith(" ") and words and not spaces[-1]:
            spaces[-1], between = True, between[1:]
        if between:
            words.append(between)
            spaces.append(False)

    for piece in pieces:
        gap(text[behind : piece.start])
        places.append(len(words))
        words.append(text[piece.start : piece.end])
        spaces.append(False)
        behind = piece.end
    gap(text[behind:])
    return words, spaces, places
