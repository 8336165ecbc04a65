"""Discovery of feature sets: a beam search over sets that grow by the neighbours of their features (nilsson2010)."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import laconic
from laconic._core.learn import shuffled
from laconic.errors import ConfigError
from laconic.features import Neighbours, TemplateSet, Term
from laconic.search.costs import NAMES, Budget, Counted
from laconic.search.discovery import Audited, Discovery, Generation, Member
from laconic.search.journal import Journal, key
from laconic.search.racing import Final, Heat, Screen
from laconic.search.ranking import Meter, SearchProgress
from laconic.search.source import DEVELOP, DiscoverSource, Features, SetResult, singles
from laconic.search.trainable import TrialResult
from laconic.search.trials import TrialRunner

CHUNK = 40
"""Candidates that are screened in one task."""
REJECTED = 2.0
"""Standard errors by which a candidate is behind that is rejected early."""


@dataclass(frozen=True)
class DiscoverySettings:
    """How wide and how far a discovery searches.

    ``beam`` sets survive a generation. Of its candidates, ``heats`` times as many as survive are trained a little, and
    ``finals`` times as many in full. A first round of heats has the share ``early`` of the data: who is two standard
    errors behind the last that would go on takes no part in the second (1: there is one round). ``audit`` sets more,
    drawn among those that screening rejected, are trained in full to show what it costs. The search ends after so many
    generations, or when the best set has gained less than ``threshold`` (a share of the words) over two of them.
    """

    beam: int = 8
    generations: int = 16
    threshold: float = 0.0005
    heats: float = 8.0
    finals: float = 1.5
    early: float = 1.0
    audit: int = 3
    ridge: float = 2.0
    seed: int = 1

    def __post_init__(self) -> None:
        if self.beam < 1 or self.generations < 1 or self.audit < 0 or self.ridge <= 0:
            raise ConfigError("a discovery needs a beam and generations from 1 on, an audit from 0 on, a ridge above 0")
        if not (1 <= self.finals <= self.heats < math.inf):
            raise ConfigError("finals must be at least 1, and heats at least as many")
        if not 0 < self.early <= 1:
            raise ConfigError("the first round of heats needs a share of the data above 0 and up to 1")

    @property
    def raced(self) -> int:
        return math.ceil(self.heats * self.beam)

    @property
    def finalists(self) -> int:
        return math.ceil(self.finals * self.beam)


@dataclass(frozen=True)
class DiscoveryProgress(SearchProgress):
    """How far a discovery is, and the best set so far."""

    generation: int = 0
    best: tuple[str, ...] = ()
    score: float | None = None


@dataclass
class Candidate:
    """A set of the next generation: a member of the beam and one feature more."""

    parent: Member
    feature: Term
    predicted: float = math.inf
    """The development loss that screening expects."""
    heat: float | None = None
    cost: float | None = None

    @property
    def features(self) -> Features:
        return (*self.parent.features, self.feature)

    @property
    def text(self) -> str:
        return str(singles(self.features, self.parent.templates.kind))


def discover(
    source: DiscoverSource,
    rules: Neighbours,
    settings: DiscoverySettings | None = None,
    *,
    journal: Path | None = None,
    processes: int = 2,
    start_method: str | None = None,
    labels: bool = False,
    budget: Budget | None = None,
    command: str = "",
) -> Generator[DiscoveryProgress, None, Discovery]:
    """Search for a feature set. The generator yields how far it is and returns the discovery.

    With a ``journal`` everything computed is kept there, and a search that was killed goes on where it was and comes to
    the same end. The result depends on source, rules and settings alone, not on the number of processes. ``labels``:
    score the best set of each generation also on labels that the search does not ask for. With a ``budget`` sets that
    cost more are no candidates, the beam keeps the best by score and by what they gain for their cost, and everything
    that was trained in full is in the ``points`` of the discovery: one search answers all budgets up to this one.
    ``command`` is what the written file says it was made by.
    """
    chosen = settings or DiscoverySettings()
    if rules.kind is not source.kind:
        raise ConfigError(f"the rules are for {rules.kind.name}, the component reads {source.kind.name} contexts")
    with tempfile.TemporaryDirectory(prefix="laconic-discover-") as folder:
        source.store = Path(folder)
        try:
            with TrialRunner.open(source, Journal(journal), processes, start_method) as runner:
                search = _Search(runner, rules, chosen, budget)
                generations = yield from search.run(labels)
        finally:
            source.store = None
    if not generations:
        limit = "" if budget is None else f" that costs {budget.most:g} ns a word or less"
        raise ConfigError(f"the rules start with no feature{limit}")
    provenance: dict[str, Any] = {
        "search": ", ".join(f"{name} {value:g}" for name, value in asdict(chosen).items()),
        "score": f"{source.metric} on {len(generations[0].results[DEVELOP][source.metric].right)} words",
        "trials": ", ".join(f"{name} {value:g}" for name, value in asdict(source.settings).items()),
        "rules": f"sha256 {key(str(rules))}",
        "data and configuration": f"sha256 {source.digest}",
        "version": laconic.__version__,
    }
    if budget is not None:
        prices = ", ".join(f"{name} {price:.3g}" for name, price in zip(NAMES, budget.costs.prices, strict=True))
        provenance["budget"] = f"{budget.nanoseconds:g} ns a word, sets of up to {budget.most:g}; prices: {prices}"
    if command:
        provenance["made by"] = command
    return Discovery(source.kind, source.metric, tuple(generations), provenance, tuple(search.points))


@dataclass
class _Search:
    runner: TrialRunner[DiscoverSource]
    rules: Neighbours
    settings: DiscoverySettings
    budget: Budget | None = None
    meter: Meter = field(init=False)
    points: list[Member] = field(default_factory=list)
    best: Member | None = None
    beam: list[Member] = field(default_factory=list)
    generation: int = 0

    def __post_init__(self) -> None:
        self.meter = Meter(sum(self._work(size) for size in range(1, self.settings.generations + 1)))

    def _work(self, size: int) -> float:
        """Of one generation, in templates trained in full."""
        settings, rows = self.settings, size * (size + 1) / 2
        finals = (settings.finalists + settings.audit) * rows
        return finals + (settings.beam * rows + settings.raced * size + settings.beam * 60 * size * 0.1)

    def run(self, labels: bool) -> Generator[DiscoveryProgress, None, list[Generation]]:
        kind = self.runner.trainable.kind
        beam = [Member((), TemplateSet(kind, ()), {}, self.runner.trainable.metric)]
        generations: list[Generation] = []
        for number in range(1, self.settings.generations + 1):
            self.generation = number
            found = self._candidates(beam)
            if not found:
                break
            survivors, audits = yield from self._survivors(found)
            if not survivors:
                break
            self.points += survivors if self.budget is not None else ()
            parents, beam = beam, self._kept(survivors)
            self.runner.trainable.forget([one.templates for one in (*parents, *beam)])
            self.beam = beam
            best = beam[0]
            if self.best is None or best.score >= self.best.score:
                self.best = best
            generations.append(Generation(len(found), tuple(beam), audits))
            if self._settled(generations):
                break
        if labels:
            generations = yield from self._labelled(generations)
        return generations

    def _kept(self, survivors: list[Member]) -> list[Member]:
        """The beam. Under a budget the better of two orders: by score, and by what a set gains over its parent for what
        it costs more; either alone can be far from the best."""
        width = self.settings.beam
        if self.budget is None:
            return survivors[:width]
        parents = {one.features: one for one in self.beam}

        def worth(one: Member) -> float:
            parent = parents.get(one.parent)
            gain, extra = one.score, one.cost or 0.0
            if parent is not None:
                gain, extra = gain - parent.score, extra - (parent.cost or 0.0)
            return -gain / max(extra, 1e-9)

        by_worth = sorted(survivors, key=lambda one: (worth(one), one.text))
        both = [one for pair in zip(survivors, by_worth, strict=True) for one in pair]
        kept = list({one.features: one for one in both}.values())[:width]
        return sorted(kept, key=lambda one: (-one.score, len(one.templates), one.text))

    def _settled(self, generations: list[Generation]) -> bool:
        if len(generations) < 3:
            return False
        scores = [one.beam[0].score for one in generations]
        return max(scores[-2:]) - scores[-3] < self.settings.threshold

    def _candidates(self, beam: Sequence[Member]) -> list[Candidate]:
        """Each set once, as a child of the best member that it can come from."""
        found: dict[frozenset[Term], Candidate] = {}
        for member in beam:
            for feature in self.rules.of_set(member.features):
                one = Candidate(member, feature)
                found.setdefault(frozenset(one.features), one)
        return list(found.values())

    def _survivors(
        self, found: list[Candidate]
    ) -> Generator[DiscoveryProgress, None, tuple[list[Member], tuple[Audited, ...]]]:
        """The candidates that were trained in full, the best first, and what was foretold of each."""
        settings = self.settings
        rejected: list[Candidate] = []
        if len(found) > settings.finalists:
            found = yield from self._screened(found)
            if self.budget is not None:
                found = yield from self._affordable(found[: 2 * settings.raced])
            found, rejected = found[: settings.raced], found[settings.raced :]
            if len(found) > settings.finalists:
                if settings.early < 1:
                    found = yield from self._early(found)
                heats = yield from self._heats(found, 1.0)
                for one, result in zip(found, heats, strict=True):
                    one.heat = result.score
                found.sort(key=lambda one: (-(one.heat or 0.0), one.text))
                found = found[: settings.finalists]
        elif self.budget is not None:
            found = yield from self._affordable(found)
        drawn = shuffled(len(rejected), settings.seed * 1_000_003 + self.generation)[: settings.audit]
        audited = [rejected[number] for number in sorted(drawn.tolist())]
        entered = [*found, *audited]
        if not entered:
            return [], ()
        templates = [self._expanded(one) for one in entered]
        rows = len(templates[0])
        results = yield from self._results([Final(some) for some in templates], rows)
        members = [
            Member(one.features, some, result, self.runner.trainable.metric, one.parent.features, one.cost)
            for one, some, result in zip(entered, templates, results, strict=True)
        ]
        audits = tuple(
            Audited(one.predicted, one.heat, member.score, number >= len(found))
            for number, (one, member) in enumerate(zip(entered, members, strict=True))
        )
        return sorted(members, key=lambda one: (-one.score, len(one.templates), one.text)), audits

    def _screened(self, found: list[Candidate]) -> Generator[DiscoveryProgress, None, list[Candidate]]:
        """By the loss that is expected of each; those with one value only are left out."""
        by_parent: dict[Features, list[Candidate]] = {}
        for one in found:
            by_parent.setdefault(one.parent.features, []).append(one)
        chunks = [some[start : start + CHUNK] for some in by_parent.values() for start in range(0, len(some), CHUNK)]
        # Round by round over the parents, so that processes begin with different ones.
        chunks.sort(key=lambda some: by_parent[some[0].parent.features].index(some[0]))
        tasks: list[Screen] = [
            Screen(
                some[0].parent.templates,
                some[0].parent.features,
                tuple(one.feature for one in some),
                self.settings.ridge,
            )
            for some in chunks
        ]
        losses = yield from self._results(tasks, 0.1 * CHUNK * self.generation)
        for some, expected in zip(chunks, losses, strict=True):
            for one, loss in zip(some, expected, strict=True):
                one.predicted = math.inf if loss is None else loss
        kept = [one for one in found if one.predicted < math.inf]
        return sorted(kept, key=lambda one: (one.predicted, one.text))

    def _affordable(self, found: list[Candidate]) -> Generator[DiscoveryProgress, None, list[Candidate]]:
        """Those that the budget allows, in their order."""
        assert self.budget is not None
        tasks = [Counted(self._expanded(one)) for one in found]
        counted = yield from self._results(tasks, 0.0)
        for one, counts in zip(found, counted, strict=True):
            one.cost = self.budget.costs.cost(np.asarray(counts))
        return [one for one in found if one.cost is not None and one.cost <= self.budget.most]

    def _expanded(self, one: Candidate) -> TemplateSet:
        return self.runner.trainable.expanded(one.features)

    def _heats(self, found: Sequence[Candidate], share: float) -> Generator[DiscoveryProgress, None, list[TrialResult]]:
        added = self.runner.trainable.added
        tasks = [Heat(one.parent.templates, added(one.feature, one.parent.features), share) for one in found]
        return (yield from self._results(tasks, share * self.generation))

    def _early(self, found: list[Candidate]) -> Generator[DiscoveryProgress, None, list[Candidate]]:
        """The candidates that are not clearly worse than the last of those that would go on to finals."""
        results = yield from self._heats(found, self.settings.early)
        last = sorted(results, key=lambda one: -one.score)[self.settings.finalists - 1]
        kept = []
        for one, result in zip(found, results, strict=True):
            gain, error = result.gain(last)
            if gain + REJECTED * error >= 0:
                kept.append(one)
        return kept

    def _labelled(self, generations: list[Generation]) -> Generator[DiscoveryProgress, None, list[Generation]]:
        tasks = [Final(one.beam[0].templates, labels=True) for one in generations]
        results: list[SetResult] = yield from self._results(tasks, 1)
        return [one.with_results(result) for one, result in zip(generations, results, strict=True)]

    def _results(self, tasks: Sequence[Any], work: float) -> Generator[DiscoveryProgress, None, list[Any]]:
        run = self.runner.results(tasks)
        while True:
            try:
                task, fresh = next(run)
            except StopIteration as stop:
                results: list[Any] = stop.value
                return results
            step = self.meter.step(f"generation {self.generation}: {type(task).__name__.lower()}", work, fresh)
            best = self.best
            yield DiscoveryProgress(
                step.what,
                step.done,
                step.of,
                step.seconds_left,
                self.generation,
                () if best is None else best.names,
                None if best is None else best.score,
            )
