"""Forward selection of the templates of a graph parser with fixed weights (he2013): a model with all templates is
trained once, and the list grows by the template whose addition gains most heads on development sentences, those not
taken counting nothing."""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

import laconic
from laconic._core import graph as core
from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.features import TemplateSet
from laconic.graph import GraphConfig, GraphParser
from laconic.graph.training import GraphTask, fit_weights
from laconic.learn import check_choices
from laconic.progress import finished
from laconic.search.journal import Journal
from laconic.search.order import Order
from laconic.search.ranking import Meter, Rank, Ranking, SearchProgress
from laconic.search.trainable import digest_of, rebuilt
from laconic.search.trials import TrialRunner

By = Literal["gain", "gain-per-cost"]
TRIALS_PER_TASK = 16


@dataclass(frozen=True)
class ForwardSelection:
    """How templates are ranked and cut into groups.

    Cost: one training; then for each of n places up to n trials, each some milliseconds per thousand words.
    Paper: he2013, section 4.1.
    """

    by: By = "gain"
    """``gain-per-cost`` divides by the rows of weights that a template reads per arc: those of one word are cheap."""
    groups: int = 7
    """So many, about equal in what they gain; the first is the first template alone."""

    def __post_init__(self) -> None:
        check_choices(self, {"by": ("gain", "gain-per-cost")})
        if not isinstance(self.groups, int) or self.groups < 1:
            raise ConfigError(f"groups must be a whole number from 1 on, not {self.groups!r}")


@dataclass(frozen=True)
class FixedWeightParser:
    """A trained graph parser and the development sentences that its templates are judged by: what trials work on."""

    config: GraphConfig
    train: Doc
    develop: Doc

    @cached_property
    def templates(self) -> TemplateSet:
        return self.config.template_set()

    @cached_property
    def digest(self) -> str:
        config = asdict(replace(self.config, templates=str(self.templates), folds=0))
        return digest_of(self.train.to_conllu(), self.develop.to_conllu(), json.dumps(config, sort_keys=True))

    def prepare(self) -> None:
        """Trains the model."""
        _ = self.contributions

    @cached_property
    def contributions(self) -> core.Contributions:
        """Of each template to each arc; with the scorer ``factored`` group 0 is that of vectors."""
        GraphParser.check_dev(self.config, self.develop)
        task = GraphTask.of(replace(self.config, folds=0, policy="drop"), self.train, self.train)
        frame, weights = task.frame, finished(fit_weights(task))
        alone = list(range(1, len(self.templates) + 1))
        arcs = core.ArcModel(frame.plan, frame.lexicon, frame.lengths, self.config.pos, alone)
        model = core.GraphModel(arcs, weights.table, frame.words, weights.vectors)
        every = np.arange(len(self.develop.sentences), dtype=np.uint32)
        heads = np.array(self.develop.heads, np.int32)
        return core.Contributions(
            model, self.develop.columns, heads, every, projective=False, single_root=frame.rules.single_root
        )

    @property
    def first(self) -> int:
        """Groups before those of templates."""
        return self.contributions.groups - len(self.templates)

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuilt, (FixedWeightParser, self.config, self.train.to_conllu(), self.develop.to_conllu())


@dataclass(frozen=True)
class Additions:
    """How many heads are right by some templates and one more, for several of those."""

    chosen: tuple[int, ...]
    more: tuple[int, ...]

    @property
    def facts(self) -> list[Any]:
        return ["additions", list(self.chosen), list(self.more)]

    def run(self, parser: FixedWeightParser, /) -> list[int]:
        shift = parser.first
        chosen = [*range(shift), *(template + shift for template in self.chosen)]
        found: npt.NDArray[np.uint32] = parser.contributions.right(chosen, [one + shift for one in self.more])
        return [int(count) for count in found]

    def pack(self, result: list[int], /) -> Any:
        return result

    def unpack(self, value: Any, /) -> list[int]:
        if not isinstance(value, list) or len(value) != len(self.more) or not all(isinstance(n, int) for n in value):
            raise ValueError("expected a number for each template")
        return value


def forward_order(
    parser: FixedWeightParser,
    selection: ForwardSelection | None = None,
    *,
    journal: Path | None = None,
    processes: int = 1,
    command: str = "",
) -> Generator[SearchProgress, None, Order]:
    """Rank the templates of a graph parser and cut them into groups. The generator yields how far it is and returns the
    order, whose templates have group marks. What the journal has is not computed again."""
    chosen = selection or ForwardSelection()
    with TrialRunner.open(parser, Journal(journal), processes) as runner:
        ranks, right = yield from _ranked(runner, chosen)
        words = parser.contributions.words
    pool = parser.templates
    ends = group_ends([count / max(1, words) for count in right], chosen.groups)
    provenance = {
        "strategy": f"forward selection with fixed weights, by {chosen.by}, in {len(ends)} groups",
        "data and configuration": f"sha256 {parser.digest}",
        "version": laconic.__version__,
    }
    if command:
        provenance["made by"] = command
    templates = TemplateSet(pool.kind, tuple(pool[rank.template] for rank in ranks), ends[:-1])
    return Order(templates, ranks, provenance)


def _ranked(
    runner: TrialRunner[FixedWeightParser], selection: ForwardSelection
) -> Generator[SearchProgress, None, tuple[Ranking, list[int]]]:
    """The templates, best first, and how many heads are right after each."""
    parser = runner.trainable
    size, shift = len(parser.templates), parser.first
    costs = [max(rows, 1e-6) for rows in parser.contributions.rows[shift:]]
    words = max(1, parser.contributions.words)
    meter = Meter(size * (size + 1) / 2)
    order: list[int] = []
    right: list[int] = []
    ranks: list[Rank] = []
    now = 0
    while len(order) < size:
        left = [template for template in range(size) if template not in order]
        tasks = [
            Additions(tuple(order), tuple(left[i : i + TRIALS_PER_TASK])) for i in range(0, len(left), TRIALS_PER_TASK)
        ]
        run = runner.results(tasks)
        while True:
            try:
                task, fresh = next(run)
            except StopIteration as stop:
                counts = [count for some in stop.value for count in some]
                break
            yield meter.step(f"template {len(order) + 1}", len(task.more), fresh)
        worth = [
            (count - now) / (costs[template] if selection.by == "gain-per-cost" and count > now else 1)
            for template, count in zip(left, counts, strict=True)
        ]
        best = max(range(len(left)), key=lambda i: (worth[i], -left[i]))
        gain = 100 * (counts[best] - now) / words
        order.append(left[best])
        ranks.append(Rank(left[best], f"{gain:+.2f} points, {100 * counts[best] / words:.2f} in all"))
        now = counts[best]
        right.append(now)
    return tuple(ranks), right


def group_ends(scores: list[float], groups: int) -> tuple[int, ...]:
    """Depths behind groups: the first template, then steps of about equal gain up to the best score; the last group has
    all that is left. Fewer groups where a template alone gains more than a step."""
    if not scores:
        return ()
    highest = np.maximum.accumulate(scores)
    steps = highest[0] + (highest[-1] - highest[0]) * np.arange(1, groups) / max(1, groups - 1)
    ends = {1} if groups > 1 else set()
    ends |= {int(np.argmax(highest >= step - 1e-12)) + 1 for step in steps[:-1]}
    return (*sorted(ends - {len(scores)}), len(scores))
