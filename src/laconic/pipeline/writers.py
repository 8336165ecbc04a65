"""How documents become a file, piece by piece. Which forms there are is for those to say who know them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from laconic.pipeline.flow import Piece


@dataclass(frozen=True)
class Writer:
    """A form of output. ``render`` makes something of each piece, in the thread that filled it; ``file`` makes the
    bytes of one file of what was made of a run of pieces."""

    name: str
    suffix: str
    render: Callable[[Piece], Any]
    file: Callable[[Iterable[Any]], Iterator[bytes]] = iter


def _conllu(piece: Piece) -> bytes:
    return piece.doc.columns.to_conllu()


CONLLU = Writer("conllu", ".conllu", _conllu)
