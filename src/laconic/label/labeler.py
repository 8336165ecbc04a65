"""The labeler: the label of every arc, once the tree is whole (chang2007, section 4.1)."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self, get_args

import numpy.typing as npt

from laconic.corpus.projectivity import Scheme
from laconic.errors import ConfigError, ModelError
from laconic.features import TemplateSet, chosen_set, compile_plan, kind, stored_set
from laconic.label import arcs
from laconic.label.arcs import ArcClassifier, ArcTask
from laconic.label.trees import Pos, TreeLabeler, arcs_to_learn, label_names
from laconic.learn import Settings, check_choices, check_counts, check_folds
from laconic.learn.component import PerWord, State, TrainingData
from laconic.progress import Progress

EXITS = (2, 4, 6, 9, 13, 20, 30)
ArcOrder = Literal["down", "up"]


@dataclass(frozen=True)
class LabelerConfig:
    """How a labeler is trained."""

    pos: Pos = "upos"
    """The tags that POS means, and whose pairs narrow the labels of an arc."""
    templates: str = "labels"
    """Name of a shipped template set, path of a file that ends in ``.templates``, or the set itself as text."""
    order: ArcOrder = "down"
    """Heads before their modifiers, or modifiers before their heads; DEP is known of what comes first."""
    projective: Scheme | Literal["none"] = "none"
    """For the trees of a parser that builds projective ones only: learn labels that tell where an arc was lifted from
    (laconic.corpus.projectivity), and put the arc back when the labels are there."""
    settings: Settings = field(default_factory=lambda: Settings(margin=2.0, exits=EXITS))
    lexicon_minimum: int = 2
    """Rarer words are treated as unknown, in training as later on text."""
    pair_minimum: int = 20
    """Pairs of tags seen so often, in one direction, keep to the labels they were seen with; others may bear any."""
    folds: int = 5
    """Margins are calibrated on decisions of models that did not see them; 0: no margins."""

    def __post_init__(self) -> None:
        check_choices(
            self, {"pos": get_args(Pos), "order": get_args(ArcOrder), "projective": (*get_args(Scheme), "none")}
        )
        check_folds(self.folds)
        check_counts(self, ("lexicon_minimum", "pair_minimum"))

    def template_set(self) -> TemplateSet:
        return chosen_set(self.templates, kind("edge"))


class Labeler(TreeLabeler[LabelerConfig], PerWord[LabelerConfig]):
    """A component that fills the column of labels. Heads and tags must be there before it: InputError for a sentence
    whose heads are absent or no tree."""

    name = "labeler"
    config_type = LabelerConfig

    def __init__(self, config: LabelerConfig, labels: Sequence[str], arcs: ArcClassifier) -> None:
        super().__init__(config, arcs)
        self.labels, self.arcs = list(labels), arcs

    @classmethod
    def fit(cls, config: LabelerConfig, data: TrainingData) -> Generator[Progress, None, Self]:
        """Train on the arcs of a document. The generator returns the labeler.

        ``data.predicted`` has heads and tags by models that did not see it: then decisions are learned in its trees,
        from those arcs that are right, and confidence is that of a label if the head is right. ConfigError if the
        document has no heads or labels.
        """
        task = ArcTask(compile_plan(config.template_set()), arcs_to_learn(config, data), config.order, config.settings)
        return cls(config, task.arcs.names, (yield from arcs.fit_arcs(task, config.folds)))

    def state(self) -> State:
        arrays, facts = self.arcs.state()
        return arrays, facts | {
            "pos": self.config.pos,
            "order": self.config.order,
            "projective": self.config.projective,
            "names": self.labels,
            "templates": self.templates,
        }

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        """ModelError unless everything fits together."""
        try:
            templates = str(stored_set(facts["templates"], kind("edge")))
            config = LabelerConfig(
                pos=facts["pos"], order=facts["order"], projective=facts["projective"], templates=templates
            )
            names = label_names(facts)
            plan = compile_plan(config.template_set())
            trained = ArcClassifier.from_state(plan, names, config.pos, config.order, arrays, facts)
        except (KeyError, TypeError, ValueError, OverflowError, ConfigError) as error:
            raise ModelError(f"the labeler in the model is damaged: {error}") from error
        return cls(config, names, trained)
