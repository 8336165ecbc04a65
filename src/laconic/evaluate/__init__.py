"""Scores equal to those of the official scorers, their breakdowns, and their significance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.exports import on_first_use

if TYPE_CHECKING:
    from laconic.evaluate.bootstrap import Difference, Interval, compare, intervals
    from laconic.evaluate.confusions import Confusion
    from laconic.evaluate.conllx import ENGLISH_PUNCTUATION, is_punctuation
    from laconic.evaluate.documents import (
        breakdown,
        confusion,
        evaluate,
        evaluate_conllx,
        evaluate_entities,
        evaluate_pipeline,
        evaluate_tags,
    )
    from laconic.evaluate.score import Counts, Score, Scores

__all__ = [
    "ENGLISH_PUNCTUATION",
    "Confusion",
    "Counts",
    "Difference",
    "Interval",
    "Score",
    "Scores",
    "breakdown",
    "compare",
    "confusion",
    "evaluate",
    "evaluate_conllx",
    "evaluate_entities",
    "evaluate_pipeline",
    "evaluate_tags",
    "intervals",
    "is_punctuation",
]

__getattr__, __dir__ = on_first_use(
    __name__,
    {
        "laconic.evaluate.bootstrap": "Difference Interval compare intervals",
        "laconic.evaluate.confusions": "Confusion",
        "laconic.evaluate.conllx": "ENGLISH_PUNCTUATION is_punctuation",
        "laconic.evaluate.documents": (
            "breakdown confusion evaluate evaluate_conllx evaluate_entities evaluate_pipeline evaluate_tags"
        ),
        "laconic.evaluate.score": "Counts Score Scores",
    },
)
