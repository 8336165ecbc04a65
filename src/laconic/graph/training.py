"""Training of a graph parser: vectors of words first, then rows of arcs, then thresholds from held-out sentences."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from laconic._core import graph as core
from laconic._core.features import Lexicon, Plan
from laconic._core.learn import Table, shuffled
from laconic.corpus import Doc
from laconic.corpus.projectivity import lift, nonprojective_arcs
from laconic.errors import ConfigError
from laconic.features import build_lexicon, compile_plan
from laconic.features.language import TemplateSet
from laconic.graph.config import GraphConfig
from laconic.graph.policy import LearnedPolicy, Rollout, fit_policy
from laconic.learn import TOLERANCES, FinalScores, Stop, tempered
from laconic.learn.folding import Sentences, folds_of
from laconic.progress import Progress, within_whole

GoldHeads = npt.NDArray[np.int32]
UnseenBy = tuple[core.GraphModel, Sentences]
"""A model and sentences that it did not see."""
NEVER = 1 << 60
"""A threshold that drops nothing."""
MOSTLY = 0.99
"""A treebank whose sentences have one root so often has one root by rule: the others are slips."""
CROSSING = 0.05
"""A treebank with arcs that cross in a larger share of its sentences gets trees with such arcs."""
CALIBRATED = 2
"""Thresholds are calibrated on so many folds."""
MOST_WORDS = 20_000
"""Of each of these folds so many words are looked at, about."""
PRICES = tuple(1.4**power for power in range(50))
"""Of a word that loses the head of the full parser, in templates."""
MOST_LOST = 0.05
"""Share of the words that may lose it behind any one group."""
PARTS = 4
"""That a head has, about, with siblings."""

VALUES = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0)
"""Of a learned policy, above which words may be locked."""


@dataclass(frozen=True)
class Rules:
    """What a tree must be like."""

    projective: bool
    single_root: bool


@dataclass(frozen=True)
class Frame:
    """All of a graph parser but its weights."""

    config: GraphConfig
    rules: Rules
    lexicon: Lexicon
    lengths: core.Lengths
    plan: Plan
    word_plans: tuple[Plan, Plan] | None
    arcs: core.ArcModel
    words: core.FactoredModel | None
    siblings: core.ArcModel | None
    """How templates of siblings are read."""

    @classmethod
    def of(cls, config: GraphConfig, rules: Rules, lexicon: Lexicon, lengths: core.Lengths) -> Frame:
        templates, pairs = config.template_set(), config.sibling_set()
        plan = compile_plan(templates)
        arcs = core.ArcModel(plan, lexicon, lengths, config.pos, list(templates.group_ends))
        siblings, word_plans, words = None, None, None
        if pairs is not None:
            siblings = core.ArcModel(compile_plan(pairs), lexicon, lengths, config.pos, list(pairs.group_ends))
        if config.scorer == "factored":
            heads, modifiers = (compile_plan(config.word_template_set(node), shared=True) for node in ("HEAD", "MOD"))
            word_plans = heads, modifiers
            words = core.FactoredModel(heads, modifiers, lexicon, lengths, config.pos)
        return cls(config, rules, lexicon, lengths, plan, word_plans, arcs, words, siblings)

    def model(self, table: Table, vectors: core.FactoredTable | None, siblings: Table | None = None) -> core.GraphModel:
        """What parses with these weights."""
        pairs = None
        if siblings is not None:
            assert self.siblings is not None
            pairs = core.SiblingModel(self.siblings, siblings, self.config.sibling_settings.drop)
        return core.GraphModel(self.arcs, table, self.words, vectors, pairs)


@dataclass(frozen=True)
class Weights:
    """What was learned, and the thresholds of each tolerance."""

    table: Table
    vectors: core.FactoredTable | None
    stops: dict[float, Stop]
    policy: LearnedPolicy | None = None
    siblings: Table | None = None


def lexicon_plan(config: GraphConfig) -> Plan:
    """What all templates read of words, as a plan: one lexicon serves them."""
    sets = [config.template_set()]
    pairs = config.sibling_set()
    if pairs is not None:
        sets.append(pairs)
    if config.scorer == "factored":
        sets += [config.word_template_set("HEAD"), config.word_template_set("MOD")]
    distinct = {frozenset(template.terms): template for some in sets for template in some}
    return compile_plan(TemplateSet(sets[0].kind, tuple(distinct.values())))


def drops_of(stop: Stop, scale: float) -> list[int]:
    """Thresholds as the core has them."""
    return [NEVER if margin * scale >= NEVER else math.ceil(margin * scale) for margin in stop.margins[:-1]]


def never(groups: int) -> Stop:
    """All groups for all arcs. Depths are groups here."""
    return Stop(tuple(range(1, groups + 1)), (math.inf,) * groups)


@dataclass(frozen=True)
class GraphTask:
    """What a graph parser learns from."""

    frame: Frame
    doc: Doc
    """As the parser will see documents: with predicted tags, if those are what it will be given."""
    heads: GoldHeads

    @cached_property
    def trees(self) -> GoldHeads:
        """Trees that keep to the rules: lifted where arcs may not cross."""
        return lift(self.heads, self.doc.sentence_starts) if self.frame.rules.projective else self.heads

    @classmethod
    def of(cls, config: GraphConfig, gold: Doc, read: Doc) -> GraphTask:
        """ConfigError where there are no trees to learn from."""
        if not len(gold) or gold.heads.min() < 0:
            raise ConfigError("the training data has no trees to learn from: some words have no head")
        heads = np.array(gold.heads, np.int32)
        starts = gold.sentence_starts.astype(np.int64)
        try:
            crossing = nonprojective_arcs(heads, gold.sentence_starts)
        except ValueError as error:
            raise ConfigError(f"a graph parser cannot learn from the trees of the training data: {error}") from error
        filled = starts[:-1][np.diff(starts) > 0]
        projective, single = config.projective, config.single_root
        if projective is None:
            projective = bool((np.add.reduceat(crossing.astype(np.int64), filled) > 0).mean() < CROSSING)
        if single is None:
            single = bool((np.add.reduceat((heads == 0).astype(np.int64), filled) == 1).mean() >= MOSTLY)
        codes, forms = read.codes("form")
        counts = np.bincount(codes, minlength=len(forms))
        lexicon = build_lexicon(lexicon_plan(config), forms, counts, cutoff=config.lexicon_minimum)
        every = np.arange(len(gold.sentences), dtype=np.uint32)
        lengths = core.Lengths.learn(read.columns, heads, every, config.pair_minimum)
        return cls(Frame.of(config, Rules(projective, single), lexicon, lengths), read, heads)


def fit_weights(task: GraphTask) -> Generator[Progress, None, Weights]:
    """Same data, configuration and build: same weights to the last bit."""
    config = task.frame.config
    sentences = np.arange(len(task.doc.sentences), dtype=np.uint32)
    parts = folds_of(task.doc, config.folds)
    factored = config.scorer == "factored"
    calibrated = parts[:CALIBRATED]
    pairs = task.frame.siblings is not None
    apart = parts if pairs else calibrated  # folds whose sentences get scores of arcs from models without them
    of = (1 + len(parts)) * factored + 1 + len(apart) + (1 + len(calibrated)) * pairs
    vectors: core.FactoredTable | None = None
    tables: list[core.FactoredTable] = []
    numbers = np.zeros(len(sentences), np.uint8)
    for fold, part in enumerate(parts):
        numbers[part] = fold
    if factored:
        vectors = yield from within_whole(_fit_vectors(task, sentences), "vectors", 0, of)
        for fold, part in enumerate(parts):
            rest = np.setdiff1d(sentences, part)
            tables.append((yield from within_whole(_fit_vectors(task, rest), "vectors", 1 + fold, of)))
        tables = tables or [vectors]
    done = (1 + len(parts)) * factored
    table = yield from within_whole(_fit_rows(task, sentences, tables, numbers), "weights", done, of)
    rows = []
    for fold, part in enumerate(apart):
        rest = np.setdiff1d(sentences, part)
        rows.append((yield from within_whole(_fit_rows(task, rest, tables, numbers), "margins", done + 1 + fold, of)))
    unseen: list[core.FactoredTable | None] = [*tables] if factored else [None] * len(apart)
    arcs = [task.frame.model(own, other) for own, other in zip(rows, unseen, strict=False)]
    done += 1 + len(apart)
    siblings, held = None, []
    if pairs:
        siblings = yield from within_whole(_fit_siblings(task, sentences, arcs, numbers), "siblings", done, of)
    for fold, part in enumerate(calibrated):
        own = None
        if pairs:
            rest = np.setdiff1d(sentences, part)
            own = yield from within_whole(_fit_siblings(task, rest, arcs, numbers), "siblings", done + 1 + fold, of)
        held.append((task.frame.model(rows[fold], unseen[fold], own), part))
    if config.policy == "drop":
        stops = calibrate(task, [(model, _some(task.doc, part)) for model, part in held])
        return Weights(table, vectors, stops, siblings=siblings)
    judge = [(model, _some(task.doc, part[::2])) for model, part in held]
    learn = [(model, part[1::2]) for model, part in held]
    policy = yield from _fit_policy(task, learn, judge)
    return Weights(table, vectors, calibrate(task, judge, policy), policy, siblings)


def _fit_policy(
    task: GraphTask, learn: Sequence[UnseenBy], judge: Sequence[UnseenBy]
) -> Generator[Progress, None, LearnedPolicy]:
    """Half of the held-out sentences are to learn from, half to choose the policy by and to calibrate."""
    if not learn or not all(len(some) for _, some in (*learn, *judge)):
        raise ConfigError("the policy svm is learned on sentences of folds: set folds, and give more sentences")
    frame = task.frame

    def rollouts(held: Sequence[UnseenBy]) -> list[Rollout]:
        rules, mode = frame.rules, frame.config.propagation
        return [
            Rollout(model, task.doc, np.ascontiguousarray(some), task.heads, rules.projective, rules.single_root, mode)
            for model, some in held
        ]

    temperature = calibrate(task, judge, tolerances=())[0.0].temperatures[-1]
    return (
        yield from fit_policy(
            frame.config.policy_settings, rollouts(learn), rollouts(judge), temperature, len(frame.plan)
        )
    )


def _some(doc: Doc, sentences: Sentences) -> Sentences:
    """Every so manieth of the sentences, so that there are not too many words."""
    starts = doc.sentence_starts.astype(np.int64)
    words = int(np.diff(starts)[sentences].sum())
    return np.ascontiguousarray(sentences[:: 1 + words // MOST_WORDS])


def _fit_vectors(task: GraphTask, sentences: Sentences) -> Generator[Progress, None, core.FactoredTable]:
    settings = task.frame.config.hidden
    assert task.frame.words is not None
    trainer = core.FactoredTrainer(task.frame.words, settings, task.doc.columns, task.heads, sentences)
    for epoch in range(settings.epochs):
        order = sentences[shuffled(len(sentences), settings.seed * 1_000_003 + epoch + 1)]
        loss, words, _ = trainer.epoch(order, settings.batch, *settings.shares(epoch), settings.averaging(epoch))
        yield Progress("epoch", epoch + 1, settings.epochs, loss / max(1, words))
    trainer.settle()
    return trainer.freeze(settings.floor)


def _fit_rows(
    task: GraphTask, sentences: Sentences, tables: list[core.FactoredTable], numbers: npt.NDArray[np.uint8]
) -> Generator[Progress, None, Table]:
    if task.frame.config.training == "mira":
        return (yield from _fit_mira(task, sentences))
    return (yield from _fit_selection(task, sentences, tables, numbers))


def _fit_selection(
    task: GraphTask, sentences: Sentences, tables: list[core.FactoredTable], numbers: npt.NDArray[np.uint8]
) -> Generator[Progress, None, Table]:
    settings = task.frame.config.selection
    columns = task.doc.columns
    trainer = core.HeadSelection(
        task.frame.arcs, settings, columns, task.heads, sentences, task.frame.words, tables, numbers
    )
    for epoch in range(settings.epochs):
        order = sentences[shuffled(len(sentences), settings.seed * 1_000_003 + epoch + 1)]
        first, last = settings.shares(epoch)
        pieces = np.array_split(order, max(1, settings.snapshots))
        loss, words = 0.0, 0
        for i, piece in enumerate(pieces):
            begin, end = (first + (last - first) * at / len(pieces) for at in (i, i + 1))
            found = trainer.epoch(columns, task.heads, np.ascontiguousarray(piece), begin, end)
            loss, words = loss + found[0], words + found[1]
            if settings.snapshots and epoch > 0:
                trainer.snapshot()
        yield Progress("epoch", epoch + 1, settings.epochs, loss / max(1, words))
    return trainer.freeze(settings.floor)


def _fit_siblings(
    task: GraphTask, sentences: Sentences, arcs: list[core.GraphModel], numbers: npt.NDArray[np.uint8]
) -> Generator[Progress, None, Table]:
    """Behind the scores of arcs by models that did not see a sentence. Projective parsers learn from lifted trees."""
    frame, settings = task.frame, task.frame.config.sibling_settings
    assert frame.siblings is not None
    trainer = core.SiblingTrainer(
        frame.siblings,
        settings,
        arcs,
        numbers,
        task.doc.columns,
        task.trees,
        sentences,
        frame.rules.projective,
        frame.rules.single_root,
    )
    for epoch in range(settings.epochs):
        loss, words, _ = trainer.epoch(shuffled(len(sentences), settings.seed * 1_000_003 + epoch + 1))
        yield Progress("epoch", epoch + 1, settings.epochs, loss / max(1, words))
    return trainer.freeze(settings.floor)


def _fit_mira(task: GraphTask, sentences: Sentences) -> Generator[Progress, None, Table]:
    """Sentences in the order of the file, as in the paper. Projective parsers learn from lifted trees."""
    settings, rules, heads = task.frame.config.mira, task.frame.rules, task.trees
    trainer = core.Mira(
        task.frame.arcs, settings, task.doc.columns, heads, sentences, rules.projective, rules.single_root
    )
    for epoch in range(settings.epochs):
        loss, words, _ = trainer.epoch(task.doc.columns, heads, sentences)
        yield Progress("epoch", epoch + 1, settings.epochs, loss / max(1, words))
    return trainer.freeze(settings.floor)


def calibrate(
    task: GraphTask,
    held: Sequence[UnseenBy],
    policy: LearnedPolicy | None = None,
    tolerances: Sequence[float] = TOLERANCES,
) -> dict[float, Stop]:
    """Thresholds and temperatures from models and sentences that they did not see; nothing without any.

    With a learned policy a word is locked where the policy's value is above the threshold. Otherwise a head that
    trails by the threshold is dropped: thresholds are the best ones for a price of a word that loses its head. Each
    tolerance gets the boldest of a grid with which, whole sentences parsed, no more words than the tolerance get
    another head than by all groups.
    """
    if not held:
        return {}
    rules, propagation = task.frame.rules, task.frame.config.propagation
    groups = held[0][0].groups
    full = never(groups)
    asked = None if policy is None else policy.core()

    def parsed(stop: Stop, gaps: bool = False) -> list[tuple[npt.NDArray[np.int32], FinalScores]]:
        found = []
        for model, some in held:
            drops = drops_of(stop, model.scale)
            one = model.parse(
                task.doc.columns, some, drops, rules.projective, rules.single_root, propagation, gaps, asked
            )
            gold = np.concatenate([task.heads[s] for s in _words_of(task.doc, some)]) if len(some) else one.heads
            found.append((one.heads, FinalScores(one.depths, one.begins, one.gaps, one.heads == gold)))
        return found

    def with_temperatures(stop: Stop) -> Stop:
        return tempered(stop, FinalScores.concatenate(finals for _, finals in parsed(stop, gaps=True)))

    stops = {0.0: with_temperatures(full)}
    if groups == 1 or not tolerances:
        return stops
    wanted = np.concatenate([heads for heads, _ in parsed(full)])
    grid = [
        replace(full, margins=(*one, math.inf))
        for one in (_dropping(task, held) if policy is None else _locking(groups))
    ]

    @cache
    def lost(number: int) -> float:
        return float(np.mean(np.concatenate([one for one, _ in parsed(grid[number])]) != wanted))

    @cache
    def stop_of(number: int) -> Stop:
        return with_temperatures(grid[number])

    first = 0
    for tolerance in sorted(tolerances, reverse=True):
        # The more careful a setting, the fewer words it loses, but for chance.
        first = bisect_left(range(len(grid)), True, first, key=lambda number: lost(number) <= tolerance)
        if first == len(grid):
            break
        stops[tolerance] = stop_of(first)
    return stops


def _locking(groups: int) -> list[tuple[float, ...]]:
    """Values above which a learned policy may lock, the boldest first."""
    return [(value,) * (groups - 1) for value in VALUES]


def _dropping(task: GraphTask, held: Sequence[UnseenBy]) -> list[tuple[float, ...]]:
    """Thresholds behind each group but the last, the boldest first. Each of them is the best for a price, from the last
    to the first: price * words that lose the head of the full parser here and not later + templates that all groups
    behind add to what is left, a word with one head left having none."""
    rules, model = task.frame.rules, held[0][0]
    parts = [one.trailing(task.doc.columns, some, rules.projective, rules.single_root) for one, some in held]
    scales = [one.scale for one, _ in held]
    heads = np.concatenate([part[0] / scale for part, scale in zip(parts, scales, strict=True)])
    candidates = np.concatenate([part[1] / scale for part, scale in zip(parts, scales, strict=True)])
    words = np.repeat(np.arange(len(heads)), np.concatenate([part[2] for part in parts]))
    near = candidates[:, 0] <= heads[:, 0].max()
    candidates, words = candidates[near], words[near]
    ends, pairs = task.frame.config.template_set().group_ends, task.frame.config.sibling_set()
    costs = [2 * (last - first) for first, last in zip((0, *ends), ends, strict=False)]
    costs = costs if model.edge_groups > len(ends) else costs[1:]
    if pairs is not None:
        costs.append(2 * PARTS * len(pairs))
    behind = [_Behind.of(candidates[:, number], words, cost) for number, cost in enumerate(costs)]
    more = model.groups - 1 - len(costs)  # behind groups of siblings the threshold is that behind the last of arcs
    grid = []
    for price in PRICES:
        chosen: list[float] = []
        templates = np.zeros(len(words))
        lost = np.zeros(len(heads), bool)
        for number in reversed(range(len(costs))):
            templates, threshold = behind[number].best(price, templates, np.sort(heads[~lost, number]))
            lost |= heads[:, number] >= threshold
            chosen.insert(0, threshold)
        grid.append((*chosen, *chosen[-1:] * more))
    return list(dict.fromkeys(grid))


@dataclass(frozen=True)
class _Behind:
    """The candidates behind one group."""

    trailing: npt.NDArray[np.float64]
    order: npt.NDArray[np.intp]
    """By how far they trail."""
    leaders: npt.NDArray[np.intp]
    seconds: npt.NDArray[np.intp]
    """The best two of each word that has more than one."""
    cost: float
    """Templates of the next group."""

    @classmethod
    def of(cls, trailing: npt.NDArray[np.float64], words: npt.NDArray[np.intp], cost: float) -> _Behind:
        by_word = np.lexsort((trailing, words))
        first = np.diff(words[by_word], prepend=-1) > 0
        second = np.flatnonzero(np.diff(first.astype(np.int8), prepend=0) < 0)
        return cls(trailing, np.argsort(trailing, kind="stable"), by_word[second - 1], by_word[second], cost)

    def best(
        self, price: float, behind: npt.NDArray[np.float64], heads: npt.NDArray[np.float64]
    ) -> tuple[npt.NDArray[np.float64], float]:
        """The templates that candidates cost from this group on, given those of the groups behind the next, and the
        threshold. ``heads``: how far those of the full parser trail, ascending, without those that are lost later."""
        templates = self.cost + behind
        paid = templates.copy()
        paid[self.leaders] = 0  # as long as there is a second
        paid[self.seconds] += templates[self.leaders]
        # How many words lose their head at each threshold that is looked at, more and more of them.
        most = max(1, int(MOST_LOST * len(heads)))
        losses = np.unique(np.concatenate([[0], np.geomspace(1, most, 60).astype(int)]).clip(0, len(heads) - 1))
        thresholds = np.nextafter(heads[len(heads) - 1 - losses], np.inf)
        left = np.concatenate([[0], np.cumsum(paid[self.order])])
        left = left[np.searchsorted(self.trailing[self.order], thresholds)]
        threshold = float(thresholds[np.argmin(price * losses + left)])
        return np.where(self.trailing < threshold, templates, 0), threshold


def _words_of(doc: Doc, sentences: Sentences) -> list[slice]:
    starts = doc.sentence_starts.tolist()
    return [slice(starts[s], starts[s + 1]) for s in sentences.tolist()]
