"""The graph parser: a component that gives every word its head (he2013)."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from laconic._core import graph as core
from laconic._core.learn import HiddenTable, LabelSets, Table
from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError, ModelError
from laconic.features import TemplateSet, kind, load_lexicon, stored_set
from laconic.graph.config import GraphConfig, SiblingSettings
from laconic.graph.policy import LearnedPolicy
from laconic.graph.training import Frame, GraphTask, Rules, Weights, drops_of, fit_weights, lexicon_plan, never
from laconic.learn import FinalScores, Frozen, Stop
from laconic.learn.component import Confidences, ReadsTags, State, TrainingData, Work, within
from laconic.learn.explain import Check, Explanation, Step
from laconic.learn.folding import Sentences
from laconic.learn.tables import table_from, table_state
from laconic.progress import Progress

LONGEST_EXPLAINED = 400
"""Of longer sentences heads are told, but no choices: the scores of all their arcs would not fit a page."""


@dataclass(frozen=True)
class GraphWork(Work):
    """What parsing cost. A template of an arc counts for each arc that it was added to."""

    arcs: int = 0
    """Possible arcs, after the length dictionary."""


@dataclass(frozen=True)
class HeadChoices:
    """The heads of words, and what each of them chose its own from."""

    heads: npt.NDArray[np.int32]
    finals: FinalScores
    candidates: npt.NDArray[np.int32]
    """The head that each gap of the final scores is of."""
    stop: Stop
    work: GraphWork

    @property
    def calibrated(self) -> bool:
        return bool(self.stop.temperatures)

    @cached_property
    def confidence(self) -> Confidences:
        """How probable each head is among those the word chose from, at the temperature of its exit; 1 without
        calibration."""
        return np.exp(self._log_confidence).astype(np.float32)

    @cached_property
    def _log_confidence(self) -> npt.NDArray[np.float64]:
        found = np.full(len(self.heads), math.log(self.stop.certain) if self.calibrated else 0.0)
        for depth, temperature in zip(self.stop.depths, self.stop.temperatures, strict=False):
            here = self.finals.depths == depth
            found[here] = self.finals.where(here).log_confidence(temperature)
        return found

    def probability(self, heads: npt.NDArray[np.int32]) -> Confidences:
        """How probable another head of each word is: 0 for one that it did not choose from when it was last looked at,
        and without calibration."""
        found = np.zeros(len(self.heads), np.float32)
        if not self.calibrated:
            return np.where(heads == self.heads, self.confidence, found)
        begins = self.finals.begins.astype(np.int64)
        counts = begins[1:] - begins[:-1]
        words = np.repeat(np.arange(len(heads)), counts)
        asked = np.flatnonzero(self.candidates == heads[words])
        words = words[asked]
        temperatures = np.array([1.0, *self.stop.temperatures])[self.finals.depths[words]]
        found[words] = np.exp(np.minimum(self._log_confidence[words] + self.finals.gaps[asked] / temperatures, 0))
        return found


class GraphParser(ReadsTags[GraphConfig]):
    """A component that gives every word its head; labels are those of a labeler behind it."""

    name = "graph"
    config_type = GraphConfig
    needs = ("head",)
    writes = ("head",)
    instead_of = "parser"
    by_default = False
    uses_predicted = True
    confidence_key = "ArcConf"

    def __init__(self, config: GraphConfig, frame: Frame, weights: Weights) -> None:
        self.config, self.frame, self.weights = config, frame, weights
        self.model = frame.model(weights.table, weights.vectors, weights.siblings)
        self.policy = None if weights.policy is None else weights.policy.core()
        self.effort(0.0)

    @classmethod
    def fit(cls, config: GraphConfig, data: TrainingData) -> Generator[Progress, None, Self]:
        """Train on the trees of a document; the generator returns the parser. ``data.predicted`` has the tags that the
        parser will read. ConfigError for trees that cannot be learned from."""
        task = GraphTask.of(config, data.gold, data.read)
        return cls(config, task.frame, (yield from fit_weights(task)))

    @classmethod
    def is_shown(cls, doc: Doc, config: GraphConfig) -> bool:
        return bool(len(doc) and doc.heads.max() >= 0)

    @classmethod
    def check_dev(cls, config: GraphConfig, dev: Doc) -> None:
        if not len(dev) or dev.heads.min() < 0:
            raise ConfigError("the development data has sentences without heads to measure the graph parser by")

    @property
    def metrics(self) -> tuple[str, ...]:
        return ("UAS",)

    @property
    def classifiers(self) -> tuple[Frozen, ...]:
        tables = [self.weights.table] if self.weights.siblings is None else [self.weights.table, self.weights.siblings]
        return tuple(Frozen(table, LabelSets(table.labels)) for table in tables)

    @property
    def templates(self) -> str:
        """The templates of arcs as text, one a line, behind those of single words and before those of siblings if there
        are any."""
        pairs = self.config.sibling_set()
        sets = [self.config.template_set()] if pairs is None else [self.config.template_set(), pairs]
        if self.config.scorer == "factored":
            sets = [self.config.word_template_set("HEAD"), self.config.word_template_set("MOD"), *sets]
        return "".join(f"{template}\n" for some in sets for template in some)

    @property
    def tolerances(self) -> list[float]:
        return sorted(tolerance for tolerance in self.weights.stops if tolerance > 0)

    def effort(self, tolerance: float) -> None:
        """Let this share of the words have another head than by all groups for all arcs; 0: none."""
        if not 0 <= tolerance < 1:
            raise ValueError(f"tolerance is the share of words that may get another head, not {tolerance}")
        known = [one for one in self.weights.stops if one <= tolerance]
        self.stop = self.weights.stops[max(known)] if known else never(self.model.groups)

    def _parse(
        self,
        doc: Doc,
        gaps: bool,
        sentences: Sentences | None = None,
        known: npt.NDArray[np.int32] | None = None,
    ) -> HeadChoices:
        rules = self.frame.rules
        found = self.model.parse(
            doc.columns,
            np.arange(len(doc.sentences), dtype=np.uint32) if sentences is None else sentences,
            drops_of(self.stop, self.model.scale),
            rules.projective,
            rules.single_root,
            self.config.propagation,
            gaps,
            self.policy,
            known=known,
        )
        heads = found.heads
        finals = FinalScores(found.depths, found.begins, found.gaps, np.zeros(len(heads), bool))
        work = GraphWork(len(heads), found.templates, found.rows, found.arcs)
        return HeadChoices(heads, finals, found.candidates, self.stop, work)

    def apply(self, doc: Doc, state: Any = None) -> GraphWork:
        """Fill the heads of a document. Cost: the arcs between which there is a choice, and the trees of sentences
        whose best heads are none."""
        found = self._parse(doc, gaps=False)
        doc.heads[:] = found.heads
        return found.work

    def confident(self, doc: Doc) -> Confidences:
        """Fill heads; the probability of each among those the word chose from, at the temperature of its exit."""
        if not self.stop.temperatures:
            raise ValueError("confidence was not calibrated: train with folds")
        found = self.predict(doc)
        doc.heads[:] = found.heads
        return found.confidence

    def predict(
        self, doc: Doc, sentences: Sentences | None = None, known: npt.NDArray[np.int32] | None = None
    ) -> HeadChoices:
        """Heads of all words or of those of some sentences, how probable each is, and what that cost; nothing is
        written. Words of the document whose head is ``known`` (-1: it is not) keep it where there is such a tree, and
        cost nothing."""
        return self._parse(doc, bool(self.stop.temperatures), sentences, known)

    @property
    def explainable(self) -> bool:
        """Words are locked by values of a learned policy that no explanation has, unless all groups are added."""
        return self.policy is None or math.isinf(self.stop.margins[0])

    def explain(self, doc: Doc, sentences: Sequence[int] | None = None) -> list[Explanation]:
        """How each word of a document that has its heads, or of some of its sentences, came to choose: the heads that
        were left to it, and what each group added to their scores. The tree may have another head than the best."""
        if not self.explainable:
            raise ConfigError("decisions of a learned policy cannot be explained: choose the effort full")
        starts = doc.sentence_starts.tolist()
        forms = doc.strings("form")
        found = []
        for number in range(len(doc.sentences)) if sentences is None else sentences:
            if not 0 <= number < len(doc.sentences):
                raise InputError(f"no sentence {number} to explain: the document has {len(doc.sentences)}, from 0 on")
            begin, end = starts[number], starts[number + 1]
            own = forms[begin:end]
            scores = None if end - begin > LONGEST_EXPLAINED else self.model.group_scores(doc.columns, number)
            pairs = np.zeros((0, end - begin, end - begin + 1), np.int32)
            if end - begin <= core.LONGEST_WITH_SIBLINGS:
                pairs = self.model.sibling_scores(doc.columns, number, np.array(doc.heads, np.int32))
            for word in range(begin, end):
                head, at = int(doc.heads[word]), word - begin
                found.append(
                    self._named(word, own[at], head, own)
                    if scores is None
                    else self._explained(word, begin, own, scores[:, at], pairs[:, at], head)
                )
        return found

    def _named(self, word: int, form: str, head: int, forms: Sequence[str]) -> Explanation:
        """The head of a word of a sentence that is too long for more."""
        name = "root" if head <= 0 else f"{head} {forms[head - 1]}"
        return Explanation(
            component=self.name,
            question="head",
            word=word,
            form=form,
            label=name,
            candidates=(name,),
            scores=(),
            start=(),
            steps=(),
            checks=(),
            templates=self.model.groups,
            unit="groups",
            effect=f"{name} is the head of {form}; choices of so long a sentence are not shown",
        )

    def _explained(
        self,
        word: int,
        begin: int,
        forms: Sequence[str],
        scores: npt.NDArray[Any],
        pairs: npt.NDArray[Any],
        head: int,
    ) -> Explanation:
        """``scores`` of heads after each group of arcs; ``pairs``: what each group of siblings says of them where all
        other words have their heads."""
        drops = [*drops_of(self.stop, self.model.scale), 0][: len(scores)]
        if len(pairs):
            drops[-1] = min(drops[-1], math.ceil(self.config.sibling_settings.drop * self.model.scale))
        scores = scores.astype(np.int64)
        real = scores / self.model.scale
        alive = np.flatnonzero(scores[0] > np.iinfo(np.int32).min)
        choice = alive
        names = ["root", *(f"{number} {form}" for number, form in enumerate(forms, 1))]
        titles = self._group_names()
        checks: list[Check] = []
        for group, (row, drop) in enumerate(zip(scores, drops, strict=True)):
            if len(alive) == 1:
                break
            choice = alive
            order = alive[np.argsort(-row[alive], kind="stable")]
            last = group + 1 == len(scores) and not len(pairs)
            lead = float(real[group, order[0]] - real[group, order[1]])
            needed = None if last or math.isinf(self.stop.margins[group]) else self.stop.margins[group]
            checks.append(Check(group + 1, names[order[0]], lead, needed))
            if not last:
                alive = alive[(row[alive] > row[order[0]] - drop) | (alive == head)]
        depth = len(checks)
        if len(pairs) and depth == len(scores) and len(alive) > 1:
            choice = alive
            scores = np.vstack([scores, scores[-1] + np.cumsum(pairs, axis=0, dtype=np.int64)])
            real = scores / self.model.scale
            depth = len(scores)
            order = alive[np.argsort(-scores[-1, alive], kind="stable")]
            lead = float(real[-1, order[0]] - real[-1, order[1]])
            checks.append(Check(depth, names[order[0]], lead, None))
        order = choice[:1] if not depth else choice[np.argsort(-scores[depth - 1, choice], kind="stable")]
        before = np.vstack([np.zeros((1, real.shape[1])), real])
        steps = tuple(
            Step(titles[group], len(choice), len(choice), tuple((before[group + 1] - before[group])[order].tolist()))
            for group in range(depth)
        )
        return Explanation(
            component=self.name,
            question="head",
            word=word,
            form=forms[word - begin],
            label=names[head] if 0 <= head < len(names) else names[int(order[0])],
            candidates=tuple(names[int(one)] for one in order),
            scores=tuple(before[depth][order].tolist()) if depth else (),
            start=(0.0,) * len(order) if depth else (),
            steps=steps,
            checks=tuple(checks),
            templates=self.model.groups,
            unit="groups",
            effect=f"{names[head]} is the head of {forms[word - begin]}" if 0 <= head < len(names) else "",
        )

    def _group_names(self) -> list[str]:
        pairs = self.config.sibling_set()
        names = ["vectors of words"] if self.config.scorer == "factored" else []
        names += [f"templates {first} to {last}" for first, last in _ranges(self.config.template_set())]
        return names + [f"siblings {first} to {last}" for first, last in (_ranges(pairs) if pairs else ())]

    def state(self) -> State:
        arrays, facts = table_state(self.weights.table)
        arrays = {f"arcs.{name}": array for name, array in arrays.items()}
        arrays |= {f"lexicon.{name}": array for name, array in self.frame.lexicon.arrays().items()}
        arrays |= {f"lengths.{name}": array for name, array in self.frame.lengths.arrays().items()}
        said: dict[str, Any] = {
            "scorer": self.config.scorer,
            "pos": self.config.pos,
            "propagation": self.config.propagation,
            "policy": self.config.policy,
            "templates": str(self.config.template_set()),
            "projective": self.frame.rules.projective,
            "single_root": self.frame.rules.single_root,
            "arcs": facts,
            "stops": [_stop_facts(tolerance, stop) for tolerance, stop in sorted(self.weights.stops.items())],
        }
        if self.weights.policy is not None:
            own, said["learned policy"] = self.weights.policy.state()
            arrays |= {f"policy.{name}": array for name, array in own.items()}
        if self.weights.siblings is not None:
            own, said["sibling rows"] = table_state(self.weights.siblings)
            arrays |= {f"siblings.{name}": array for name, array in own.items()}
            said["siblings"], said["sibling_drop"] = str(self.config.sibling_set()), self.config.sibling_settings.drop
        vectors = self.weights.vectors
        if vectors is not None:
            arrays |= {"vectors.pairs": vectors.pairs(), "vectors.between": vectors.between()}
            said["word_templates"] = "".join(str(self.config.word_template_set(node)) for node in ("HEAD", "MOD"))
            said["shifts"] = [vectors.head_shift, vectors.modifier_shift]
            for name, table in (("heads", vectors.heads), ("modifiers", vectors.modifiers)):
                own, said[name] = table_state(table)
                arrays |= {f"{name}.{key}": array for key, array in own.items()}
        return arrays, said

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        """ModelError unless everything fits together."""
        try:
            own = kind("candidate")
            words = str(stored_set(facts["word_templates"], own)) if facts["scorer"] == "factored" else "graph-words"
            arcs = str(stored_set(facts["templates"], own))
            config = GraphConfig(
                scorer=facts["scorer"],
                pos=facts["pos"],
                propagation=facts["propagation"],
                policy=facts["policy"],
                templates=arcs,
                pair_templates=arcs,
                word_templates=words,
                siblings=str(stored_set(facts["siblings"], own)) if "siblings" in facts else "none",
                sibling_settings=SiblingSettings(drop=float(facts["sibling_drop"]) if "siblings" in facts else 1.0),
            )
            rules = Rules(_flag(facts["projective"]), _flag(facts["single_root"]))
            lexicon = load_lexicon(lexicon_plan(config), within(arrays, "lexicon"))
            lengths = core.Lengths(**_exactly(within(arrays, "lengths"), LENGTHS))
            frame = Frame.of(config, rules, lexicon, lengths)
            table = _linear(within(arrays, "arcs"), facts["arcs"])
            vectors = None
            if config.scorer == "factored":
                head_shift, modifier_shift = facts["shifts"]
                heads, modifiers = (_hidden(within(arrays, name), facts[name]) for name in ("heads", "modifiers"))
                vectors = core.FactoredTable(
                    heads=heads,
                    modifiers=modifiers,
                    head_shift=head_shift,
                    modifier_shift=modifier_shift,
                    **_exactly(within(arrays, "vectors"), ("pairs", "between")),
                )
            pairs, siblings = config.sibling_set(), None
            groups = len(config.template_set().group_ends) + (vectors is not None)
            if pairs is not None:
                siblings = _linear(within(arrays, "siblings"), facts["sibling rows"])
                groups += len(pairs.group_ends)
            stops = dict(_stop_from(one, groups) for one in facts["stops"])
            policy = None
            if config.policy == "svm":
                size = len(config.template_set())
                policy = LearnedPolicy.from_state(within(arrays, "policy"), facts["learned policy"], groups, size)
            return cls(config, frame, Weights(table, vectors, stops, policy, siblings))
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError, ConfigError) as error:
            raise ModelError(f"the graph parser in the model is damaged: {error}") from error


def _ranges(templates: TemplateSet) -> Iterator[tuple[int, int]]:
    """The first and the last template of each group, from 1 on."""
    ends = templates.group_ends
    return ((first + 1, last) for first, last in zip((0, *ends), ends, strict=False))


LENGTHS = ("fine", "coarse", "fine_limits", "coarse_limits", "roots")


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, not {value!r:.60}")
    return value


def _exactly(arrays: Mapping[str, npt.NDArray[Any]], names: Sequence[str]) -> dict[str, npt.NDArray[Any]]:
    return {name: arrays[name] for name in names}


def _linear(arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Table:
    table = table_from(arrays, facts)
    if not isinstance(table, Table):
        raise ValueError("the rows of arcs and of siblings must be linear")
    return table


def _hidden(arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> HiddenTable:
    table = table_from(arrays, facts)
    if not isinstance(table, HiddenTable):
        raise ValueError("the vectors of words must be hidden rows")
    return table


def _stop_facts(tolerance: float, stop: Stop) -> dict[str, Any]:
    return {
        "tolerance": tolerance,
        "margins": list(stop.margins[:-1]) if math.isfinite(stop.margins[0]) else [],
        "temperatures": list(stop.temperatures),
        "certain": stop.certain,
    }


def _stop_from(facts: Mapping[str, Any], groups: int) -> tuple[float, Stop]:
    tolerance = float(facts["tolerance"])
    margins = tuple(float(margin) for margin in facts["margins"]) or (math.inf,) * (groups - 1)
    temperatures = tuple(float(temperature) for temperature in facts["temperatures"])
    certain = float(facts["certain"])
    if not 0 <= tolerance < 1 or len(margins) != groups - 1 or len(temperatures) not in (0, groups):
        raise ValueError("thresholds do not fit the groups")
    if not all(margin >= 0 for margin in margins) or not all(
        math.isfinite(value) and value > 0 for value in (*temperatures, certain)
    ):
        raise ValueError("thresholds and temperatures must be above 0")
    return tolerance, Stop(tuple(range(1, groups + 1)), (*margins, math.inf), temperatures, certain)
