"""What a template set costs a word, counted: slots, rows by the size of their tables, decisions. The price of each is
fitted once on a machine to timed runs, so that a search under a budget reads no clock and can be repeated."""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Generator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError
from laconic.evaluate.bootstrap import Floats
from laconic.features import Template, TemplateSet, expand_pairs
from laconic.search.parser_source import ParserSource, label_templates
from laconic.search.source import DEVELOP, DiscoverSource
from laconic.tag import Tagger
from laconic.transition import Parser

STATE_ATTRIBUTES = frozenset(["DEP", "DISTANCE", "DIRECTION", "VALENCY", "LVALENCY", "RVALENCY", "HISTORY"])
LEVELS = (32 * 2**10, 512 * 2**10)
"""Bytes of a template's rows beyond which reading one costs more. A price adds to those before it: no row is cheaper
in a larger table, even of a size that was not timed."""
ROW_BYTES = 8
"""Of a row beside its weights: what tells its feature."""
CLOCK = time.process_time_ns if time.get_clock_info("process_time").resolution < 1e-6 else time.perf_counter_ns
"""Some systems count the time of a process in steps that are too wide."""
TARGET = 0.9
ATTEMPTS = 4
NAMES = ("move", "label", "word slot", "state slot", "step", "row", "row past 32 KB", "row past 512 KB")


@dataclass(frozen=True)
class Timed:
    """A set that was timed: what the model said and what the clock said, in nanoseconds a word."""

    templates: int
    counted: float
    measured: float

    @property
    def error(self) -> float:
        return self.counted / self.measured - 1


@dataclass(frozen=True)
class CostModel:
    """Nanoseconds for each thing that is counted, in the order of ``NAMES``."""

    prices: tuple[float, ...]
    timed: tuple[Timed, ...] = ()

    def __post_init__(self) -> None:
        good = len(self.prices) == len(NAMES) and all(np.isfinite(one) and one >= 0 for one in self.prices)
        if not good:
            raise ConfigError(f"a cost model has {len(NAMES)} prices, none of them below 0")

    def cost(self, counts: Floats) -> float:
        """Nanoseconds a word of a set by its counts. Adding a template never makes a set cheaper."""
        return float(np.dot(self.prices, counts))

    @property
    def within(self) -> float:
        """The share of the timed sets that the model gets right to 10 %."""
        return statistics.fmean(abs(one.error) <= 0.1 for one in self.timed) if self.timed else float("nan")

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self) | {"names": NAMES}, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Self:
        """InputError for a file that is no cost model."""
        try:
            value = json.loads(path.read_text(encoding="utf-8"))
            if list(value["names"]) != list(NAMES):
                raise ValueError("it counts other things")
            return cls(tuple(map(float, value["prices"])), tuple(Timed(**one) for one in value["timed"]))
        except (ValueError, KeyError, TypeError, ConfigError) as error:
            raise InputError(f"not a cost model: {error}. Remove the file to have it fitted again", str(path)) from None


@dataclass(frozen=True)
class Budget:
    """The most that a set may cost, in nanoseconds a word by a cost model. A search may look at sets of up to
    ``stretch`` times as much, for a backward phase to make them cheaper."""

    costs: CostModel
    nanoseconds: float
    stretch: float = 1.0

    def __post_init__(self) -> None:
        if not (0 < self.nanoseconds < np.inf and 1 <= self.stretch < np.inf):
            raise ConfigError("a budget is a number of nanoseconds above 0, and a stretch of it at least 1")

    @property
    def most(self) -> float:
        return self.nanoseconds * self.stretch


@dataclass(frozen=True)
class Counted:
    """The counts of a set, per word: a task, because rows are counted on all decisions."""

    templates: TemplateSet

    @property
    def facts(self) -> list[Any]:
        return ["counted", str(self.templates)]

    def run(self, source: DiscoverSource) -> list[float]:
        assert isinstance(source, ParserSource)
        return [float(one) for one in counts(source, self.templates)]

    def pack(self, result: list[float]) -> Any:
        return result

    def unpack(self, value: Any) -> list[float]:
        if len(value) != len(NAMES):
            raise ValueError("other counts")
        return [float(one) for one in value]


def counts(source: ParserSource, templates: TemplateSet) -> Floats:
    """What the set does a word, in the order of ``NAMES``: decisions about moves and labels, atoms that they read,
    steps on the way to them, and rows by the bytes of their template's table. A slot is counted once a decision,
    however many templates share it."""
    result = np.zeros(len(NAMES))
    words = max(1, len(source.documents[DEVELOP]))
    for part, own in (("moves", templates), ("labels", label_templates(templates))):
        train, develop = source.columns(part, own)
        decisions = len(develop.decisions) / words
        result[NAMES.index("move" if part == "moves" else "label")] += decisions
        addresses = set()
        for term in {term for template in own for term in template.terms}:
            state = term.attribute in STATE_ATTRIBUTES
            result[NAMES.index("state slot" if state else "word slot")] += decisions
            path = term.address.path
            addresses |= {(term.address.node, term.address.index, path[:size]) for size in range(1, len(path) + 1)}
        result[NAMES.index("step")] += decisions * len(addresses)
        size = train.decisions.labels + ROW_BYTES
        for rows in source.row_counts(part, own):
            level = sum(rows * size > edge for edge in LEVELS)
            result[NAMES.index("row") : NAMES.index("row") + level + 1] += decisions
    return result


def row_cost(source: ParserSource, costs: CostModel, template: Template) -> float:
    """Nanoseconds a word for the rows of one template, without the slots that it may share with others."""
    counted = counts(source, TemplateSet(template.kind, (template,)))
    first = NAMES.index("row")
    return float(np.dot(costs.prices[first:], counted[first:]))


def fit_costs(
    source: ParserSource, *, sets: int = 30, rounds: int = 15, sentences: int = 1000, seed: int = 1
) -> Generator[str, None, CostModel]:
    """Train parsers with random sets, time them on the development document in alternating rounds, and fit prices to
    the least times by least squares, none below zero: what else the machine does can only add to a time. As long as
    fewer sets than ``TARGET`` are within 10 %, up to ``ATTEMPTS`` times, there are more rounds. Yields what it does.

    Cost: so many short trainings.
    """
    if sets < len(NAMES) or rounds < 1:
        raise ConfigError(f"prices are fitted to at least {len(NAMES)} sets, each timed at least once")
    draw = random.Random(seed)
    train = source.train.sentences[:sentences]
    small = ParserSource(
        source.config, train, source.documents[DEVELOP], source.attributes, score="las", settings=source.settings
    )
    doc, parsers, counted = source.documents[DEVELOP], [], []
    for number in range(sets):
        yield f"training set {number + 1} of {sets}"
        chosen = _random_set(small, draw)
        parsers.append(small.parser(chosen))
        counted.append(counts(small, chosen))
    least = np.full(sets, np.inf)
    matrix = np.array(counted)
    for attempt in range(ATTEMPTS):
        for number in range(rounds):
            yield f"timing round {attempt * rounds + number + 1} of up to {ATTEMPTS * rounds}"
            least = np.minimum(least, [nanoseconds(parser, doc) for parser in parsers])
        prices = nonnegative_least_squares(matrix / least[:, None], np.ones(sets))
        timed = tuple(
            Timed(len(parser.plans[0]), float(matrix[i] @ prices), float(least[i])) for i, parser in enumerate(parsers)
        )
        model = CostModel(tuple(prices.tolist()), timed)
        if model.within >= TARGET:
            break
    return model


def nanoseconds(component: Parser | Tagger, doc: Doc) -> float:
    """A word, of one run over a document: time of this process on a core, which other processes disturb least."""
    guess = doc.sentences[:]
    begun = CLOCK()
    component.predict(guess)
    return (CLOCK() - begun) / max(1, len(doc))


def nonnegative_least_squares(matrix: Floats, values: Floats) -> Floats:
    """min |matrix x - values| over x >= 0, by coordinate descent: the problems here have a handful of unknowns."""
    gram, right = matrix.T @ matrix, matrix.T @ values
    found = np.zeros(matrix.shape[1])
    for _ in range(20_000):
        before = found.copy()
        for j in np.flatnonzero(np.diag(gram) > 0):
            found[j] = max(0.0, found[j] + (right[j] - gram[j] @ found) / gram[j, j])
        if np.abs(found - before).max(initial=0.0) <= 1e-12 * max(1.0, np.abs(found).max(initial=0.0)):
            break
    return found


def _random_set(source: ParserSource, draw: random.Random) -> TemplateSet:
    """Random features near to the state, with a random part of their pairs."""
    kind = source.kind
    nodes = [node for node in kind.nodes.values() if node.name != "STATE" and not node.many]
    features: dict[Any, Template] = {}
    size = draw.randint(2, 14)
    while len(features) < size:
        one = draw.choice(source.attributes)
        node = draw.choice(nodes)
        path = tuple(draw.choice(["pw", "fw", "fc", "ec", "h"]) for _ in range(draw.choice([0, 0, 0, 1, 2])))
        if node.name not in kind.attributes[one.attribute].nodes:
            continue
        address = type(one.address)(node.name, draw.randint(max(0, node.lowest), 2), path)
        term = type(one)(one.attribute, address, one.number, one.name)
        features[term] = Template(kind, (term,))
    pairs = list(expand_pairs(TemplateSet(kind, tuple(features.values()))))
    kept = pairs[: len(features)] + draw.sample(pairs[len(features) :], draw.randint(0, len(pairs) - len(features)))
    return TemplateSet(kind, tuple(kept))
