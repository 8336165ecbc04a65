"""Template sets of a wanted size out of discovered features or of a given set: the best conjunctions added, templates
that are missed least dropped."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from laconic.errors import ConfigError
from laconic.features import Template, TemplateSet, Term
from laconic.progress import finished
from laconic.search.racing import Final
from laconic.search.source import DEVELOP, DiscoverSource, SetResult, joined
from laconic.search.trials import TrialRunner

Source = TypeVar("Source", bound=DiscoverSource)


@dataclass(frozen=True)
class Ablation:
    """How much a set loses without each of its templates."""

    templates: TemplateSet

    @property
    def facts(self) -> list[Any]:
        return ["ablation", str(self.templates)]

    def run(self, source: DiscoverSource) -> list[float]:
        return source.ablated(self.templates)

    def pack(self, result: list[float]) -> Any:
        return result

    def unpack(self, value: Any) -> list[float]:
        if len(value) != len(self.templates):
            raise ValueError("one number for each template")
        return [float(one) for one in value]


@dataclass(frozen=True)
class Conjunctions:
    """How much each of some templates alone would bring to a set."""

    parent: TemplateSet
    candidates: TemplateSet
    ridge: float

    @property
    def facts(self) -> list[Any]:
        return ["conjunctions", str(self.parent), str(self.candidates), self.ridge]

    def run(self, source: DiscoverSource) -> list[float]:
        return source.template_gains(self.parent, self.candidates, self.ridge)

    def pack(self, result: list[float]) -> Any:
        return result

    def unpack(self, value: Any) -> list[float]:
        if len(value) != len(self.candidates):
            raise ValueError("one number for each candidate")
        return [float(one) for one in value]


@dataclass(frozen=True)
class Reduced:
    """A template set on the way, and what it scores."""

    templates: TemplateSet
    results: SetResult

    def score(self, metric: str, document: str = DEVELOP) -> float:
        return self.results[document][metric].score


def drop_templates(
    runner: TrialRunner[Source],
    templates: TemplateSet,
    least: int,
    share: float = 0.1,
    price: Callable[[Template], float] = lambda template: 1.0,
) -> Generator[Reduced, None, list[Reduced]]:
    """The backward phase: in each round the templates whose loss is least for what they cost are dropped, ``share`` of
    those that are left, until ``least`` are. Yields and returns every set on the way, the whole one first; the order of
    the templates stays. Blocks of the source are dropped whole, so that the last set may have a few templates more than
    ``least``.

    A template that costs much and is missed little goes first: the rise of the loss is divided by ``price``. Single
    features are dropped like pairs. What is lost is measured with the other weights as they are: of two templates that
    say the same each looks more needed than it is, so a small ``share`` drops better. Cost: two trainings a round.
    """
    if not 1 <= least <= len(templates) or not 0 < share < 1:
        raise ConfigError(f"from 1 to {len(templates)} templates can be kept, and a share between 0 and 1 dropped")
    source, found = runner.trainable, list[Reduced]()
    while True:
        (results,) = finished(runner.results([Final(templates)]))
        found.append(Reduced(templates, results))
        yield found[-1]
        if len(templates) <= least:
            return found
        (rises,) = finished(runner.results([Ablation(templates)]))
        dropped = _least_missed(source.blocks(templates), rises, [price(one) for one in templates], share, least)
        if not dropped:
            return found  # no block fits between what is left and what is to be kept
        kept = tuple(one for number, one in enumerate(templates) if number not in dropped)
        templates = TemplateSet(templates.kind, kept)
        source.forget()


def _least_missed(
    blocks: Sequence[range], rises: Sequence[float], prices: Sequence[float], share: float, least: int
) -> set[int]:
    """Numbers of the templates that one round drops: whole blocks, at least one if any can go. A block costs what its
    dearest template does."""
    count = max(1, int(share * len(rises)))
    worth = [rises[block.start] / max(prices[number] for number in block) for block in blocks]
    dropped: set[int] = set()
    for place in np.argsort(worth, kind="stable").tolist():
        if len(dropped) >= count:
            break
        if len(rises) - len(dropped) - len(blocks[place]) >= least:
            dropped.update(blocks[place])
    return dropped


def add_conjunctions(
    runner: TrialRunner[Source],
    templates: TemplateSet,
    count: int,
    *,
    rounds: int = 4,
    longest: int = 3,
    ridge: float = 2.0,
) -> Generator[TemplateSet, None, TemplateSet]:
    """A set and the ``count`` conjunctions of its features, of up to ``longest`` terms, that help most beside it.

    Hidden rows join features by themselves but not all alike: to single features the best pairs and triples are added.
    Linear rows of all pairs lack what three features say together. In each of the rounds the best that are left are
    added and the model is trained anew; a candidate is a template of the set with one feature more. Yields the set
    after each round.

    Cost: one training a round, and one step in every candidate.
    """
    if count < 0 or rounds < 1 or longest < 2:
        raise ConfigError("the number of conjunctions must not be negative, of rounds and terms at least 1 and 2")
    kind = templates.kind
    features = tuple(dict.fromkeys(term for template in templates for term in template.terms))
    known = {frozenset(one.terms) for one in templates}
    pool: dict[frozenset[Term], Template] = {}

    def extend(template: Template) -> None:
        for feature in features if len(template.terms) < longest else ():
            terms = joined(*template.terms, feature)
            if len(terms) > len(template.terms) and frozenset(terms) not in known:
                known.add(frozenset(terms))
                pool[frozenset(terms)] = Template(kind, terms)

    for template in templates:
        extend(template)
    chosen: list[Template] = []
    current = templates
    for number in range(rounds):
        wanted = count * (number + 1) // rounds - len(chosen)
        if wanted > 0 and pool:
            candidates = TemplateSet(kind, tuple(pool.values()))
            (gains,) = finished(runner.results([Conjunctions(current, candidates, ridge)]))
            for place in np.argsort(-np.asarray(gains), kind="stable")[:wanted].tolist():
                if gains[place] <= 0:
                    break
                added = candidates[place]
                chosen.append(added)
                del pool[frozenset(added.terms)]
                extend(added)
            current = TemplateSet(kind, (*templates, *chosen))
            runner.trainable.forget()
        yield current
    return current
