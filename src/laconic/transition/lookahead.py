"""Look-ahead: the first move of the best sequence of moves is made (chang2007, section 2.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from laconic._core import transition as core
from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.transition.parser import Arcs, Parser, Work
from laconic.transition.training import exits_of, same_scorer

DEEPEST = 16


@dataclass(frozen=True)
class LookAhead:
    """A parser that tries the two best moves of each state ``depth`` moves ahead. A sequence is worth the sum of the
    softmax scores of its moves, their mean where the sentence ends before; what was searched for one move is kept for
    the next.

    All templates are computed, whatever the effort: only scores of one depth can be compared. The temperature is that
    of the parser's calibration, 1 without one. Cost: up to 2^(depth - 1) decisions and copies of the state per move;
    a sentence longer than ``longest`` is parsed greedily.
    """

    parser: Parser
    depth: int = 3
    longest: int = 1000

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= DEEPEST:
            raise ConfigError(f"depth must lie between 1 and {DEEPEST}, not {self.depth}")
        if self.longest < 0:
            raise ConfigError(f"longest must be at least 0, not {self.longest}")

    def predict(self, doc: Doc) -> Arcs:
        """Heads and labels as the system builds them; nothing is decoded or written."""
        parser = self.parser
        tables = (parser.frozen[0].table, parser.frozen[1].table)
        full = (parser.frozen[0].stop(0.0), parser.frozen[1].stop(0.0))
        temperature = full[0].temperatures[-1] if full[0].temperatures else 1.0
        heads, relations, (moves, templates, rows) = core.parse_ahead(
            parser.model,
            *same_scorer(tables),
            *exits_of(full, tables),
            doc.columns,
            self.depth,
            temperature,
            self.longest,
        )
        none = np.zeros(0, np.float32)
        return Arcs(heads, relations, Work(moves, templates, rows, moves, templates, 0, 0), none, none)

    def apply(self, doc: Doc) -> Work:
        """Fill the heads of a document and, unless labels are left to others, its labels."""
        found = self.predict(doc)
        self.parser.write(doc, found)
        return found.work
