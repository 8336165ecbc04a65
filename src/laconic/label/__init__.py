"""Labels on a given tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.exports import on_first_use

if TYPE_CHECKING:
    from laconic.label.labeler import Labeler, LabelerConfig
    from laconic.label.tensor import TensorSettings
    from laconic.label.tensor_labeler import TensorLabeler, TensorLabelerConfig
    from laconic.learn import Work

__all__ = ["Labeler", "LabelerConfig", "TensorLabeler", "TensorLabelerConfig", "TensorSettings", "Work"]

__getattr__, __dir__ = on_first_use(
    __name__,
    {
        "laconic.label.labeler": "Labeler LabelerConfig",
        "laconic.label.tensor": "TensorSettings",
        "laconic.label.tensor_labeler": "TensorLabeler TensorLabelerConfig",
        "laconic.learn": "Work",
    },
)
