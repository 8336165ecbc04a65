"""The dynamic prefix classifier: templates in order, stop when sure (strubell2015)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.exports import on_first_use

if TYPE_CHECKING:
    from laconic.learn.classifier import PrefixClassifier
    from laconic.learn.component import Component, Confidences, Labels, TrainingData, Work
    from laconic.learn.confidence import FinalScores, expected_calibration_error, tempered
    from laconic.learn.frozen import Frozen, Trace, calibrated
    from laconic.learn.hidden import HiddenSettings, train_hidden, word_vectors
    from laconic.learn.settings import Settings, check_choices, check_counts, check_folds
    from laconic.learn.stopping import TOLERANCES, Stop, calibrate
    from laconic.learn.tables import AnyTable
    from laconic.learn.training import ManyLabelsWarning, train_linear
    from laconic.learn.tuning import Choice, LogUniform, ScoredSettings, Uniform, random_search

__all__ = [
    "TOLERANCES",
    "AnyTable",
    "Choice",
    "Component",
    "Confidences",
    "FinalScores",
    "Frozen",
    "HiddenSettings",
    "Labels",
    "LogUniform",
    "ManyLabelsWarning",
    "PrefixClassifier",
    "ScoredSettings",
    "Settings",
    "Stop",
    "Trace",
    "TrainingData",
    "Uniform",
    "Work",
    "calibrate",
    "calibrated",
    "check_choices",
    "check_counts",
    "check_folds",
    "expected_calibration_error",
    "random_search",
    "tempered",
    "train_hidden",
    "train_linear",
    "word_vectors",
]

__getattr__, __dir__ = on_first_use(
    __name__,
    {
        "laconic.learn.classifier": "PrefixClassifier",
        "laconic.learn.component": "Component Confidences Labels TrainingData Work",
        "laconic.learn.confidence": "FinalScores expected_calibration_error tempered",
        "laconic.learn.frozen": "Frozen Trace calibrated",
        "laconic.learn.hidden": "HiddenSettings train_hidden word_vectors",
        "laconic.learn.settings": "Settings check_choices check_counts check_folds",
        "laconic.learn.stopping": "TOLERANCES Stop calibrate",
        "laconic.learn.tables": "AnyTable",
        "laconic.learn.training": "ManyLabelsWarning train_linear",
        "laconic.learn.tuning": "Choice LogUniform ScoredSettings Uniform random_search",
    },
)
