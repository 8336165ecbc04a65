"""Labels on a given tree."""

from __future__ import annotations

from laconic.label.labeler import Labeler, LabelerConfig
from laconic.label.tensor import TensorSettings
from laconic.label.tensor_labeler import TensorLabeler, TensorLabelerConfig
from laconic.learn import Work

__all__ = ["Labeler", "LabelerConfig", "TensorLabeler", "TensorLabelerConfig", "TensorSettings", "Work"]
