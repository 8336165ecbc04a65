"""The scores of CoNLL-X (2006/07) and of the pipeline parser's paper: words are given, heads and labels are judged."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

import numpy as np

from laconic.corpus.doc import Codes
from laconic.evaluate.align import Alignment
from laconic.evaluate.judge import Judgement, count_words, tally
from laconic.evaluate.score import Bools, Counts, Ints, Scores

# The marks that are left out on English: comma, colon, full stop, single and double quotation marks.
ENGLISH_PUNCTUATION = frozenset([",", ":", ".", "'", "`", "''", "``", '"', "‘", "’", "“", "”"])


def is_punctuation(form: str) -> bool:
    """Whether all characters are punctuation in the sense of Unicode (categories P*), as in CoNLL-X's scorer."""
    return all(unicodedata.category(character)[0] == "P" for character in form)


def scoring_words(form_codes: Codes, forms: Sequence[str], left_out: Callable[[str], bool]) -> Bools:
    """Words that count, i.e. whose form is not ``left_out``."""
    counts: Bools = ~np.array([left_out(form) for form in forms], dtype=np.bool_)[form_codes]
    return counts


def judge_attachment(scoring: Bools, same_head: Bools, same_label: Bools | None) -> dict[str, Judgement]:
    """UAS and, where there are labels, LAS and label accuracy (``LA``), over words aligned one to one."""

    def over_scoring(correct: Bools) -> Judgement:
        return Judgement(scoring, scoring, correct)

    metrics = {"UAS": over_scoring(same_head)}
    if same_label is not None:
        metrics |= {"LAS": over_scoring(same_head & same_label), "LA": over_scoring(same_label)}
    return metrics


def score_pipeline(alignment: Alignment, scoring: Bools, gold: Ints, system: Ints) -> Scores:
    """Dependency, root, leaf and complete accuracy (Chang, Do & Roth 2007), from heads as word indices (-1: root).

    - ``Dependency``: right heads among scoring words whose gold head is a word.
    - ``Root``: sentences whose root words are exactly those of gold.
    - ``Leaf``: right heads among scoring words that have no child in gold.
    - ``Complete``: sentences in which all scoring words have the right head.
    """
    right = gold == system
    leaf = np.bincount(gold[gold >= 0], minlength=len(gold)) == 0

    def accuracy(words: Bools) -> Counts:
        return count_words(alignment, Judgement(words, words, right))

    def sentences(wrong: Bools) -> Counts:
        every = np.arange(alignment.units)
        flawless = np.bincount(alignment.gold_units[wrong], minlength=alignment.units) == 0
        return tally(alignment.units, every, every, every[flawless], every)

    return Scores(
        {
            "Dependency": accuracy(scoring & (gold >= 0)),
            "Root": sentences((gold < 0) != (system < 0)),
            "Leaf": accuracy(scoring & leaf),
            "Complete": sentences(scoring & ~right),
        }
    )
