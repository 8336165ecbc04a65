"""All tags of a word: the part of speech first, then the treebank's own tag and the features together, given it.

Of the orders that were compared this one is the most accurate but for noise and the fastest: the first decision has few
labels, and after it a form rarely has more than one candidate (experiments/taggers/morphology.md).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc
from laconic.errors import ConfigError, ModelError
from laconic.learn import Frozen, Settings
from laconic.learn.component import Component, Confidences, State, TrainingData, Work, has_values, within
from laconic.progress import Progress
from laconic.tag.lexicons import Entry
from laconic.tag.tagger import COLUMNS, Tagger, TaggerConfig, tag_metrics
from laconic.tag.words import EXITS

if TYPE_CHECKING:
    from laconic.learn.explain import Explanation


@dataclass(frozen=True)
class MorphologyConfig:
    """The two decisions."""

    tagger: TaggerConfig = field(default_factory=TaggerConfig)
    features: TaggerConfig = field(
        default_factory=lambda: TaggerConfig(
            column="xpos+feats", given="upos", templates="features", settings=Settings(exits=EXITS)
        )
    )

    def __post_init__(self) -> None:
        if self.features.given != self.tagger.column:
            raise ConfigError(
                f"the features must be given what the tagger predicts, {self.tagger.column!r}, "
                f"not {self.features.given!r}"
            )


class Morphology(Component):
    """A component that fills UPOS, XPOS and FEATS, as far as its treebank has them."""

    name = "morphology"
    config_type = MorphologyConfig
    needs = writes = COLUMNS
    offers_predicted = True
    uses_silver = True
    confidence_key = "TagConf"

    def __init__(self, stages: tuple[Tagger, ...]) -> None:
        self._stages = stages

    @classmethod
    def fit(cls, config: MorphologyConfig, data: TrainingData) -> Generator[Progress, None, Self]:
        """Train on the words of a document. The generator returns the component.

        The second decision learns from the parts of speech of the treebank, but is calibrated on predicted ones. With
        folds, all tags as predicted by models that did not see them go to ``data.predicted``, which otherwise stays as
        it is.
        """
        doc, own = data.gold, TrainingData(data.gold, silver=data.silver)
        present = [column for column in COLUMNS if has_values(doc, column)]
        first, second = config.tagger, config.features
        if present and not set(first.columns) & set(present):
            # Some other column takes the place of the one that is not there.
            rest = "+".join(present[1:])
            first = replace(first, column=present[0])
            second = replace(second, column=rest, given=present[0]) if rest else second
        stages = [(yield from Tagger.fit(first, own))]
        if set(second.columns) & (set(present) - set(first.columns)):
            stages.append((yield from Tagger.fit(second, own)))
        if own.predicted is not None:
            data.predicted = own.predicted
        return cls(tuple(stages))

    @classmethod
    def measured_by(cls, config: MorphologyConfig) -> tuple[str, ...]:
        return ("upos", "xpos")

    @property
    def stages(self) -> tuple[Tagger, ...]:
        return self._stages

    @property
    def classifiers(self) -> tuple[Frozen, ...]:
        return tuple(one for stage in self.stages for one in stage.classifiers)

    @property
    def metrics(self) -> tuple[str, ...]:
        return tag_metrics(self.columns)

    def shared_copy(self) -> Self:
        return type(self)(tuple(stage.shared_copy() for stage in self.stages))

    @property
    def columns(self) -> tuple[str, ...]:
        """What is predicted, in the order of the decisions."""
        return tuple(column for stage in self.stages for column in stage.config.columns)

    @property
    def templates(self) -> str:
        """The template sets as text, one after the other."""
        return "\n".join(stage.templates for stage in self.stages)

    def effort(self, tolerance: float) -> None:
        for stage in self.stages:
            stage.effort(tolerance)

    def apply(self, doc: Doc, state: Any = None) -> Work:
        return sum((stage.apply(doc) for stage in self.stages), start=Work())

    def confident(self, doc: Doc) -> Confidences:
        """Fill the columns; how probable it is that all tags of a word are right: the product of its decisions."""
        total = np.ones(len(doc), np.float32)
        for stage in self.stages:
            total *= stage.confident(doc)
        return total

    def explain(self, doc: Doc, sentences: Sequence[int] | None = None) -> list[Explanation]:
        """Why each word gets its tags: the first decision about all words, then the second. The document must have what
        the first one predicts."""
        return [replace(one, component=self.name) for stage in self.stages for one in stage.explain(doc, sentences)]

    def with_lexicon(self, entries: Iterable[Entry]) -> Morphology:
        """The same component keeping to the user's word on tags."""
        every = list(entries)
        return Morphology(tuple(stage.with_lexicon(every) for stage in self.stages))

    def state(self) -> State:
        arrays: dict[str, npt.NDArray[Any]] = {}
        parts = []
        for number, stage in enumerate(self.stages):
            own, facts = stage.state()
            arrays |= {f"{number}.{name}": array for name, array in own.items()}
            parts.append(facts)
        return arrays, {"stages": parts}

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        """ModelError unless everything fits together."""
        try:
            parts = list(facts["stages"])
        except (KeyError, TypeError) as error:
            raise ModelError(f"the morphology in the model is damaged: {error}") from error
        stages = []
        for number, part in enumerate(parts):
            stages.append(Tagger.from_state(within(arrays, str(number)), part))
        if not stages:
            raise ModelError("the morphology in the model is damaged: it decides nothing")
        return cls(tuple(stages))
