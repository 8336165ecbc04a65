"""What table 1 and the figures share: one linear graph parser, and all ways to spend less than all of its templates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from laconic._core.graph import Parsed
from laconic.corpus import Doc
from laconic.graph import GraphConfig, GraphParser, PolicySettings
from laconic.graph.training import NEVER, VALUES, drops_of
from laconic.learn import TOLERANCES, TrainingData
from laconic.progress import finished

HERE = Path(__file__).resolve().parent
TEMPLATES = HERE / "english.templates"
"""In the order and groups of forward selection on English."""
REACHES = (10,)
ALPHAS = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""Of the cascade, for both of its passes."""
ITERATIONS = 4
"""Of DAgger."""
GRIDS = {"ours": TOLERANCES, "paper": VALUES, "vine": ALPHAS}
MOST_LOST = 0.002
"""UAS that a setting may lose against all templates, on the sentences that it is chosen by."""
MOST_LOST_WITH_SIBLINGS = 0.004
"""The same of second order."""


@dataclass(frozen=True)
class Run:
    """A way to parse: the name of the method, and what was set."""

    method: str
    setting: str
    parse: Callable[[Doc], Parsed]

    def uas(self, doc: Doc) -> float:
        return float(np.mean(self.parse(doc).heads == doc.heads))


@dataclass(frozen=True)
class Parsers:
    """The same weights with thresholds and with a learned policy."""

    ours: GraphParser
    learned: GraphParser | None

    @classmethod
    def fit(cls, config: GraphConfig, train: Doc, *, policy: bool = True) -> Parsers:
        ours = finished(GraphParser.fit(config, TrainingData(train)))
        if not policy:
            return cls(ours, None)
        learned = replace(
            config, policy="svm", propagation="paper", policy_settings=PolicySettings(iterations=ITERATIONS)
        )
        return cls(ours, finished(GraphParser.fit(learned, TrainingData(train))))

    def run(self, drops: Sequence[int], doc: Doc, propagation: str = "none", **options: Any) -> Parsed:
        rules = self.ours.frame.rules
        return self.ours.model.parse(
            doc.columns,
            np.arange(len(doc.sentences), dtype=np.uint32),
            list(drops),
            rules.projective,
            rules.single_root,
            propagation,
            **options,
        )

    @property
    def _never(self) -> list[int]:
        return [NEVER] * (self.ours.model.groups - 1)

    def full(self) -> Run:
        return Run("full", "", partial(self.run, self._never))

    def drops(self, tolerance: float) -> list[int]:
        own = self.ours.shared_copy()
        own.effort(tolerance)
        return drops_of(own.stop, self.ours.model.scale)

    def thresholds(self) -> list[Run]:
        """Ours, the most careful first."""
        return [Run("ours", f"tolerance {t:g}", partial(self.run, self.drops(t))) for t in self.ours.tolerances]

    def policies(self) -> list[Run]:
        """The paper's, the most careful first; its own threshold is 0."""
        if self.learned is None:
            return []
        policy, scale = self.learned.policy, self.ours.model.scale
        return [
            Run(
                "paper",
                f"value {value:g}",
                partial(
                    self.run,
                    [int(np.ceil(value * scale))] * (self.ours.model.groups - 1),
                    propagation="paper",
                    policy=policy,
                ),
            )
            for value in reversed(VALUES)
        ]

    def static(self) -> list[Run]:
        groups = self.ours.model.groups
        return [Run("static", f"{k} groups", partial(self.run, self._never, groups=k)) for k in range(groups, 0, -1)]

    def vines(self) -> list[Run]:
        """A vine behind the fourth group and a first-order pass behind the fifth; for projective trees."""
        if not self.ours.frame.rules.projective:
            return []
        return [
            Run(
                "vine",
                f"share {share:g}, reach {reach}",
                partial(self.run, self._never, shares=[-1.0, -1.0, -1.0, share, share], reach=reach),
            )
            for reach in REACHES
            for share in ALPHAS
        ]

    def expert(self, doc: Doc) -> Parsed:
        """What a policy would do that locks exactly the gold heads."""
        rules = self.ours.frame.rules
        return self.ours.model.ask(
            doc.columns,
            np.array(doc.heads, np.int32),
            np.arange(len(doc.sentences), dtype=np.uint32),
            [0] * (self.ours.model.groups - 1),
            rules.projective,
            rules.single_root,
            "paper",
        )[0]


def boldest(runs: Sequence[Run], least: float, doc: Doc) -> Run:
    """The last of the runs, the most careful first, up to which all keep at least this UAS; the first if none does."""
    kept = runs[0]
    for run in runs:
        if run.uas(doc) < least:
            break
        kept = run
    return kept
