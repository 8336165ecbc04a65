"""A classifier of a transition parser as something to search an order for."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Literal

from laconic.errors import ConfigError
from laconic.features import TemplateSet
from laconic.learn import Settings
from laconic.search.trainable import CorpusTrainable, Pool
from laconic.transition import ParserConfig
from laconic.transition.parser import Prepared


@dataclass(frozen=True)
class ParserTrainable(CorpusTrainable[ParserConfig]):
    """The decisions of a parser with linear rows about moves, or about labels, along the gold paths of the trees."""

    part: Literal["moves", "labels"] = "moves"

    def __post_init__(self) -> None:
        if self.config.scorer != "linear":
            raise ConfigError("an order is searched for linear rows: say so in the configuration")

    @cached_property
    def templates(self) -> TemplateSet:
        return self.config.template_set() if self.part == "moves" else self.config.label_template_set()

    @property
    def settings(self) -> Settings:
        return self.config.settings if self.part == "moves" else self.config.label_settings

    def facts(self) -> Any:
        config = replace(
            self.config,
            templates=str(self.config.template_set()),
            label_templates=str(self.config.label_template_set()),
            folds=0,
        )
        return [self.part, asdict(config)]

    def look_up(self) -> Pool:
        """Cost: one walk through the trees."""
        which = 0 if self.part == "moves" else 1
        prepared = Prepared.of(self.config, self.train)
        examples = prepared.examples(prepared.task)[which]
        examples.finish(self.settings.cutoff)
        judged = prepared.examples(prepared.like(self.develop))[which]
        judged.finish_like(examples)
        return Pool(examples, judged)
