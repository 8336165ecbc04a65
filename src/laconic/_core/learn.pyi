"""Core of laconic.learn: the dynamic prefix classifier."""

from collections.abc import Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray

import laconic._core.features


class Exits:
    """Depths at which a decision may stop, and the lead it takes to do so."""

    def __len__(self) -> int: ...

    def __getitem__(self, arg: int, /) -> tuple[int, int]: ...

class LabelSets:
    """Sets of labels, each stored once; set 0 holds every label."""

    @overload
    def __init__(self, labels: int) -> None: ...

    @overload
    def __init__(self, labels: int, begins: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], members: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def add(self, members: Sequence[int]) -> int: ...

    def __len__(self) -> int: ...

    def __getitem__(self, arg: int, /) -> list[int]: ...

    def begins(self) -> NDArray[numpy.uint32]: ...

    def members(self) -> NDArray[numpy.uint16]: ...

class Table:
    """Frozen weights: linear rows."""

    def __init__(self, labels: int, scale: float, directory: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], buckets: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], pairs: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def sparse(self) -> bool: ...

    @property
    def stride(self) -> int: ...

    @property
    def nbytes(self) -> int: ...

    def directory(self) -> NDArray[numpy.uint64]: ...

    def buckets(self) -> NDArray[numpy.uint8]: ...

    def pairs(self) -> NDArray[numpy.uint32]: ...

    def contains(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], template_index: int) -> NDArray[numpy.uint8]: ...

    def row(self, key: int, template_index: int) -> NDArray[numpy.int8]: ...

    def accumulate(self, plan: laconic._core.features.Plan, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], first: int, last: int) -> NDArray[numpy.int32]:
        """
        Integer scores of each row of atoms by templates [first, last), in 32 bits: they never saturate.
        """

    def predict(self, examples: Examples, which: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint16]:
        """The best candidates of some examples by the frozen weights."""

    @property
    def labels(self) -> int: ...

    @property
    def templates(self) -> int: ...

    @property
    def scale(self) -> float: ...

    def __len__(self) -> int: ...

    def exits(self, depths: Sequence[int], margins: Sequence[float]) -> Exits:
        """
        Exits in integer scores; margins are given in real scores. The last depth is the end: there a decision is taken anyway.
        """

    def prefix_scores(self, plan: laconic._core.features.Plan, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], depths: Sequence[int]) -> NDArray[numpy.int32]:
        """Integer scores of each row of atoms after each of the depths."""

    def decide(self, plan: laconic._core.features.Plan, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], candidates: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: LabelSets, exits: Exits) -> tuple[NDArray[numpy.uint16], NDArray[numpy.uint32], NDArray[numpy.int32]]:
        """Labels, templates computed and leads of each row of atoms."""

    def traces(self, plan: laconic._core.features.Plan, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], candidates: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: LabelSets, exits: Exits) -> list[Trace]:
        """How the decision about each row of atoms is taken, step by step."""

class Trace:
    """One decision, step by step; see core/learn/trace.hpp."""

    @property
    def label(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def margin(self) -> int: ...

    @property
    def candidates(self) -> list[int]: ...

    @property
    def looks(self) -> list[tuple[int, int]]:
        """Features looked up and found of each template."""

    def scores(self) -> NDArray[numpy.int32]:
        """
        Integer scores of the candidates before the first template and after each.
        """

    @property
    def checks(self) -> list[tuple[int, int, int, int]]:
        """At each exit: depth, best label, its lead and the lead needed."""

NEVER: int = 2147483647

def shuffled(size: int, seed: int) -> NDArray[numpy.uint32]:
    """The numbers below `size` in an order that depends on the seed alone."""

def read_random_rows(table: Table, reads: int, seed: int) -> int:
    """
    Reads that many random cache lines of a table: what the memory allows at best.
    """

def compiler() -> str:
    """The one that made this module."""

def instruction_set() -> str:
    """The one in use."""

def instruction_sets() -> list[str]:
    """Those that this machine has, the best last."""

def use_instruction_set(name: str) -> str:
    """
    One of instruction_sets(), or auto for the best; returns the one now in use. Results are the same.
    """

class Network:
    """Training weights of hidden rows and what changes them."""

    def __init__(self, examples: Examples, plan: laconic._core.features.Plan, settings: object) -> None:
        """Settings are those of laconic.learn.HiddenSettings."""

    def epoch(self, examples: Examples, order: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], batch: int, first: float, last: float, snapshots: int = 0) -> float:
        """
        One pass; the rate goes from one share of itself to another. Returns the summed loss.
        """

    def gradients(self, examples: Examples) -> tuple[float, NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        The loss on all examples, and its gradients by the parameters, part by part.
        """

    def scores(self, examples: Examples) -> NDArray[numpy.float32]:
        """Scores of all labels at each exit, with dropout if there is any."""

    def shift(self, part: int, place: int, by: float) -> None:
        """Changes one parameter; the parts are in the order of `gradients`."""

    def settle(self) -> None:
        """The average of the snapshots takes the place of the weights."""

    def freeze(self, examples: Examples, plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon | None = None, floor: int = 0) -> HiddenTable: ...

    @property
    def exits(self) -> list[int]: ...

    @property
    def units(self) -> int: ...

class HiddenTable:
    """Frozen weights: hidden rows."""

    def __init__(self, *, units: int, labels: int, shift: int, scale: float, exits: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], folds: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)], outputs: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], directory: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], slots: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def units(self) -> int: ...

    @property
    def shift(self) -> int: ...

    @property
    def nbytes(self) -> int: ...

    def sum(self, rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int16]:
        """The sum of rows by their numbers: what reading so many costs at least."""

    def lead(self, sums: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)], depth: int, labels: Sequence[int]) -> tuple[int, int, NDArray[numpy.int32]]:
        """
        Of some labels at the exit of that depth, given the sums of the units: the best, its lead over the second, and the scores of all.
        """

    def exit_depths(self) -> NDArray[numpy.uint32]: ...

    def folds(self) -> NDArray[numpy.uint32]: ...

    def start(self) -> NDArray[numpy.int16]: ...

    def outputs(self) -> NDArray[numpy.int16]: ...

    def offsets(self) -> NDArray[numpy.int32]: ...

    def directory(self) -> NDArray[numpy.uint32]: ...

    def slots(self) -> NDArray[numpy.uint32]: ...

    def rows(self) -> NDArray[numpy.uint8]: ...

    @property
    def labels(self) -> int: ...

    @property
    def templates(self) -> int: ...

    @property
    def scale(self) -> float: ...

    def __len__(self) -> int: ...

    def exits(self, depths: Sequence[int], margins: Sequence[float]) -> Exits:
        """
        Exits in integer scores; margins are given in real scores. The last depth is the end: there a decision is taken anyway.
        """

    def prefix_scores(self, plan: laconic._core.features.Plan, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], depths: Sequence[int]) -> NDArray[numpy.int32]:
        """Integer scores of each row of atoms after each of the depths."""

    def decide(self, plan: laconic._core.features.Plan, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], candidates: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: LabelSets, exits: Exits) -> tuple[NDArray[numpy.uint16], NDArray[numpy.uint32], NDArray[numpy.int32]]:
        """Labels, templates computed and leads of each row of atoms."""

    def traces(self, plan: laconic._core.features.Plan, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], candidates: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: LabelSets, exits: Exits) -> list[Trace]:
        """How the decision about each row of atoms is taken, step by step."""

def merged_templates(plan: laconic._core.features.Plan) -> NDArray[numpy.uint32]:
    """
    Of each template: how many, itself and those behind it, the row of a known form stands for.
    """

def skip_grams(text: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], types: int, *, width: int, window: int, epochs: int, seed: int) -> NDArray[numpy.float32]:
    """A vector for each word type, from the words around it."""

class FactorTable:
    """Frozen weights: low-rank factors."""

    def __init__(self, *, labels: int, buckets: int, templates: int, lanes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], steps: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], outputs: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], directory: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], slots: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def buckets(self) -> int: ...

    @property
    def nbytes(self) -> int: ...

    def lanes(self) -> NDArray[numpy.uint32]: ...

    def steps(self) -> NDArray[numpy.float32]: ...

    def starts(self) -> NDArray[numpy.float32]: ...

    def outputs(self) -> NDArray[numpy.float32]: ...

    def directory(self) -> NDArray[numpy.uint32]: ...

    def slots(self) -> NDArray[numpy.uint32]: ...

    def rows(self) -> NDArray[numpy.uint8]: ...

    def vector(self, plan: laconic._core.features.Plan, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], role: int) -> NDArray[numpy.float32]:
        """The vector of each row of atoms in a role."""

    @property
    def labels(self) -> int: ...

    @property
    def templates(self) -> int: ...

    @property
    def scale(self) -> float: ...

    def __len__(self) -> int: ...

    def exits(self, depths: Sequence[int], margins: Sequence[float]) -> Exits:
        """
        Exits in integer scores; margins are given in real scores. The last depth is the end: there a decision is taken anyway.
        """

    def prefix_scores(self, plan: laconic._core.features.Plan, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], depths: Sequence[int]) -> NDArray[numpy.int32]:
        """Integer scores of each row of atoms after each of the depths."""

    def decide(self, plan: laconic._core.features.Plan, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], candidates: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: LabelSets, exits: Exits) -> tuple[NDArray[numpy.uint16], NDArray[numpy.uint32], NDArray[numpy.int32]]:
        """Labels, templates computed and leads of each row of atoms."""

    def traces(self, plan: laconic._core.features.Plan, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], candidates: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: LabelSets, exits: Exits) -> list[Trace]:
        """How the decision about each row of atoms is taken, step by step."""

class Examples:
    """Decisions to learn from, with their features looked up."""

    @overload
    def __init__(self, templates: int, labels: int) -> None: ...

    @overload
    def __init__(self, templates: int, sets: LabelSets) -> None: ...

    def add_set(self, members: Sequence[int]) -> int:
        """The number of a set of labels."""

    def add_rows(self, plan: laconic._core.features.Plan, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], gold: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], candidates: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def finish(self, cutoff: int) -> None: ...

    def finish_like(self, known: Examples) -> None:
        """Decisions to be scored: features that `known` lacks are left out."""

    def select(self, order: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], chosen: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Examples:
        """
        Some of the decisions through some of the templates, in that order; nothing is looked up again.
        """

    def relabel(self, gold: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Other gold labels: one number of a set for each example."""

    def keys(self) -> NDArray[numpy.uint64]: ...

    def template_of(self) -> NDArray[numpy.uint16]: ...

    def run(self, example: int) -> tuple[NDArray[numpy.uint32], NDArray[numpy.uint32]]:
        """Features of one example, and where those of each template end."""

    def gold(self, example: int) -> int:
        """The first gold label of an example."""

    def label_sets(self) -> LabelSets: ...

    def __len__(self) -> int: ...

    @property
    def templates(self) -> int: ...

    @property
    def features(self) -> int: ...

    @property
    def labels(self) -> int: ...

class DecisionAtoms:
    """Decisions to learn from, as one column of atoms for each slot."""

    def __init__(self, slots: int, sets: LabelSets) -> None: ...

    def __len__(self) -> int: ...

    @property
    def labels(self) -> int: ...

    @property
    def slots(self) -> int: ...

    def column(self, slot: int) -> NDArray[numpy.uint32]:
        """The atom of each decision: 0 is unknown, 1 no such node."""

class HashedTable:
    """Weights at places that keys name, for trials; never saved."""

    def __init__(self, templates: int, rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def rows(self) -> NDArray[numpy.uint32]:
        """The row of each place."""

    def weights(self) -> NDArray[numpy.float32]:
        """Row after row; the first is that of places without a feature."""

    def plus(self, other: HashedTable) -> HashedTable:
        """The templates of both: `other` was learned on top of this."""

    @property
    def labels(self) -> int: ...

    @property
    def templates(self) -> int: ...

    def __len__(self) -> int: ...

class Learner:
    """Training weights and the one trainer that changes them."""

    def __init__(self, examples: Examples, settings: object, doubles: bool = False) -> None:
        """
        Settings with mode full, truncated or every-exit and all exits spelled out.
        """

    def start(self, first: int, depth: int) -> None:
        """
        Templates [first, depth) learn from here on; those before keep their weights.
        """

    def epoch(self, examples: Examples, order: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], snapshots: int = 0) -> float:
        """One pass; returns the summed loss."""

    def update(self, examples: Examples, which: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], amounts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        One step of a loss of several examples, given its slope in the score of a label of each: for structured training.
        """

    def scores(self, examples: Examples, example: int, depth: int) -> NDArray[numpy.float64]: ...

    def weights(self, examples: Examples) -> NDArray[numpy.float64]:
        """One row per feature, one column per label; averaged if so set."""

    def predict(self, examples: Examples, which: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint16]:
        """
        The best candidates of some examples by the final weights, before freezing.
        """

    def freeze(self, examples: Examples, floor: int = 0) -> Table: ...
