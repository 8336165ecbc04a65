"""Search: more accuracy for more time, by trying several moves where a greedy parser makes the best one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from laconic._core.learn import Exits
from laconic._core.transition import BeamOptions
from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.learn.stopping import Stop, exits_of
from laconic.transition.arcs import Arcs
from laconic.transition.inventory import Heads, Relations

if TYPE_CHECKING:
    from laconic.transition.parser import Parser

DEEPEST, WIDEST = 16, 1024
Temperatures = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LookAhead:
    """Tries the two best moves of each state ``depth`` moves ahead, and makes the first of the best sequence
    (chang2007, section 2.4). The score of a sequence is the sum of the softmax probabilities of its moves, their mean
    where the sentence ends before; what was searched for one move is kept for the next.

    All templates are computed, whatever the effort: only scores of one depth can be compared. The temperature is the
    share ``temper`` of that of a linear parser's calibration, otherwise of 1: calibrated scores answer for earlier
    mistakes too and are too flat to be added up (experiments/parsers/temperature.md). Cost: up to 2^(depth - 1)
    decisions and copies of the state per move; a sentence longer than ``longest`` is parsed greedily.
    """

    depth: int = 3
    longest: int = 1000
    temper: float = 0.5

    def __post_init__(self) -> None:
        _within("depth", self.depth, 1, DEEPEST)
        _within("longest", self.longest, 0)
        if not 0 < self.temper <= 1000:
            raise ConfigError(f"temper must lie above 0 and not above 1000, not {self.temper}")

    def parse(self, parser: Parser, doc: Doc) -> Arcs:
        temperatures, _ = _temperatures(parser, (parser.frozen[0].stop(0.0), parser.frozen[1].stop(0.0)))
        temperature = self.temper * (float(temperatures[-1]) if len(temperatures) else 1.0)
        heads, relations, counted = parser.handle.parse_lookahead(
            doc.columns, *_last_exits(parser), self.depth, temperature, self.longest
        )
        return Arcs.unsure(heads, relations, counted)


@dataclass(frozen=True)
class Tree:
    """One of the trees that a beam found for a sentence, before any decoding."""

    score: float
    """The logarithm of its probability; the sum of the scores of its moves after max-violation training."""
    heads: Heads
    relations: Relations
    """Numbers of labels: indices in ``parser.inventory.names``."""


@dataclass(frozen=True)
class Beam:
    """Keeps the ``width`` best hypotheses of a sentence. The score of a hypothesis is the sum of the logarithms of the
    probabilities of its moves and labels; one that is ``slack`` behind the best is dropped, so that a sentence without
    doubt has one hypothesis.

    Decisions stop where the effort lets them; the effort ``beam`` computes all templates. Probabilities are those that
    hidden rows learned; those of linear rows come from the parser's calibration. A parser of max-violation training
    (``ParserConfig.beam``) compares the sums of its scores instead and drops none. Cost: up to ``width`` decisions and
    copies of the state per move, that of a greedy parser where there is no doubt; a sentence longer than ``longest`` is
    parsed greedily.
    """

    width: int = 4
    slack: float = 3.0
    longest: int = 1000

    def __post_init__(self) -> None:
        _within("width", self.width, 1, WIDEST)
        _within("longest", self.longest, 0)
        if isinstance(self.slack, bool) or not isinstance(self.slack, int | float) or not self.slack >= 0:
            raise ConfigError(f"slack must be at least 0, not {self.slack}")

    def options(self, parser: Parser) -> BeamOptions:
        """For the core."""
        return BeamOptions(
            self.width, self.slack, parser.config.beam > 0, *_temperatures(parser, parser.stops), self.longest
        )

    def trees(self, parser: Parser, doc: Doc, count: int) -> list[list[Tree]]:
        """Up to ``count`` different trees for each sentence, the best first; at most ``width``."""
        _within("count", count, 1, WIDEST)
        counts, scores, heads, relations, _ = parser.handle.best_trees(
            doc.columns, *exits_of(parser.stops, parser.tables), self.options(parser), count
        )
        result: list[list[Tree]] = []
        tree = word = 0
        for trees, size in zip(counts.tolist(), np.diff(doc.sentence_starts).tolist(), strict=True):
            result.append([])
            for _ in range(trees):
                end = word + size
                result[-1].append(Tree(float(scores[tree]), heads[word:end], relations[word:end]))
                tree, word = tree + 1, end
        return result


Search = LookAhead | Beam


def _within(name: str, value: int, least: int, most: int = 2**31) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ConfigError(f"{name} must be a whole number from {least} to {most}, not {value!r}")


def _last_exits(parser: Parser) -> tuple[Exits, Exits]:
    """After all templates, for moves and labels."""
    return exits_of((parser.frozen[0].stop(0.0), parser.frozen[1].stop(0.0)), parser.tables)


def _temperatures(parser: Parser, stops: tuple[Stop, Stop]) -> tuple[Temperatures, Temperatures]:
    """By depth, for moves and labels, as confidences have them. None for hidden rows, which learn probabilities: those
    of confidence count mistakes made before too, and that measured worse. None without calibration."""
    second = stops[1] if parser.config.labels == "after" else stops[0]
    if parser.config.scorer == "hidden" or not (stops[0].temperatures and second.temperatures):
        return np.zeros(0), np.zeros(0)
    return stops[0].probability(len(parser.plans[0])), second.probability(len(parser.plans[1]))
