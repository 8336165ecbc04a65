"""Text made from a treebank's own sentences, to show a segmenter what the treebank shows too little of."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError

LISTS = Path(__file__).with_name("abbreviations")
PLACES = ("before-name", "before-number", "behind-name", "behind-number", "within", "at-end", "name-prefix")
"""Where an abbreviation stands: before or behind a name or number, before a word in lower case, at the end of a
sentence (as those behind something do, too). A prefix is written together with a name."""
BULLETS = ("-", "*", "•", "–")
WIDTHS = (45, 100)
"""Characters of a line of wrapped text, from and to."""
INSERTED = 0.3
"""Share of the sentences of made text that get an abbreviation, if they have a place for it."""
TYPESET = 0.3
"""Share of those that get the marks of typeset text: curly quotes and apostrophes, an ellipsis in one character."""
QUOTED, DASHED, PREFIXED = 0.2, 0.2, 0.05
"""Shares of those of which a part is put into quotes, or set off by dashes in place of commas, and of those of which a
name gets a prefix with an apostrophe."""
QUOTES = (("\u201c", "\u201d"), ("\u2018", "\u2019"), ('"', '"'))
MARKS = {mark for pair in QUOTES for mark in pair} | {"'"}
DASHES = ("--", "-", "\u2013", "\u2014")


@dataclass(frozen=True)
class WrittenToken:
    """A token of a text, and what stands behind it before the next."""

    form: str
    gap: str
    name: bool = False


WrittenTokens = list[WrittenToken]


@dataclass(frozen=True)
class Made:
    """A text in which the sentence i is made from the sentence ``sources[i]`` of the treebank."""

    doc: Doc
    sources: list[int]


def read_abbreviations(chosen: str) -> dict[str, list[str]]:
    """A shipped list by its name, or a file in UTF-8 whose path ends in ``.txt``: on each line a place, a colon, and
    abbreviations separated by spaces. InputError with the line of what is wrong."""
    if chosen == "none":
        return {}
    path = Path(chosen) if chosen.endswith(".txt") else LISTS / f"{chosen}.txt"
    if not path.exists():
        known = ", ".join(sorted(one.stem for one in LISTS.glob("*.txt")))
        raise ConfigError(
            f"there is no list of abbreviations {chosen!r}: give one of {known}, none, or the path of a .txt file"
        )
    found: dict[str, list[str]] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        place, colon, words = line.partition(":")
        if place not in PLACES or not colon:
            raise InputError(f"expected one of {', '.join(PLACES)} and a colon", str(path), number)
        found.setdefault(place, []).extend(words.split())
    return found


def made_text(doc: Doc, share: float, abbreviations: Mapping[str, Sequence[str]], seed: int) -> Made | None:
    """Paragraphs drawn from a document, about that share of them, each in one of the ways in which text is laid out:
    a sentence a line (some of them as list items, some without their full stop), lines wrapped at some width, a
    paragraph a line. A few are lower-cased, or have quotes, dashes or typeset marks. None where nothing is drawn. Cost:
    linear."""
    source = random.Random(seed)
    made: list[WrittenTokens] = []
    sources: list[int] = []
    for paragraph in _paragraphs(doc):
        if source.random() >= share:
            continue
        rows = [(number, _changed(sentence, abbreviations, source)) for number, sentence in paragraph]
        layout = source.choice((_one_a_line, _wrapped, _one_line))
        sentences = layout([sentence for _, sentence in rows], source)
        if source.random() < 0.1:
            sentences = [[replace(token, form=token.form.lower()) for token in one] for one in sentences]
        made += sentences
        sources += [number for number, _ in rows]
    if not made:
        return None
    words = [[token.form for token in sentence] for sentence in made]
    misc = [[_misc(token.gap) for token in sentence] for sentence in made]
    return Made(Doc.from_words(words, misc=misc), sources)


def _misc(gap: str) -> str:
    if not gap:
        return "SpaceAfter=No"
    return "_" if gap == " " else "SpacesAfter=" + gap.replace("\n", "\\n").replace(" ", "\\s")


def _paragraphs(doc: Doc) -> Iterator[list[tuple[int, WrittenTokens]]]:
    text, starts, ends, upos = doc.text, doc.starts.tolist(), doc.ends.tolist(), doc.strings("upos")
    paragraph: list[tuple[int, WrittenTokens]] = []
    for number, sentence in enumerate(doc.sentences):
        words = range(sentence.begin, sentence.begin + len(sentence.words))
        if (sentence.newpar is not None or sentence.newdoc is not None) and paragraph:
            yield paragraph
            paragraph = []
        spans: dict[int, tuple[int, int]] = {word: (starts[word], ends[word]) for word in words}
        for token in sentence.multiword_tokens:
            inner = range(sentence.begin + token.first - 1, sentence.begin + token.last)
            spans |= dict.fromkeys(inner, (starts[inner[0]], max(ends[word] for word in inner)))
        if any(start < 0 for start, _ in spans.values()):
            continue
        tokens: dict[tuple[int, int], bool] = {}
        for word, span in spans.items():
            tokens.setdefault(span, upos[word] == "PROPN")
        order = sorted(tokens)
        row = [
            WrittenToken(text[begin:end], " " if behind > end else "", tokens[(begin, end)])
            for (begin, end), (behind, _) in zip(order, [*order[1:], (order[-1][1] + 1, 0)], strict=True)
        ]
        if not any(any(c.isspace() for c in token.form) for token in row):
            paragraph.append((number, row))
    if paragraph:
        yield paragraph


def _changed(
    sentence: WrittenTokens, abbreviations: Mapping[str, Sequence[str]], source: random.Random
) -> WrittenTokens:
    """With an abbreviation or initials at a fitting place, a part in quotes or between dashes, or the marks of typeset
    text."""
    if abbreviations and source.random() < INSERTED:
        sentence = _with_abbreviation(sentence, abbreviations, source)
    if source.random() < QUOTED:
        sentence = _with_quotes(sentence, source)
    if source.random() < PREFIXED:
        sentence = _with_prefix(sentence, abbreviations.get("name-prefix", ()), source)
    if source.random() < DASHED:
        sentence = _with_dashes(sentence, source)
    if source.random() < TYPESET:
        sentence = _typeset(sentence, source)
    return sentence


def _with_abbreviation(
    sentence: WrittenTokens, abbreviations: Mapping[str, Sequence[str]], source: random.Random
) -> WrittenTokens:
    places: list[tuple[str, int]] = []
    last = len(sentence) - 1
    for i, token in enumerate(sentence):
        titled = token.form.istitle() and token.form.isalpha() and len(token.form) > 1
        apart = i == 0 or sentence[i - 1].gap == " "
        if token.name and titled and apart:
            places += [("before-name", i), ("initials", i)]
        if token.form.isdigit() and apart and i:
            places.append(("before-number", i))
        ends = i + 1 == last and sentence[last].form == "."
        goes_on = i < last and token.gap == " " and sentence[i + 1].form.islower()
        if ends or goes_on:
            places += [("behind-name", i)] * (token.name and titled) + [("behind-number", i)] * token.form.isdigit()
        if ends and token.form.islower():
            places.append(("at-end", i))
        if token.form.islower() and i and apart:
            places.append(("within", i))
    # Each kind is as likely as the others, however many places it has.
    kinds = sorted({kind for kind, _ in places if kind == "initials" or kind in abbreviations})
    if not kinds:
        return sentence
    kind = source.choice(kinds)
    at = source.choice([i for other, i in places if other == kind])
    letters = [f"{source.choice('ABCDEFGHJKLMNPRSTW')}." for _ in range(source.choice((1, 2)))]
    chosen = letters if kind == "initials" else [source.choice(list(abbreviations[kind]))]
    added = [WrittenToken(form, " ") for form in chosen]
    if kind in ("initials", "before-name", "before-number", "within"):
        return [*sentence[:at], *added, *sentence[at:]]
    before = [*sentence[:at], replace(sentence[at], gap=" ")]
    # The full stop of the abbreviation is that of the sentence.
    return (
        [*before, *added] if at + 1 == last and sentence[last].form == "." else [*before, *added, *sentence[at + 1 :]]
    )


def _with_quotes(sentence: WrittenTokens, source: random.Random) -> WrittenTokens:
    """Some neighbouring tokens, or all, between two quotes."""
    # Not within what is written together.
    starts = [i for i, token in enumerate(sentence) if token.form[:1].isalnum() and (i == 0 or sentence[i - 1].gap)]
    if not starts or any(token.form in MARKS for token in sentence):
        return sentence
    first = 0 if source.random() < 0.3 else source.choice(starts)
    last = len(sentence) - 1
    ends = [i for i in range(first, last) if sentence[i].gap or sentence[i + 1].form in ".,;:!?"]
    if ends and source.random() < 0.7:
        last = source.choice(ends[:5])
    opening, closing = source.choice(QUOTES)
    inner = [*sentence[first:last], replace(sentence[last], gap="")]
    behind = WrittenToken(closing, sentence[last].gap)
    return [*sentence[:first], WrittenToken(opening, ""), *inner, behind, *sentence[last + 1 :]]


def _with_prefix(sentence: WrittenTokens, prefixes: Sequence[str], source: random.Random) -> WrittenTokens:
    """A name of one word gets a prefix."""
    names = [i for i, token in enumerate(sentence) if token.name and token.form.istitle() and token.form.isalpha()]
    if not names or not prefixes:
        return sentence
    at = source.choice(names)
    prefixed = replace(sentence[at], form=source.choice(list(prefixes)) + sentence[at].form)
    return [*sentence[:at], prefixed, *sentence[at + 1 :]]


def _with_dashes(sentence: WrittenTokens, source: random.Random) -> WrittenTokens:
    """Dashes, and commas between words, become dashes of one kind, with spaces around them or without."""
    dash, gap = source.choice((("\u2014", ""), ("\u2014", ""), ("\u2014", " "), ("\u2013", " "), ("--", "")))
    changed = list(sentence)
    for i in range(1, len(changed) - 1):
        spaced = changed[i].gap == " " and (changed[i].form == "," or changed[i - 1].gap == " ")
        words = changed[i - 1].form.isalpha() and changed[i + 1].form.isalpha()
        if spaced and words and (changed[i].form == "," or changed[i].form in DASHES):
            changed[i - 1] = replace(changed[i - 1], gap=gap)
            changed[i] = replace(changed[i], form=dash, gap=gap)
    return changed


def _typeset(sentence: WrittenTokens, source: random.Random) -> WrittenTokens:
    """Curly quotes and apostrophes, and an ellipsis in one character. Quotes are single ones in half of the cases. A
    quote that is written together with the next token opens, one that is written together with the one before closes;
    where both or neither hold, every second one closes."""
    (opening, closing), opened = source.choice(QUOTES[:2]), False
    changed: WrittenTokens = []
    for i, token in enumerate(sentence):
        form = token.form.replace("'", "\u2019")
        if token.form in ('"', "'"):
            apart = i == 0 or bool(sentence[i - 1].gap)
            opened = apart if apart == (token.gap == "") else not opened
            single = token.form == "'"
            form = ("\u2018" if single else opening) if opened else ("\u2019" if single else closing)
        elif form == "...":
            form = "\u2026"
        changed.append(replace(token, form=form))
    return changed


def _ended(sentence: WrittenTokens, gap: str) -> WrittenTokens:
    return [*sentence[:-1], replace(sentence[-1], gap=gap)]


def _one_a_line(sentences: list[WrittenTokens], source: random.Random) -> list[WrittenTokens]:
    """A sentence a line. Some lose their full stop; some are the items of a list."""
    style = source.choice(("", "", "bullets", "numbers"))
    bullet, mark = source.choice(BULLETS), source.choice((".", ")"))
    made = []
    for number, sentence in enumerate(sentences, 1):
        row = list(sentence)
        if len(row) > 2 and row[-1].form == "." and source.random() < 0.5:
            row.pop()
        if style == "bullets":
            row.insert(0, WrittenToken(bullet, " "))
        elif style == "numbers":
            row[:0] = [WrittenToken(str(number), ""), WrittenToken(mark, " ")]
        made.append(_ended(row, "\n"))
    return [*made[:-1], _ended(made[-1], source.choice(("\n", "\n\n")))]


def _wrapped(sentences: list[WrittenTokens], source: random.Random) -> list[WrittenTokens]:
    """Lines of at most some width, as in e-mail: they end anywhere."""
    made: list[WrittenTokens] = []
    width, column = source.randint(*WIDTHS), 0
    for sentence in sentences:
        row: WrittenTokens = []
        for token in sentence:
            if column + len(token.form) > width and row and row[-1].gap == " ":
                row[-1], column = replace(row[-1], gap="\n"), 0
            elif column + len(token.form) > width and made and not row and made[-1][-1].gap == " ":
                made[-1], column = _ended(made[-1], "\n"), 0
            row.append(token)
            column += len(token.form) + len(token.gap)
        made.append(_ended(row, " "))
    return [*made[:-1], _ended(made[-1], "\n\n")]


def _one_line(sentences: list[WrittenTokens], source: random.Random) -> list[WrittenTokens]:
    """A paragraph a line. A short one may be a heading, which has no full stop."""
    made = [_ended(sentence, " ") for sentence in sentences]
    if len(made) == 1 and 2 < len(made[0]) < 9 and made[0][-1].form == ".":
        made[0] = made[0][:-1]
    return [*made[:-1], _ended(made[-1], "\n")]
