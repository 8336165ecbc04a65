"""Random documents, and random damage to documents, as CoNLL-U text: food for two scorers that must agree."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from laconic.corpus import Doc, read

# fmt: off
RELATIONS = [
    "nsubj", "obj", "obl", "nmod", "amod", "det", "case", "aux", "cop", "mark", "cc", "conj", "advmod", "punct",
    "flat:name", "acl:relcl", "aux:pass", "x",
]
# fmt: on
TAGS = ["NOUN", "VERB", "ADJ", "DET", "ADP", "AUX", "PUNCT"]
FEATS = ["_", "Number=Sing", "Case=Nom|Number=Sing", "Typo=Yes", "Number=Sing|Typo=Yes", "Number[psor]=Sing"]
# Few and short forms, so that stretches of text can be cut in many ways and words of multiword tokens be confused.
FORMS = ["a", "b", "ab", "ba", "aa", "A", "aB", "a b", "a\u00a0b", "\u0130", "\u3000b", "x,"]


@dataclass(eq=False)
class Word:
    form: str
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"
    deprel: str = "_"
    head: Word | None = None


@dataclass(eq=False)
class Token:
    words: list[Word]
    multiword: str = ""  # the form of a multiword token; otherwise there is one word, whose form it is

    @property
    def form(self) -> str:
        return self.multiword or self.words[0].form


@dataclass(eq=False)
class Sentence:
    tokens: list[Token] = field(default_factory=list)

    @property
    def words(self) -> list[Word]:
        return [word for token in self.tokens for word in token.words]


def parse(conllu: str) -> list[Sentence]:
    sentences = []
    for block in conllu.replace("\r\n", "\n").strip("\n").split("\n\n"):
        sentence, heads, open_words = Sentence(), [], 0
        for line in block.split("\n"):
            columns = line.split("\t")
            if line.startswith("#") or "." in columns[0]:
                continue
            if "-" in columns[0]:
                first, last = map(int, columns[0].split("-"))
                sentence.tokens.append(Token([], columns[1]))
                open_words = last - first + 1
                continue
            word = Word(*columns[1:6], columns[7])
            heads.append(int(columns[6]))
            if open_words:
                sentence.tokens[-1].words.append(word)
                open_words -= 1
            else:
                sentence.tokens.append(Token([word]))
        words = sentence.words
        for word, head in zip(words, heads, strict=True):
            word.head = words[head - 1] if head else None
        sentences.append(sentence)
    return sentences


def render(sentences: Iterable[Sentence]) -> str:
    lines = []
    for sentence in sentences:
        ids = {id(word): i for i, word in enumerate(sentence.words, 1)}
        for token in sentence.tokens:
            if token.multiword:
                span = f"{ids[id(token.words[0])]}-{ids[id(token.words[-1])]}"
                lines.append("\t".join([span, token.multiword, *"_" * 8]))
            for w in token.words:
                head = str(ids[id(w.head)] if w.head else 0)
                lines.append(
                    "\t".join([str(ids[id(w)]), w.form, w.lemma, w.upos, w.xpos, w.feats, head, w.deprel, "_", "_"])
                )
        lines.append("")
    return "\n".join(lines) + "\n"


def to_doc(conllu: str) -> Doc:
    return read(io.BytesIO(conllu.encode()), "conllu")


def random_pair(seed: int, rate: float, *, tokens: bool = True) -> tuple[str, str]:
    """Gold and a damaged copy, as text; without damage to ``tokens`` the words and sentences stay."""
    random = Random(seed)
    document = random_document(random)
    gold = render(document)
    (corrupt if tokens else damage_annotation)(document, random, rate)
    return gold, render(document)


def random_document(random: Random, sentences: int = 6, longest: int = 12) -> list[Sentence]:
    made = []
    for _ in range(sentences):
        sentence = Sentence()
        for _ in range(random.randint(1, longest)):
            if random.random() < 0.25:
                words = [_random_word(random) for _ in range(random.randint(1, 3))]
                sentence.tokens.append(Token(words, "".join(random.choices("abB", k=random.randint(1, 4)))))
            else:
                sentence.tokens.append(Token([_random_word(random)]))
        words = sentence.words
        random.shuffle(words)
        for i, word in enumerate(words[1:], 1):
            word.head = words[random.randrange(i)]
        made.append(sentence)
    return made


def _random_word(random: Random) -> Word:
    pick = random.choice
    return Word(pick(FORMS), pick(["_", "a", "b"]), pick(TAGS), pick(["_", "x", "y"]), pick(FEATS), pick(RELATIONS))


def corrupt(sentences: list[Sentence], random: Random, rate: float) -> None:
    """Damages a document in place, its text excepted. Every sentence stays a tree with one root."""
    _resegment(sentences, random, rate / 3)
    for sentence in sentences:
        for damage in random.sample(TOKEN_DAMAGES, len(TOKEN_DAMAGES)):
            at = 0
            while at < len(sentence.tokens):
                if random.random() < rate / 2:
                    damage(sentence, at, random)
                at += 1
        _damage_annotation(sentence, random, rate)
        make_tree(sentence, random)


def _resegment(sentences: list[Sentence], random: Random, rate: float) -> None:
    at = 0
    while at < len(sentences):
        tokens = sentences[at].tokens
        if at + 1 < len(sentences) and random.random() < rate:
            tokens += sentences.pop(at + 1).tokens
        if len(tokens) > 1 and random.random() < rate:
            cut = random.randrange(1, len(tokens))
            sentences.insert(at + 1, Sentence(tokens[cut:]))
            del tokens[cut:]
        at += 1


def _split_token(sentence: Sentence, at: int, random: Random) -> None:
    token = sentence.tokens[at]
    letters = token.form.split(" ")[0]
    if token.multiword or len(letters) < 2 or letters != token.form or "\u3000" in letters or "\u00a0" in letters:
        return
    cut = random.randrange(1, len(letters))
    word = token.words[0]
    word.form = letters[:cut]
    rest = Word(letters[cut:], word.lemma, word.upos, word.xpos, word.feats, random.choice(RELATIONS), word)
    sentence.tokens.insert(at + 1, Token([rest]))


def _merge_tokens(sentence: Sentence, at: int, random: Random) -> None:
    if at + 1 == len(sentence.tokens):
        return
    first, second = sentence.tokens[at : at + 2]
    kept = first.words[0]
    kept.form = first.form + random.choice(["", " "]) + second.form
    gone = [*first.words[1:], *second.words]
    _lose(sentence, gone, kept)
    sentence.tokens[at : at + 2] = [Token([kept])]


def _make_multiword(sentence: Sentence, at: int, random: Random) -> None:
    joined = sentence.tokens[at : at + random.randint(1, 3)]
    words = [word for token in joined for word in token.words]
    sentence.tokens[at : at + len(joined)] = [Token(words, "".join(token.form for token in joined))]


def _change_multiword(sentence: Sentence, at: int, random: Random) -> None:
    token = sentence.tokens[at]
    if not token.multiword:
        return
    match random.randrange(4):
        case 0:
            random.choice(token.words).form = random.choice(FORMS)
        case 1 if len(token.words) > 1:
            gone = token.words.pop()
            _lose(sentence, [gone], token.words[0])
        case 2:
            token.words.insert(random.randint(0, len(token.words)), _random_word(random))
        case _:
            random.shuffle(token.words)


def _undo_multiword(sentence: Sentence, at: int, random: Random) -> None:
    token = sentence.tokens[at]
    text = token.multiword.replace(" ", "")
    if not text.isalpha():
        return
    cuts = sorted(random.sample(range(1, len(text)), min(len(text), len(token.words)) - 1))
    parts = [text[i:j] for i, j in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    kept, gone = token.words[: len(parts)], token.words[len(parts) :]
    _lose(sentence, gone, kept[0])
    for word, part in zip(kept, parts, strict=True):
        word.form = part
    sentence.tokens[at : at + 1] = [Token([word]) for word in kept]


TOKEN_DAMAGES: list[Callable[[Sentence, int, Random], None]] = [
    _split_token,
    _merge_tokens,
    _make_multiword,
    _change_multiword,
    _undo_multiword,
]


def _lose(sentence: Sentence, gone: list[Word], heir: Word) -> None:
    for word in sentence.words:
        if any(word.head is one for one in gone):
            word.head = heir if word is not heir else None


def damage_annotation(sentences: list[Sentence], random: Random, rate: float) -> None:
    """Damages tags, features, lemmas, heads and labels, but neither tokens nor sentences."""
    for sentence in sentences:
        _damage_annotation(sentence, random, rate)
        make_tree(sentence, random)


def _damage_annotation(sentence: Sentence, random: Random, rate: float) -> None:
    words = sentence.words
    for word in words:
        other = random.choice(words)
        for name, values in (("upos", TAGS), ("xpos", ["_", "x"]), ("feats", FEATS), ("lemma", ["_", "a"])):
            if random.random() < rate:
                setattr(word, name, random.choice([*values, getattr(other, name)]))
        if random.random() < rate:
            word.deprel = random.choice([*RELATIONS, other.deprel, word.deprel + ":sub"])
        if random.random() < rate:
            word.head = other


def make_tree(sentence: Sentence, random: Random) -> None:
    """Makes whatever heads there are a tree with one root."""
    words = sentence.words
    inside = {id(word) for word in words}
    roots = [word for word in words if word.head is None or id(word.head) not in inside]
    root = random.choice(roots or words)
    root.head = None
    for word in words:
        if word is not root and (word.head is None or id(word.head) not in inside):
            word.head = root
    for word in words:
        seen: set[int] = set()
        at: Word | None = word
        while at is not None and id(at) not in seen:
            seen.add(id(at))
            at = at.head
        if at is not None:
            at.head = root
