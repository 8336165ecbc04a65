"""Core of laconic.transition: parser states and decisions."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import laconic._core.corpus
import laconic._core.features
import laconic._core.learn


class Stepper:
    """A transition system at work on one sentence, step by step."""

    def __init__(self, system: str, words: int, single_root: bool = False, focus: str = 'step-back', waits: str = 'left') -> None: ...

    @property
    def done(self) -> bool: ...

    @property
    def words(self) -> int: ...

    @property
    def noted(self) -> int:
        """A number that the system keeps."""

    def valid(self) -> list[int]:
        """Moves that are possible now."""

    def arc(self, move: int) -> tuple[int, int]:
        """
        Head and dependent that a move would join; -1 for a move without an arc.
        """

    def apply(self, move: int, relation: int = 0) -> None: ...

    def finish(self) -> None:
        """Heads for words that ended without one."""

    def copy(self) -> Stepper: ...

    def costs(self, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> dict[int, int]:
        """
        What each possible move costs with this tree as gold: arcs that cannot be had any more after it.
        """

    def heads(self) -> NDArray[numpy.int32]: ...

    def stack(self) -> list[int]: ...

    def aside(self) -> list[int]: ...

    def queue(self) -> list[int]: ...

def read_slots(stepper: Stepper, plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, columns: laconic._core.corpus.Columns, sentence: int, relations: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], head: int = -1, dependent: int = -1) -> list[list[int]]:
    """
    The atoms that each slot of a plan reads of a state; relations has one atom per label.
    """

class SystemFacts:
    """What is known of a transition system before it runs."""

    @property
    def name(self) -> str: ...

    @property
    def moves(self) -> list[str]: ...

    @property
    def template_kind(self) -> str:
        """The kind of the templates that read its states."""

    @property
    def projective(self) -> bool:
        """Builds projective trees only."""

    @property
    def dynamic(self) -> bool:
        """Does its oracle know the cost of moves off the path of gold trees?"""

    @property
    def joint_labels(self) -> bool:
        """May its actions name the labels of arcs?"""

    @property
    def has_focus(self) -> bool:
        """Are focus and waits for it?"""

def system_names() -> list[str]: ...

def system_facts(name: str) -> SystemFacts: ...

def follow_oracle(system: str, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], single_root: bool = False, focus: str = 'step-back', waits: str = 'left') -> tuple[NDArray[numpy.int32], int]:
    """The tree that the oracle's moves build, and how many they were."""

class Model:
    """What a parser knows beside its weights."""

    def __init__(self, *, plan: laconic._core.features.Plan, label_plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, names: Sequence[str], pos: str, system: str, labels: str, relations: Sequence[Sequence[int]], root_relation: int, spare: int, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], single_root: bool, focus: str, waits: str, pair_keys: Sequence[int], pair_numbers: Sequence[int], pair_relations: Sequence[Sequence[int]]) -> None: ...

    @property
    def actions(self) -> int: ...

    def meaning(self, label: int) -> tuple[int, int]:
        """The move and the label that an action stands for; 65535 is no label."""

def parse_hashed(model: Model, moves: laconic._core.learn.HashedTable, labels: laconic._core.learn.HashedTable, columns: laconic._core.corpus.Columns) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint16], list[int]]:
    """
    Heads, labels and the work, by rows of a search. Where labels are not decided after moves, the table of labels is not read.
    """

def arc_keys(columns: laconic._core.corpus.Columns, pos: str, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint64]:
    """
    The key of each word's arc by the tags of its two words and its direction: what label candidates go by.
    """

class BeamOptions:
    """How a beam compares hypotheses and which it keeps."""

    def __init__(self, width: int, slack: float, raw_scores: bool, temperatures: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], label_temperatures: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], longest: int) -> None: ...

    @staticmethod
    def greedy() -> BeamOptions: ...

class Parser:
    """A model with its weights; hidden rows are one table for both."""

    def __init__(self, model: Model, moves: laconic._core.learn.Table | laconic._core.learn.HiddenTable, labels: laconic._core.learn.Table | laconic._core.learn.HiddenTable) -> None: ...

    @property
    def compiled(self) -> bool:
        """
        Are plans compiled, or interpreted? The outcome is the same. Not while another thread parses.
        """

    @compiled.setter
    def compiled(self, arg: bool, /) -> None: ...

    def parse(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, label_exits: laconic._core.learn.Exits, search: BeamOptions, temperatures: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], label_temperatures: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint16], NDArray[numpy.float32], NDArray[numpy.float32], list[int]]:
        """
        Heads, labels, confidences in both if there are temperatures, and the work: decisions and templates of moves, of labels, cache lines.
        """

    def parse_lookahead(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, label_exits: laconic._core.learn.Exits, depth: int, temperature: float, longest: int) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint16], list[int]]:
        """
        Heads and labels, looking ahead, and the work as parse() tells it, labels not counted.
        """

    def best_trees(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, label_exits: laconic._core.learn.Exits, search: BeamOptions, trees: int) -> tuple[NDArray[numpy.uint32], NDArray[numpy.float64], NDArray[numpy.int32], NDArray[numpy.uint16], list[int]]:
        """
        By a beam: the number of trees of each sentence, the score of each, heads and labels tree after tree, and the work as parse() tells it.
        """

    def prefixes(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, label_exits: laconic._core.learn.Exits, depths: Sequence[int], label_depths: Sequence[int], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint16], NDArray[numpy.int32], NDArray[numpy.uint16]]:
        """
        Leads and actions after each depth of decisions with a choice: of moves, then of labels.
        """

    def final_scores(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, label_exits: laconic._core.learn.Exits, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[tuple[NDArray[numpy.uint32], NDArray[numpy.uint64], NDArray[numpy.float32], NDArray[numpy.uint32]], tuple[NDArray[numpy.uint32], NDArray[numpy.uint64], NDArray[numpy.float32], NDArray[numpy.uint32]], NDArray[numpy.int32], NDArray[numpy.uint16]]:
        """
        The decisions that made arcs where they were taken: depths, begins, gaps and words, of moves and of labels; then the heads and labels.
        """

    def traces(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, label_exits: laconic._core.learn.Exits, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], search: BeamOptions) -> tuple[list[int], list[int], list[laconic._core.learn.Trace], list[laconic._core.learn.Trace]]:
        """
        Dependents and heads (-1: the root) of the arcs that moves made, how each move came about, and each label if that was decided after it.
        """

def collect_joint(model: Model, columns: laconic._core.corpus.Columns, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], relations: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], decisions: laconic._core.learn.DecisionAtoms, random_moves: float, seed: int) -> None:
    """
    The decisions of hidden rows about moves and labels by the atoms of each slot; with this probability the path takes any possible move in place of the oracle's.
    """

class Trainer:
    """Learns moves and labels from the trees of a document, online."""

    def __init__(self, model: Model, columns: laconic._core.corpus.Columns, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], relations: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], settings: object, label_settings: object) -> None:
        """
        Settings with mode full, truncated or every-exit and all exits spelled out.
        """

    def begin(self, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], cutoff: int, label_cutoff: int, keep: bool) -> None:
        """
        Count features along the gold paths, then learn anew; keep the counts for explore().
        """

    def explore(self, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], cutoff: int, label_cutoff: int) -> None:
        """
        Count what the parser as it is now sees off the gold paths, then learn anew.
        """

    def start(self, labels: bool, first: int, depth: int) -> None:
        """Templates [first, depth) of one classifier learn from here on."""

    def epoch(self, order: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], explore: float, early: bool, snapshots: int, seed: int) -> tuple[float, int]:
        """One pass: its loss and decisions."""

    def max_violation_epoch(self, order: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], width: int, snapshots: int) -> tuple[float, int]:
        """One pass of max-violation training by a beam: its loss and decisions."""

    def collect(self, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], moves: laconic._core.learn.Examples, labels: laconic._core.learn.Examples) -> None:
        """The decisions of the gold paths as examples."""

    def collect_atoms(self, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], moves: laconic._core.learn.DecisionAtoms, labels: laconic._core.learn.DecisionAtoms, random_moves: float, seed: int) -> None:
        """
        The same decisions by the atoms of each slot; with this probability the path takes any possible move in place of the oracle's. Without such moves the oracle's first one is the only right one.
        """

    def freeze(self, labels: bool, floor: int) -> laconic._core.learn.Table: ...

    @property
    def features(self) -> tuple[int, int]: ...

class HiddenTrainer:
    """
    Learns moves and labels from trees, a batch of sentences at the same time.
    """

    def __init__(self, model: Model, columns: laconic._core.corpus.Columns, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], relations: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], random_moves: float, settings: object) -> None:
        """
        Counts features on the path of the oracle and off it: `random_moves` is the probability of another move. Settings are those of laconic.learn.HiddenSettings.
        """

    def start_vectors(self, template_index: int, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], vectors: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """Word vectors to start from, for one factored template."""

    def epoch(self, order: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], batch: int, explore: float, first: float, last: float, snapshots: int, seed: int) -> tuple[float, int]:
        """
        One pass, the rate going from one share of itself to another: its loss and decisions.
        """

    def settle(self) -> None:
        """The average of the snapshots takes the place of the weights."""

    def freeze(self, floor: int) -> laconic._core.learn.HiddenTable: ...

    @property
    def features(self) -> int: ...
