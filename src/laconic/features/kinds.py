"""Context kinds: which nodes, steps and attributes the templates of a task may use.

This is the one table of what the reader of each kind reads: ``tests/features/test_kinds.py`` trains the components of
every kind with each attribute, node and step that it has here. The names are those of the core's tables
(``core/features/codes.hpp``). ``docs/templates.md`` says the same to users.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from laconic._core.features import CHARACTERS_BEFORE, CHARACTERS_BEHIND, DECISIONS_BEFORE, MAX_AFFIX
from laconic.errors import ConfigError, choices

MAX_INDEX = 99
TagColumn = Literal["upos", "xpos"]
"""What ``POS`` in templates can stand for."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a context. ``zero`` is how index 0 is written: ``STACK0`` but ``TOKEN``."""

    name: str
    meaning: str
    lowest: int = 0
    highest: int = 0
    zero: str = ""
    many: bool = False

    def print(self, index: int) -> str:
        if index == 0:
            return self.name + self.zero
        return f"{self.name}{index:+d}" if self.lowest < 0 else f"{self.name}{index}"

    @property
    def spelling(self) -> str:
        if self.lowest == self.highest:
            return self.name
        if self.highest == 0:
            return f"{self.name}-n"
        return f"{self.name}±n" if self.lowest < 0 else f"{self.name}n"


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of nodes. ``SUFFIX3`` has a number, ``FEAT:Case`` a name, ``CLUSTER:brown/4`` both.

    ``nodes`` restricts it to some nodes; ``left``, if not 0, to indices from ``-left`` to -1. ``columns`` are those of
    the document that it reads.
    """

    name: str
    meaning: str
    numbers: range = range(0)
    named: bool = False
    nodes: tuple[str, ...] = ()
    left: int = 0
    columns: tuple[str, ...] = ()

    def print(self, number: int, name: str) -> str:
        if self.named:
            return f"{self.name}:{name}/{number}" if number else f"{self.name}:{name}"
        return f"{self.name}{number}" if number else self.name

    @property
    def spelling(self) -> str:
        if self.named:
            return f"{self.name}:name[/n]" if self.numbers else f"{self.name}:name"
        return f"{self.name}n" if self.numbers else self.name


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """What the templates of one family of tasks may say. There is one object per kind: it is compared by identity."""

    name: str
    meaning: str
    nodes: dict[str, Node]
    attributes: dict[str, Attribute]
    steps: tuple[str, ...] = ()
    children: bool = False

    def __repr__(self) -> str:
        return f"<Kind {self.name}>"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return kind, (self.name,)


AFFIXES = range(1, MAX_AFFIX + 1)
WORD = (
    Attribute("LEX", "the form; skipped if the word is not in the lexicon"),
    Attribute("LOWER", "the lower-cased form; skipped if no word of the lexicon has it"),
    Attribute("PREFIX", "the first n characters, lower-cased; NOTHING if the word is shorter", AFFIXES),
    Attribute("SUFFIX", "the last n characters, lower-cased; NOTHING if the word is shorter", AFFIXES),
    Attribute("SHAPE", "the form with letters and digits replaced by their class: Xxx-dd"),
    Attribute("DIGIT", "are there digits: none, some, all"),
    Attribute("HYPHEN", "is there a hyphen"),
    Attribute("CASE", "lower, upper, title, mixed, or none if there is no cased letter"),
    Attribute("PUNCT", "are there punctuation marks or symbols: none, some, all"),
    Attribute("SCRIPT", "the script of the first letter"),
    Attribute("LEMMA", "the lemma", columns=("lemma",)),
    Attribute("UPOS", "the universal part of speech", columns=("upos",)),
    Attribute("XPOS", "the treebank's own part of speech", columns=("xpos",)),
    Attribute("FEATS", "all morphological features, as one value", columns=("feats",)),
    Attribute(
        "FEAT", "one morphological feature; NOTHING if the word does not have it", named=True, columns=("feats",)
    ),
    Attribute("MORPH", "UPOS, XPOS and FEATS together, as one value", columns=("upos", "xpos", "feats")),
)
AMBIGUITY = Attribute(
    "AMBIGUITY", "the labels seen with this form in training, as a class; one class for all unknown words"
)
DICTIONARIES = (
    Attribute("DICT", "the word's position in an entry of the gazetteer `name`, NOTHING outside of all", named=True),
    Attribute(
        "CLUSTER", "the cluster of the form in `name`, or the first n characters of it", range(1, 33), named=True
    ),
)
POS = Attribute("POS", "the tag that the component is configured to use: UPOS or XPOS")
DEP = Attribute("DEP", "the label of the arc to the head; NOTHING without an arc, skipped while the label is open")
ENTITY = Attribute("ENTITY", "the entity tag in the document", columns=("misc",))
STEPS = {
    "h": "head",
    "lc": "leftmost child, if it stands to the left",
    "rc": "rightmost child, if it stands to the right",
    "lc2": "second child from the left, if it stands to the left",
    "rc2": "second child from the right, if it stands to the right",
    "fc": "first child, on whichever side",
    "ec": "last child, on whichever side",
    "fc2": "second child, on whichever side",
    "ec2": "second last child, on whichever side",
    "ls": "nearest sibling to the left",
    "rs": "nearest sibling to the right",
    "pw": "previous word of the sentence",
    "fw": "following word of the sentence",
}
TREE = tuple(STEPS)
VALENCIES = (
    Attribute("VALENCY", "the number of children so far"),
    Attribute("LVALENCY", "the number of children to the left so far"),
    Attribute("RVALENCY", "the number of children to the right so far"),
)
TREE_STATE = (
    *VALENCIES,
    Attribute("HISTORY", "the n-th last decision", range(1, 10), nodes=("STATE",)),
)


def _offset(name: str, meaning: str, zero: str = "") -> Node:
    return Node(name, meaning, -MAX_INDEX, MAX_INDEX, zero)


def _count(name: str, meaning: str) -> Node:
    return Node(name, meaning, 0, MAX_INDEX, "0")


def _kind(
    name: str,
    meaning: str,
    nodes: tuple[Node, ...],
    attributes: tuple[Attribute, ...],
    steps: tuple[str, ...] = (),
    children: bool = False,
) -> Kind:
    # What is said of no node in particular would be nonsense on STATE.
    words = tuple(node.name for node in nodes if node.name != "STATE")
    checked = [attribute if attribute.nodes else replace(attribute, nodes=words) for attribute in attributes]
    return Kind(name, meaning, {n.name: n for n in nodes}, {a.name: a for a in checked}, steps, children)


def _between(origin: str, nodes: tuple[str, ...] = ()) -> tuple[Attribute, ...]:
    return (
        Attribute("DISTANCE", f"how many words away from {origin}, in steps that grow", nodes=nodes),
        Attribute("DIRECTION", f"on which side of {origin}", nodes=nodes),
    )


STATE = Node("STATE", "the state as a whole")
TOKEN = _offset("TOKEN", "the word to decide on, or one before or behind it")
TAG = Attribute("TAG", "what this component itself has just decided; only to the left", left=MAX_INDEX)
STRINGS = ("TOKEN", "CHUNK", "REST", "AHEAD")
KINDS = {
    kind.name: kind
    for kind in (
        _kind(
            "token",
            "words of a sentence from left to right: taggers, lemmatizers",
            (TOKEN,),
            (*WORD, AMBIGUITY, ENTITY, TAG),
        ),
        _kind(
            "entity",
            "words of a document from left to right: entity recognisers",
            (TOKEN,),
            (
                *WORD,
                AMBIGUITY,
                *DICTIONARIES,
                TAG,
                Attribute(
                    "SEEN", "what it has decided most often for the same form in the last 1,000 words of the document"
                ),
            ),
        ),
        _kind(
            "transition",
            "states of a transition parser",
            (_count("STACK", "the stack, 0 is its top"), _count("QUEUE", "the words to come, 0 is the next"), STATE),
            (*WORD, POS, DEP, ENTITY, *_between("QUEUE0"), *TREE_STATE),
            TREE,
            children=True,
        ),
        _kind(
            "arc",
            "arcs that a transition parser is about to make: their labels",
            (
                Node("HEAD", "the head"),
                Node("MOD", "the dependent"),
                _count("STACK", "the stack before the arc is made, 0 is its top"),
                _count("QUEUE", "the words to come, 0 is the next"),
                STATE,
            ),
            (*WORD, POS, DEP, ENTITY, *_between("HEAD", ("MOD",)), *TREE_STATE),
            TREE,
            children=True,
        ),
        _kind(
            "stepback",
            "states of the step-back parser: pairs of neighbours among the words not yet attached",
            (
                _offset("FOCUS", "the first word of the pair, or one before or behind it; FOCUS+1 is the second", "0"),
                STATE,
            ),
            (*WORD, POS, DEP, ENTITY, *_between("FOCUS0"), *TREE_STATE),
            TREE,
            children=True,
        ),
        _kind(
            "char",
            "characters of a text: segmenters",
            (
                Node(
                    "CHAR",
                    "the character to decide on, or one before or behind it; white space counts as one",
                    -CHARACTERS_BEFORE,
                    CHARACTERS_BEHIND,
                ),
                Node("TOKEN", "the token that would end here, or one before it in the sentence", -2, 0),
                Node("CHUNK", "all that stands around the character without white space"),
                Node("REST", "what follows of the chunk behind the character"),
                Node("AHEAD", "the next word or mark behind the character, or one behind it", 0, 2),
                STATE,
            ),
            (
                Attribute("CHAR", "the character", nodes=("CHAR",)),
                Attribute("LOWER", "the character or the string, lower-cased", nodes=("CHAR", *STRINGS)),
                Attribute(
                    "CLASS",
                    "upper, lower, letter, mark, digit, number, punctuation, symbol, space, other",
                    nodes=("CHAR",),
                ),
                Attribute("SCRIPT", "the script of a letter", nodes=("CHAR",)),
                replace(TAG, nodes=("CHAR",), left=DECISIONS_BEFORE),
                Attribute("SHAPE", "the classes of the string's characters, runs of one class as one", nodes=STRINGS),
                Attribute("LENGTH", "how many characters, or tokens so far in the sentence", nodes=(*STRINGS, "STATE")),
                Attribute("HABIT", "how training wrote the word inside sentences: lower, both, upper", nodes=STRINGS),
                Attribute(
                    "GAP", "the white space behind the character: none, space, wide, line, blank", nodes=("STATE",)
                ),
                Attribute("QUOTE", "is a quotation open in the sentence", nodes=("STATE",)),
                Attribute("BRACKET", "how many brackets are open in the sentence", nodes=("STATE",)),
                Attribute("DISTANCE", "characters to the begin of the line, if it ends here", nodes=("STATE",)),
            ),
        ),
        _kind(
            "edge",
            "arcs of a finished tree: labelers",
            (
                _offset("HEAD", "the head, or a word near to it in the sentence"),
                _offset("MOD", "the modifier, or a word near to it"),
                _offset("GRAND", "the head of the head, or a word near to it"),
                _offset("SIB", "the next modifier of the same head towards it, or a word near to it"),
                Node("BETWEEN", "each word between head and modifier", many=True),
            ),
            (*WORD, POS, DEP, ENTITY, *_between("HEAD", ("MOD", "GRAND", "SIB")), *VALENCIES),
            TREE,
            children=True,
        ),
        _kind(
            "node",
            "words of a finished tree, whatever arc they are looked at for: labelers by low-rank factors",
            (TOKEN,),
            (*WORD, POS, ENTITY, *VALENCIES),
            TREE,
            children=True,
        ),
        _kind(
            "candidate",
            "possible arcs, before there is a tree: graph parsers",
            (
                _offset("HEAD", "the head, or a word near to it in the sentence; the root stands before the first"),
                _offset("MOD", "the modifier, or a word near to it"),
                _offset("SIB", "the next modifier of the same head towards it, or a word near to it"),
                Node("BETWEEN", "each word between head and modifier", many=True),
            ),
            (
                *WORD,
                POS,
                ENTITY,
                *_between("HEAD", ("MOD", "SIB")),
                Attribute("GAP", "how many words SIB is away from MOD, in the steps of DISTANCE", nodes=("SIB",)),
            ),
        ),
    )
}


def kind(name: str) -> Kind:
    """The kind of this name; ConfigError, with what exists, if there is none."""
    if name not in KINDS:
        raise ConfigError(f"there is no context kind '{name}'; there are {choices(name, KINDS)}")
    return KINDS[name]
