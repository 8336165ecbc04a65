"""Scoring documents: the way in. Each function reads the columns it needs, aligns the words, and counts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import Literal

import numpy as np

from laconic.corpus import Doc
from laconic.errors import InputError
from laconic.evaluate import groups, universal
from laconic.evaluate.align import Alignment, align
from laconic.evaluate.columns import NO_MULTIWORD, annotation_of, factorise, layout_of, tags_of
from laconic.evaluate.confusions import Confusion, confuse
from laconic.evaluate.conllx import ENGLISH_PUNCTUATION, is_punctuation, judge_attachment, score_pipeline, scoring_words
from laconic.evaluate.entities import UNANNOTATED, score_tags
from laconic.evaluate.judge import Judgement, count_words, joint_codes, same
from laconic.evaluate.layout import token_layout
from laconic.evaluate.score import Ints, Scores
from laconic.evaluate.trees import parents

Field = Literal["lemma", "upos", "xpos", "feats", "deprel"]
Grouping = Literal["deprel", "upos", "length", "known"]


def evaluate(gold: Doc, system: Doc, *, single_root: bool = True) -> Scores:
    """The metrics of Universal Dependencies, equal to the official scorer's.

    ``Tokens``, ``Sentences``, ``Words``, ``UPOS``, ``XPOS``, ``UFeats``, ``AllTags``, ``Lemmas``, and, unless one side
    has no heads at all, ``UAS``, ``LAS``, ``CLAS``, ``MLAS``, ``BLEX``. The two sides may differ in tokens, words and
    sentences, but not in their text, spaces aside.

    Raises InputError for documents without words, texts that differ, heads that are no trees, and, if ``single_root``,
    for sentences with several roots. Linear in the words; no Python loop over words where the tokens are equal.
    """
    alignment, judgements = _judge(gold, system, single_root)
    return universal.score(alignment, judgements)


def evaluate_conllx(gold: Doc, system: Doc, *, punctuation: bool = False) -> Scores:
    """``UAS``, ``LAS`` and label accuracy ``LA`` as in CoNLL-X, where labels are compared whole, subtypes included.

    Words whose characters are all Unicode punctuation count only if ``punctuation`` is true. Without labels on one side
    there is only ``UAS``. Raises InputError if the words differ or one side has no heads. Several roots are allowed.
    """
    alignment, gold_parents, system_parents = _given_words(gold, system)
    scoring = np.ones(len(gold), dtype=np.bool_)
    if not punctuation:
        scoring = scoring_words(*gold.codes("form"), is_punctuation)
    labels = None
    gold_label, system_label, values = joint_codes(gold.codes("deprel"), system.codes("deprel"))
    if _has_values(gold_label, values) and _has_values(system_label, values):
        labels = gold_label == system_label
    judgements = judge_attachment(scoring, gold_parents == system_parents, labels)
    return Scores({name: count_words(alignment, one) for name, one in judgements.items()})


def evaluate_pipeline(gold: Doc, system: Doc, *, left_out: Collection[str] = ENGLISH_PUNCTUATION) -> Scores:
    """``Dependency``, ``Root``, ``Leaf`` and ``Complete`` accuracy of Chang, Do & Roth (2007).

    Words whose form is ``left_out`` are not scored; by default these are the paper's English punctuation marks. Raises
    InputError if the words differ or one side has no heads. Several roots are allowed.
    """
    alignment, gold_parents, system_parents = _given_words(gold, system)
    marks = frozenset(left_out)
    scoring = scoring_words(*gold.codes("form"), marks.__contains__)
    return score_pipeline(alignment, scoring, gold_parents, system_parents)


def evaluate_entities(gold: Doc, system: Doc, *, key: str = "NER") -> Scores:
    """Precision, recall and F1 of entities, as by conlleval: ``NER`` over all types and ``NER:TYPE`` for each.

    Tags (IOB, IOBES or BILOU) are read from ``key=`` in MISC. A gold word without a tag is unannotated: entities of the
    system that touch it are not counted. A system word without a tag is outside. The sides may be tokenised
    differently.

    Raises InputError if the texts differ, gold has no tag at all, or something is not a tag.
    """
    alignment = _align(gold, system)
    gold_tags, system_tags = tags_of(gold, key), tags_of(system, key)
    if all(tag == UNANNOTATED for tag in gold_tags[1]):
        raise InputError(f"the gold document has no entity tags: no word has {key}= in MISC")
    return score_tags(alignment, gold_tags, system_tags)


def evaluate_tags(gold: Sequence[Sequence[str]], system: Sequence[Sequence[str]]) -> Scores:
    """``evaluate_entities`` for sentences of bare tags over the same words."""
    sizes = [len(sentence) for sentence in gold]
    if sizes != [len(sentence) for sentence in system]:
        raise InputError("gold and system do not have the same numbers of tags in each sentence")
    starts = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
    words = np.zeros(starts[-1], dtype=np.int32)
    layout = token_layout(words, ["w"], starts, NO_MULTIWORD, "gold")
    gold_tags, system_tags = (factorise(chain.from_iterable(side)) for side in (gold, system))
    return score_tags(align(layout, layout), gold_tags, system_tags)


def breakdown(
    gold: Doc,
    system: Doc,
    by: Grouping,
    *,
    side: groups.Side = "each",
    lengths: Sequence[int] = (10, 20, 30, 40),
    known: Collection[str] | None = None,
    single_root: bool = True,
) -> dict[str, Scores]:
    """The word-level metrics of ``evaluate`` in groups of words; ``side`` as in ``split``.

    ``deprel`` (without subtypes), ``upos``; ``length`` of the gold sentence, up to each of ``lengths`` and beyond;
    ``known`` and ``unknown``: whether the form is among ``known``, the forms of the training data.
    """
    alignment, judgements = _judge(gold, system, single_root)
    return groups.split(alignment, judgements, _group(alignment, gold, system, by, lengths, known), side)


def confusion(gold: Doc, system: Doc, field: Field, *, subtypes: bool = True) -> Confusion:
    """What was taken for what among the aligned words; ``subtypes=False`` reduces relations to the universal ones."""
    normal = universal.universal_relation if field == "deprel" and not subtypes else same
    return confuse(_align(gold, system), *joint_codes(gold.codes(field), system.codes(field), normal))


def _group(
    alignment: Alignment, gold: Doc, system: Doc, by: Grouping, lengths: Sequence[int], known: Collection[str] | None
) -> groups.Groups:
    match by:
        case "length":
            return groups.by_length(alignment, lengths)
        case "upos":
            return groups.Groups(*joint_codes(gold.codes("upos"), system.codes("upos")))
        case "deprel":
            relation = universal.universal_relation
            return groups.Groups(*joint_codes(gold.codes("deprel"), system.codes("deprel"), relation))
        case "known":
            if known is None:
                raise ValueError("a breakdown by known words needs the known forms")
            forms = frozenset(known)
            pair = joint_codes(
                gold.codes("form"), system.codes("form"), lambda form: "known" if form in forms else "unknown"
            )
            return groups.Groups(*pair)
    raise ValueError(f"cannot break down by {by!r}: deprel, upos, length and known are possible")


def _judge(gold: Doc, system: Doc, single_root: bool) -> tuple[Alignment, dict[str, Judgement]]:
    alignment = _align(gold, system)
    return alignment, universal.judge(
        alignment,
        annotation_of(gold, alignment.gold, "gold", single_root),
        annotation_of(system, alignment.system, "system", single_root),
    )


def _given_words(gold: Doc, system: Doc) -> tuple[Alignment, Ints, Ints]:
    alignment = _align(gold, system)
    if not alignment.same_tokens():
        raise InputError("gold and system are not split into the same words and sentences, as these scores demand")
    gold_parents = parents(gold.heads, alignment.gold.sentence_words, "gold", single_root=False)
    system_parents = parents(system.heads, alignment.system.sentence_words, "system", single_root=False)
    if gold_parents is None or system_parents is None:
        raise InputError(f"the {'gold' if gold_parents is None else 'system'} document has no heads")
    return alignment, gold_parents, system_parents


def _align(gold: Doc, system: Doc) -> Alignment:
    return align(layout_of(gold, "gold"), layout_of(system, "system"))


def _has_values(codes: Ints, values: list[str]) -> bool:
    return any(values[code] != "_" for code in np.unique(codes).tolist())
