"""Scores equal to those of the official scorers, their breakdowns, and their significance."""

from __future__ import annotations

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
