"""Core of laconic.search: what templates explain."""

from collections.abc import Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray

import laconic._core.features
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

def train_hashed(decisions: laconic._core.learn.DecisionAtoms, plan: laconic._core.features.Plan, columns: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], chosen: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], epochs: int, rate: float, cutoff: int, places: int, seed: int) -> laconic._core.learn.HashedTable:
    """
    Weights of templates over columns, learned from the chosen decisions. With offsets, one row for each decision, they are learned as something that is added to these scores.
    """

def score_hashed(table: laconic._core.learn.HashedTable, decisions: laconic._core.learn.DecisionAtoms, plan: laconic._core.features.Plan, columns: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], chosen: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]:
    """
    One row of scores for each chosen decision, added to its offsets if there are any.
    """

def judge(decisions: laconic._core.learn.DecisionAtoms, chosen: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float64], NDArray[numpy.uint8]]:
    """
    The log loss of each chosen decision by its scores, and 1 where the best candidate is gold.
    """

@overload
def ablate(table: laconic._core.learn.HashedTable, decisions: laconic._core.learn.DecisionAtoms, plan: laconic._core.features.Plan, columns: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], chosen: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """
    How much the log loss of the chosen decisions would rise in all without each of the templates.
    """

@overload
def ablate(table: laconic._core.learn.HiddenTable, decisions: laconic._core.learn.DecisionAtoms, plan: laconic._core.features.Plan, columns: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], chosen: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """
    The same for hidden rows: the mean over the decisions replaces what a template adds; templates whose rows were merged go together.
    """

def count_features(decisions: laconic._core.learn.DecisionAtoms, plan: laconic._core.features.Plan, columns: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], chosen: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], cutoff: int) -> NDArray[numpy.uint32]:
    """
    How many features each template has, those seen less often than the cut-off left out.
    """

class Screening:
    """What a model gets wrong on decisions that it did not see."""

    def __init__(self, decisions: laconic._core.learn.DecisionAtoms, chosen: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def gain(self, plan: laconic._core.features.Plan, columns: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], ridge: float) -> float:
        """
        Fall of the log loss per decision by one step in each of the templates, fitted on one half of the decisions and measured on the other.
        """
