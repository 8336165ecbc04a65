"""The labels of a whole tree by low-rank factors, exactly (shen2016)."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from laconic._core import label as core
from laconic._core.features import Lexicon, Plan
from laconic._core.learn import FactorTable, LabelSets, Table, shuffled
from laconic.corpus import Doc
from laconic.errors import ConfigError, ModelError
from laconic.evaluate.score import Bools
from laconic.features import load_lexicon
from laconic.label.arc_counts import ArcAnswers, tells_kinds
from laconic.label.candidates import LabelCounts, candidates_from, candidates_state
from laconic.label.stages import STAGES, HeldOutArcs, StageStop, calibrate_stages, fit_temperatures
from laconic.label.trees import ArcsToLearn
from laconic.learn import check_choices
from laconic.learn.component import Confidences, Labels, Work, within
from laconic.learn.folding import Held, Sentences, fit_folded, folds_of, words_in
from laconic.learn.settings import check_shares, check_whole, falling_rate
from laconic.learn.tables import factor_state, factor_table, table_from, table_state
from laconic.progress import Progress

TreeLoss = Literal["likelihood", "hinge"]
FactorStart = Literal["ones", "decomposition"]
WHOLE = (
    ("first", 1, 1024),
    ("second", 0, 1024),
    ("epochs", 1, 10_000),
    ("batch", 1, 65_536),
    ("snapshots", 0, 10_000),
    ("cutoff", 1, 2**31),
    ("floor", 0, 126),
    ("seed", 0, 2**32 - 1),
)
TYPE_MINIMUM = 1
"""Types of words seen so often in training have their rows summed when a model is loaded."""
TEMPERED = (0.0, 0.001, 0.005, 0.02)
"""Tolerances at which temperatures are fitted; others have those of the next lower one."""


@dataclass(frozen=True)
class TensorSettings:
    """How the factors are trained."""

    first: int = 32
    """Rank of the products of head, modifier and label."""
    second: int = 0
    """Rank of the products that know the arc above as well; 0: labels are decided arc by arc."""
    length: bool = False
    """Vectors of labels differ by the length of the arc, not only by its direction."""
    prior: bool = True
    """Scores start from how often a label was seen with the tags of head and modifier."""
    loss: TreeLoss = "likelihood"
    """Of the labels of a tree, by Adam in batches; or the structural hinge loss of shen2016, by passive-aggressive
    steps."""
    start: FactorStart = "ones"
    """Vectors of words start at one in every component; or, as in shen2016, those of the first order start from the
    weights of a linear model of pairs of features, learned in one pass and decomposed."""
    epochs: int = 6
    batch: int = 32
    """Sentences a step, with likelihood."""
    rate: float = 0.003
    last_rate: float = 0.05
    """Share of the rate that is left at the end; it falls evenly."""
    first_decay: float = 0.9
    second_decay: float = 0.999
    row_dropout: float = 0.2
    largest_step: float = 0.01
    """Of a passive-aggressive step: C of the paper."""
    sparse_rate: float = 0.1
    """Of linear rows beside the factors, with likelihood."""
    snapshots: int = 4
    """How many averages are taken of the weights per epoch, in the last quarter of the epochs."""
    cutoff: int = 2
    floor: int = 1
    """Rows without a number above so many steps of the quantised ones are dropped."""
    seed: int = 1

    def __post_init__(self) -> None:
        check_choices(self, {"loss": get_args(TreeLoss), "start": get_args(FactorStart)})
        check_whole(self, WHOLE)
        check_shares(self, ("row_dropout", "last_rate", "first_decay", "second_decay"))
        for name, high in (("rate", 1.0), ("largest_step", 100.0), ("sparse_rate", 100.0)):
            value = getattr(self, name)
            if not 0 < value <= high:
                raise ConfigError(f"{name} must be above 0 and at most {high:g}, not {value!r}")

    def shares(self, epoch: int) -> tuple[float, float]:
        """Which shares of the rate an epoch begins and ends with."""
        return falling_rate(self.last_rate, self.epochs, epoch)


@dataclass(frozen=True)
class TensorTask:
    """What is to be learned about the trees of a document, and how."""

    plan: Plan
    arcs: ArcsToLearn
    settings: TensorSettings
    sparse: Plan | None = None
    """Of the kind `edge`, for linear rows beside the factors."""


@dataclass(frozen=True)
class LinearRows:
    """Rows that are added to the scores of the first order."""

    plan: Plan
    lexicon: Lexicon
    table: Table

    def state(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        arrays, facts = table_state(self.table)
        return arrays | {f"lexicon.{name}": array for name, array in self.lexicon.arrays().items()}, facts

    @classmethod
    def from_state(cls, plan: Plan, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        """KeyError, TypeError, ValueError or ModelError for what is none."""
        table = table_from(arrays, facts)
        if not isinstance(table, Table):
            raise ValueError("the rows beside the factors are not linear")
        return cls(plan, load_lexicon(plan, within(arrays, "lexicon")), table)


@dataclass(frozen=True)
class TensorClassifier:
    """Trained factors. Nothing in it changes: threads share it."""

    plan: Plan
    lexicon: Lexicon
    pairs: core.LabelCandidates
    table: FactorTable
    pos: str
    type_keys: npt.NDArray[np.uint64]
    """Of the types of words, forms with their tags, whose rows are summed when the model is loaded."""
    type_atoms: npt.NDArray[np.uint32]
    """What templates read of each."""
    counts: ArcAnswers
    """What kinds of arcs are called."""
    upper: npt.NDArray[np.float32]
    lower: npt.NDArray[np.float32]
    sparse: LinearRows | None = None
    stops: Mapping[float, StageStop] = field(default_factory=dict)
    """Tolerance to the thresholds that hold it; 0: of the full model."""
    handle: core.TensorClassifier = field(init=False)

    def __post_init__(self) -> None:
        made = core.TensorClassifier(
            self.plan,
            self.lexicon,
            self.pairs,
            self.table,
            self.pos,
            self.type_keys,
            self.type_atoms,
            self.counts.keys,
            self.counts.answers,
            self.counts.all_tags,
            self.upper,
            self.lower,
            *((self.sparse.plan, self.sparse.lexicon, self.sparse.table) if self.sparse else ()),
        )
        object.__setattr__(self, "handle", made)

    @property
    def second_order(self) -> bool:
        return len(self.upper) > 0

    def stop(self, tolerance: float) -> StageStop:
        """Thresholds for the largest calibrated tolerance that is not above the one asked for; 0 is the full model."""
        if not 0 <= tolerance < 1:
            raise ValueError(
                f"tolerance is the share of decisions that may differ from the full model's, not {tolerance}"
            )
        return self.stops[max(known for known in self.stops if known <= tolerance)] if self.stops else StageStop()

    def decide(
        self, doc: Doc, stop: StageStop, temperatures: Sequence[float] = (), sentences: Sentences | None = None
    ) -> tuple[Labels, npt.NDArray[np.uint8], Confidences, Work]:
        """Label and stage of each arc, confidences if there are temperatures, and what it cost."""
        chosen = np.arange(len(doc.sentences), dtype=np.uint32) if sentences is None else sentences
        labels, stages, confidences, (templates, rows, _, _) = self.handle.decide(
            doc.columns, stop.limits, np.array(temperatures, np.float32), chosen
        )
        return labels, stages, confidences, Work(len(labels), templates, rows)

    def scores(self, doc: Doc, stop: StageStop) -> tuple[int, int]:
        """How many scores of single labels and of pairs of labels a document takes."""
        chosen = np.arange(len(doc.sentences), dtype=np.uint32)
        *_, (_, _, single, pairs) = self.handle.decide(doc.columns, stop.limits, np.zeros(0, np.float32), chosen)
        return single, pairs

    def held_out(self, doc: Doc, sentences: Sentences, right: Bools) -> HeldOutArcs:
        """What thresholds are calibrated on: arcs of some sentences with a right head and a choice."""
        _, gaps, leads = self.handle.probe(doc.columns, sentences)
        choice = right & np.isfinite(gaps[0])
        return HeldOutArcs(gaps[:, choice], leads[:, choice])

    def state(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Arrays and JSON-able facts from which ``from_state`` builds an equal object."""
        arrays, facts = factor_state(self.table)
        sets = self.pairs.sets()
        arrays |= {"set_begins": sets.begins(), "set_members": sets.members()}
        arrays |= {f"lexicon.{name}": array for name, array in self.lexicon.arrays().items()}
        arrays |= candidates_state(self.pairs) | {"upper": self.upper, "lower": self.lower}
        arrays |= {"types.keys": self.type_keys, "types.atoms": self.type_atoms}
        more, facts["all_tags"] = self.counts.state()
        arrays |= more
        stops = [{"tolerance": tolerance} | stop.to_json() for tolerance, stop in sorted(self.stops.items())]
        if self.sparse is not None:
            more, facts["sparse"] = self.sparse.state()
            arrays |= {f"sparse.{name}": array for name, array in more.items()}
        return arrays, facts | {"stops": stops}

    @classmethod
    def from_state(
        cls,
        plan: Plan,
        sparse: Plan | None,
        pos: str,
        arrays: Mapping[str, npt.NDArray[Any]],
        facts: Mapping[str, Any],
    ) -> Self:
        """ModelError unless everything fits together."""
        try:
            table = factor_table(arrays, facts)
            sets = LabelSets(facts["labels"], arrays["set_begins"], arrays["set_members"])
            stops = {float(one["tolerance"]): StageStop.from_json(one) for one in facts["stops"]}
            if stops and min(stops) != 0:
                raise ValueError("there are no temperatures of the full model")
            pairs = candidates_from(sets, arrays, priors=True)
            lexicon = load_lexicon(plan, within(arrays, "lexicon"))
            types = (arrays["types.keys"], arrays["types.atoms"])
            counts = ArcAnswers.from_state(arrays, facts["all_tags"])
            rows = LinearRows.from_state(sparse, within(arrays, "sparse"), facts["sparse"]) if sparse else None
            vectors = (arrays["upper"], arrays["lower"])
            return cls(plan, lexicon, pairs, table, pos, *types, counts, *vectors, rows, stops)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError(f"the labeler in the model is damaged: {error}") from error


def fit_tensor(task: TensorTask, folds: int) -> Generator[Progress, None, TensorClassifier]:
    """Train, then set thresholds and temperatures on trees that models did not see (0 folds: neither)."""
    sentences = np.arange(len(task.arcs.doc.sentences), dtype=np.uint32)
    trained, models = yield from fit_folded(lambda some: _fit_on(task, some), sentences, folds_of(task.arcs.doc, folds))
    return replace(trained, stops=_calibrated(task, models)) if models else trained


def _calibrated(task: TensorTask, models: Sequence[Held[TensorClassifier]]) -> dict[float, StageStop]:
    parts = [(model, outside, words_in(task.arcs.doc, outside)) for model, outside in models]
    held = [model.held_out(task.arcs.doc, outside, task.arcs.right[chosen]) for model, outside, chosen in parts]
    arcs = HeldOutArcs(
        np.concatenate([one.gaps for one in held], axis=1), np.concatenate([one.leads for one in held], axis=1)
    )
    second = parts[0][0].second_order

    def decided(stop: StageStop, temperatures: Sequence[float] = ()) -> list[tuple[Any, ...]]:
        """Of held-out arcs with a right head: labels, stages and confidences, and the gold labels."""
        result = []
        for model, outside, chosen in parts:
            labels, stages, confidences, _ = model.decide(task.arcs.doc, stop, temperatures, outside)
            teach = chosen & task.arcs.right
            sure = confidences[teach] if temperatures else confidences
            result.append((labels[teach], stages[teach], sure, task.arcs.gold[teach]))
        return result

    full = [labels for labels, *_ in decided(StageStop())]

    def disagreements(stop: StageStop) -> int:
        return sum(int((labels != wanted).sum()) for (labels, *_), wanted in zip(decided(stop), full, strict=True))

    stops = {0.0: StageStop(), **calibrate_stages(arcs, second, disagreements)}
    temperatures: tuple[float, ...] = ()
    for tolerance in sorted(stops):
        if tolerance in TEMPERED:
            stop = stops[tolerance]

            def confident(
                temperature: float, stop: StageStop = stop
            ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]:
                found = decided(stop, (temperature,) * len(STAGES))
                return np.concatenate([one[2] for one in found]), np.concatenate([one[1] for one in found])

            right = np.concatenate([labels == gold for labels, _, _, gold in decided(stop)])
            temperatures = fit_temperatures(confident, right)
        stops[tolerance] = replace(stops[tolerance], temperatures=temperatures)
    return stops


def _fit_on(task: TensorTask, sentences: Sentences) -> Generator[Progress, None, TensorClassifier]:
    settings, arcs = task.settings, task.arcs
    chosen = words_in(arcs.doc, sentences)
    lexicon = arcs.lexicon(task.plan, chosen)
    seen = arcs.counts(chosen)
    pairs = seen.candidates(1.0 if settings.prior else 0.0)
    trees = core.LabelledTrees(
        task.plan,
        lexicon,
        pairs,
        arcs.pos,
        arcs.doc.columns,
        arcs.gold,
        arcs.right.view(np.uint8),
        sentences,
        settings.cutoff,
    )
    beside = arcs.lexicon(task.sparse, chosen) if task.sparse else None
    features = (
        core.ArcFeatures(task.sparse, beside, arcs.pos, arcs.doc.columns, sentences, settings.cutoff)
        if task.sparse and beside
        else None
    )
    trainer = core.TensorTrainer(trees, pairs, settings, features)
    for epoch in range(settings.epochs):
        # The paper takes sentences in the order of the file.
        order = (
            np.arange(len(trees), dtype=np.uint32)
            if settings.loss == "hinge"
            else shuffled(len(trees), settings.seed * 1_000_003 + epoch + 1)
        )
        late = epoch >= settings.epochs - max(1, settings.epochs // 4)
        stride = max(1, len(trees) // settings.snapshots) if late and settings.snapshots else 0
        loss = trainer.epoch(order, settings.batch, *settings.shares(epoch), stride)
        yield Progress("epoch", epoch + 1, settings.epochs, loss / max(1, int(chosen.sum())))
    trainer.use_average()
    table, upper, lower, linear = trainer.freeze(settings.floor)
    rows = LinearRows(task.sparse, beside, linear) if task.sparse and beside and linear else None
    types = core.count_types(task.plan, lexicon, arcs.pos, arcs.doc.columns, sentences, TYPE_MINIMUM)
    counts = _count_arcs(task, lexicon, seen, sentences)
    return TensorClassifier(task.plan, lexicon, pairs, table, arcs.pos, *types, counts, upper, lower, rows)


def _count_arcs(task: TensorTask, lexicon: Lexicon, seen: LabelCounts, sentences: Sentences) -> ArcAnswers:
    arcs, all_tags = task.arcs, tells_kinds(task.arcs.doc, task.arcs.pos)
    chosen = words_in(arcs.doc, sentences)
    kinds = core.kinds_of_arcs(task.plan, lexicon, arcs.pos, arcs.doc.columns, sentences, all_tags)
    right = arcs.right[chosen]
    pairs = core.pair_keys(arcs.doc.columns, arcs.pos)[chosen][right]
    return ArcAnswers.counted(kinds[:, right], pairs, arcs.gold[chosen][right], seen, all_tags)
