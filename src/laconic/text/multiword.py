"""Multiword tokens, learned from a treebank: a dictionary, and endings for tokens it does not have."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from laconic._core.text import Multiwords
from laconic.corpus import Doc

Words = tuple[str, ...]
"""Lower-cased words of a token; one word for most tokens."""

STEM = 3
"""How many letters before the change an ending may hold to be told from others."""


@dataclass(frozen=True)
class Thresholds:
    """What an ending must show in training before it is applied to tokens never seen."""

    types: int = 3
    """Different tokens that end so and are split so."""
    precision: float = 0.9
    """Share of the different tokens that end so."""


def learn_multiwords(doc: Doc, thresholds: Thresholds | None = None) -> Multiwords:
    """From the tokens of a document.

    A token is split if more than half of its occurrences are, into what they most often are. An ending is what is left
    of the token behind what it shares with its first word, with up to three letters before.
    """
    analyses = _analyses(doc)
    best = {form: counts.most_common(1)[0][0] for form, counts in sorted(analyses.items())}
    splits = {form: words for form, words in best.items() if len(words) > 1}
    endings = _endings(best, splits, thresholds or Thresholds())
    tokens = dict(splits)
    # Tokens that an ending would split but training does not, also those with typographic apostrophes, which are
    # otherwise split as with those of a typewriter.
    for form, words in best.items():
        straight = form.replace("\u2019", "'")
        known = straight in splits or any(straight[-size:] in endings for size in range(1, len(straight)))
        if len(words) == 1 and known:
            tokens[form] = ()
    entries = [*tokens.values(), *endings.values()]
    begins = [0]
    for entry in entries:
        begins.append(begins[-1] + len(entry))
    return Multiwords(list(tokens), list(endings), begins, [word for entry in entries for word in entry])


def _analyses(doc: Doc) -> dict[str, Counter[Words]]:
    analyses: dict[str, Counter[Words]] = defaultdict(Counter)
    for sentence in doc.sentences:
        words = sentence.words
        covered = 0
        for token in sentence.multiword_tokens:
            for word in words[covered : token.first - 1]:
                analyses[word.lower()][(word.lower(),)] += 1
            analyses[token.form.lower()][tuple(word.lower() for word in words[token.first - 1 : token.last])] += 1
            covered = token.last
        for word in words[covered:]:
            analyses[word.lower()][(word.lower(),)] += 1
    return analyses


def _endings(best: dict[str, Words], splits: dict[str, Words], thresholds: Thresholds) -> dict[str, Words]:
    """Ending to what it becomes: the end of the first word, then the other words."""
    votes: dict[str, Counter[Words]] = defaultdict(Counter)
    for form, words in splits.items():
        shared = _shared(form, words[0])
        for kept in range(STEM + 1):
            cut = shared - kept
            # Something must be left of the token, and something must be changed.
            if 0 < cut < len(form):
                votes[form[cut:]][(words[0][cut:], *words[1:])] += 1
    totals: Counter[str] = Counter()
    longest = max(map(len, votes), default=0)
    for form in best:
        for size in range(1, min(longest, len(form) - 1) + 1):
            if form[-size:] in votes:
                totals[form[-size:]] += 1
    kept_endings = {}
    for ending in sorted(votes):
        words, count = votes[ending].most_common(1)[0]
        if count >= thresholds.types and count >= thresholds.precision * totals[ending]:
            kept_endings[ending] = words
    return kept_endings


def _shared(a: str, b: str) -> int:
    """Length of the longest common beginning."""
    size = 0
    while size < min(len(a), len(b)) and a[size] == b[size]:
        size += 1
    return size
