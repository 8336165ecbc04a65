"""Hidden rows: how they are trained. The sum of rows is the first layer of a small network."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from laconic._core.features import Plan
from laconic._core.learn import Examples, Network, shuffled, skip_grams
from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.features import atoms
from laconic.learn.settings import check_shares, check_whole, falling_rate
from laconic.progress import Progress

WHOLE = (
    ("units", 32, 1024),
    ("epochs", 1, 10_000),
    ("treebank_epochs", 0, 10_000),
    ("treebank_weight", 1, 1000),
    ("batch", 1, 65_536),
    ("cutoff", 1, 2**31),
    ("snapshots", 0, 10_000),
    ("floor", 0, 126),
    ("window", 0, 64),
    ("seed", 0, 2**32 - 1),
)
SHARES = ("row_dropout", "unit_dropout", "last_rate", "treebank_rate")
EXIT, CANDIDATE = 3.0, 0.25
"""What looking at an exit costs, in templates: whatever the candidates, and for each of them. By instructions with AVX2
(docs/parser.md)."""


@dataclass(frozen=True)
class HiddenSettings:
    """How hidden rows are trained: Adam in batches, a loss at every exit, rows and units dropped at random."""

    units: int = 64
    epochs: int = 8
    treebank_epochs: int = 2
    """With text that a model has labelled: how many of the last epochs see the treebank alone."""
    treebank_weight: int = 1
    """In the other epochs, then: how often the treebank is seen for each time that the text is. Its features and forms
    count so often, too, by which much text does not push out what only the treebank shows: with a weight of the
    cut-off all of them stay."""
    batch: int = 32
    """Decisions a step; in a parser, sentences that are parsed at the same time."""
    rate: float = 0.001
    last_rate: float = 0.1
    """Share of the rate that is left at the end; it falls evenly."""
    treebank_rate: float = 0.2
    """With text that a model has labelled: share of the rate with which the epochs that see the treebank alone begin.
    The rate falls evenly to there, and evenly from there on. These epochs are short: by their number alone they would
    have nearly half of the fall, and much text would never be seen at a small rate."""
    first_decay: float = 0.9
    second_decay: float = 0.999
    row_dropout: float = 0.1
    unit_dropout: float = 0.1
    exit_weight: float = 0.1
    """Of the loss at each exit but the last, whose weight is 1."""
    exits: tuple[int, ...] = ()
    """Depths with an output layer of their own, besides the last. An exit inside a group of word templates is left
    out."""
    cutoff: int = 2
    snapshots: int = 4
    """How many averages are taken of the weights per epoch, in the last quarter of the epochs."""
    floor: int = 1
    """Rows without a number above so many steps of the quantised ones are dropped."""
    window: int = 2
    """Words to each side that word vectors start from; 0: from chance."""
    seed: int = 1

    def __post_init__(self) -> None:
        check_whole(self, WHOLE)
        if self.units % 32:
            raise ConfigError(f"units must be a multiple of 32, not {self.units}")
        check_shares(self, SHARES)
        for name in ("rate", "exit_weight", "first_decay", "second_decay"):
            if not (math.isfinite(getattr(self, name)) and 0 <= getattr(self, name) <= 100):
                raise ConfigError(f"{name} must be a number from 0 to 100, not {getattr(self, name)!r}")

    def network(self, examples: Examples, plan: Plan) -> Network:
        """A network at its start, for the features of finished examples."""
        return Network(examples, plan, self)

    def shares(self, epoch: int, *, labelled: bool = False) -> tuple[float, float]:
        """Which shares of the rate an epoch begins and ends with, if there is labelled text or none."""
        early = max(1, self.epochs - self.treebank_epochs)
        if not labelled or early >= self.epochs:
            return falling_rate(self.last_rate, self.epochs, epoch)
        between = max(self.treebank_rate, self.last_rate)  # it never rises
        if epoch < early:
            return falling_rate(between, early, epoch)
        return falling_rate(self.last_rate, self.epochs - early, epoch - early, between)

    def averaging(self, epoch: int) -> int:
        """How many snapshots an epoch takes."""
        return self.snapshots if epoch >= self.epochs - max(1, self.epochs // 4) else 0


def exit_cost(candidates: float) -> float:
    """What looking at an exit costs among so many labels, in templates: an output layer has to be computed."""
    return EXIT + CANDIDATE * candidates


def train_hidden(examples: Examples, plan: Plan, settings: HiddenSettings) -> Generator[Progress, None, Network]:
    """Train on examples whose ``finish`` was called; returns the network when exhausted.

    Same examples, settings and build: same weights to the last bit. Cost: epochs x examples x (templates x units +
    word positions x units x units).
    """
    network = settings.network(examples, plan)
    for epoch in range(settings.epochs):
        order = shuffled(len(examples), settings.seed * 1_000_003 + epoch + 1)
        loss = network.epoch(examples, order, settings.batch, *settings.shares(epoch), settings.averaging(epoch))
        yield Progress("epoch", epoch + 1, settings.epochs, loss / max(1, len(examples)))
    network.settle()
    return network


def word_vectors(doc: Doc, settings: HiddenSettings) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float32]]:
    """Atoms of the lower-cased words of a document, and a vector for each from the words around it: where the rows of
    a template that reads LOWER may start. Cost: a few seconds for a treebank."""
    codes, forms = doc.codes("form")
    lowered = [form.lower() for form in forms]
    types = {form: number for number, form in enumerate(dict.fromkeys(lowered))}
    text = np.array([types[form] for form in lowered], np.uint32)[codes]
    vectors = skip_grams(
        text,
        doc.sentence_starts,
        len(types),
        width=settings.units,
        window=settings.window,
        epochs=5,
        seed=settings.seed,
    )
    return atoms(types), vectors
