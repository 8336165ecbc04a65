"""Core of laconic.graph: edges, decoders, locked arcs, rounds."""

from collections.abc import Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray

import laconic._core.corpus
import laconic._core.features
import laconic._core.learn


class Edges:
    """
    The edges of a sentence: which heads of each word are alive, and their scores.
    """

    def __init__(self, words: int, longest: int = 400, reach: int = 128, cells: int = 2560000) -> None:
        """All edges are alive, with score 0."""

    @property
    def words(self) -> int: ...

    @property
    def columns(self) -> int: ...

    @property
    def reach(self) -> int:
        """Distance of the farthest head but the root."""

    @property
    def dense(self) -> bool:
        """Is every column the head of that number?"""

    def heads(self) -> NDArray[numpy.int32]:
        """The head of each column of each word; -1 where there is none."""

    def set_scores(self, scores: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """By word and column."""

    def set_alive(self, alive: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """By word and column; columns without a head stay dead."""

    def alive(self) -> list:
        """The alive heads of each word."""

def vote(heads: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], single_root: bool = True) -> NDArray[numpy.int32]:
    """
    The trees with the most votes: heads by document and word, where sentences start and the last ends, and the weight of each arc.
    """

def best_heads(edges: Edges, single_root: bool = True, projective: bool = True) -> object:
    """
    The best head of each word; None where these are no tree that keeps to the rules.
    """

def best_arborescence(edges: Edges, single_root: bool = True) -> object:
    """The best tree, whose arcs may cross; None if there is no tree."""

def best_projective(edges: Edges, single_root: bool = True) -> object:
    """The best projective tree; None if there is none."""

def best_with_siblings(edges: Edges, parts: Annotated[NDArray[numpy.int32], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], single_root: bool = True) -> object:
    """
    The best projective tree by edges and adjacent siblings. Parts by head, modifier and sibling, without a sibling at the head.
    """

def climb(edges: Edges, parts: Annotated[NDArray[numpy.int32], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], heads: Sequence[int], single_root: bool = True) -> NDArray[numpy.int32]:
    """
    The tree that no other head of one word makes better, from a given one; arcs may cross.
    """

def best_tree(edges: Edges, single_root: bool = True, projective: bool = True) -> object:
    """
    The best tree by edges: the best heads where these are one, else by the decoder for the rules.
    """

def max_marginals(edges: Edges, single_root: bool = True) -> object:
    """
    The best sum, and for each word and column that of the best projective tree with this edge, the lowest 64-bit number where there is none; None if there is no tree.
    """

def prune(edges: Edges, share: float, single_root: bool = True) -> int | None:
    """
    Removes edges whose max-marginal is below share * best + (1 - share) * mean of all, a step of a pruning cascade. How many died; None, and nothing happens, if there is no projective tree.
    """

class Lengths:
    """How long arcs between two tags may be."""

    @overload
    def __init__(self) -> None: ...

    @overload
    def __init__(self, fine: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], coarse: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], fine_limits: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], coarse_limits: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], roots: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @staticmethod
    def learn(columns: laconic._core.corpus.Columns, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], minimum: int) -> Lengths:
        """The longest arc of each pair of tags in these trees."""

    def arrays(self) -> dict: ...

class ArcModel:
    """How possible arcs are read, and which of them are candidates."""

    def __init__(self, plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, lengths: Lengths, pos: str, groups: Sequence[int]) -> None: ...

    def keys(self, columns: laconic._core.corpus.Columns, sentence: int, head: int, modifier: int, sibling: int = -1) -> list[list[int]]:
        """The keys of the features of an arc, by template."""

    def scores(self, table: laconic._core.learn.Table, columns: laconic._core.corpus.Columns, sentence: int, groups: int) -> NDArray[numpy.int32]:
        """
        The scores of all candidates of a sentence after some groups, a row per modifier and a column per head; the lowest number for what is no candidate.
        """

class HeadSelection:
    """Training weights of possible arcs and what changes them."""

    def __init__(self, model: ArcModel, settings: object, columns: laconic._core.corpus.Columns, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], words: FactoredModel | None, tables: Sequence[FactoredTable], numbers: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Scores go on from those of a factored scorer, if there are tables of one: sentence i has those of table numbers[i].
        """

    def epoch(self, columns: laconic._core.corpus.Columns, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], first: float, last: float) -> tuple[float, int, int]:
        """
        One pass; the rate goes from one share of itself to another. Loss, words, and how many were right.
        """

    def snapshot(self) -> None: ...

    @property
    def features(self) -> int: ...

    def freeze(self, floor: int = 0) -> laconic._core.learn.Table: ...

class Mira:
    """
    Training weights of possible arcs, changed by one constraint a sentence.
    """

    def __init__(self, model: ArcModel, settings: object, columns: laconic._core.corpus.Columns, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], projective: bool, single_root: bool) -> None: ...

    def epoch(self, columns: laconic._core.corpus.Columns, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[float, int, int]:
        """One pass, a step a sentence. Loss, words, and how many were right."""

    @property
    def features(self) -> int: ...

    def freeze(self, floor: int = 0) -> laconic._core.learn.Table: ...

class FactoredModel:
    """How words are read as heads and as modifiers."""

    def __init__(self, heads: laconic._core.features.Plan, modifiers: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, lengths: Lengths, pos: str) -> None: ...

class FactoredTable:
    """Frozen weights of the factored scorer."""

    def __init__(self, *, heads: laconic._core.learn.HiddenTable, modifiers: laconic._core.learn.HiddenTable, head_shift: int, modifier_shift: int, pairs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], between: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def heads(self) -> laconic._core.learn.HiddenTable: ...

    @property
    def modifiers(self) -> laconic._core.learn.HiddenTable: ...

    @property
    def head_shift(self) -> int: ...

    @property
    def modifier_shift(self) -> int: ...

    @property
    def scale(self) -> float: ...

    def pairs(self) -> NDArray[numpy.int32]: ...

    def between(self) -> NDArray[numpy.int32]: ...

    def scores(self, model: FactoredModel, columns: laconic._core.corpus.Columns, sentence: int, scale: float) -> NDArray[numpy.int32]:
        """
        The scores of all arcs of a sentence, a row per modifier and a column per head, at this scale; the lowest number for a word as its own head.
        """

class FactoredTrainer:
    """Training weights of the factored scorer."""

    def __init__(self, model: FactoredModel, settings: object, columns: laconic._core.corpus.Columns, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Settings are those of laconic.learn.HiddenSettings."""

    def start_vectors(self, seed: int, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], vectors: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """Word vectors to start from, for templates with this seed."""

    def epoch(self, order: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], batch: int, first: float, last: float, snapshots: int = 0) -> tuple[float, int, int]:
        """
        One pass; the rate goes from one share of itself to another. Loss, words, and how many were right.
        """

    def settle(self) -> None:
        """The average of the snapshots takes the place of the weights."""

    def freeze(self, floor: int = 0) -> FactoredTable: ...

class SiblingModel:
    """How pairs of adjacent siblings are read and scored."""

    def __init__(self, parts: ArcModel, table: laconic._core.learn.Table, drop: float) -> None:
        """
        Heads that trail the best one of their word by `drop` have no siblings.
        """

    @property
    def drop(self) -> float: ...

class SiblingTrainer:
    """
    Training weights of pairs of siblings, changed by one constraint a sentence.
    """

    def __init__(self, parts: ArcModel, settings: object, models: Sequence[GraphModel], numbers: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: laconic._core.corpus.Columns, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], projective: bool, single_root: bool) -> None:
        """
        Arcs have the scores of models: sentence i those of models[numbers[i]].
        """

    def epoch(self, order: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[float, int, int]:
        """
        One pass over the sentences, by their numbers among those given, a step each. Loss, words with a choice in their sentence, and how many of these were right.
        """

    @property
    def features(self) -> int: ...

    def freeze(self, floor: int = 0) -> laconic._core.learn.Table: ...

class ArcPolicy:
    """A policy over meta-features and the features of arcs."""

    def __init__(self, weights: PolicyWeights, table: laconic._core.learn.Table) -> None: ...

    @property
    def weights(self) -> PolicyWeights: ...

def policy_table(keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], templates: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], of: int) -> laconic._core.learn.Table:
    """
    The rows of a policy: key and template of each feature, its weights by lane, and how many templates there are.
    """

class Parsed:
    """The trees of some sentences, and what they cost."""

    @property
    def heads(self) -> NDArray[numpy.int32]:
        """Of each word of the sentences."""

    @property
    def depths(self) -> NDArray[numpy.uint32]:
        """Groups computed for each word."""

    @property
    def begins(self) -> NDArray[numpy.uint64]:
        """Where the gaps of each word begin."""

    @property
    def gaps(self) -> NDArray[numpy.float32]:
        """
        How far the heads that a word chose from stayed behind its own, in real scores.
        """

    @property
    def candidates(self) -> NDArray[numpy.int32]:
        """The head of each gap."""

    @property
    def rows(self) -> int:
        """Rows of weights that were read."""

    @property
    def templates(self) -> int:
        """Templates that were added to arcs and parts."""

    @property
    def arcs(self) -> int:
        """Arcs that were candidates."""

    @property
    def rounds(self) -> NDArray[numpy.uint64]:
        """
        With propagation, for each round: how many sentences had it, open words, their edges, words locked and forced, edges dropped and ruled out, templates.
        """

class GraphModel:
    """A graph parser: how arcs are read and scored, group after group."""

    def __init__(self, arcs: ArcModel, table: laconic._core.learn.Table, words: FactoredModel | None = None, vectors: FactoredTable | None = None, siblings: SiblingModel | None = None) -> None: ...

    @property
    def groups(self) -> int:
        """Those of arcs, and behind them those of siblings."""

    @property
    def edge_groups(self) -> int:
        """Those of arcs."""

    @property
    def scale(self) -> float: ...

    def parse(self, columns: laconic._core.corpus.Columns, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], drops: Sequence[int], projective: bool, single_root: bool, propagation: str, gaps: bool = False, policy: ArcPolicy | None = None, groups: int | None = None, shares: Sequence[float] = [], reach: int = 8, known: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Parsed:
        """
        The trees of these sentences. `groups`: at most so many are added; `shares`: those of a pruning cascade behind each group, with the reach of its first pass. Words whose heads are known (not -1) keep them where there is such a tree, and are not scored.
        """

    def ask(self, columns: laconic._core.corpus.Columns, gold: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], drops: Sequence[int], projective: bool, single_root: bool, propagation: str, policy: ArcPolicy | None = None) -> tuple[Parsed, dict]:
        """
        What parse() gives with a policy, without one with the expert that locks gold heads; and what was asked: whether the head was the gold one, the next group, scores, lanes, and the features acquired.
        """

    def trailing(self, columns: laconic._core.corpus.Columns, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], projective: bool, single_root: bool) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.uint32]]:
        """
        How far the head of each word in the tree of all groups trails the best one after each group of arcs but the last, and after that where siblings follow; how far each candidate trails it, word after word; and how many candidates each word has.
        """

    def group_scores(self, columns: laconic._core.corpus.Columns, sentence: int) -> NDArray[numpy.int32]:
        """
        Scores after each group of arcs, of each modifier and head; the lowest number for what is no candidate.
        """

    def sibling_scores(self, columns: laconic._core.corpus.Columns, sentence: int, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int32]:
        """
        What each group of siblings says of each modifier and head while all other words of the document have these heads.
        """

LONGEST_WITH_SIBLINGS: int = 200

class Contributions:
    """What each group of a model adds to the arcs of some sentences."""

    def __init__(self, model: GraphModel, columns: laconic._core.corpus.Columns, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], projective: bool, single_root: bool) -> None: ...

    @property
    def groups(self) -> int: ...

    @property
    def words(self) -> int: ...

    @property
    def rows(self) -> list[float]:
        """Rows of weights that each group reads, per arc."""

    def right(self, chosen: Sequence[int], more: Sequence[int]) -> NDArray[numpy.uint32]:
        """
        How many words have their gold head by the groups chosen and one more, for each of those.
        """

class Faces:
    """
    Locked arcs of a sentence, and the heads that they leave to other words.
    """

    def __init__(self, words: int, single_root: bool = True, projective: bool = True) -> None: ...

    @property
    def words(self) -> int: ...

    @property
    def locked(self) -> int:
        """How many words are locked."""

    def candidates(self, word: int) -> list[int]:
        """
        The heads that some tree with all locked arcs gives to a word, in ascending order.
        """

    def lock(self, head: int, word: int) -> list[int]:
        """Locks an arc; returns the words whose candidates may have changed."""

    def regions(self) -> list[tuple[list[int], int]]:
        """
        Words on the border of each face, and the head of the arc above it, -1 for the first, which has none.
        """

class PolicyWeights:
    """
    What a linear policy weighs beside features of the edge: it locks where the sum is positive.
    """

    def __init__(self, bias: float, now: float, before: float, margin: float, groups: Sequence[float], temperature: float) -> None:
        """
        Of the squashed score now and before the last group, its margin over the best rival, and the next group.
        """

    @property
    def bias(self) -> float: ...

    @property
    def now(self) -> float: ...

    @property
    def before(self) -> float: ...

    @property
    def margin(self) -> float: ...

    @property
    def groups(self) -> list[float]: ...

    @property
    def temperature(self) -> float: ...

class RoundCounts:
    """One round of a sentence: what was decided, then computed."""

    @property
    def group(self) -> int: ...

    @property
    def parser(self) -> str: ...

    @property
    def locked(self) -> int:
        """Words locked by the policy."""

    @property
    def forced(self) -> int:
        """Words locked because one head was left."""

    @property
    def dropped(self) -> int:
        """Edges that trailed, or whose word was locked to another head."""

    @property
    def ruled_out(self) -> int:
        """Edges that locked arcs ruled out."""

    @property
    def kept(self) -> int:
        """Edges of the current tree that locked arcs would rule out."""

    @property
    def open(self) -> int:
        """Words that the group was added to."""

    @property
    def edges(self) -> int:
        """Alive edges of these words."""

    @property
    def templates(self) -> int: ...

    @property
    def rows(self) -> int: ...

class RoundsResult:
    """What the rounds of a sentence came to."""

    @property
    def rounds(self) -> list[RoundCounts]: ...

    @property
    def lifted(self) -> bool:
        """The edges given had no tree, so that all others came back."""

    @property
    def failed(self) -> bool:
        """The paper's propagation left no projective tree."""

class RoundTrace:
    """What happened in the rounds of a sentence."""

    @property
    def trees(self) -> list[list[int]]:
        """The heads after each round."""

    def candidates(self, round: int) -> dict[int, dict[int, int]]:
        """Of each word with several heads when a tree was decoded: their scores."""

    @property
    def events(self) -> list[tuple[int, int, int, str]]:
        """
        After which round, head, word, and what became of the edge: locked, forced (no other head was left), or the reason for which it died: trails, other head, crossing, cycle, second root.
        """

class CheckedTrace(RoundTrace):
    """A trace of rounds whose trees were decoded twice."""

    @property
    def sums(self) -> list[int]:
        """Of the tree of each round."""

    @property
    def sums_from_scratch(self) -> list[int]: ...

    @property
    def edges_alive(self) -> list[int]: ...

    @property
    def tree_is_alive(self) -> bool:
        """Were all edges of each tree alive?"""

def run_rounds(edges: Edges, groups: Annotated[NDArray[numpy.int32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], siblings: Annotated[NDArray[numpy.int32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], policy: str, thresholds: Sequence[int] = [], gold: Sequence[int] = [], single_root: bool = True, projective: bool = True, propagation: str = 'exact', by_score: bool = False, rounds: int | None = None, weights: PolicyWeights | None = None, acquired: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> tuple[NDArray[numpy.int32], RoundsResult, CheckedTrace]:
    """
    Dynamic feature selection with scores of groups from arrays: by parser (crossing, projective, siblings), group, word and head; siblings by group, head, modifier and sibling. Heads, counts, and a trace of which every tree was decoded once more from scratch.
    """
