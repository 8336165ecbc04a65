"""How a transition parser works and is trained."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from laconic._core.transition import SystemFacts, system_facts, system_names
from laconic.corpus.projectivity import Scheme
from laconic.errors import ConfigError
from laconic.features import Kind, TagColumn, TemplateSet, chosen_set, kind
from laconic.learn import HiddenSettings, Settings, check_choices, check_folds

Focus = Literal["step-back", "stay", "start-over"]
Waits = Literal["left", "none", "both"]
Labelling = Literal["joint", "after", "none"]
Scorer = Literal["hidden", "linear"]
Exploration = Literal["full", "early"]
Direction = Literal["left-to-right", "right-to-left"]
EXITS = (6, 12, 20, 32, 48, 72)
LABEL_EXITS = (3, 6, 10, 16, 24)
HIDDEN_EXITS = (9, 26, 49)
SLACK = 0.25


@dataclass(frozen=True)
class ParserConfig:
    """What a parser is made of. The defaults were chosen on English EWT (docs/parser.md)."""

    scorer: Scorer = "hidden"
    """``hidden`` rows are more accurate, ``linear`` ones are what the papers describe."""
    system: str = "arc-hybrid"
    """One of ``laconic._core.transition.system_names()``."""
    direction: Direction = "left-to-right"
    """In which order the words of a sentence are read, in training as in parsing."""
    focus: Focus = "step-back"
    """Of the step-back system: where the focus goes after an arc."""
    waits: Waits = "left"
    """Of the step-back system: which moves say that a relation holds but that the child still lacks children."""
    labels: Labelling = "after"
    """With the move (``joint``), by a second classifier right after it (``after``: nilsson2010), or not at all."""
    templates: str = "parser"
    """Of moves: name of a shipped set, path of a file that ends in ``.templates``, or the set itself as text."""
    label_templates: str = "parser-labels"
    hidden_templates: str = "parser-hidden"
    """Of moves and labels, for the hidden scorer."""
    hidden: HiddenSettings = field(default_factory=lambda: HiddenSettings(exits=HIDDEN_EXITS))
    settings: Settings = field(default_factory=lambda: Settings(exits=EXITS, l2=1e-4))
    label_settings: Settings = field(default_factory=lambda: Settings(exits=LABEL_EXITS, l2=1e-4))
    pos: TagColumn = "upos"
    """What ``POS`` in templates stands for."""
    explore: float = 0.9
    """How often training follows the parser's own move, right or wrong, from the second epoch on; only where the oracle
    knows what moves cost off the gold path."""
    exploration: Exploration = "full"
    """Whose moves those are: the full model's, or those of decisions that stop at the margin of training."""
    scout: bool = True
    """Count the features of training also along the paths of a parser that was trained for one epoch."""
    beam: int = 0
    """Train the moves of linear rows with a loss of the whole sentence (max-violation), by a beam of this width; 0:
    each move by itself. Such a parser has no margins, and always searches."""
    slack: float | None = None
    """Where the second best move is less than this behind the best (in log probability), both are followed until one
    trails by as much; 0: never. None: 0.25 for hidden rows, 0 for linear ones."""
    projective: Scheme | Literal["none"] = "head"
    """How trees are encoded for systems that build projective ones only, and decoded after parsing."""
    single_root: bool | None = None
    """One root for each sentence; None: if nearly all sentences of the training data have one."""
    lexicon_minimum: int = 2
    """Rarer words are treated as unknown, in training as later on text."""
    forms: int = 5000
    """For the hidden scorer: how many of the most frequent words get rows of their own."""
    folds: int = 2
    """Margins are calibrated on decisions of models that did not see them; 0: no margins."""

    def __post_init__(self) -> None:
        check_choices(
            self,
            {
                "scorer": get_args(Scorer),
                "system": system_names(),
                "direction": get_args(Direction),
                "focus": get_args(Focus),
                "waits": get_args(Waits),
                "labels": get_args(Labelling),
                "pos": get_args(TagColumn),
                "exploration": get_args(Exploration),
                "projective": (*get_args(Scheme), "none"),
            },
        )
        if not self.facts.has_focus and (self.focus, self.waits) != ("step-back", "left"):
            raise ConfigError(f"{self.system} has no focus: focus and waits are for the step-back system")
        if not self.facts.joint_labels and self.labels == "joint":
            raise ConfigError(f"the actions of {self.system} name no labels: labels must be after or none")
        if not 0 <= self.explore <= 1:
            raise ConfigError(f"explore must lie between 0 and 1, not {self.explore}")
        if not 1 <= self.lexicon_minimum < 2**31:
            raise ConfigError(f"lexicon_minimum must be at least 1, not {self.lexicon_minimum}")
        if self.settings.epochs != self.label_settings.epochs:
            raise ConfigError("settings and label_settings must have the same number of epochs")
        if not 1 <= self.forms < 2**31:
            raise ConfigError(f"forms must be at least 1, not {self.forms}")
        if self.scorer == "hidden" and self.labels == "joint":
            raise ConfigError("hidden rows answer for moves and labels one after the other: labels cannot be joint")
        if self.beam and self.scorer == "hidden":
            raise ConfigError("hidden rows learn one move at a time: beam must be 0")
        if not 0 <= self.beam <= 1024:
            raise ConfigError(f"beam must lie between 0 and 1024, not {self.beam}")
        if self.slack is not None and not 0 <= self.slack <= 100:
            raise ConfigError(f"slack must lie between 0 and 100, not {self.slack}")
        if self.slack and self.scorer == "linear" and not self.folds:
            raise ConfigError("linear rows have no probabilities without folds: slack must be 0")
        if self.slack and self.beam:
            raise ConfigError("a parser of max-violation training has a beam of its own: slack must be 0")
        check_folds(self.folds)

    @property
    def own_slack(self) -> float:
        """The slack that is meant."""
        if self.slack is not None:
            return self.slack
        return SLACK if self.scorer == "hidden" else 0.0

    @property
    def facts(self) -> SystemFacts:
        """Of the transition system."""
        return system_facts(self.system)

    @property
    def encoding(self) -> Scheme | None:
        """How trees are encoded; None: as they are."""
        return None if self.projective == "none" or not self.facts.projective else self.projective

    @property
    def explores(self) -> bool:
        return self.explore > 0 and self.facts.dynamic

    @property
    def kind(self) -> Kind:
        """Of the templates of moves."""
        return kind(self.facts.template_kind)

    def template_set(self) -> TemplateSet:
        return chosen_set(self.hidden_templates if self.scorer == "hidden" else self.templates, self.kind)

    @property
    def unused(self) -> dict[str, str]:
        """Settings that change nothing, each with the reason."""
        linear, hidden = (
            ("templates", "label_templates", "settings", "label_settings"),
            ("hidden_templates", "hidden", "forms"),
        )
        unread = dict.fromkeys(linear if self.scorer == "hidden" else hidden, f"parser.scorer is {self.scorer}")
        return unread if self.labels == "after" else {"label_templates": f"parser.labels is {self.labels}"} | unread

    @property
    def second(self) -> bool:
        """Does a classifier of its own decide labels?"""
        return self.labels == "after" and self.scorer == "linear"

    def label_template_set(self) -> TemplateSet:
        return chosen_set(self.label_templates, kind("arc"))
