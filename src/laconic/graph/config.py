"""How a graph parser is trained."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, get_args

from laconic.errors import ConfigError
from laconic.features import TagColumn, TemplateSet, chosen_set, kind
from laconic.learn import HiddenSettings, check_choices, check_counts, check_folds
from laconic.learn.settings import check_shares, check_whole, falling_rate

ArcScorer = Literal["factored", "linear"]
Propagation = Literal["none", "exact", "paper"]
Policy = Literal["drop", "svm"]
Training = Literal["selection", "mira"]
WHOLE = (
    ("epochs", 1, 10_000),
    ("cutoff", 1, 2**31),
    ("snapshots", 0, 10_000),
    ("floor", 0, 126),
    ("seed", 0, 2**32 - 1),
)


@dataclass(frozen=True)
class SelectionSettings:
    """How the rows of possible arcs are trained: a softmax over the heads of each word, with a loss behind every group
    of templates."""

    epochs: int = 3
    rate: float = 0.1
    last_rate: float = 0.1
    """Share of the rate that is left at the end; it falls evenly."""
    l2: float = 0.001
    drop: float = 6.0
    """Heads that trail the best one by more (in log odds) are left out of the groups behind, in training."""
    exit_weight: float = 1.0
    """Of the loss behind each group but the last, whose weight is 1."""
    dropout: float = 0.5
    """Share of the features of an arc that a step does not see."""
    cutoff: int = 2
    """Features of fewer arcs of gold trees are left out."""
    snapshots: int = 4
    """How often per epoch, from the second on, the weights enter the average."""
    floor: int = 0
    """Rows without a weight above so many steps of the quantised ones are dropped."""
    seed: int = 1

    def __post_init__(self) -> None:
        check_whole(self, WHOLE)
        for name in ("rate", "l2", "drop", "exit_weight"):
            if not (math.isfinite(getattr(self, name)) and 0 <= getattr(self, name) <= 1e6):
                raise ConfigError(f"{name} must be a number from 0 to 1000000, not {getattr(self, name)!r}")
        check_shares(self, ("dropout", "last_rate"))

    def shares(self, epoch: int) -> tuple[float, float]:
        """Which shares of the rate an epoch begins and ends with."""
        return falling_rate(self.last_rate, self.epochs, epoch)


@dataclass(frozen=True)
class MiraSettings:
    """How the rows of possible arcs are trained by MIRA: after each sentence the smallest step by which the gold tree
    leads the best other one by the number of its wrong heads. Weights are averaged over all steps. All templates for
    all arcs in training: nothing is learned about groups. The defaults are those of he2013's parsers."""

    epochs: int = 10
    cost: float = 0.0
    """Added to the score of each wrong arc when a tree is decoded in training."""
    cutoff: int = 2
    """Features of fewer arcs of gold trees are left out."""
    floor: int = 0
    """Rows without a weight above so many steps of the quantised ones are dropped."""

    def __post_init__(self) -> None:
        check_whole(self, tuple(one for one in WHOLE if one[0] in ("epochs", "cutoff", "floor")))
        if not (math.isfinite(self.cost) and 0 <= self.cost <= 1e3):
            raise ConfigError(f"cost must be a number from 0 to 1000, not {self.cost!r}")


@dataclass(frozen=True)
class SiblingSettings:
    """How the rows of adjacent siblings are trained: by MIRA behind the scores of arcs, those of models that did not
    see the sentence, for the heads between which these leave a choice."""

    epochs: int = 3
    cost: float = 1.0
    """Added to the score of each wrong arc when a tree is decoded in training."""
    drop: float = 6.0
    """Heads that trail the best one by more (in log odds, by all templates of arcs) have no siblings, in training and
    in parsing."""
    step: float = 0.005
    """At most so much of the gradient is a step."""
    cutoff: int = 2
    """Features of fewer siblings of gold trees are left out."""
    floor: int = 0
    """Rows without a weight above so many steps of the quantised ones are dropped."""
    seed: int = 1

    def __post_init__(self) -> None:
        check_whole(self, tuple(one for one in WHOLE if one[0] in ("epochs", "cutoff", "floor", "seed")))
        if not (math.isfinite(self.cost) and 0 <= self.cost <= 1e3):
            raise ConfigError(f"cost must be a number from 0 to 1000, not {self.cost!r}")
        for name in ("drop", "step"):
            if not 0 < getattr(self, name) <= 1e6:
                raise ConfigError(f"{name} must be a number above 0, up to 1000000, not {getattr(self, name)!r}")


@dataclass(frozen=True)
class PolicySettings:
    """How the policy ``svm`` is learned (he2013): by DAgger, with a linear SVM over all questions so far."""

    iterations: int = 8
    words: int = 3000
    """Of the sentences that are parsed in an iteration, about."""
    c: float = 0.1
    """Of the SVM: the weight of a wrong answer against the size of the weights."""
    add_weight: float = 2.0
    """Of a head that is locked although it is wrong, against that of one that is not locked although it is right."""
    cutoff: int = 2
    """Features that fewer questions have are left out."""
    seed: int = 1

    def __post_init__(self) -> None:
        check_whole(self, (("iterations", 1, 1000), ("words", 1, 10**9), ("cutoff", 1, 2**31), ("seed", 0, 2**31 - 1)))
        for name in ("c", "add_weight"):
            if not (math.isfinite(getattr(self, name)) and 0 < getattr(self, name) <= 1e6):
                raise ConfigError(f"{name} must be a number above 0, up to 1000000, not {getattr(self, name)!r}")


@dataclass(frozen=True)
class GraphConfig:
    """How a graph parser is trained."""

    scorer: ArcScorer = "factored"
    """What the first group is: ``factored`` scores all arcs by vectors of their words, and templates of arcs are added
    where that leaves a choice; ``linear`` has templates of arcs alone, as the paper."""
    pos: TagColumn = "upos"
    """The tags that POS means. The length dictionary reads UPOS and XPOS."""
    templates: str = "graph"
    """Templates of arcs of the scorer ``linear``: name of a shipped set, path of a file that ends in ``.templates``, or
    the set itself as text. Lines ``# group`` are where a word may have enough."""
    pair_templates: str = "graph-pairs"
    """Templates of arcs behind the vectors of words, of the scorer ``factored``, given in the same way."""
    siblings: str = "graph-siblings-brief"
    """Templates of adjacent siblings, for trees that arcs alone leave open; ``none``: no siblings. They need folds.
    Those of the paper are ``graph-siblings``."""
    word_templates: str = "graph-words"
    """Templates of single words for the factored scorer, those of heads read HEAD, those of modifiers MOD."""
    projective: bool | None = None
    """Build trees without crossing arcs only; None: if fewer than 5 % of the training sentences have such arcs."""
    propagation: Propagation = "none"
    """``exact``: a tree is decoded behind every group, and arcs that no tree with the locked ones has are ruled out;
    ``paper``: the same by the rules of he2013, which decodes trees with crossing arcs but for the last one; ``none``:
    one tree is decoded at the end."""
    policy: Policy = "drop"
    """Who says when a word has enough: ``drop``, heads that trail by a calibrated threshold are dropped; ``svm``, the
    learned policy of he2013, which needs a propagation and, to be trained, scikit-learn."""
    policy_settings: PolicySettings = field(default_factory=PolicySettings)
    single_root: bool | None = None
    """Allow one root a sentence; None: if nearly all training sentences have one."""
    training: Training = "selection"
    """How templates of arcs learn: ``selection``, every word chooses its head, with a loss behind every group;
    ``mira``, whole trees, as in the paper, for the scorer ``linear``."""
    settings: SelectionSettings = field(default_factory=SelectionSettings)
    """Of ``selection``, for the scorer ``linear``."""
    pair_settings: SelectionSettings = field(default_factory=lambda: SelectionSettings(rate=0.02, exit_weight=0.1))
    """The same behind the vectors of words. There a small rate is worth most: templates then change the head of a word
    only where they are sure, so that few words need them."""
    mira: MiraSettings = field(default_factory=MiraSettings)
    sibling_settings: SiblingSettings = field(default_factory=SiblingSettings)
    hidden: HiddenSettings = field(
        default_factory=lambda: HiddenSettings(epochs=6, rate=0.002, row_dropout=0.4, unit_dropout=0.3, window=0)
    )
    """How the vectors of words are trained."""
    lexicon_minimum: int = 2
    """Rarer words are treated as unknown, in training as later on text."""
    pair_minimum: int = 20
    """Pairs of fine tags seen so often have a longest arc of their own."""
    folds: int = 4
    """Templates of arcs learn from the vectors of models that did not see a sentence, and thresholds are calibrated on
    such sentences; 0: neither."""

    def __post_init__(self) -> None:
        check_choices(
            self,
            {
                "pos": get_args(TagColumn),
                "scorer": get_args(ArcScorer),
                "propagation": get_args(Propagation),
                "training": get_args(Training),
                "policy": get_args(Policy),
            },
        )
        if self.training == "mira" and self.scorer != "linear":
            raise ConfigError("training by mira is for the scorer linear: add scorer=linear")
        if self.policy == "svm" and self.propagation == "none":
            raise ConfigError("the policy svm is asked between trees: choose propagation=paper or exact")
        check_folds(self.folds)
        check_counts(self, ("lexicon_minimum", "pair_minimum"))
        for name in ("projective", "single_root"):
            if getattr(self, name) not in (None, True, False):
                raise ConfigError(f"{name} must be true or false, not {getattr(self, name)!r}")

    @property
    def unused(self) -> dict[str, str]:
        """Settings that change nothing, each with the reason."""
        unread = dict.fromkeys(
            ("settings",) if self.training == "mira" else ("mira",), f"graph.training is {self.training}"
        )
        linear, factored = ("templates", "settings"), ("word_templates", "hidden", "pair_templates", "pair_settings")
        unread |= dict.fromkeys(factored if self.scorer == "linear" else linear, f"graph.scorer is {self.scorer}")
        if self.policy == "drop":
            unread["policy_settings"] = "graph.policy is drop"
        if self.siblings == "none":
            unread["sibling_settings"] = "graph.siblings is none"
        elif self.folds == 0:
            unread |= dict.fromkeys(("siblings", "sibling_settings"), "graph.folds is 0")
        return unread

    def template_set(self) -> TemplateSet:
        """Those of arcs. ConfigError for templates of siblings, which arcs alone do not have."""
        chosen = chosen_set(self.pair_templates if self.scorer == "factored" else self.templates, kind("candidate"))
        for template in chosen:
            if any(term.address.node == "SIB" for term in template.terms):
                raise ConfigError(f"a template of arcs reads a sibling: {template}")
        return chosen

    @property
    def selection(self) -> SelectionSettings:
        """How the templates of arcs are trained, unless by MIRA."""
        return self.pair_settings if self.scorer == "factored" else self.settings

    def sibling_set(self) -> TemplateSet | None:
        """None without siblings. ConfigError for a template that reads none."""
        if self.siblings == "none" or self.folds == 0:
            return None
        chosen = chosen_set(self.siblings, kind("candidate"))
        for template in chosen:
            if all(term.address.node != "SIB" for term in template.terms):
                raise ConfigError(f"a template of siblings reads none: {template}")
        return chosen

    def word_template_set(self, node: str) -> TemplateSet:
        """The templates of words as heads (``HEAD``) or as modifiers (``MOD``). ConfigError for one that is neither."""
        chosen = chosen_set(self.word_templates, kind("candidate"))
        for template in chosen:
            nodes = {term.address.node for term in template.terms}
            if nodes not in ({"HEAD"}, {"MOD"}) or any(t.attribute in RELATIONS for t in template.terms):
                raise ConfigError(f"a template of single words reads either HEAD or MOD alone: {template}")
        own = tuple(t for t in chosen if t.terms[0].address.node == node)
        if not own:
            raise ConfigError(f"the templates of single words have none that reads {node}")
        return TemplateSet(chosen.kind, own)


RELATIONS = ("DISTANCE", "DIRECTION", "GAP")
"""Attributes of an arc, not of a word."""
