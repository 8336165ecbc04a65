"""Distillation: teachers, trained on a treebank, and the text that they label for ``laconic train --silver``.

Teachers with an encoder need the extra ``distill``; models of laconic's own teach without it.
"""

from __future__ import annotations

from laconic.distill.config import TeacherConfig
from laconic.distill.labelling import LabelJob, Labeller, inputs_of, open_labeller
from laconic.distill.teacher import Teacher
from laconic.distill.training import TeacherProgress, train_teacher

__all__ = [
    "LabelJob",
    "Labeller",
    "Teacher",
    "TeacherConfig",
    "TeacherProgress",
    "inputs_of",
    "open_labeller",
    "train_teacher",
]
