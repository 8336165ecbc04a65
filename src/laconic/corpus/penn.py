"""Penn Treebank brackets, and their conversion to dependencies by head rules.

Empty elements (``-NONE-``) and the phrases left without words are removed, function tags and indices are cut off, and
each phrase gets the head that the table of Yamada & Matsumoto (2003) names; the heads of the other children depend on
it. Part-of-speech tags become XPOS. Words stay as the treebank writes them (``-LRB-``, ``1\\/2``). The trees are
projective and have one root each; their labels are ``root`` and ``dep``, since the brackets name no relations.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal

import numpy as np

from laconic._core import corpus as core
from laconic.errors import InputError

EMPTY = "-NONE-"
PUNCTUATION = frozenset({",", ":", ".", "``", "''", "-LRB-", "-RRB-"})


@dataclass(slots=True)
class PhraseTree:
    """A phrase with children, or a tagged word; ``line`` and ``column`` tell where its bracket opens."""

    label: str
    line: int = 0
    column: int = 0
    word: str | None = None
    children: list[PhraseTree] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Rule:
    """Look for ``labels``, all of the same rank, from the ``first`` or from the ``last`` child on."""

    side: Literal["first", "last"]
    labels: frozenset[str]


def _rules(side: Literal["first", "last"], *ranks: str) -> tuple[Rule, ...]:
    """One rule per rank; labels of the same rank are joined by ``|``."""
    return tuple(Rule(side, frozenset(rank.split("|")) if rank else frozenset()) for rank in (*ranks, ""))


_NOMINAL = _rules("last", "POS|NN|NNP|NNPS|NNS", "NX", "JJR", "CD", "JJ", "JJS", "RB", "QP", "NP")

# Yamada & Matsumoto 2003. The last rule of each list, without labels, stands for any child.
HEAD_RULES: dict[str, tuple[Rule, ...]] = {
    "NP": _NOMINAL,
    "NX": _NOMINAL,
    "ADJP": _rules(
        "last",
        "NNS",
        "QP",
        "NN",
        "$",
        "ADVP",
        "JJ",
        "VBN",
        "VBG",
        "ADJP",
        "JJR",
        "NP",
        "JJS",
        "DT",
        "FW",
        "RBR",
        "RBS",
        "SBAR",
        "RB",
    ),
    "ADVP": _rules("first", "RB", "RBR", "RBS", "FW", "ADVP", "TO", "CD", "JJR", "JJ", "IN", "NP", "JJS", "NN"),
    "CONJP": _rules("first", "CC", "RB", "IN"),
    "FRAG": _rules("first"),
    "INTJ": _rules("last"),
    "LST": _rules("first", "LS", ":"),
    "NAC": _rules(
        "last", "NN|NNS|NNP|NNPS", "NP", "NAC", "EX", "$", "CD", "QP", "PRP", "VBG", "JJ", "JJS", "JJR", "ADJP", "FW"
    ),
    "PP": _rules("first", "IN", "TO", "VBG", "VBN", "RP", "FW"),
    "PRN": _rules("last"),
    "PRT": _rules("first", "RP"),
    "QP": _rules("last", "$", "IN", "NNS", "NN", "JJ", "RB", "DT", "CD", "NCD", "QP", "JJR", "JJS"),
    "RRC": _rules("first", "VP", "NP", "ADVP", "ADJP", "PP"),
    "S": _rules("last", "TO", "IN", "VP", "S", "SBAR", "ADJP", "UCP", "NP"),
    "SBAR": _rules("last", "WHNP", "WHPP", "WHADVP", "WHADJP", "IN", "DT", "S", "SQ", "SINV", "SBAR", "FRAG"),
    "SBARQ": _rules("last", "SQ", "S", "SINV", "SBARQ", "FRAG"),
    "SINV": _rules("last", "VBZ", "VBD", "VBP", "VB", "MD", "VP", "S", "SINV", "ADJP", "NP"),
    "SQ": _rules("last", "VBZ", "VBD", "VBP", "VB", "MD", "VP", "SQ"),
    "UCP": _rules("first"),
    "VP": _rules("first", "VBD", "VBN", "MD", "VBZ", "VB", "VBG", "VBP", "VP", "ADJP", "NN", "NNS", "NP"),
    "WHADJP": _rules("last", "CC", "WRB", "JJ", "ADJP"),
    "WHADVP": _rules("first", "CC", "WRB"),
    "WHNP": _rules("last", "WDT", "WP", "WP$", "WHADJP", "WHPP", "WHNP"),
    "WHPP": _rules("first", "IN", "TO", "FW"),
    "X": _rules("last"),
}
_DEFAULT = _rules("last")


@dataclass(frozen=True, slots=True)
class Dependencies:
    """One converted sentence. ``heads`` are 1-based, 0 is the root."""

    forms: list[str]
    tags: list[str]
    heads: list[int]
    line: int


def parse_trees(
    lines: Iterable[str], file: str = "", first_line: int = 1, first_column: int = 1
) -> Iterator[PhraseTree]:
    """The trees of a bracketed text, one after another; brackets without a label around a tree are kept as the label
    ``""``.

    Raises InputError with file, line and column for a bracket that does not fit, a word outside of brackets, a tag
    with two words, or brackets without content. Linear, without recursion: nesting may be of any depth.
    """
    open_: list[PhraseTree] = []
    expects_label = False
    line = first_line - 1
    for line, text in enumerate(lines, first_line):
        for column, atom in _atoms(text, first_column if line == first_line else 1):
            if atom == "(":
                if open_ and open_[-1].word is not None:
                    raise InputError("a word and a bracket in one bracket", file, line, column)
                open_.append(PhraseTree("", line, column))
                expects_label = True
            elif atom == ")":
                if not open_:
                    raise InputError("a closing bracket that nothing opened", file, line, column)
                tree = open_.pop()
                expects_label = False
                if tree.word is None and not tree.children:
                    raise InputError(
                        "a bracket without content: expected (TAG word) or (LABEL (…) …)", file, line, column
                    )
                if open_:
                    open_[-1].children.append(tree)
                else:
                    yield tree
            elif not open_:
                raise InputError(f"expected an opening bracket, found {atom!r}", file, line, column)
            elif expects_label:
                open_[-1].label = atom
                expects_label = False
            elif open_[-1].word is not None or open_[-1].children:
                raise InputError(
                    f"unexpected {atom!r}: a tag takes one word, a phrase only brackets", file, line, column
                )
            elif not open_[-1].label:
                raise InputError(f"the word {atom!r} has no tag", file, line, column)
            else:
                open_[-1].word = atom
    if open_:
        start = open_[0]
        raise InputError(f"the file ends inside the tree that opens at line {start.line}", file, line, 0)


def _atoms(text: str, first: int) -> Iterator[tuple[int, str]]:
    """Brackets and runs of other characters with their columns, of which the ``first`` is given."""
    start = -1
    for at, char in enumerate(text):
        if char in "() \t\r\n\f":
            if start >= 0:
                yield start + first, text[start:at]
                start = -1
            if char in "()":
                yield at + first, char
        elif start < 0:
            start = at
    if start >= 0:
        yield start + first, text[start:]


def plain_label(label: str) -> str:
    """A label without function tags and indices: ``NP-SBJ-1`` is ``NP``, ``S=2`` is ``S``, ``-LRB-`` stays."""
    if label.startswith("-"):
        return label
    return label.partition("-")[0].partition("=")[0].partition("|")[0]


def head_child(label: str, children: list[str]) -> int:
    """Index of the head among the labels of a phrase's children. Punctuation is the head only where nothing else is
    there.
    """
    worthy = [i for i, child in enumerate(children) if child not in PUNCTUATION] or list(range(len(children)))
    for rule in HEAD_RULES.get(label, _DEFAULT):
        for i in worthy if rule.side == "first" else reversed(worthy):
            if not rule.labels or children[i] in rule.labels:
                return i
    raise ValueError("a phrase has at least one child")


def to_dependencies(tree: PhraseTree) -> Dependencies | None:
    """Forms, tags and heads of a tree; None if it has no words but empty elements. Linear, without recursion."""
    forms: list[str] = []
    tags: list[str] = []
    heads: list[int] = []
    # Each open phrase has the (label, head word) pairs of the children that hold words.
    found: list[list[tuple[str, int]]] = [[]]
    work: list[tuple[PhraseTree, bool]] = [(tree, False)]
    while work:
        node, done = work.pop()
        if done:
            children = found.pop()
            if not children:
                continue
            label = plain_label(node.label)
            top = children[head_child(label, [child for child, _ in children])][1]
            for _, word in children:
                if word != top:
                    heads[word - 1] = top
            # A bracket without a label is only a wrapper.
            found[-1].append((label or children[0][0], top))
        elif node.word is not None:
            if node.label == EMPTY:
                continue
            forms.append(node.word)
            tags.append(node.label)
            heads.append(0)
            found[-1].append((node.label, len(forms)))
        else:
            found.append([])
            work.append((node, True))
            work.extend((child, False) for child in reversed(node.children))
    return Dependencies(forms, tags, heads, tree.line) if forms else None


def read_brackets(
    source: bytes, file: str, first_line: int, lenient: bool, max_words: int, begin: int
) -> tuple[core.Columns, list[tuple[str, int, int]], int, int, int]:
    """Reads brackets into columns, called like every reader: see ``laconic.corpus.registry.SentenceReader``.

    A tree with a fault is left out when lenient; reading goes on behind it, and where it does not end, or something
    else stands before it, at the next line that starts with a bracket. Linear, however many faults there are.
    """
    found: list[Dependencies] = []
    faults: list[tuple[str, int, int]] = []
    unclosed: list[int] | None = None  # offsets of brackets that nothing closes, once there is one
    skipped = words = 0
    end, line = begin, first_line  # of what is read
    column = 1 + len(source[source.rfind(b"\n", 0, begin) + 1 : begin].decode(errors="replace"))
    while end < len(source):
        stop = _end_of_tree(source, end, unclosed)
        if stop is None and unclosed is None:
            unclosed = _unclosed(source, end)
        following = _next_line_with_bracket(source, end) if lenient and stop is None else len(source)
        try:
            result = _convert(source, end, following if stop is None else stop, file, line, column)
        except InputError as error:
            if not lenient:
                raise
            faults.append((error.reason, error.line, error.column))
            skipped += 1
            result = None
            content = _CONTENT.search(source, end)
            if stop is None or content is None or content[0] != b"(":
                stop = _next_line_with_bracket(source, end)
        stop = len(source) if stop is None else stop
        if result is not None:
            if found and words + len(result.forms) > max_words:
                break
            words += len(result.forms)
            found.append(result)
        last = source.rfind(b"\n", end, stop)
        line += source.count(b"\n", end, stop)
        column = (column if last < 0 else 1) + len(source[max(end, last + 1) : stop].decode(errors="replace"))
        end = stop
    return _columns(found), faults, skipped, end - begin, line


def _convert(source: bytes, begin: int, end: int, file: str, line: int, column: int) -> Dependencies | None:
    trees = list(parse_trees(_decoded(source, begin, end, file, line, column), file, line, column))
    return to_dependencies(trees[0]) if trees else None


def _decoded(source: bytes, begin: int, end: int, file: str, first_line: int, first_column: int) -> Iterator[str]:
    for line, data in enumerate(source[begin:end].split(b"\n"), first_line):
        before = first_column if line == first_line else 1
        if before - 1 + len(data) > core.longest_line:
            raise InputError(f"the line has more than {core.longest_line} bytes: expected shorter lines", file, line, 1)
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            column = before + len(data[: error.start].decode())
            raise InputError("invalid UTF-8: expected a file in UTF-8", file, line, column) from None
        if "\0" in text:
            raise InputError("a NUL byte: expected text", file, line, before + text.index("\0"))
        yield text


def _columns(found: list[Dependencies]) -> core.Columns:
    columns = core.build([len(one.forms) for one in found], list(chain.from_iterable(one.forms for one in found)))
    heads = np.fromiter(chain.from_iterable(one.heads for one in found), dtype=np.int32)
    columns.set_strings("xpos", list(chain.from_iterable(one.tags for one in found)))
    columns.set_codes("deprel", (heads == 0).astype(np.int32), ["dep", "root"])
    columns.heads[:] = heads
    return columns


_BRACKET = re.compile(rb"[()]")
_CONTENT = re.compile(rb"\S")


def _end_of_tree(source: bytes, begin: int, unclosed: list[int] | None) -> int | None:
    """Where the first tree from ``begin`` on ends, with the white space behind it if nothing else is there; the size of
    the source where there are no brackets; None where the tree does not end.
    """
    depth = 0
    for match in _BRACKET.finditer(source, begin):
        if depth == 0 and unclosed is not None:
            place = bisect_left(unclosed, match.start())
            if place < len(unclosed) and unclosed[place] == match.start():
                return None
        depth += 1 if match[0] == b"(" else -1
        if depth <= 0:
            return match.end() if _CONTENT.search(source, match.end()) else len(source)
    return None if depth else len(source)


def _unclosed(source: bytes, begin: int) -> list[int]:
    """Offsets of the opening brackets that nothing closes, ascending."""
    open_: list[int] = []
    for match in _BRACKET.finditer(source, begin):
        if match[0] == b"(":
            open_.append(match.start())
        elif open_:
            open_.pop()
    return open_


def _next_line_with_bracket(source: bytes, begin: int) -> int:
    """Where the next line that starts with a bracket starts, after the first thing that stands there."""
    content = _CONTENT.search(source, begin)
    found = source.find(b"\n(", content.start() if content else begin)
    return len(source) if found < 0 else found + 1


def after_last_tree(source: bytes) -> int:
    """How much of an incomplete source is surely whole trees."""
    depth = end = 0
    for match in _BRACKET.finditer(source):
        depth += 1 if match[0] == b"(" else -1
        if depth == 0:
            end = match.end()
    return end
