"""Multiword tokens, learned from a treebank: a dictionary, and endings for tokens it does not have."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

from laconic._core.text import Multiwords
from laconic.corpus import Doc, Sentence

Words = tuple[str, ...]
"""Lower-cased words of a token; one word for most tokens."""
Token = tuple[str, Words]

STEM = 3
"""How many letters before the change an ending may hold to be told from others."""


@dataclass(frozen=True)
class Thresholds:
    """What an ending must show in training before it is applied to tokens never seen."""

    types: int = 3
    """Different tokens that end so and are split so."""
    precision: float = 0.9
    """Share of the different tokens that end so."""
    before: int = 2
    """How often a token must be something else than most often before the same token."""
    odds: float = 4.0
    """How much more often than what it is otherwise."""


def learn_multiwords(doc: Doc, thresholds: Thresholds | None = None) -> Multiwords:
    """From the tokens of a document.

    A token is split if more than half of its occurrences are, into what they most often are. One that is both is what
    it most often is before the same token, where that is clear. An ending is what is left of the token behind what it
    shares with its first word, with up to three letters before.
    """
    thresholds = thresholds or Thresholds()
    seen = [list(_tokens(sentence)) for sentence in doc.sentences]
    analyses: dict[str, Counter[Words]] = defaultdict(Counter)
    for form, words in chain.from_iterable(seen):
        analyses[form][words] += 1
    best = {form: counts.most_common(1)[0][0] for form, counts in sorted(analyses.items())}
    splits = {form: words for form, words in best.items() if len(words) > 1}
    endings = _endings(best, splits, thresholds)
    tokens = dict(splits)
    # Tokens that an ending would split but training does not, also those with typographic apostrophes, which are
    # otherwise split as with those of a typewriter.
    for form, words in best.items():
        straight = form.replace("\u2019", "'")
        known = straight in splits or any(straight[-size:] in endings for size in range(1, len(straight)))
        if len(words) == 1 and known:
            tokens[form] = ()
    tokens |= _before_others(seen, analyses, best, thresholds)
    entries = [*tokens.values(), *endings.values()]
    begins = [0]
    for entry in entries:
        begins.append(begins[-1] + len(entry))
    return Multiwords(list(tokens), list(endings), begins, [word for entry in entries for word in entry])


def _tokens(sentence: Sentence) -> Iterator[Token]:
    """Lower-cased tokens in their order."""
    words = [word.lower() for word in sentence.words]
    at = 0
    for token in sentence.multiword_tokens:
        yield from ((word, (word,)) for word in words[at : token.first - 1])
        yield token.form.lower(), tuple(words[token.first - 1 : token.last])
        at = token.last
    yield from ((word, (word,)) for word in words[at:])


def _before_others(
    seen: list[list[Token]], analyses: dict[str, Counter[Words]], best: dict[str, Words], thresholds: Thresholds
) -> dict[str, Words]:
    """Tokens with the one behind them, before which they are something else than most often: ``its`` before ``a``. What
    is written with an apostrophe and split (``it's``) tells where it is split without one, too."""
    several: dict[str, Words] = {}
    for form, counts in analyses.items():
        split = [words for words, _ in counts.most_common() if len(words) > 1]
        if split and len(split) < len(counts):
            several[form] = split[0]
    pairs: dict[tuple[str, str], Counter[Words]] = defaultdict(Counter)
    for tokens in seen:
        for (form, words), (behind, _) in pairwise(tokens):
            bare = form.replace("'", "").replace("\u2019", "")
            if form in several:
                pairs[form, behind][words] += 1
            elif bare in several and len(words) > 1:
                pairs[bare, behind][several[bare]] += 1
    found = {}
    for (form, behind), counts in sorted(pairs.items()):
        words, count = counts.most_common(1)[0]
        others = counts.total() - count
        if words != best[form] and count >= thresholds.before and count >= thresholds.odds * others:
            found[f"{form}\n{behind}"] = words if len(words) > 1 else ()
    return found


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
