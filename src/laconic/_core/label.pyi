"""Core of laconic.label: one label per arc of a finished tree."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import laconic._core.corpus
import laconic._core.features
import laconic._core.learn


class LabelCandidates:
    """
    Which labels an arc may bear, by the tags of its two words and its direction.
    """

    def __init__(self, sets: laconic._core.learn.LabelSets, keys: Sequence[int], numbers: Sequence[int], priors: Sequence[float] = []) -> None: ...

    def keys(self) -> NDArray[numpy.uint64]: ...

    def numbers(self) -> NDArray[numpy.uint32]: ...

    def sets(self) -> laconic._core.learn.LabelSets:
        """The sets that the numbers are those of."""

    def priors(self) -> NDArray[numpy.float32]: ...

class ArcClassifier:
    """How arcs are read, which labels they may bear, and weights."""

    def __init__(self, plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, candidates: LabelCandidates, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], pos: str, order: str, table: laconic._core.learn.Table | laconic._core.learn.HiddenTable | None = None) -> None: ...

    def collect(self, examples: laconic._core.learn.Examples, columns: laconic._core.corpus.Columns, gold: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], teach: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        One example per arc of the sentences that has something to teach, gold labels as history.
        """

    def decide(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, temperatures: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.uint16], NDArray[numpy.uint32], int, NDArray[numpy.float32]]:
        """
        Label and templates computed for each word, the cache lines of weights read in all, and confidences if there are temperatures.
        """

    def prefixes(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, depths: Sequence[int], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint16]]:
        """
        Lead and label of each word after each of the depths, along the trajectory that the exits give.
        """

    def final_scores(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.uint16], NDArray[numpy.uint32], NDArray[numpy.uint64], NDArray[numpy.float32]]:
        """
        How each decision ended: label, depth, and the scores of its candidates less the best one, run after run.
        """

def pair_keys(columns: laconic._core.corpus.Columns, pos: str) -> NDArray[numpy.uint64]:
    """The key of the pair of tags of every arc."""

def any_root_key() -> int:
    """The key of arcs from the root to words with rare tags."""

def count_types(plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, pos: str, columns: laconic._core.corpus.Columns, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], minimum: int) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint32]]:
    """
    The types of the words of some sentences that were seen so often: keys, and what templates read of each.
    """

def kinds_of_arcs(plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, pos: str, columns: laconic._core.corpus.Columns, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], all_tags: bool) -> NDArray[numpy.uint64]:
    """
    The kinds of the arcs of some sentences as keys: a row per level, the finest first.
    """

class LabelledTrees:
    """Trees to learn labels from."""

    def __init__(self, plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, candidates: LabelCandidates, pos: str, columns: laconic._core.corpus.Columns, gold: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], teach: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], cutoff: int) -> None: ...

    def __len__(self) -> int: ...

    @property
    def features(self) -> int: ...

class ArcFeatures:
    """Features of arcs, for linear rows beside factors."""

    def __init__(self, plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, pos: str, columns: laconic._core.corpus.Columns, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], cutoff: int) -> None: ...

    @property
    def features(self) -> int: ...

class TensorTrainer:
    """Training weights of low-rank factors and what changes them."""

    def __init__(self, trees: LabelledTrees, candidates: LabelCandidates, settings: object, sparse: ArcFeatures | None = None) -> None:
        """
        Settings are those of laconic.label.TensorSettings. With `sparse`, of the same sentences, linear rows learn beside the factors.
        """

    def epoch(self, order: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], batch: int, first: float, last: float, stride: int) -> float:
        """
        One pass; the rate goes from one share of itself to another. Returns the summed loss.
        """

    def use_average(self) -> None:
        """The average over training takes the place of the weights."""

    def freeze(self, floor: int) -> tuple[laconic._core.learn.FactorTable, NDArray[numpy.float32], NDArray[numpy.float32], laconic._core.learn.Table | None]:
        """
        The table, the label vectors of second-order products, and the table of linear rows, if any.
        """

    def gradients(self, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[float, NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        The loss of some sentences, and its gradients by the parameters, part by part.
        """

    def shift(self, part: int, place: int, by: float) -> None:
        """Changes one parameter; the parts are in the order of `gradients`."""

    def values(self, part: int) -> NDArray[numpy.float32]: ...

class TensorTrace:
    """How one arc was labelled, stage by stage."""

    @property
    def word(self) -> int: ...

    @property
    def stage(self) -> int: ...

    @property
    def label(self) -> int: ...

    @property
    def candidates(self) -> list[int]: ...

    @property
    def prior(self) -> list[float]: ...

    @property
    def counted(self) -> int: ...

    @property
    def lead(self) -> float: ...

    @property
    def first(self) -> list[float]: ...

    @property
    def last(self) -> list[float]: ...

class TensorClassifier:
    """Labels of whole trees by low-rank factors."""

    def __init__(self, plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, candidates: LabelCandidates, table: laconic._core.learn.FactorTable, pos: str, type_keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], type_atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], count_keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], count_answers: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], all_tags: bool, upper: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], lower: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], sparse_plan: laconic._core.features.Plan | None = None, sparse_lexicon: laconic._core.features.Lexicon | None = None, sparse_table: laconic._core.learn.Table | None = None) -> None:
        """
        `type_keys` and `type_atoms` are those of count_types; `count_keys` are of kinds_of_arcs, `count_answers` have a label in their lower half and 256ths of its log odds in the upper one.
        """

    def decide(self, columns: laconic._core.corpus.Columns, limits: tuple[float, float, float], temperatures: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.uint16], NDArray[numpy.uint8], NDArray[numpy.float32], tuple[int, int, int, int]]:
        """
        Label and stage of each arc, confidences if there are temperatures, and work: templates, cache lines, scores of labels, scores of pairs.
        """

    def probe(self, columns: laconic._core.corpus.Columns, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.uint16], NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        Labels of the full model; then how far the label of each word of the sentences trails, and the best one leads, after each stage that can drop labels: a row per stage.
        """

    def traces(self, columns: laconic._core.corpus.Columns, limits: tuple[float, float, float], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[TensorTrace]:
        """How each arc of the sentences is labelled."""

def decompose(sizes: Sequence[int], places: Sequence[Sequence[int]], values: Sequence[float], rank: int, sweeps: int, seed: int) -> list[list[list[float]]]:
    """
    A sparse tensor of three ways as a sum of products of three vectors, of which the third has the scale.
    """

def tree_labels(heads: Sequence[int], single: Sequence[Sequence[float]], pairs: Sequence[Sequence[float]], probabilities: bool = True) -> tuple[list[int], list[float], list[list[float]], float]:
    """
    The best candidate of each arc, the probability of each candidate and of each pair, and the logarithm of the sum over all labelings.
    """
