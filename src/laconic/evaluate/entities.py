"""Entities as spans of words, read from tags the way conlleval reads them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from laconic.errors import InputError
from laconic.evaluate.align import Alignment
from laconic.evaluate.judge import Coded, tally
from laconic.evaluate.score import Bools, Ints, Scores

# What a tag's letter says of its word. BILOU's L and U are other names of IOBES's E and S.
_OUTSIDE, _BEGIN, _INSIDE, _END, _SINGLE = range(5)
_LETTERS = {"O": _OUTSIDE, "B": _BEGIN, "I": _INSIDE, "E": _END, "L": _END, "S": _SINGLE, "U": _SINGLE}
UNANNOTATED = "_"


@dataclass(frozen=True, slots=True)
class Spans:
    """Entities: first word, last word, and type as an index into ``types``."""

    first: Ints
    last: Ints
    kind: Ints
    types: list[str]


def split_tag(tag: str) -> tuple[int, str]:
    """The role of a tag and its entity type. Raises InputError for what is not a tag of IOB, IOBES or BILOU."""
    letter, _, kind = ("O", "", "") if tag == UNANNOTATED else tag.partition("-")
    if letter not in _LETTERS or (letter == "O" and kind):
        raise InputError(f"{tag!r} is not an entity tag: expected O, or B- I- E- S- L- U- and a type")
    return _LETTERS[letter], kind


def find_spans(tags: Coded, sentence_starts: Ints) -> Spans:
    """The entities of a document. O(words), vectorised.

    A word starts an entity if its tag is B or single; if it is I or E after O, after E or single, or at the start of a
    sentence; and whenever the word before has another type. An entity lasts until the next start, O or sentence end.
    """
    codes, values = tags
    split = [split_tag(value) for value in values]
    types = sorted({kind for role, kind in split if role != _OUTSIDE})
    number = {kind: i for i, kind in enumerate(types)}
    role = np.array([role for role, _ in split], dtype=np.int64)[codes]
    kind = np.array([number.get(kind, -1) for _, kind in split], dtype=np.int64)[codes]

    opens_sentence = np.zeros(len(codes) + 1, dtype=np.bool_)
    opens_sentence[sentence_starts] = True
    before = np.concatenate(([_OUTSIDE], role[:-1]))
    closed = opens_sentence[:-1] | (before == _OUTSIDE) | (before == _END) | (before == _SINGLE)
    other_kind = np.concatenate(([True], kind[1:] != kind[:-1]))
    inside = role != _OUTSIDE
    starts = inside & ((role == _BEGIN) | (role == _SINGLE) | closed | other_kind)
    goes_on = np.append((inside & ~starts)[1:], False)
    first = np.flatnonzero(starts)
    last = np.flatnonzero(inside & ~goes_on)
    return Spans(first, last, kind[first], types)


def score_tags(alignment: Alignment, gold: Coded, system: Coded) -> Scores:
    """``score_spans`` of the entities that the tags of two documents mark."""
    codes, values = gold
    annotated = np.array([value != UNANNOTATED for value in values], dtype=np.bool_)[codes]
    return score_spans(
        alignment,
        find_spans(gold, alignment.gold.sentence_words),
        find_spans(system, alignment.system.sentence_words),
        annotated,
    )


def score_spans(alignment: Alignment, gold: Spans, system: Spans, annotated: Bools) -> Scores:
    """``NER`` over all types, then ``NER:TYPE`` for each: an entity is right if its bounds and its type are.

    Bounds are compared through the alignment of words, so the two sides may be tokenised differently. Entities of the
    system that touch a gold word without annotation (``annotated`` is false) are not counted.
    """
    types = sorted({*gold.types, *system.types})
    gold_kind, system_kind = _recode(gold, types), _recode(system, types)
    to_gold = alignment.gold_of_system()
    unknown = np.concatenate(([0], np.cumsum(~_seen(alignment, annotated))))
    counted = unknown[system.last + 1] == unknown[system.first]
    first, last = to_gold[system.first], to_gold[system.last]
    # A gold entity is known by its first word: no two share one.
    entity_at = np.full(alignment.gold.words + 1, -1, dtype=np.int64)
    entity_at[gold.first] = np.arange(len(gold.first))
    entity = entity_at[first]
    hit = counted & (entity >= 0)
    hit[hit] = (gold.last[entity[hit]] == last[hit]) & (gold_kind[entity[hit]] == system_kind[hit])

    gold_units, system_units = alignment.gold_units[gold.first], alignment.system_units[system.first]
    right_units = alignment.gold_units[first[hit]]
    counts = {"NER": tally(alignment.units, gold_units, system_units[counted], right_units)}
    for i, kind in enumerate(types):
        counts[f"NER:{kind}"] = tally(
            alignment.units,
            gold_units[gold_kind == i],
            system_units[counted & (system_kind == i)],
            right_units[system_kind[hit] == i],
        )
    return Scores(counts)


def _seen(alignment: Alignment, annotated: Bools) -> Bools:
    """Per system word whether gold says anything about it; a word that is not aligned is taken as seen."""
    seen = np.ones(alignment.system.words, dtype=np.bool_)
    seen[alignment.system_words] = annotated[alignment.gold_words]
    return seen


def _recode(spans: Spans, types: list[str]) -> Ints:
    number = {kind: i for i, kind in enumerate(types)}
    return np.array([number[kind] for kind in spans.types], dtype=np.int64)[spans.kind]
