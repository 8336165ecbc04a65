"""The training loop: a generator, so that logging, progress and early ends are the caller's business."""

from __future__ import annotations

import time
import warnings
from collections.abc import Generator

import numpy as np

from laconic._core.learn import Examples, Learner, shuffled
from laconic.learn.settings import Settings, seen_items
from laconic.progress import Progress

MANY_LABELS = 5000


class ManyLabelsWarning(UserWarning):
    """A label set so large that training takes long; often a sign that a column was not what it seemed."""


def train_linear(
    examples: Examples, templates: int, settings: Settings, *, treebank: int | None = None, doubles: bool = False
) -> Generator[Progress, None, Learner]:
    """Train on examples whose ``finish`` was called; returns the learner when exhausted.

    Only the first ``treebank`` examples, if that is given, are seen in the last epochs (``treebank_epochs``).
    Same examples, settings and build: same weights to the last bit. ``doubles`` trains in double precision, which is
    slower and meant for comparisons. Cost: epochs x examples x templates x labels, for ``stagewise`` times half the
    templates.
    """
    learner = Learner(examples, settings.spelled_out(templates), doubles)
    stages = settings.stages(templates)
    total = len(stages) * settings.epochs
    every = np.arange(len(examples), dtype=np.uint32)
    for stage, (first, depth) in enumerate(stages):
        learner.start(first, depth)
        for epoch in range(settings.epochs):
            number = stage * settings.epochs + epoch + 1
            seen = seen_items(settings, epoch, every[:treebank], every[len(every) if treebank is None else treebank :])
            order = seen[shuffled(len(seen), settings.seed * 1_000_003 + number)]
            averaging = settings.average and (epoch > 0 or settings.epochs == 1)
            start = time.monotonic()
            loss = learner.epoch(examples, order, settings.snapshots if averaging else 0)
            if number == 1 and examples.labels > MANY_LABELS:
                minutes = (time.monotonic() - start) * total / 60
                warnings.warn(
                    f"{examples.labels:,} labels are many: this training takes about {minutes:.1f} minutes",
                    ManyLabelsWarning,
                    stacklevel=2,
                )
            yield Progress("epoch", number, total, loss / max(1, len(seen)))
    return learner
