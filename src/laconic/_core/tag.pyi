"""Core of laconic.tag: one label per word, left to right."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

import numpy
from numpy.typing import NDArray

import laconic._core.corpus
import laconic._core.features
import laconic._core.learn


class Candidates:
    """Which labels a word may get."""

    def __init__(self, sets: laconic._core.learn.LabelSets, open: int, given: Sequence[str], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], numbers: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], evidence: ScriptEvidence | None = None) -> None: ...

    @property
    def open(self) -> int: ...

    def keys(self) -> NDArray[numpy.uint64]: ...

    def numbers(self) -> NDArray[numpy.uint32]: ...

class WordClassifier:
    """How words are read, which labels they may get, weights."""

    def __init__(self, plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, candidates: Candidates, atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], table: laconic._core.learn.Table | None = None, form_templates: int = 18446744073709551615) -> None:
        """
        Sums at most so many templates for the form of each word of the lexicon, when it is first met.
        """

    @property
    def form_templates(self) -> int:
        """How many templates at the head of the plan are in the sums of forms."""

    def collect(self, examples: laconic._core.learn.Examples, columns: laconic._core.corpus.Columns, gold: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], types: bool = False) -> None:
        """
        One example per word of the sentences, gold labels to the left as history; or one per type of word.
        """

    def collect_atoms(self, decisions: laconic._core.learn.DecisionAtoms, columns: laconic._core.corpus.Columns, gold: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """The same decisions by the atoms of each slot."""

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

    def traces(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[laconic._core.learn.Trace]:
        """How each word of the sentences is decided, step by step."""

def given(columns: laconic._core.corpus.Columns, names: Sequence[str]) -> NDArray[numpy.uint32]:
    """
    Atoms of the first of these columns, of the first two together, and so on: a row each.
    """

class Scripts:
    """Edit scripts by number: how lemmas are made from forms."""

    def __init__(self, rows: Sequence[tuple[int, int, int, str, str]]) -> None: ...

    def __len__(self) -> int: ...

    def cut_keys(self, forms: Sequence[str], labels: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint64]:
        """
        What each form loses to a script, with the number of the script, as a key.
        """

class ScriptEvidence:
    """Which scripts may make the lemma of a word never seen."""

    def __init__(self, scripts: Scripts, cuts: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], bases: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], minimum: int) -> None: ...

    def cuts(self) -> NDArray[numpy.uint64]: ...

    def counts(self) -> NDArray[numpy.uint32]: ...

    def bases(self) -> NDArray[numpy.uint32]: ...

def base_atoms(columns: laconic._core.corpus.Columns, given: str, lemmas: bool = False) -> NDArray[numpy.uint32]:
    """
    The form of each word, or its lemma, with its value of a given column, as an atom.
    """

class Entries:
    """A user's word on lemmas."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None: ...

def derive(form: str, lemma: str) -> tuple[int, int, int, str, str]:
    """The script that makes the lemma from the form."""

def apply(script: tuple[int, int, int, str, str], form: str) -> str:
    """What a script makes of a form."""

def write_lemmas(columns: laconic._core.corpus.Columns, scripts: Scripts, entries: Entries, labels: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
    """Makes the lemma of every word."""

class Transitions:
    """Which BILOU labels may follow which; O, then B I L U of each type."""

    def __init__(self, types: int) -> None: ...

    @property
    def sets(self) -> laconic._core.learn.LabelSets: ...

    def after(self, before: int, last: bool, may_start: bool) -> int: ...

class Gazetteer:
    """Names of one or more words."""

    def __init__(self, bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], begins: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], entries: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    longest: Final[int] = ...
    """(arg: object, /) -> int"""

    def match(self, columns: laconic._core.corpus.Columns) -> NDArray[numpy.uint32]:
        """
        For each word the atom of its place in an entry: B, I, L, U; 1 outside of all.
        """

class History:
    """What forms were labelled in the last 1,000 words of a document."""

    def __init__(self, labels: int) -> None: ...

    window: Final[int] = ...
    """(arg: object, /) -> int"""

    def start(self) -> None:
        """A document starts: forget."""

    def note(self, form: str, label: int) -> None: ...

    def kept(self) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint16], NDArray[numpy.uint16]]:
        """
        Hashes of forms, labels and ages in words of what it holds, oldest first.
        """

    def restore(self, forms: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], ages: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """As if it had noted what `kept` gave."""

    def pass_word(self) -> None:
        """On to the next word."""

    def seen(self, form: str) -> int:
        """The most frequent label; 65535 if there is none."""

class EntityClassifier:
    """How words are read, gazetteers, and weights."""

    def __init__(self, plan: laconic._core.features.Plan, lexicon: laconic._core.features.Lexicon, transitions: Transitions, gazetteers: Mapping[str, Gazetteer], atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], table: laconic._core.learn.Table | None = None) -> None: ...

    def collect(self, examples: laconic._core.learn.Examples, columns: laconic._core.corpus.Columns, gold: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], noted: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        One example per word with a choice; `noted` are the labels that history shows.
        """

    def decide(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, history: History) -> tuple[NDArray[numpy.uint16], NDArray[numpy.uint32], int, NDArray[numpy.float32]]:
        """
        Label and templates computed for each word, the cache lines of weights read in all; no confidences.
        """

    def prefixes(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, depths: Sequence[int], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint16]]:
        """
        Lead and label of each word after each of the depths, along the trajectory that the exits give.
        """

    def traces(self, columns: laconic._core.corpus.Columns, exits: laconic._core.learn.Exits, sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[laconic._core.learn.Trace]:
        """How each word of the sentences is decided, step by step."""
