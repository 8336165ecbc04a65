"""Training a parser: online over sentences, then margins and temperatures from held-out decisions."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

import numpy as np

from laconic._core import transition as core
from laconic._core.learn import HiddenTable, LabelSets, Table, shuffled
from laconic.corpus import Doc
from laconic.features import Template
from laconic.learn import (
    TOLERANCES,
    AnyTable,
    FinalScores,
    Frozen,
    Stop,
    tempered,
    word_vectors,
)
from laconic.learn.folding import (
    Held,
    HeldOut,
    Sentences,
    fit_folded,
    folds_of,
    with_margins,
    without_silver,
)
from laconic.learn.hidden import exit_cost
from laconic.learn.settings import seen_items
from laconic.learn.stopping import EXIT, exits_of
from laconic.progress import Progress
from laconic.transition.config import ParserConfig
from laconic.transition.inventory import Trees

RANDOM_MOVES = 0.1
"""How often the count of features for hidden rows makes a random move in place of the oracle's."""


@dataclass(frozen=True)
class ParserProgress(Progress):
    """Where the training of a parser stands."""

    score: float | None = None
    """LAS on the development data, if there are any."""
    templates: float | None = None
    """Templates per decision there, of moves and labels together."""
    seconds_left: float = 0.0


Tables = tuple[AnyTable, AnyTable]
DevScore = Callable[[AnyTable, AnyTable], tuple[float, float]]
"""LAS and templates per decision of weights."""


@dataclass(frozen=True)
class ParserTask:
    """What a parser learns from."""

    config: ParserConfig
    model: core.Model
    doc: Doc
    """As the parser will see documents: with predicted tags, if those are what it will be given."""
    trees: Trees
    silver: int = 0
    """How many sentences at the end of the document were labelled by a model."""
    label_choice: float = 1.0
    """Among how many labels an arc chooses on average."""

    def apart(self, sentences: Sentences) -> tuple[Sentences, Sentences]:
        """Those of the treebank, and those that were labelled by a model."""
        first = len(self.doc.sentences) - self.silver
        return sentences[sentences < first], sentences[sentences >= first]


def trainer_of(task: ParserTask, templates: tuple[int, int]) -> core.Trainer:
    """Templates are counted: those of moves, those of labels."""
    return core.Trainer(
        task.model,
        task.doc.columns,
        task.trees.heads,
        task.trees.relations,
        task.config.settings.spelled_out(templates[0]),
        task.config.label_settings.spelled_out(templates[1]),
    )


def train_tables(
    task: ParserTask, templates: tuple[int, int], sentences: Sentences, score: DevScore | None = None
) -> Generator[ParserProgress, None, Tables]:
    """Weights of moves and of labels, by the scorer of the configuration."""
    train_with = _train_hidden if task.config.scorer == "hidden" else _train_linear
    return (yield from train_with(task, templates, sentences, score))


def _reads_lower(template: Template) -> bool:
    """Is the template the lower-cased form of one word, and nothing else?"""
    return (
        len(template.terms) == 1 and template.terms[0].attribute == "LOWER" and not template.terms[0].address.children
    )


def _train_hidden(
    task: ParserTask, templates: tuple[int, int], sentences: Sentences, score: DevScore | None
) -> Generator[ParserProgress, None, Tables]:
    """Hidden rows for moves and labels. Same data, settings and build: same weights to the last bit.

    Cost: epochs x decisions x (templates x units + word positions x units x units).
    """
    config, settings = task.config, task.config.hidden
    treebank, labelled = task.apart(sentences)
    counted = seen_items(settings, 0, treebank, labelled)
    trainer = core.HiddenTrainer(
        task.model, task.doc.columns, task.trees.heads, task.trees.relations, counted, RANDOM_MOVES, settings
    )
    lowered = [j for j, template in enumerate(config.template_set()) if _reads_lower(template)]
    if lowered and settings.window:
        trainer.start_vectors(lowered[0], *word_vectors(task.doc, settings))
    begun = time.monotonic()
    for epoch in range(settings.epochs):
        seed = settings.seed * 1_000_003 + epoch + 1
        seen = seen_items(settings, epoch, treebank, labelled)
        order = seen[shuffled(len(seen), seed)]
        explore = config.explore if config.explores else 0.0
        averaging = settings.averaging(epoch)
        shares = settings.shares(epoch, labelled=len(labelled) > 0)
        loss, decisions = trainer.epoch(order, settings.batch, explore, *shares, averaging, seed)
        left = (time.monotonic() - begun) / (epoch + 1) * (settings.epochs - epoch - 1)
        step = ParserProgress("epoch", epoch + 1, settings.epochs, loss / max(1, decisions), seconds_left=left)
        if score is not None:
            table = trainer.freeze(settings.floor)
            found, used = score(table, table)
            step = replace(step, score=found, templates=used)
        yield step
    trainer.settle()
    table = trainer.freeze(settings.floor)
    return table, table


def _train_linear(
    task: ParserTask, templates: tuple[int, int], sentences: Sentences, score: DevScore | None
) -> Generator[ParserProgress, None, Tables]:
    """Weights of moves and of labels. Same data, settings and build: same weights to the last bit.

    Cost: epochs x decisions x templates x classes; one epoch more where training explores.
    """
    config = task.config
    trainer = trainer_of(task, templates)
    stages = [config.settings.stages(templates[0]), config.label_settings.stages(templates[1])]
    rounds = max(len(some) for some in stages)
    scouting = config.explores and config.scout
    total = rounds * config.settings.epochs + scouting
    seed = config.settings.seed * 1_000_003
    begun = time.monotonic()
    done = 0

    def cutoffs() -> tuple[int, int]:
        return config.settings.cutoff, config.label_settings.cutoff

    def frozen() -> tuple[Table, Table]:
        return (
            trainer.freeze(False, config.settings.floor),
            trainer.freeze(True, config.label_settings.floor),
        )

    def progress(loss: float, decisions: int) -> ParserProgress:
        left = (time.monotonic() - begun) / done * (total - done)
        mean = loss / max(1, decisions)
        if score is None:
            return ParserProgress("epoch", done, total, mean, seconds_left=left)
        found, templates_used = score(*frozen())
        return ParserProgress("epoch", done, total, mean, found, templates_used, left)

    trainer.begin(sentences, *cutoffs(), scouting)
    if scouting:
        loss, decisions = trainer.epoch(sentences[shuffled(len(sentences), seed)], 0.0, False, 0, seed)
        done += 1
        yield ParserProgress(
            "scout", done, total, loss / max(1, decisions), seconds_left=(time.monotonic() - begun) * (total - 1)
        )
        trainer.explore(sentences, *cutoffs())
    for number in range(rounds):
        for labels, some in enumerate(stages):
            if number < len(some):
                trainer.start(bool(labels), *some[number])
        for epoch in range(config.settings.epochs):
            done += 1
            seen = seen_items(config.settings, epoch, *task.apart(sentences))
            order = seen[shuffled(len(seen), seed + done)]
            averaging = config.settings.average and (epoch > 0 or config.settings.epochs == 1)
            explore = config.explore if config.explores and (epoch > 0 or number > 0) else 0.0
            snapshots = config.settings.snapshots if averaging else 0
            if config.beam:
                loss, decisions = trainer.max_violation_epoch(order, config.beam, snapshots)
            else:
                loss, decisions = trainer.epoch(order, explore, config.exploration == "early", snapshots, seed + done)
            yield progress(loss, decisions)
    return frozen()


def fit_parser(
    task: ParserTask, templates: tuple[int, int], score: DevScore | None
) -> Generator[ParserProgress, None, tuple[Frozen, Frozen]]:
    """Train, then set margins and temperatures on decisions of models that did not see them (0 folds, or max-violation
    training: neither)."""
    sentences = np.arange(len(task.doc.sentences), dtype=np.uint32)
    tables, held = yield from fit_folded(
        lambda some: train_tables(task, templates, some, score if len(some) == len(sentences) else None),
        sentences,
        [] if task.config.beam else folds_of(task.doc, task.config.folds, silver=task.silver),
    )
    held = without_silver(held, task.doc, task.silver)
    frozen = (Frozen(tables[0], LabelSets(tables[0].labels)), Frozen(tables[1], LabelSets(tables[1].labels)))
    return _calibrated(task, templates, frozen, held) if held else frozen


def _calibrated(
    task: ParserTask, templates: tuple[int, int], frozen: tuple[Frozen, Frozen], held: list[Held[Tables]]
) -> tuple[Frozen, Frozen]:
    depths = _depths(task.config, templates, frozen)
    full = (Stop.never(depths[0][-1]), Stop.never(depths[1][-1]))
    prefixes: tuple[list[HeldOut], list[HeldOut]] = ([], [])
    for tables, outside in held:
        exits = exits_of(full, tables)
        found = core.Parser(task.model, *tables).prefixes(task.doc.columns, *exits, *depths, outside)
        for some, table, leads, labels in zip(prefixes, tables, found[::2], found[1::2], strict=True):
            some.append(HeldOut.of(leads, labels, table.scale))
    costs = (EXIT, EXIT)
    if task.config.scorer == "hidden":
        costs = (exit_cost(task.model.actions), exit_cost(task.label_choice))
    stops: list[dict[float, Stop]] = [
        {
            0.0: full[which],
            **with_margins(frozen[which], prefixes[which], depths[which], exit_cost=costs[which]).stops,
        }
        for which in range(2)
    ]
    for tolerance in (0.0, *TOLERANCES):
        pair = (stops[0][tolerance], stops[1][tolerance])
        for which, ends in enumerate(_final_scores(task, pair, held)):
            stops[which][tolerance] = tempered(pair[which], ends)
    return replace(frozen[0], stops=stops[0]), replace(frozen[1], stops=stops[1])


def _depths(
    config: ParserConfig, templates: tuple[int, int], frozen: tuple[Frozen, Frozen]
) -> tuple[list[int], list[int]]:
    """Where decisions about moves and labels may end."""
    if isinstance(frozen[0].table, HiddenTable):
        depths = frozen[0].table.exit_depths().tolist()
        return depths, depths
    pairs = ((config.settings, templates[0]), (config.label_settings, templates[1]))
    moves, labels = (
        [settings.used(size)] if settings.mode == "fixed" else settings.exits_for(size) for settings, size in pairs
    )
    return moves, labels


def _final_scores(
    task: ParserTask, stops: tuple[Stop, Stop], held: list[Held[Tables]]
) -> tuple[FinalScores, FinalScores]:
    """Held-out decisions that made arcs, where they were taken: a move is right if its head is, a label if that is
    (given a right head)."""
    parts: tuple[list[FinalScores], list[FinalScores]] = ([], [])
    for tables, outside in held:
        exits = exits_of(stops, tables)
        parser = core.Parser(task.model, *tables)
        moves, labels, heads, relations = parser.final_scores(task.doc.columns, *exits, outside)
        right_head = heads == task.trees.heads
        depths, begins, gaps, words = moves
        joint = task.config.labels == "joint"
        right = right_head & (relations == task.trees.relations) if joint else right_head
        parts[0].append(FinalScores(depths, begins, gaps, right[words]))
        depths, begins, gaps, words = labels
        ends = FinalScores(depths, begins, gaps, (relations == task.trees.relations)[words])
        parts[1].append(ends.where(right_head[words]))
    return FinalScores.concatenate(parts[0]), FinalScores.concatenate(parts[1])
