"""A classifier of a transition parser as something to search an order for."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Literal

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.features import TemplateSet
from laconic.learn import Settings
from laconic.search.trainable import Pool
from laconic.transition import ParserConfig
from laconic.transition.parser import Prepared


@dataclass(frozen=True)
class ParserTrainable:
    """The decisions of a parser with linear rows about moves, or about labels, along the gold paths of the trees."""

    config: ParserConfig
    train: Doc
    develop: Doc
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

    @property
    def head(self) -> int:
        """No template comes first by rule."""
        return 0

    @cached_property
    def digest(self) -> str:
        # How margins are calibrated and where templates lie changes no order.
        config = replace(
            self.config,
            templates=str(self.config.template_set()),
            label_templates=str(self.config.label_template_set()),
            folds=0,
        )
        facts = json.dumps([self.part, asdict(config)], sort_keys=True)
        parts = (self.train.to_conllu(), self.develop.to_conllu(), facts)
        return hashlib.sha256("".join(hashlib.sha256(part.encode()).hexdigest() for part in parts).encode()).hexdigest()

    def pool(self) -> Pool:
        """Cost: one walk through the trees; nothing at later calls."""
        return self._pool

    @cached_property
    def _pool(self) -> Pool:
        which = 0 if self.part == "moves" else 1
        prepared = Prepared.of(self.config, self.train)
        examples = prepared.examples(prepared.task)[which]
        examples.finish(self.settings.cutoff)
        judged = prepared.examples(prepared.like(self.develop))[which]
        judged.finish_like(examples)
        return Pool(examples, judged)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.config, self.train.to_conllu(), self.develop.to_conllu(), self.part)


def _rebuilt(config: ParserConfig, train: str, develop: str, part: Literal["moves", "labels"]) -> ParserTrainable:
    return ParserTrainable(config, Doc.from_conllu(train), Doc.from_conllu(develop), part)
