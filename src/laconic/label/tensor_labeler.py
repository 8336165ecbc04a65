"""The component that labels whole trees by low-rank factors (shen2016)."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from laconic._core.label import TensorTrace
from laconic.corpus import Doc
from laconic.corpus.projectivity import Scheme
from laconic.errors import ConfigError, ModelError
from laconic.features import TagColumn, TemplateSet, chosen_set, compile_plan, kind, stored_set
from laconic.label.stages import STAGES
from laconic.label.tensor import TensorClassifier, TensorSettings, TensorTask, fit_tensor
from laconic.label.trees import TreeLabeler, arcs_to_learn, label_names
from laconic.learn import Frozen, check_choices, check_counts, check_folds
from laconic.learn.component import Confidences, Labels, State, TrainingData, WordLabels, Work
from laconic.learn.explain import Check, Explanation, Step
from laconic.progress import Progress


@dataclass(frozen=True)
class TensorLabelerConfig:
    """How a labeler by low-rank factors is trained."""

    pos: TagColumn = "upos"
    """The tags that POS means, and whose pairs narrow the labels of an arc."""
    templates: str = "tensor"
    """Name of a shipped template set, path of a file that ends in ``.templates``, or the set itself as text."""
    projective: Scheme | Literal["none"] = "none"
    """For the trees of a parser that builds projective ones only: learn labels that tell where an arc was lifted from
    (laconic.corpus.projectivity), and put the arc back when the labels are there."""
    sparse: str = ""
    """A template set of the kind `edge`, named as ``templates`` are, for linear rows beside the factors ("+ sparse
    features" of the paper); empty: none. What it reads of labels is not known."""
    settings: TensorSettings = field(default_factory=TensorSettings)
    lexicon_minimum: int = 2
    """Rarer words are treated as unknown, in training as later on text."""
    pair_minimum: int = 20
    """Pairs of tags seen so often, in one direction, keep to the labels they were seen with; others may bear any."""
    folds: int = 3
    """Limits are calibrated on trees that models did not see; 0: no limits."""

    def __post_init__(self) -> None:
        check_choices(self, {"pos": get_args(TagColumn), "projective": (*get_args(Scheme), "none")})
        check_folds(self.folds)
        check_counts(self, ("lexicon_minimum", "pair_minimum"))

    def template_set(self) -> TemplateSet:
        return chosen_set(self.templates, kind("node"))

    def sparse_set(self) -> TemplateSet | None:
        return chosen_set(self.sparse, kind("edge")) if self.sparse else None


class TensorLabeler(TreeLabeler[TensorLabelerConfig], WordLabels):
    """A component that fills the column of labels, those of a whole tree at once. Heads and tags must be there before
    it: InputError for a sentence whose heads are absent or no tree."""

    name = "tensor_labeler"
    config_type = TensorLabelerConfig
    instead_of = "labeler"

    def __init__(self, config: TensorLabelerConfig, labels: Sequence[str], classifier: TensorClassifier) -> None:
        self.config, self.labels, self.classifier = config, list(labels), classifier
        self.stop = classifier.stop(0.0)

    @classmethod
    def fit(cls, config: TensorLabelerConfig, data: TrainingData) -> Generator[Progress, None, Self]:
        """Train on the trees of a document. The generator returns the labeler.

        ``data.predicted`` has heads and tags by models that did not see it: then labels are learned in its trees. Arcs
        whose head is wrong have no right label: their labels are whatever fits their neighbours best. ConfigError if
        the document has no heads or labels.
        """
        beside = config.sparse_set()
        task = TensorTask(
            compile_plan(config.template_set()),
            arcs_to_learn(config, data),
            config.settings,
            compile_plan(beside) if beside else None,
        )
        return cls(config, task.arcs.names, (yield from fit_tensor(task, config.folds)))

    @property
    def classifiers(self) -> tuple[Frozen, ...]:
        """None: labels are not decided by prefixes of templates."""
        return ()

    @property
    def templates(self) -> str:
        return str(self.config.template_set())

    @property
    def tolerances(self) -> list[float]:
        return sorted(tolerance for tolerance in self.classifier.stops if tolerance > 0)

    def effort(self, tolerance: float) -> None:
        self.stop = self.classifier.stop(tolerance)

    def decided(self, doc: Doc, confidence: bool) -> tuple[Labels, Work, Confidences]:
        if confidence and not self.stop.temperatures:
            raise ValueError("confidence was not calibrated: train with folds")
        labels, _, confidences, work = self.classifier.decide(
            doc, self.stop, self.stop.temperatures if confidence else ()
        )
        return labels, work, confidences

    def explain(self, doc: Doc, sentences: Sequence[int] | None = None) -> list[Explanation]:
        """Which stage decided each arc, and the scores of its candidates there."""
        chosen = range(len(doc.sentences)) if sentences is None else sentences
        traces = self.classifier.handle.traces(doc.columns, self.stop.limits, np.array(chosen, np.uint32))
        forms = doc.strings("form")
        return [self._explained(trace, forms[trace.word]) for trace in traces]

    def _explained(self, trace: TensorTrace, form: str) -> Explanation:
        stages = [("prior", trace.prior), ("first order", trace.first)]
        reached = [(name, scores) for name, scores in stages if scores]
        if trace.last:
            reached.append(("second order", [math.log(max(chance, 1e-30)) for chance in trace.last]))
        # Only candidates that came to the last stage have a score there.
        left = [i for i, score in enumerate(reached[-1][1]) if score > -math.inf and (not trace.last or trace.last[i])]
        if trace.last:  # its scores are log probabilities, so those before are, too
            reached = [(name, _normalised(scores, left)) for name, scores in reached]
        final = reached[-1][1]
        order = sorted(left, key=lambda i: (-final[i], trace.candidates[i]))
        limits = dict(zip(STAGES[1:4], self.stop.limits, strict=True))
        if STAGES[trace.stage] == "counts":
            order = sorted(left, key=lambda i: trace.candidates[i] != trace.label)
        steps, checks = [], []
        for number, (name, scores) in enumerate(reached):
            if number:
                before = reached[number - 1][1]
                steps.append(Step(name, 0, 0, tuple(scores[i] - before[i] for i in order)))
            ranked = sorted((score for score in scores if score > -math.inf), reverse=True)
            margin = ranked[0] - ranked[1] if len(ranked) > 1 else math.inf
            limit = limits.get(name, math.inf)
            if len(trace.candidates) > 1 and math.isfinite(margin):
                best = max(range(len(scores)), key=lambda i, scores=scores: scores[i])  # type: ignore[misc]
                needed = limit if math.isfinite(limit) else None
                checks.append(Check(number, self.labels[trace.candidates[best]], margin, needed))
            if not number and len(trace.candidates) > 1 and math.isfinite(limits["counts"]):
                checks.append(Check(number, self.labels[trace.counted], trace.lead, limits["counts"]))
        return Explanation(
            component=self.name,
            question="deprel",
            word=trace.word,
            form=form,
            label=self.labels[trace.label],
            candidates=tuple(self.labels[trace.candidates[i]] for i in order),
            scores=tuple(final[i] for i in order) if len(trace.candidates) > 1 else (),
            start=tuple(reached[0][1][i] for i in order) if len(trace.candidates) > 1 else (),
            steps=tuple(steps),
            checks=tuple(checks),
            templates=len(STAGES) - (2 if self.classifier.second_order else 3),  # those behind the prior
            unit="stages",
            effect=f"decided by {STAGES[trace.stage]}",
        )

    def state(self) -> State:
        arrays, facts = self.classifier.state()
        return arrays, facts | {
            "pos": self.config.pos,
            "projective": self.config.projective,
            "names": self.labels,
            "templates": self.templates,
            "sparse_templates": str(self.config.sparse_set() or ""),
        }

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        """ModelError unless everything fits together."""
        try:
            templates = str(stored_set(facts["templates"], kind("node")))
            given = facts["sparse_templates"]
            beside = "" if given == "" else str(stored_set(given, kind("edge")))
            config = TensorLabelerConfig(
                pos=facts["pos"], projective=facts["projective"], templates=templates, sparse=beside
            )
            names = label_names(facts)
            plan = compile_plan(config.template_set())
            more = config.sparse_set()
            sparse = compile_plan(more) if more else None
            classifier = TensorClassifier.from_state(plan, sparse, config.pos, arrays, facts)
            if len(names) != classifier.table.labels:
                raise ValueError("names and labels do not fit together")
        except (KeyError, TypeError, ValueError, OverflowError, ConfigError) as error:
            raise ModelError(f"the labeler in the model is damaged: {error}") from error
        return cls(config, names, classifier)


def _normalised(scores: Sequence[float], left: Sequence[int]) -> list[float]:
    """Log probabilities of the candidates that are left."""
    highest = max(scores[i] for i in left)
    total = highest + math.log(sum(math.exp(scores[i] - highest) for i in left))
    return [score - total if i in left else -math.inf for i, score in enumerate(scores)]
