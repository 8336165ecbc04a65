"""From treebanks to a template set: discovery, then a set of the wanted size or cost."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import laconic
from laconic.errors import ConfigError
from laconic.features import Neighbours, Template, TemplateSet
from laconic.search.column_source import ColumnSource
from laconic.search.costs import Budget, Counted, nanoseconds, row_cost
from laconic.search.discover import DiscoverySettings, discover
from laconic.search.discovery import Discovery, Member
from laconic.search.journal import Journal
from laconic.search.order import comments
from laconic.search.parser_source import ParserSource
from laconic.search.ranking import SearchProgress
from laconic.search.reduction import Reduced, add_conjunctions, drop_templates
from laconic.search.source import DEVELOP, DiscoverSource
from laconic.search.trials import TrialRunner

STRETCH = 3.0
"""How much dearer than the budget the sets are that the backward phase starts from."""
LONGEST = 4
"""Terms of a conjunction that linear rows may get beside pairs."""
ADDED = 4
"""Conjunctions that join the pairs, for each row that is to be left."""
TIMED = 5
ROUNDS = 9


@dataclass(frozen=True)
class ChosenTemplates:
    """A template set and what it came from."""

    discovery: Discovery
    made_of: Member
    """The set that the templates were made of."""
    templates: TemplateSet
    notes: tuple[str, ...]
    """How the set was made of what was discovered."""
    points: tuple[tuple[float, float], ...] = ()
    """Cost (nanoseconds a word, or templates) and score of every set on the way."""

    def text(self, title: str = "") -> str:
        found = self.discovery
        provenance = found.provenance | {f"then {number}": note for number, note in enumerate(self.notes, 1)}
        made = Discovery(found.kind, found.metric, found.generations, provenance, found.points)
        return made.text(title, self.made_of, self.templates)


def discover_templates(
    source: DiscoverSource,
    rules: Neighbours,
    settings: DiscoverySettings,
    *,
    journal: Path | None = None,
    processes: int = 2,
    budget: Budget | None = None,
    rows: int | None = None,
    conjunctions: int | None = None,
    command: str = "",
) -> Generator[SearchProgress, None, ChosenTemplates]:
    """Discover features and make a template set of them: all pairs, or with ``rows`` at most so many templates: where
    candidates are screened over columns, four times as many conjunctions of three and four features join the pairs, and
    the backward phase drops what is missed least; with ``conjunctions`` single features and so many pairs and triples,
    for hidden rows; with a ``budget`` the best set that costs no more, of those that the search and the backward phase
    came by: the five best are timed, and the best of these that holds is taken. The generator yields how far it is."""
    if sum(one is not None for one in (rows, conjunctions, budget)) > 1:
        raise ConfigError("say one of a budget, a number of rows and a number of conjunctions")
    if budget is not None and not isinstance(source, ParserSource):
        raise ConfigError("what a set costs is counted for the parser alone: there is no budget for other components")
    found = yield from discover(
        source, rules, settings, journal=journal, processes=processes, budget=budget, command=command
    )
    with TrialRunner.open(source, Journal(journal), 1) as runner:
        if conjunctions is not None:
            added = add_conjunctions(runner, found.features(), conjunctions)
            templates = yield from _steps(added, "conjunctions")
            return ChosenTemplates(found, found.member(), templates, (f"the best {conjunctions} pairs and triples",))
        if rows is not None:
            best = found.member(found.best)  # what does not help goes now
            whole, notes = best.templates, [f"dropped templates until {rows} were left"]
            if isinstance(source, ColumnSource):
                added = add_conjunctions(runner, whole, ADDED * rows, longest=LONGEST)
                whole = yield from _steps(added, "conjunctions")
                count = len(whole) - len(best.templates)
                notes.insert(0, f"added the best {count} conjunctions of three and four features")
            steps = yield from _steps(drop_templates(runner, whole, min(rows, len(whole))), "backward phase")
            points = tuple((float(len(one.templates)), one.score(source.metric)) for one in steps)
            return ChosenTemplates(found, best, steps[-1].templates, tuple(notes), points)
        if budget is None:
            return ChosenTemplates(found, found.member(), found.templates(), ())
        return (yield from _within_budget(runner, found, budget))


@dataclass(frozen=True)
class ReducedTemplates:
    """What the backward phase left of a template set."""

    steps: tuple[Reduced, ...]
    """Every set on the way, the whole one first."""
    metric: str
    provenance: dict[str, Any]
    fixed: tuple[Template, ...] = ()
    """Templates that the source cannot judge: they stay, and take no part in the scores."""

    @property
    def templates(self) -> TemplateSet:
        left = self.steps[-1].templates
        return TemplateSet(left.kind, (*left, *self.fixed))

    @property
    def points(self) -> tuple[tuple[float, float], ...]:
        """Number of templates and score on development data of every set on the way."""
        return tuple((float(self.size(one)), one.score(self.metric)) for one in self.steps)

    def size(self, step: Reduced) -> int:
        """Templates of a set on the way, with those that stay."""
        return len(step.templates) + len(self.fixed)

    def text(self) -> str:
        """A template file whose comments say what every set on the way scored."""
        about = ["What a backward phase left of a set: in each round the templates that were missed least went."]
        about += [f"{name}: {value}" for name, value in self.provenance.items()]
        for one in self.steps:
            scores = (f"{name} {100 * one.score(self.metric, name):.2f}" for name in sorted(one.results))
            about.append(f"{self.size(one)} templates, {self.metric}: {', '.join(scores)}")
        return "\n".join([*comments(about), "", str(self.templates)])


def reduce_templates(
    source: DiscoverSource,
    templates: TemplateSet,
    rows: int,
    *,
    share: float = 0.1,
    journal: Path | None = None,
    command: str = "",
) -> Generator[SearchProgress, None, ReducedTemplates]:
    """The backward phase by itself, from a given set: ``share`` of its templates are dropped in each round, the least
    missed first, until ``rows`` are left. Templates that the source cannot judge stay, behind the others. The generator
    yields how far it is. Cost: one or two trainings a round."""
    judged = TemplateSet(templates.kind, tuple(one for one in templates if source.can_judge(one)))
    fixed = tuple(one for one in templates if not source.can_judge(one))
    with TrialRunner.open(source, Journal(journal), 1) as runner:
        steps = yield from _steps(drop_templates(runner, judged, rows - len(fixed), share), "backward phase")
    provenance: dict[str, Any] = {
        "templates of the whole set": len(templates),
        "dropped in a round": f"{share:g} of what is left",
        "data and configuration": f"sha256 {source.digest}",
        "version": laconic.__version__,
    }
    if fixed:
        provenance["could not be judged and stayed, at the end"] = len(fixed)
    if command:
        provenance["made by"] = command
    return ReducedTemplates(tuple(steps), source.metric, provenance, fixed)


def _within_budget(
    runner: TrialRunner[Any], found: Discovery, budget: Budget
) -> Generator[SearchProgress, None, ChosenTemplates]:
    """The best set under the budget, of those that were found and of those that come of dropping templates from the
    best one that is too dear."""
    source = runner.trainable
    members = list(found.points)
    dear = max(members, key=lambda one: (one.score, -(one.cost or 0.0)))
    least = max(1, len(dear.templates) // 10)

    def price(template: Template) -> float:
        return max(row_cost(source, budget.costs, template), 1e-9)

    dropped = drop_templates(runner, dear.templates, least, price=price)
    steps: list[Reduced] = yield from _steps(dropped, "backward phase")
    for one in steps[1:]:
        counts = Counted(one.templates).run(source)
        cost = budget.costs.cost(np.asarray(counts))
        members.append(Member(dear.features, one.templates, one.results, source.metric, dear.parent, cost))
    all_sets = Discovery(found.kind, found.metric, found.generations, found.provenance, tuple(members))
    all_sets.within(budget.nanoseconds)  # says so if there is none
    best = sorted((m for m in members if (m.cost or 0.0) <= budget.nanoseconds), key=lambda one: -one.score)[:TIMED]
    notes = [f"{len(members)} sets were priced; the best that cost {budget.nanoseconds:g} ns a word or less were timed"]
    parsers = [source.parser(one.templates) for one in best]
    times: list[list[float]] = [[] for _ in best]
    for number in range(ROUNDS):
        yield SearchProgress("timing", number, ROUNDS, None)
        for parser, own in zip(parsers, times, strict=True):
            own.append(nanoseconds(parser, source.documents[DEVELOP]))
    # The least time, because what else the machine does can only add to it.
    holding = [member for member, own in zip(best, times, strict=True) if min(own) <= budget.nanoseconds]
    answer = (holding or best)[0]
    if not holding:
        notes.append("none of them held when it was timed: the prices may be of another machine, or it is busy")
    for member, own in zip(best, times, strict=True):
        chosen = " (chosen)" if member is answer else ""
        notes.append(
            f"{len(member.templates)} templates, {source.metric} {100 * member.score:.2f}: "
            f"{member.cost:.0f} ns counted, {np.median(own):.0f} measured ({min(own):.0f} to {max(own):.0f}){chosen}"
        )
    points = tuple((member.cost or 0.0, member.score) for member in members)
    return ChosenTemplates(all_sets, answer, answer.templates, tuple(notes), points)


def _steps(run: Generator[Any, None, Any], what: str) -> Generator[SearchProgress, None, Any]:
    done = 0
    while True:
        try:
            next(run)
        except StopIteration as stop:
            return stop.value
        done += 1
        yield SearchProgress(what, done, done, None)
