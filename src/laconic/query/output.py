"""Matches as files: a table, or the sentences with the words marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from laconic.corpus import Doc
    from laconic.query.search import Query

KEY = "Match"
MatchRows = NDArray[np.int32]


class MatchTable:
    """A line per match, columns separated by tabs: file, sentence, id and form of the first word, then id and form of
    each name, empty where an optional one was not found; of a relation id and label of the word that depends."""

    def __init__(self, query: Query) -> None:
        self._names, self._relations = query.names, query.relations

    def head(self) -> bytes:
        columns = ["file", "sentence", "id", "form"]
        for name in self._names:
            columns += [f"{name}.id", name]
        return ("\t".join(columns) + "\n").encode()

    def lines(self, doc: Doc, rows: MatchRows, file: str, before: int) -> bytes:
        """A sentence is its ``sent_id``, or its number in the file, of which ``before`` came already."""
        if not len(rows):
            return b""
        starts = doc.sentence_starts
        places = np.searchsorted(starts, rows[:, 0], side="right") - 1
        called = {number: doc.sentences[number].sent_id or str(before + number + 1) for number in np.unique(places)}
        found = []
        for row, place in zip(rows.tolist(), places.tolist(), strict=True):
            begin = int(starts[place])
            cells = [file, called[place]]
            for name, word in zip(("", *self._names), row, strict=True):
                said = "" if word < 0 else doc[word].deprel if name in self._relations else doc[word].form
                cells += ["" if word < 0 else str(word - begin + 1), said]
            found.append("\t".join(cells) + "\n")
        return "".join(found).encode()


def marked(doc: Doc, rows: MatchRows, names: Sequence[str]) -> Doc:
    """The sentences with matches, whose words say so in MISC: ``Match=1`` is the first word of the first match in its
    sentence, ``Match=1:who`` the one with that name; a word of several has them separated by commas."""
    places = np.searchsorted(doc.sentence_starts, rows[:, 0], side="right") - 1
    marks: dict[int, list[str]] = {}
    number, last = 0, -1
    for row, place in zip(rows.tolist(), places.tolist(), strict=True):
        number, last = (number + 1, last) if place == last else (1, place)
        for name, word in zip(("", *names), row, strict=True):
            if word >= 0:
                marks.setdefault(word, []).append(f"{number}:{name}" if name else str(number))
    own = doc.sentences[:]
    for word, said in marks.items():
        own[word].misc[KEY] = ",".join(said)
    return type(doc).concatenate(own.sentences[place : place + 1] for place in np.unique(places).tolist())
