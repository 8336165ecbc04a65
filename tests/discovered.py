"""A small parser to discover features for, of the invented language."""

from __future__ import annotations

from typing import Any

from synthetic import conllu

from laconic.corpus import Doc
from laconic.features import KINDS, Neighbours, load_neighbours
from laconic.progress import finished
from laconic.search import Discovery, DiscoverySettings, ParserSource, discover
from laconic.transition import ParserConfig

KIND = KINDS["transition"]
PAPER = load_neighbours("nilsson2010")
SMALL = DiscoverySettings(beam=2, generations=4, threshold=-1.0, heats=3.0, audit=1)
CONFIG = ParserConfig(scorer="linear", system="arc-eager")


def documents() -> tuple[Doc, Doc, Doc]:
    train, develop, other = (Doc.from_conllu(conllu(60, seed)) for seed in (1, 2, 3))
    return train, develop, other


def source(score: str = "uas", rules: Neighbours = PAPER) -> ParserSource:
    train, develop, other = documents()
    return ParserSource(CONFIG, train, develop, rules.attributes(), score=score, others={"other": other})  # type: ignore[arg-type]


def found(**arguments: Any) -> Discovery:
    return finished(discover(source(), PAPER, SMALL, processes=1, **arguments))
