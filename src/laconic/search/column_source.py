"""Discovery over decisions as columns of atoms, which all candidate sets share."""

from __future__ import annotations

import math
import os
import tempfile
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from laconic._core.features import Plan
from laconic._core.learn import DecisionAtoms, HashedTable
from laconic._core.search import Screening, ablate, count_features, judge, score_hashed, train_hashed
from laconic.errors import ConfigError
from laconic.features import Template, TemplateSet, Term, compile_plan
from laconic.search.journal import key
from laconic.search.source import DiscoverSource, Features, reads_one_value, singles
from laconic.search.trainable import Numbers, TrialResult, digest_of

LabelScores = npt.NDArray[np.float32]
NO_OFFSETS: LabelScores = np.zeros((0, 0), np.float32)
STATES = 10
"""Models of sets that a process keeps."""
BLOCK = 64
"""Decisions that are held out together: neighbours come from the same sentence."""


@dataclass(frozen=True)
class HashedSettings:
    """How weights of a trial are trained. ``held`` is the share of the decisions, one in so many, that the model of a
    set does not see: on them its children are screened and raced. ``places`` are those that features are hashed to.
    With ``warm_epochs`` above 0 a set starts from the weights of its features without the last one, and is trained in
    so many epochs."""

    epochs: int = 4
    rate: float = 0.1
    cutoff: int = 2
    seed: int = 1
    held: int = 4
    places: int = 2**20
    warm_epochs: int = 0

    def __post_init__(self) -> None:
        if self.warm_epochs < 0:
            raise ConfigError("a warm start needs epochs, or none to start from zero")
        if self.epochs < 1 or self.cutoff < 1 or self.held < 2 or not 0 < self.rate < 100:
            raise ConfigError("trials need epochs and a cut-off from 1 on, held from 2 on and a rate above 0")
        if self.places.bit_count() != 1 or not 2**10 <= self.places <= 2**30:
            raise ConfigError(f"places must be a power of two from 2^10 to 2^30, not {self.places}")


@dataclass
class DecisionColumns:
    """The decisions of one classifier about one document, with the columns that were asked for so far."""

    decisions: DecisionAtoms
    columns: dict[Term, Numbers] = field(default_factory=dict)

    def of(self, templates: TemplateSet) -> list[Numbers]:
        """The columns of the slots of a plan."""
        return [self.columns[term] for term in terms_of(templates)]

    def numbers(self) -> Numbers:
        return np.arange(len(self.decisions), dtype=np.uint32)

    def split(self, held: int) -> tuple[Numbers, Numbers]:
        """Decisions to learn from, and every so many-th block of them held out."""
        every = self.numbers()
        out = every // BLOCK % held == held - 1
        return every[~out], every[out]


@dataclass(frozen=True)
class SetState:
    """A set's model, trained without the decisions held out, and what it says of those and of the development
    decisions, by classifier."""

    tables: dict[str, HashedTable]
    held: dict[str, LabelScores]
    develop: dict[str, LabelScores]


class ColumnSource(DiscoverSource):
    """A component by the decisions of its classifiers. Columns are kept: a feature is read from the documents once in
    each process."""

    def __init__(self, settings: HashedSettings) -> None:
        self._settings = settings
        self._columns: dict[str, tuple[DecisionColumns, DecisionColumns]] = {}
        self._states: dict[str, SetState] = {}
        self._rows: dict[str, int] = {}

    @property
    def settings(self) -> HashedSettings:
        return self._settings

    @property
    @abstractmethod
    def parts(self) -> tuple[str, ...]:
        """The classifiers whose decisions are to become better."""

    @abstractmethod
    def facts(self) -> Any:
        """What can change a result, as JSON has it, but for documents, settings of trials and templates."""

    @abstractmethod
    def texts(self) -> Sequence[str]:
        """The documents."""

    @property
    def digest(self) -> str:
        if not hasattr(self, "_digest"):
            self._digest = digest_of(*self.texts(), key(self.facts(), asdict(self.settings)))
        return self._digest

    def prepare(self) -> None:
        """Read the decisions themselves; columns are read when they are asked for."""
        for part in self.parts:
            self.read((), part)

    @abstractmethod
    def part_templates(self, part: str, templates: TemplateSet) -> TemplateSet:
        """The templates of one classifier, given those that are searched for."""

    @abstractmethod
    def collect(self, terms: Mapping[str, Sequence[Term]]) -> Mapping[str, tuple[DecisionAtoms, DecisionAtoms]]:
        """For each classifier its decisions, to learn from and to be judged by, with a slot for each of its terms in
        their order. The same decisions in the same order at every call."""

    def columns(self, part: str, templates: TemplateSet) -> tuple[DecisionColumns, DecisionColumns]:
        """Of training and development documents, with all columns of these templates."""
        self.read(terms_of(templates), part)
        return self._columns[part]

    def read(self, terms: Sequence[Term], part: str) -> None:
        """Make columns of these terms of one classifier, those that are not there yet. Cost: one replay of the
        decisions."""
        known = self._columns[part][0].columns if part in self._columns else {}
        missing = [term for term in dict.fromkeys(terms) if term not in known]
        if not missing and part in self._columns:
            return
        for name, both in self.collect({part: missing}).items():
            if name not in self._columns:
                self._columns[name] = (DecisionColumns(both[0]), DecisionColumns(both[1]))
            for side, atoms in zip(self._columns[name], both, strict=True):
                for slot, term in enumerate(missing if name == part else ()):
                    side.columns[term] = atoms.column(slot)

    def before(self, templates: TemplateSet) -> TemplateSet | None:
        """The templates of all features but the last one, where a set is expanded from several."""
        features = [template.terms[0] for template in templates if len(template.terms) == 1]
        if len(features) < 2 or self.expanded(features) != templates:
            return None
        return self.expanded(features[:-1])

    def final_table(self, part: str, templates: TemplateSet) -> HashedTable:
        """The weights of a classifier for a set that is searched for, from all its decisions."""
        earlier = self.before(templates) if self.settings.warm_epochs else None
        own = self.part_templates(part, templates)
        if earlier is None or not len(self.part_templates(part, earlier)):
            return self.trained(part, own)[1]
        file = None if self.store is None else self.store / f"{self._name(templates)}.{part}.npz"
        if file is not None and file.exists():
            with np.load(file, allow_pickle=False) as stored:
                return _table_of(stored, part)
        side = self.columns(part, own)[0]
        base = self.final_table(part, earlier)
        table = self._warmed(side, own, side.numbers(), self.part_templates(part, earlier), base)
        if file is not None:
            _write(file, _arrays_of({part: table}))
        return table

    def _warmed(
        self,
        side: DecisionColumns,
        templates: TemplateSet,
        chosen: Numbers,
        earlier: TemplateSet,
        base: HashedTable,
    ) -> HashedTable:
        """Training that goes on from a table of other templates: what changes is learned on top of its scores, which is
        the same as starting from its weights."""
        plan = compile_plan(earlier)
        offsets = score_hashed(base, side.decisions, plan, side.of(earlier), side.numbers(), NO_OFFSETS)
        settings = replace(self.settings, epochs=self.settings.warm_epochs)
        both = base.plus(_trained(side, templates, chosen, offsets, settings)[1])
        return HashedTable(len(templates), both.rows(), both.weights())

    def trained(self, part: str, templates: TemplateSet, chosen: Numbers | None = None) -> tuple[Plan, HashedTable]:
        """The weights of one classifier with its templates, from all its decisions or some."""
        side = self.columns(part, templates)[0]
        return _trained(side, templates, side.numbers() if chosen is None else chosen, NO_OFFSETS, self.settings)

    def state(self, templates: TemplateSet) -> SetState:
        """Computed once: what one process has computed others find in the store."""
        name = self._name(templates)
        if name not in self._states:
            found = self._load(name)
            if found is None:
                found = self._computed(templates)
                self._save(name, found)
            while len(self._states) >= STATES:
                del self._states[next(iter(self._states))]
            self._states[name] = found
        return self._states[name]

    def _name(self, templates: TemplateSet) -> str:
        return key(self.digest, str(templates))

    def forget(self, kept: Sequence[TemplateSet] = ()) -> None:
        """Drop the models of other sets, from the store too."""
        names = {self._name(one) for one in kept}
        self._states = {name: state for name, state in self._states.items() if name in names}
        for file in [] if self.store is None else self.store.glob("*.npz"):
            if file.name.partition(".")[0] not in names:
                file.unlink(missing_ok=True)

    def _computed(self, templates: TemplateSet) -> SetState:
        tables, held, develop = {}, {}, {}
        earlier = self.before(templates) if self.settings.warm_epochs else None
        base = None if earlier is None else self.state(earlier).tables
        for part in self.parts:
            own = self.part_templates(part, templates)
            train, judged = self.columns(part, own)
            inside, outside = train.split(self.settings.held)
            plan = compile_plan(own)
            if earlier is None or base is None or not len(self.part_templates(part, earlier)):
                table = _trained(train, own, inside, NO_OFFSETS, self.settings)[1]
            else:
                table = self._warmed(train, own, inside, self.part_templates(part, earlier), base[part])
            tables[part] = table
            held[part] = score_hashed(table, train.decisions, plan, train.of(own), outside, NO_OFFSETS)
            develop[part] = score_hashed(table, judged.decisions, plan, judged.of(own), judged.numbers(), NO_OFFSETS)
        return SetState(tables, held, develop)

    def _load(self, name: str) -> SetState | None:
        if self.store is None or not (self.store / f"{name}.npz").exists():
            return None
        with np.load(self.store / f"{name}.npz", allow_pickle=False) as file:
            return SetState(
                {part: _table_of(file, part) for part in self.parts},
                {part: file[f"held.{part}"] for part in self.parts},
                {part: file[f"develop.{part}"] for part in self.parts},
            )

    def _save(self, name: str, state: SetState) -> None:
        if self.store is None:
            return
        arrays: dict[str, npt.NDArray[Any]] = {f"held.{part}": scores for part, scores in state.held.items()}
        arrays |= {f"develop.{part}": scores for part, scores in state.develop.items()}
        _write(self.store / f"{name}.npz", arrays | _arrays_of(state.tables))

    def loss(self, templates: TemplateSet) -> float:
        """The log loss of the development decisions by a set's model, per decision of the first classifier."""
        state = self.state(templates)
        judged = {part: self._columns[part][1] for part in self.parts}
        total = sum(
            float(judge(side.decisions, side.numbers(), state.develop[part])[0].sum()) for part, side in judged.items()
        )
        return total / max(1, len(judged[self.parts[0]].decisions))

    def added_tables(self, parent: TemplateSet, added: TemplateSet, share: float = 1.0) -> dict[str, HashedTable]:
        """Tables of templates added to a set: only they are trained, on a share of the decisions that the set's model
        did not see and on top of its scores. None for a classifier that cannot read any of them."""
        state, tables = self.state(parent), {}
        for part in self.parts:
            own = self.part_templates(part, added)
            if not len(own):
                continue
            train = self.columns(part, own)[0]
            _, outside = train.split(self.settings.held)
            offsets = np.zeros((len(train.decisions), train.decisions.labels), np.float32)
            offsets[outside] = state.held[part]
            chosen = outside[: math.ceil(share * len(outside))]
            tables[part] = _trained(train, own, chosen, offsets, self.settings)[1]
        return tables

    def heat(self, parent: TemplateSet, added: TemplateSet, share: float) -> TrialResult:
        """Only what is added is trained; development decisions of all classifiers that come out right, part by part."""
        state, tables = self.state(parent), self.added_tables(parent, added, share)
        found = []
        for part in self.parts:
            own = self.part_templates(part, added)
            judged = self.columns(part, own)[1]
            scores = state.develop[part]
            if part in tables:
                plan = compile_plan(own)
                scores = score_hashed(
                    tables[part], judged.decisions, plan, judged.of(own), judged.numbers(), state.develop[part]
                )
            right = judge(judged.decisions, judged.numbers(), scores)[1].astype(bool)
            found.append(right[: math.ceil(share * len(right))])
        return TrialResult(np.concatenate(found))

    def expected_losses(
        self, parent: TemplateSet, features: Features, candidates: Features, ridge: float
    ) -> list[float | None]:
        """One step in the templates of each candidate, on decisions that the parent's model did not see: how much that
        lowers their log loss, taken from the development loss of the parent's model."""
        state = self.state(parent)
        gains = [0.0] * len(candidates)
        first = 0
        for part in self.parts:
            train, _ = self.columns(part, self.part_templates(part, singles((*candidates, *features), self.kind)))
            _, outside = train.split(self.settings.held)
            first = first or len(outside)
            screening = Screening(train.decisions, outside, state.held[part])
            for number, candidate in enumerate(candidates):
                added = self.part_templates(part, self.added(candidate, features))
                self.columns(part, added)
                gain = screening.gain(compile_plan(added), train.of(added), ridge)
                gains[number] += gain * len(outside) / max(1, first)
        loss = self.loss(parent)
        return [loss - gain if self.varies(one) else None for one, gain in zip(candidates, gains, strict=True)]

    def can_judge(self, template: Template) -> bool:
        return reads_one_value(template)

    def ablated(self, templates: TemplateSet) -> list[float]:
        """How much the loss of decisions that a set's model did not see would rise without each of its templates, per
        decision of the first classifier; the other weights stay."""
        state = self.state(templates)
        rises = np.zeros(len(templates))
        first = 0
        for part in self.parts:
            own = self.part_templates(part, templates)
            train = self.columns(part, own)[0]
            _, outside = train.split(self.settings.held)
            first = first or len(outside)
            found = ablate(state.tables[part], train.decisions, compile_plan(own), train.of(own), outside)
            places = {frozenset(template.terms): place for place, template in enumerate(own)}
            for number, template in enumerate(templates):
                for one in self.part_templates(part, TemplateSet(templates.kind, (template,))):
                    rises[number] += found[places[frozenset(one.terms)]]
        return [float(rise) / max(1, first) for rise in rises]

    def template_gains(self, parent: TemplateSet, candidates: TemplateSet, ridge: float) -> list[float]:
        """One step in each candidate, on decisions that the parent's model did not see."""
        state = self.state(parent)
        gains = np.zeros(len(candidates))
        first = 0
        for part in self.parts:
            train = self.columns(part, self.part_templates(part, candidates))[0]
            _, outside = train.split(self.settings.held)
            first = first or len(outside)
            screening = Screening(train.decisions, outside, state.held[part])
            for number, template in enumerate(candidates):
                own = self.part_templates(part, TemplateSet(parent.kind, (template,)))
                if len(own):
                    gains[number] += screening.gain(compile_plan(own), train.of(own), ridge) * len(outside)
        return [float(gain) / max(1, first) for gain in gains]

    def row_counts(self, part: str, templates: TemplateSet) -> list[int]:
        """How many features each of a classifier's templates has after the cut-off; each template is counted once."""
        side = self.columns(part, templates)[0]
        for template in templates:
            name = f"{part} {template}"
            if name not in self._rows:
                single = TemplateSet(templates.kind, (template,))
                found = count_features(
                    side.decisions, compile_plan(single), side.of(single), side.numbers(), self.settings.cutoff
                )
                self._rows[name] = int(found[0])
        return [self._rows[f"{part} {template}"] for template in templates]

    def varies(self, feature: Term) -> bool:
        """Has the feature more than one value in the training decisions of a classifier that reads it?"""
        single = singles((feature,), self.kind)
        for part in self.parts:
            own = self.part_templates(part, single)
            for column in self.columns(part, own)[0].of(own):
                if len(column) and bool((column != column[0]).any()):
                    return True
        return False


def terms_of(templates: TemplateSet) -> list[Term]:
    """In the order of a plan's slots."""
    return list(dict.fromkeys(term for template in templates for term in template.terms))


def _arrays_of(tables: Mapping[str, HashedTable]) -> dict[str, npt.NDArray[Any]]:
    """As a file of the store has them."""
    arrays: dict[str, npt.NDArray[Any]] = {f"weights.{part}": table.weights() for part, table in tables.items()}
    arrays |= {f"rows.{part}": table.rows() for part, table in tables.items()}
    return arrays | {f"size.{part}": np.array(table.templates) for part, table in tables.items()}


def _table_of(arrays: Mapping[str, npt.NDArray[Any]], part: str) -> HashedTable:
    return HashedTable(int(arrays[f"size.{part}"]), arrays[f"rows.{part}"], arrays[f"weights.{part}"])


def _write(path: Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Whole or not at all: two processes may write the same."""
    number, draft = tempfile.mkstemp(dir=path.parent, suffix=".part")
    with os.fdopen(number, "wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
    Path(draft).replace(path)


def _trained(
    side: DecisionColumns, templates: TemplateSet, chosen: Numbers, offsets: LabelScores, settings: HashedSettings
) -> tuple[Plan, HashedTable]:
    plan = compile_plan(templates)
    table = train_hashed(
        side.decisions,
        plan,
        side.of(templates),
        chosen,
        offsets,
        settings.epochs,
        settings.rate,
        settings.cutoff,
        settings.places,
        settings.seed,
    )
    return plan, table
