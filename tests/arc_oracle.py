"""What templates of kind `edge` read of an arc, written down plainly: the oracle for the compiled context."""

from __future__ import annotations

from collections.abc import Sequence

from laconic.features.language import Term

Heads = Sequence[int]


def children(heads: Heads, word: int) -> list[int]:
    return [child for child, head in enumerate(heads, 1) if head == word]


def beside(heads: Heads, word: int, offset: int) -> int:
    return word + offset if word and 1 <= word + offset <= len(heads) else 0


def step(heads: Heads, word: int, name: str) -> int:
    if not word:
        return 0
    own = children(heads, word)
    siblings = children(heads, heads[word - 1])
    place = siblings.index(word)
    match name:
        case "h":
            return heads[word - 1]
        case "lc":
            return own[0] if own else 0
        case "rc":
            return own[-1] if own else 0
        case "lc2":
            return own[1] if len(own) > 1 else 0
        case "rc2":
            return own[-2] if len(own) > 1 else 0
        case "ls":
            return siblings[place - 1] if place else 0
        case "rs":
            return siblings[place + 1] if place + 1 < len(siblings) else 0
        case "pw":
            return beside(heads, word, -1)
        case _:
            return beside(heads, word, 1)


def base(heads: Heads, mod: int, node: str) -> int:
    head = heads[mod - 1]
    match node:
        case "HEAD":
            return head
        case "GRAND":
            return heads[head - 1] if head else 0
        case "SIB":
            side = [word for word in children(heads, head) if min(head, mod) < word < max(head, mod)] if head else []
            return (max(side) if mod > head else min(side)) if side else 0
        case _:
            return mod


def words_of(term: Term, heads: Heads, mod: int) -> list[int]:
    """The words that a term looks at; 0 for one that does not exist."""
    address = term.address
    if address.node == "BETWEEN":
        head = heads[mod - 1]
        return list(range(min(head, mod) + 1, max(head, mod))) if head else []
    word = beside(heads, base(heads, mod, address.node), address.index)
    for name in address.path:
        word = step(heads, word, name)
    return (children(heads, word) if word else []) if address.children else [word]
