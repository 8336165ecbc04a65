"""The metrics of Universal Dependencies, as in the CoNLL 2018 shared task and its official scorer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from laconic.evaluate.align import Alignment, same_spans
from laconic.evaluate.judge import Coded, Judgement, count_words, joint_codes, tally
from laconic.evaluate.score import Bools, Counts, Ints, Scores

# fmt: off
CONTENT_RELATIONS = frozenset([
    "acl", "advcl", "advmod", "amod", "appos", "ccomp", "compound", "conj", "csubj", "dep", "discourse", "dislocated",
    "expl", "fixed", "flat", "goeswith", "iobj", "list", "nmod", "nsubj", "nummod", "obj", "obl", "orphan", "parataxis",
    "reparandum", "root", "vocative", "xcomp",
])
FUNCTION_RELATIONS = frozenset(["aux", "case", "cc", "clf", "cop", "det", "mark"])
UNIVERSAL_FEATURES = frozenset([
    "Abbr", "Animacy", "Aspect", "Case", "Definite", "Degree", "Evident", "Foreign", "Gender", "Mood", "NumType",
    "Number", "Person", "Polarity", "Polite", "Poss", "PronType", "Reflex", "Tense", "VerbForm", "Voice",
])
# fmt: on


def universal_features(feats: str) -> str:
    """The features that Universal Dependencies define for all languages, sorted."""
    return "|".join(sorted(pair for pair in feats.split("|") if pair.partition("=")[0] in UNIVERSAL_FEATURES))


def universal_relation(deprel: str) -> str:
    """The relation without its subtype."""
    return deprel.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Annotation:
    """What the metrics look at, on one side: a coded column for each field, and heads as document-wide word indices."""

    lemma: Coded
    upos: Coded
    xpos: Coded
    feats: Coded
    deprel: Coded
    parents: Ints | None


def judge(alignment: Alignment, gold: Annotation, system: Annotation) -> dict[str, Judgement]:
    """The word-level metrics, from Words to BLEX. Those that need heads are left out unless both sides have them."""
    at_gold, at_system = alignment.gold_words, alignment.system_words
    all_gold = np.ones(alignment.gold.words, dtype=np.bool_)
    all_system = np.ones(alignment.system.words, dtype=np.bool_)

    def agree(pair: tuple[Ints, Ints, list[str]]) -> Bools:
        return np.equal(pair[0][at_gold], pair[1][at_system])

    upos = joint_codes(gold.upos, system.upos)
    feats = joint_codes(gold.feats, system.feats, universal_features)
    lemma = joint_codes(gold.lemma, system.lemma)
    same_upos, same_xpos = agree(upos), agree(joint_codes(gold.xpos, system.xpos))
    same_feats = agree(feats)
    # Where gold has no lemma there is none to miss.
    same_lemma = agree(lemma) | _among(lemma[2], frozenset("_"))[lemma[0][at_gold]]

    def every_word(correct: Bools) -> Judgement:
        return Judgement(all_gold, all_system, correct)

    metrics = {
        "Words": Judgement(all_gold, all_system, np.ones(len(at_gold), dtype=np.bool_), on_aligned=False),
        "UPOS": every_word(same_upos),
        "XPOS": every_word(same_xpos),
        "UFeats": every_word(same_feats),
        "AllTags": every_word(same_upos & same_xpos & same_feats),
        "Lemmas": every_word(same_lemma),
    }
    if gold.parents is None or system.parents is None:
        return metrics

    deprel = joint_codes(gold.deprel, system.deprel, universal_relation)
    same_deprel = agree(deprel)
    same_head = gold.parents[at_gold] == heads_in_gold(alignment, system.parents)[at_system]
    attached = same_head & same_deprel
    content = _among(deprel[2], CONTENT_RELATIONS)
    content_gold, content_system = content[deprel[0]], content[deprel[1]]
    function = _among(deprel[2], FUNCTION_RELATIONS)
    gold_children = _children(gold.parents, function[deprel[0]])
    system_children = _children(system.parents, function[deprel[1]])
    # Children are compared in the order of the words, which alignment keeps: equal lists are equal numbers of children
    # all of which are right.
    right_child = np.zeros(alignment.gold.words, dtype=np.bool_)
    right_child[at_gold] = attached & same_upos & same_feats
    right_children = _children(gold.parents, right_child & function[deprel[0]])
    same_children = (gold_children[at_gold] == system_children[at_system]) & (
        gold_children[at_gold] == right_children[at_gold]
    )

    def content_words(correct: Bools) -> Judgement:
        return Judgement(content_gold, content_system, correct)

    return metrics | {
        "UAS": every_word(same_head),
        "LAS": every_word(attached),
        "CLAS": content_words(attached),
        "MLAS": content_words(attached & same_upos & same_feats & same_children),
        "BLEX": content_words(attached & same_lemma),
    }


def score(alignment: Alignment, judgements: dict[str, Judgement]) -> Scores:
    """Tokens and Sentences by their spans, then the judged metrics."""
    gold, system = alignment.gold, alignment.system
    counts = {
        "Tokens": count_spans(alignment, gold.token_bounds, system.token_bounds),
        "Sentences": count_spans(alignment, gold.sentence_bounds, system.sentence_bounds),
    }
    return Scores(counts | {name: count_words(alignment, one) for name, one in judgements.items()})


def count_spans(alignment: Alignment, gold: Ints, system: Ints) -> Counts:
    """Counts of a metric that compares spans of characters, each counted where it starts."""
    _, equal = same_spans(gold, system)
    units = alignment.gold.sentence_at(gold[:-1])
    return tally(alignment.units, units, alignment.gold.sentence_at(system[:-1]), units[equal])


def heads_in_gold(alignment: Alignment, parents: Ints) -> Ints:
    """The system's heads as gold words: -1 for a root, -2 for a head that is not aligned."""
    to_gold = alignment.gold_of_system()
    # The last entry is what index -1, the head of a root, finds.
    in_gold: Ints = np.append(np.where(to_gold < 0, -2, to_gold), -1)[parents]
    return in_gold


def _among(values: list[str], wanted: frozenset[str]) -> Bools:
    return np.array([value in wanted for value in values], dtype=np.bool_)


def _children(parents: Ints, which: Bools) -> Ints:
    """How many of these words hang on each word."""
    heads = parents[which]
    return np.bincount(heads[heads >= 0], minlength=len(parents))
