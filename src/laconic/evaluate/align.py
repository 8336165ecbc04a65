"""Which word of the system is which word of gold, when the two may have split the same text differently.

Tokens are equal if they cover the same characters. Words of multiword tokens have no characters of their own: inside
the smallest stretch of text that no multiword token of either side sticks out of, they are aligned by the longest
common subsequence of their lower-cased forms. The procedure is the one of the CoNLL 2018 shared task, followed to the
letter, because its way of finding those stretches can be observed in the scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from laconic.errors import InputError
from laconic.evaluate.layout import TokenLayout
from laconic.evaluate.score import Bools, Ints


@dataclass(frozen=True, slots=True)
class Alignment:
    """Aligned words, and for everything on either side the gold sentence (the *unit*) it is counted in.

    What the system holds counts in the gold sentence in which its first character lies, so that the counts of several
    systems over the same gold can be compared sentence by sentence.
    """

    gold: TokenLayout
    system: TokenLayout
    gold_words: Ints  # aligned pairs, ascending on both sides
    system_words: Ints
    gold_units: Ints  # per gold word
    system_units: Ints  # per system word

    @property
    def units(self) -> int:
        return len(self.gold.sentence_words) - 1

    def gold_of_system(self) -> Ints:
        """Per system word the gold word aligned with it, or -1."""
        return _inverse(self.system_words, self.gold_words, self.system.words)

    def same_tokens(self) -> bool:
        """Whether both sides have the same words in the same sentences."""
        return self.gold.words == self.system.words == len(self.gold_words) and np.array_equal(
            self.gold.sentence_words, self.system.sentence_words
        )


def _inverse(keys: Ints, values: Ints, size: int) -> Ints:
    table = np.full(size, -1, dtype=np.int64)
    table[keys] = values
    return table


def same_spans(gold_bounds: Ints, system_bounds: Ints) -> tuple[Ints, Bools]:
    """For each span of gold: where it starts among the system's spans, and whether a span equal to it starts there."""
    starts, ends = gold_bounds[:-1], gold_bounds[1:]
    index = np.searchsorted(system_bounds[:-1], starts)
    index = np.minimum(index, len(system_bounds) - 2)
    return index, (system_bounds[index] == starts) & (system_bounds[index + 1] == ends)


def align(gold: TokenLayout, system: TokenLayout) -> Alignment:
    """Aligns the words of two documents over the same text.

    Runs of equal tokens are found by array operations; only where the sides differ is anything done word by word.
    Raises InputError where the texts diverge.
    """
    if gold.text != system.text:
        raise InputError(_divergence(gold, system))
    counterpart, regular = _counterparts(gold, system)
    gold_parts: list[Ints] = []
    system_parts: list[Ints] = []
    for gold_run, system_run in _walk(_Side.of(gold), _Side.of(system), counterpart, regular):
        gold_parts.append(gold_run)
        system_parts.append(system_run)
    return Alignment(
        gold=gold,
        system=system,
        gold_words=np.concatenate([_NOTHING, *gold_parts]),
        system_words=np.concatenate([_NOTHING, *system_parts]),
        gold_units=gold.sentence_of_word,
        system_units=gold.sentence_at(system.token_bounds[system.token_of_word]),
    )


_NOTHING = np.zeros(0, dtype=np.int64)


def _counterparts(gold: TokenLayout, system: TokenLayout) -> tuple[Ints, Bools]:
    """Per gold word the system word at the same position of an equal token, and whether there is one.

    A multiword token is equal if it also has the same words. A run of such words is aligned one to one.
    """
    index, equal = same_spans(gold.token_bounds, system.token_bounds)
    equal &= gold.multiword == system.multiword[index]
    equal &= np.diff(gold.token_words) == np.diff(system.token_words)[index]
    words = np.arange(gold.words)
    token = gold.token_of_word
    counterpart = system.token_words[index[token]] + words - gold.token_words[token]
    table = {key: code for code, key in enumerate(gold.keys)}
    system_key = np.array([table.get(key, -1) for key in system.keys], dtype=np.int64)[system.key_of_word]
    same = np.zeros(gold.words, dtype=np.bool_)
    known = equal[token]
    same[known] = ~gold.multiword[token[known]] | (gold.key_of_word[known] == system_key[counterpart[known]])
    regular: Bools = np.logical_and.reduceat(same, gold.token_words[:-1])
    return counterpart, regular[token]


@dataclass(frozen=True, slots=True)
class _Side:
    """A layout as plain lists over words, for code that goes word by word."""

    starts: list[int]
    ends: list[int]
    multiword: list[bool]
    keys: list[int]
    names: Sequence[str]

    @classmethod
    def of(cls, layout: TokenLayout) -> _Side:
        token = layout.token_of_word
        return cls(
            layout.token_bounds[token].tolist(),
            layout.token_bounds[token + 1].tolist(),
            layout.multiword[token].tolist(),
            layout.key_of_word.tolist(),
            layout.keys,
        )

    def beyond(self, word: int, end: int) -> bool:
        if word >= len(self.starts):
            return True
        return self.starts[word] >= end if self.multiword[word] else self.ends[word] > end

    def extend(self, word: int, end: int) -> int:
        return max(end, self.ends[word]) if self.multiword[word] else end

    def forms(self, first: int, last: int) -> list[str]:
        return [self.names[key] for key in self.keys[first:last]]


def _walk(gold: _Side, system: _Side, counterpart: Ints, regular: Bools) -> list[tuple[Ints, Ints]]:
    """Runs of aligned words, in order."""
    breaks = np.append(np.flatnonzero(~regular), len(regular))
    runs = []
    g = s = 0
    while g < len(gold.starts) and s < len(system.starts):
        if regular[g] and counterpart[g] == s:
            end = int(breaks[np.searchsorted(breaks, g)])
            runs.append((np.arange(g, end), np.arange(s, s + end - g)))
            s += end - g
            g = end
        elif gold.multiword[g] or system.multiword[s]:
            first_g, first_s, g, s = _multiword_span(gold, system, g, s)
            pairs = _common(gold.forms(first_g, g), system.forms(first_s, s))
            if pairs:
                found = np.array(pairs, dtype=np.int64)
                runs.append((found[:, 0] + first_g, found[:, 1] + first_s))
        elif gold.starts[g] == system.starts[s] and gold.ends[g] == system.ends[s]:
            runs.append((np.array([g]), np.array([s])))
            g += 1
            s += 1
        elif gold.starts[g] <= system.starts[s]:
            g += 1
        else:
            s += 1
    return runs


def _multiword_span(gold: _Side, system: _Side, g: int, s: int) -> tuple[int, int, int, int]:
    """First and end words, on both sides, of the stretch that starts with the multiword token at g or s.

    Only one word of the other side that starts earlier is skipped. Where that side split finer there may be more of
    them, and they stay in the stretch: the official scorer does so too.
    """
    if gold.multiword[g]:
        end = gold.ends[g]
        if not system.multiword[s] and system.starts[s] < gold.starts[g]:
            s += 1
    else:
        end = system.ends[s]
        if not gold.multiword[g] and gold.starts[g] < system.starts[s]:
            g += 1
    first_g, first_s = g, s
    while not (gold.beyond(g, end) and system.beyond(s, end)):
        if g < len(gold.starts) and (s >= len(system.starts) or gold.starts[g] <= system.starts[s]):
            end = gold.extend(g, end)
            g += 1
        else:
            end = system.extend(s, end)
            s += 1
    return first_g, first_s, g, s


def _common(gold: list[str], system: list[str]) -> list[tuple[int, int]]:
    """Pairs of a longest common subsequence; of several, the one that matches as early as possible."""
    longest = [[0] * (len(system) + 1) for _ in range(len(gold) + 1)]
    for g in reversed(range(len(gold))):
        for s in reversed(range(len(system))):
            meet = longest[g + 1][s + 1] + 1 if gold[g] == system[s] else 0
            longest[g][s] = max(meet, longest[g + 1][s], longest[g][s + 1])
    pairs = []
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold[g] == system[s]:
            pairs.append((g, s))
            g += 1
            s += 1
        elif longest[g][s] == longest[g + 1][s]:
            g += 1
        else:
            s += 1
    return pairs


def _divergence(gold: TokenLayout, system: TokenLayout) -> str:
    """Says where two texts part: the character, the sentence on either side, and what each goes on with."""
    size = min(len(gold.text), len(system.text))
    at = next((i for i, (a, b) in enumerate(zip(gold.text, system.text, strict=False)) if a != b), size)
    return (
        f"the texts differ, spaces aside, from character {at + 1} on, after {gold.text[max(0, at - 20) : at]!r}: "
        f"gold has {_next(gold, at)}, the system has {_next(system, at)}"
    )


def _next(layout: TokenLayout, at: int) -> str:
    if at >= len(layout.text):
        return "ended"
    sentence = int(np.searchsorted(layout.sentence_bounds, at, side="right"))
    return f"{layout.text[at : at + 20]!r} in sentence {sentence}"
