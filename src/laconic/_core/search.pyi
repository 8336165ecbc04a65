"""Core of laconic.search: what templates explain."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import laconic._core.learn


def scores(examples: laconic._core.learn.Examples, weights: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """Scores of each example after all of its templates."""

def right(examples: laconic._core.learn.Examples, scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint8]:
    """1 where the best candidate is a gold label."""

def residuals(examples: laconic._core.learn.Examples, scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], loss: str, margin: float) -> NDArray[numpy.float64]:
    """Negative gradient of the loss by the scores."""

def fit_templates(examples: laconic._core.learn.Examples, residuals: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], ridge: float) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
    """
    What each template alone explains of the residuals, and its degrees of freedom.
    """

class GroupLasso:
    """Logistic model whose templates enter as the penalty falls."""

    def __init__(self, examples: laconic._core.learn.Examples, costs: Sequence[float]) -> None: ...

    def pulls(self) -> NDArray[numpy.float64]:
        """Length of the gradient for each template, divided by its cost."""

    def sweep(self, templates: Sequence[int], strength: float) -> float:
        """One step for each of the templates; the largest relative move."""

    def norms(self) -> NDArray[numpy.float64]: ...

    def loss(self) -> float: ...

    def weights(self) -> NDArray[numpy.float64]: ...

    def set_weights(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...
