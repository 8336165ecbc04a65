"""What templates of kind `edge` read of an arc, written down plainly: the oracle for the compiled context.

Words are numbered from 1, 0 is the root, None a node that does not exist.
"""

from __future__ import annotations

from collections.abc import Sequence

from laconic.features.language import Term

Heads = Sequence[int]


def children(heads: Heads, word: int) -> list[int]:
    return [child for child, head in enumerate(heads, 1) if head == word]


def beside(heads: Heads, word: int | None, offset: int) -> int | None:
    """The root stands nowhere in the sentence: nothing is beside it."""
    return word + offset if word and 1 <= word + offset <= len(heads) else None


def first(words: Sequence[int], number: int = 0) -> int | None:
    return words[number] if number < len(words) else None


def step(heads: Heads, word: int | None, name: str) -> int | None:
    if word is None:
        return None
    own = children(heads, word)
    left, right = [child for child in own if child < word], [child for child in own if child > word]
    siblings = children(heads, heads[word - 1]) if word else []
    match name:
        case "h":
            return heads[word - 1] if word else None
        case "lc":
            return first(left)
        case "rc":
            return first(right[::-1])
        case "lc2":
            return first(left, 1)
        case "rc2":
            return first(right[::-1], 1)
        case "fc":
            return first(own)
        case "ec":
            return first(own[::-1])
        case "fc2":
            return first(own, 1)
        case "ec2":
            return first(own[::-1], 1)
        case "ls":
            return first([sibling for sibling in siblings if sibling < word][::-1])
        case "rs":
            return first([sibling for sibling in siblings if sibling > word])
        case "pw":
            return beside(heads, word, -1)
        case "fw":
            return beside(heads, word, 1)
    raise AssertionError(name)


def base(heads: Heads, mod: int, node: str) -> int | None:
    head = heads[mod - 1]
    match node:
        case "HEAD":
            return head
        case "GRAND":
            return heads[head - 1] if head else None
        case "SIB":
            side = [word for word in children(heads, head) if min(head, mod) < word < max(head, mod)] if head else []
            return (max(side) if mod > head else min(side)) if side else None
        case _:
            return mod


def words_of(term: Term, heads: Heads, mod: int) -> list[int | None]:
    """The words that a term looks at; None for one that does not exist, 0 for the root."""
    address = term.address
    if address.node == "BETWEEN":
        head = heads[mod - 1]
        return list(range(min(head, mod) + 1, max(head, mod))) if head else []
    word = base(heads, mod, address.node)
    if address.index:
        word = beside(heads, word, address.index)
    for name in address.path:
        word = step(heads, word, name)
    if address.children:
        return list(children(heads, word)) if word is not None else []
    return [word]
