"""An invented language, so that whatever learns can be tested without a treebank.

``conllu(sentences, seed)`` gives Universal Dependencies trees as CoNLL-U text: the same arguments, the same bytes.
There is something to learn at every level, and little of it by heart:

- words have Zipfian frequencies, so a second sample holds many unseen words; their endings tell class and features;
- some words are ambiguous (noun or verb, determiner or pronoun, preposition or conjunction), and the context decides;
- some prepositional phrases belong to the noun before them, others to the verb: the preposition tells which, and for
  one preposition the verb does;
- adjectives agree with nouns, verbs with subjects.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")

CONSONANTS = "ptkbdgmnlrsv"
VOWELS = "aeiou"
NOUN_GENDERS = {"Fem": "a", "Masc": "o", "Neut": "um"}
VERB_ENDINGS = {("Pres", "Sing"): "et", ("Pres", "Plur"): "ent", ("Past", "Sing"): "avit", ("Past", "Plur"): "avint"}
NOUN_PREPOSITIONS = ("del", "kum")  # these phrases modify the noun before them
VERB_PREPOSITIONS = ("sub", "tra")  # and these the verb
EITHER_PREPOSITION = "in"  # here the verb decides: those of the second half of the alphabet take it
CONTRACTIONS = {("del", "la"): "dela", ("del", "lo"): "delo"}


@dataclass(eq=False)
class Node:
    """A word with its dependents to the left and to the right, nearest to it last and first."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str = "_"
    deprel: str = "root"
    left: list[Node] = field(default_factory=list)
    right: list[Node] = field(default_factory=list)
    extraposed: bool = False  # stands at the end of the sentence, away from its head


class Language:
    """A lexicon drawn from ``seed``: ``size`` stems of each open class."""

    def __init__(self, seed: int = 0, size: int = 1500) -> None:
        draw = random.Random(f"lexicon {seed}")
        stems: dict[str, None] = {}
        while len(stems) < 5 * size:
            syllables = draw.choice((1, 2, 2, 2, 3))
            stem = "".join(draw.choice(CONSONANTS) + draw.choice(VOWELS) for _ in range(syllables)) + draw.choice(
                CONSONANTS
            )
            stems.setdefault(stem)
        pools = [list(stems)[i : i + size] for i in range(0, 5 * size, size)]
        self.nouns = [(stem, draw.choice(tuple(NOUN_GENDERS))) for stem in pools[0]]
        self.verbs, self.adjectives, self.adverbs = pools[1], pools[2], pools[3]
        self.names = [stem.capitalize() for stem in pools[4]]
        # A third form of ambiguity: these nouns look like verbs in the present tense.
        self.false_verbs = [(stem + "et", "Neut") for stem in pools[1][: size // 10]]
        self.weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(size)))


class Speaker:
    """Draws sentences of a language; ``nonprojective`` is the share of bare subjects given an extraposed modifier."""

    def __init__(self, language: Language, seed: int, nonprojective: float = 0.0) -> None:
        self.language = language
        self.draw = random.Random(f"speaker {seed}")
        self.nonprojective = nonprojective

    def chance(self, probability: float) -> bool:
        return self.draw.random() < probability

    def pick(self, words: list[T]) -> T:
        return self.draw.choices(words, cum_weights=self.language.weights[: len(words)])[0]

    def sentence(self) -> Node:
        root = self.clause()
        mark = self.draw.choices((".", "?", "!"), (8, 1, 1))[0]
        root.right.append(Node(mark, mark, "PUNCT", mark, deprel="punct"))
        return root

    def clause(self, depth: int = 0) -> Node:
        number = self.draw.choice(("Sing", "Plur"))
        stem = self.pick(self.language.verbs)
        tense = self.draw.choice(("Pres", "Past"))
        if self.chance(0.2):
            aux_form = "at" if number == "Sing" else "ant"
            verb = Node(stem + "itu", stem + "are", "VERB", "VPP", "Tense=Past|VerbForm=Part")
            verb.left.append(Node(aux_form, "avare", "AUX", "VA", f"Number={number}|Tense=Pres|VerbForm=Fin", "aux"))
        else:
            form = stem + VERB_ENDINGS[tense, number]
            verb = Node(form, stem + "are", "VERB", "VF", f"Number={number}|Tense={tense}|VerbForm=Fin")
        subject = self.nominal("nsubj", number, depth)
        if subject.upos == "NOUN" and not subject.right and self.chance(self.nonprojective):
            modifier = self.prepositional(self.draw.choice(NOUN_PREPOSITIONS), "nmod", depth + 1)
            modifier.extraposed = True
            subject.right.append(modifier)
        verb.left.insert(0, subject)
        if self.chance(0.25):
            stem = self.pick(self.language.adverbs)
            verb.left.insert(1, Node(stem + "ei", stem + "ei", "ADV", "RB", deprel="advmod"))
        if self.chance(0.1):
            verb.left.insert(1, Node("ne", "ne", "PART", "NEG", "Polarity=Neg", "advmod"))
        if depth < 2 and self.chance(0.15):
            inner = self.clause(depth + 1)
            inner.deprel = "ccomp"
            inner.left.insert(0, Node("ke", "ke", "SCONJ", "CS", deprel="mark"))
            verb.right.append(inner)
            return verb
        if self.chance(0.6):
            verb.right.append(self.nominal("obj", self.draw.choice(("Sing", "Plur")), depth))
        if self.chance(0.35):
            preposition = self.draw.choice((*VERB_PREPOSITIONS, EITHER_PREPOSITION))
            phrase_of_object = preposition == EITHER_PREPOSITION and verb.lemma < "l" and bool(verb.right)
            target = verb.right[-1] if phrase_of_object else verb
            if target.upos in ("VERB", "NOUN"):
                target.right.append(self.prepositional(preposition, "nmod" if phrase_of_object else "obl", depth + 1))
        return verb

    def nominal(self, deprel: str, number: str, depth: int) -> Node:
        kind = self.draw.random()
        if kind < 0.12:
            gender = self.draw.choice(("Fem", "Masc"))
            form = ("la" if gender == "Fem" else "lo") + ("s" if number == "Plur" else "")
            return Node(form, "lo", "PRON", "PP", f"Gender={gender}|Number={number}|Person=3", deprel)
        if kind < 0.25 and number == "Sing":
            name = self.pick(self.language.names)
            node = Node(name, name, "PROPN", "NP", "Number=Sing", deprel)
            if self.chance(0.3):
                second = self.pick(self.language.names)
                node.right.append(Node(second, second, "PROPN", "NP", "Number=Sing", "flat"))
            return node
        node = self.noun(deprel, number)
        if depth < 3 and self.chance(0.18):
            node.right.append(self.prepositional(self.draw.choice(NOUN_PREPOSITIONS), "nmod", depth + 1))
        if depth < 2 and self.chance(0.05):
            clause = self.clause(depth + 1)
            clause.deprel = "acl:relcl"
            clause.left[0] = Node("kui", "kui", "PRON", "PR", "PronType=Rel", "nsubj")
            node.right.append(clause)
        elif number == "Plur" and deprel != "conj" and self.chance(0.15):
            other = self.nominal("conj", self.draw.choice(("Sing", "Plur")), 3)
            other.left.insert(0, Node("e", "e", "CCONJ", "CC", deprel="cc"))
            node.right.append(other)
        return node

    def noun(self, deprel: str, number: str) -> Node:
        if self.chance(0.1):
            stem, gender = self.pick(self.language.false_verbs)
            lemma, form = stem, stem + ("s" if number == "Plur" else "")
        else:
            stem, gender = self.pick(self.language.nouns)
            lemma = stem + NOUN_GENDERS[gender]
            form = lemma + ("s" if number == "Plur" else "")
        feats = f"Gender={gender}|Number={number}"
        node = Node(form, lemma, "NOUN", "NN" if number == "Sing" else "NNS", feats, deprel)
        ending = NOUN_GENDERS[gender] + ("s" if number == "Plur" else "")
        while self.chance(0.25) and len(node.left) < 2:
            stem = self.pick(self.language.adjectives)
            node.left.insert(0, Node(stem + "il" + ending, stem + "ilo", "ADJ", "JJ", feats, "amod"))
        if number == "Plur" and self.chance(0.1):
            digits = str(self.draw.randrange(2, 2000))
            node.left.insert(0, Node(digits, digits, "NUM", "CD", "NumType=Card", "nummod"))
        elif self.chance(0.75) or form.endswith("et"):
            article = "la" if gender == "Fem" else "lo"
            plural = "s" if number == "Plur" else ""
            node.left.insert(0, Node(article + plural, "lo", "DET", "DT", f"Definite=Def|{feats}", "det"))
        return node

    def prepositional(self, preposition: str, deprel: str, depth: int) -> Node:
        node = self.nominal(deprel, self.draw.choice(("Sing", "Plur")), max(depth, 2))
        # "ke" before a clause is a conjunction; before a phrase it is a rare spelling of "kum".
        form = "ke" if preposition == "kum" and self.chance(0.5) else preposition
        node.left.insert(0, Node(form, preposition, "ADP", "IN", deprel="case"))
        return node


def _linear(node: Node, late: list[Node]) -> Iterator[Node]:
    for child in node.left:
        yield from _linear(child, late)
    yield node
    for child in node.right:
        if child.extraposed:
            late.append(child)
        else:
            yield from _linear(child, late)


def _words(root: Node) -> list[Node]:
    """The words in their order: extraposed phrases stand before the final mark."""
    late: list[Node] = []
    words = list(_linear(root, late))
    for phrase in late:
        words[-1:-1] = _linear(phrase, [])
    return words


def _lines(root: Node) -> Iterator[str]:
    words = _words(root)
    place = {id(word): i for i, word in enumerate(words, 1)}
    head = {id(child): place[id(word)] for word in words for child in (*word.left, *word.right)}
    forms = [word.form for word in words]
    forms[0] = forms[0][0].upper() + forms[0][1:]
    contracted: dict[int, str] = {}
    for i, pair in enumerate(itertools.pairwise(words)):
        fused = CONTRACTIONS.get((pair[0].form, pair[1].form))
        if fused and pair[1].upos == "DET":
            contracted[i] = fused
    glued = len(words) - 2  # the last word stands close to the final mark
    text, i = "", 0
    while i < len(words):
        width = 2 if i in contracted else 1
        last = i + width - 1
        text += contracted.get(i, forms[i]) + ("" if last >= glued else " ")
        i += width
    yield f"# text = {text}"
    for i, word in enumerate(words):
        misc = "SpaceAfter=No" if i == glued and i - 1 not in contracted else "_"
        if i in contracted:
            space = "SpaceAfter=No" if i + 1 == glued else "_"
            yield f"{i + 1}-{i + 2}\t{contracted[i]}" + "\t_" * 7 + f"\t{space}"
        parent = head.get(id(word), 0)
        columns = (i + 1, forms[i], word.lemma, word.upos, word.xpos, word.feats, parent, word.deprel, "_", misc)
        yield "\t".join(map(str, columns))


def conllu(sentences: int = 200, seed: int = 0, *, language: int = 0, nonprojective: float = 0.0) -> str:
    """CoNLL-U text of ``sentences`` trees. Two seeds of one ``language`` make a training and a test set."""
    speaker = Speaker(Language(language), seed, nonprojective)
    lines: list[str] = []
    for i in range(sentences):
        if i % 20 == 0:
            lines.append(f"# newdoc id = s{seed}-d{i // 20}")
        lines.append(f"# sent_id = s{seed}-{i + 1}")
        lines.extend(_lines(speaker.sentence()))
        lines.append("")
    return "\n".join(lines) + "\n" if lines else ""
