"""What templates read of a parser state, against a slow reading of the template language."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from systems import ARC_SYSTEMS, FOCUSES

from laconic._core.features import Lexicon, Plan, atom
from laconic._core.transition import Stepper, read_slots
from laconic.corpus import Doc
from laconic.features import Address, TemplateSet, Term, build_lexicon, compile_plan, kind, parse_set
from laconic.features.kinds import STEPS

FORMS = ["One", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TAGS = ["NUM", "DET", "NOUN", "VERB", "ADV", "ADJ", "PRON", "X", "PUNCT"]
LABELS = ["nsubj", "obj", "det"]
NOTHING, ROOT = 1, 2
BASES = ["STACK0", "STACK1", "STACK2", "QUEUE0", "QUEUE1"]
PATHS = ["", *STEPS, "h rc", "h ec", "lc pw", "h h", "rc ls", "lc rs", "fc rs"]
ADDRESSES = [f"{base} {path}".strip() for base in BASES for path in PATHS]
TEXT = "\n".join(
    [f"{name}({address})" for address in ADDRESSES for name in ("LEX", "POS", "DEP", "VALENCY", "LVALENCY", "RVALENCY")]
    + [f"{name}({base})" for base in BASES for name in ("DISTANCE", "DIRECTION", "MORPH", "FEAT:Case", "SUFFIX2")]
    + [f"{name}(CHILDREN({base}))" for base in BASES for name in ("DEP", "LEX", "RVALENCY")]
    + [f"HISTORY{n}(STATE)" for n in range(1, 10)]
)


def document() -> Doc:
    feats = ["Case=Nom" if i % 3 else "_" for i in range(len(FORMS))]
    return Doc.from_words([FORMS], upos=[TAGS], xpos=[TAGS[::-1]], feats=[feats])


def lexicon_of(plan: Plan) -> Lexicon:
    return build_lexicon(plan, FORMS, [1] * len(FORMS))


class Slow:
    """Reads terms of a state from nothing but heads, stack and queue."""

    def __init__(self, stepper: Stepper, moves: list[int], labels: dict[int, int]) -> None:
        self.heads = [0, *stepper.heads().tolist()]
        self.stack, self.queue = stepper.stack(), stepper.queue()
        self.moves, self.labels = moves, labels

    def children(self, node: int) -> list[int]:
        return [word for word in range(1, len(self.heads)) if self.heads[word] == node]

    def step(self, node: int | None, step: str) -> int | None:
        if node is None:
            return None
        own = self.children(node)
        left, right = [child for child in own if child < node], [child for child in own if child > node]
        head = self.heads[node] if node > 0 and self.heads[node] >= 0 else None
        siblings = self.children(head) if head is not None else []
        words = range(1, len(self.heads))
        found = {
            "h": [head] if head is not None else [],
            "lc": left[:1],
            "lc2": left[1:2],
            "rc": right[-1:],
            "rc2": right[-2:-1],
            "fc": own[:1],
            "ec": own[-1:],
            "fc2": own[1:2],
            "ec2": own[-2:-1],
            "ls": [sibling for sibling in siblings if sibling < node][-1:],
            "rs": [sibling for sibling in siblings if sibling > node][:1],
            "pw": [node - 1] if node - 1 in words else [],
            "fw": [node + 1] if node and node + 1 in words else [],
        }[step]
        return found[0] if found else None

    def node(self, address: Address) -> int | None:
        row = {"STACK": self.stack, "QUEUE": self.queue}[address.node]
        node = row[address.index] if address.index < len(row) else None
        for step in address.path:
            node = self.step(node, step)
        return node

    def value(self, term: Term, node: int | None) -> int:
        if node is None:
            return NOTHING
        number = ROOT + 1
        left = sum(child < node for child in self.children(node))
        right = len(self.children(node)) - left
        if term.attribute in ("VALENCY", "LVALENCY", "RVALENCY"):
            return number + min(7, {"VALENCY": left + right, "LVALENCY": left, "RVALENCY": right}[term.attribute])
        if term.attribute == "DEP":
            return atom(LABELS[self.labels[node]]) if node in self.labels else NOTHING
        if term.attribute in ("DISTANCE", "DIRECTION"):
            if not self.queue or node == 0:
                return NOTHING
            gap = self.queue[0] - node
            if term.attribute == "DIRECTION":
                return number + (0 if gap > 0 else 1)
            bins = [0, 1, 2, 3, 4, 5, 5, 5, 6]
            return number + bins[abs(gap)]
        if node == 0:
            return ROOT
        return {
            "LEX": lambda: atom(FORMS[node - 1]),
            "POS": lambda: atom(TAGS[node - 1]),
            "FEAT": lambda: atom("Nom") if (node - 1) % 3 else NOTHING,
            "SUFFIX": lambda: atom(FORMS[node - 1].lower()[-2:]),
        }[term.attribute]()

    def read(self, term: Term) -> list[int]:
        if term.attribute == "HISTORY":
            back = self.moves[-term.number] if term.number <= len(self.moves) else 255
            return [ROOT + 1 + back]
        node = self.node(term.address)
        if term.address.children:
            return [self.value(term, child) for child in (self.children(node) if node is not None else [])]
        return [self.value(term, node)]


@given(seed=st.integers(0, 2**32), steps=st.integers(0, 30), system=st.sampled_from(ARC_SYSTEMS))
def test_slots_read_what_the_language_says(seed: int, steps: int, system: str) -> None:
    templates = parse_set(TEXT, kind("transition"))
    source, doc = random.Random(seed), document()
    stepper, moves, labels = Stepper(system, len(FORMS)), [], {}
    while not stepper.done and len(moves) < steps:
        move, label = source.choice(stepper.valid()), source.randrange(len(LABELS))
        if (dependent := stepper.arc(move)[1]) > 0:
            labels[dependent] = label
        stepper.apply(move, label)
        moves.append(move)
    slow = Slow(stepper, moves, labels)
    for template, found in zip(templates, read(stepper, templates, doc), strict=True):
        if template.terms[0].attribute != "MORPH":
            assert found == slow.read(template.terms[0]), str(template)


def read(stepper: Stepper, templates: TemplateSet, doc: Doc, head: int = -1, dependent: int = -1) -> list[list[int]]:
    plan = compile_plan(templates)
    relations = np.array([atom(label) for label in LABELS], np.uint32)
    return read_slots(stepper, plan, lexicon_of(plan), doc.columns, 0, relations, head, dependent)


def test_morph_tells_apart_what_any_of_its_columns_does() -> None:
    templates = parse_set("MORPH(QUEUE0)", kind("transition"))
    values = set()
    for upos, xpos, feats in [("A", "B", "_"), ("B", "A", "_"), ("A", "B", "C=D"), ("A", "_", "_")]:
        doc = Doc.from_words([["x"]], upos=[[upos]], xpos=[[xpos]], feats=[[feats]])
        values.add(tuple(map(tuple, read(Stepper("arc-hybrid", 1), templates, doc))))
    assert len(values) == 4


def test_labels_see_the_arc_before_it_is_made() -> None:
    templates = parse_set("LEX(HEAD)\nLEX(MOD)\nDIRECTION(MOD)\nDISTANCE(MOD)\nLEX(HEAD rc)\nPOS(MOD fw)", kind("arc"))
    stepper = Stepper("arc-hybrid", len(FORMS))
    for move in (0, 0, 0):
        stepper.apply(move)
    found = read(stepper, templates, document(), *stepper.arc(2))
    assert found == [[atom("two")], [atom("three")], [ROOT + 2], [ROOT + 2], [NOTHING], [atom("VERB")]]
    left = read(stepper, templates, document(), *stepper.arc(1))
    assert left[0] == [atom("four")]
    assert left[2] == [ROOT + 1]


def test_a_word_with_many_children_costs_no_more_than_32_of_them() -> None:
    words = 200
    stepper = Stepper("arc-eager", words)
    stepper.apply(0)
    for _ in range(words - 1):
        stepper.apply(2)
        if not stepper.done:
            stepper.apply(3)
    templates = parse_set("LEX(CHILDREN(STACK1))", kind("transition"))
    doc = Doc.from_words([["One"] * words])
    assert len(read(stepper, templates, doc)[0]) == 32


SAME = {
    "POS(FOCUS0)": "POS(STACK0)",
    "LEX(FOCUS-2)": "LEX(STACK2)",
    "POS(FOCUS+1)": "POS(QUEUE0)",
    "LEX(FOCUS+4)": "LEX(QUEUE3)",
    "POS(FOCUS+1 lc)": "POS(QUEUE0 lc)",
    "POS(FOCUS0 rc2)": "POS(STACK0 rc2)",
    "POS(CHILDREN(FOCUS0))": "POS(CHILDREN(STACK0))",
    "DEP(CHILDREN(FOCUS+1))": "DEP(CHILDREN(QUEUE0))",
    "DISTANCE(FOCUS+1)": "DISTANCE(STACK0)",
    "RVALENCY(FOCUS0)": "RVALENCY(STACK0)",
    "HISTORY2(STATE)": "HISTORY2(STATE)",
}


@given(seed=st.integers(0, 2**32), steps=st.integers(0, 30), focus=st.sampled_from(FOCUSES))
def test_the_pair_of_a_step_back_parser_is_the_top_and_the_next_word(seed: int, steps: int, focus: str) -> None:
    source, doc = random.Random(seed), document()
    stepper = Stepper("step-back", len(FORMS), focus=focus)
    for _ in range(steps):
        if not stepper.done:
            stepper.apply(source.choice(stepper.valid()), source.randrange(len(LABELS)))
    pair = read(stepper, parse_set("\n".join(SAME), kind("stepback")), doc)
    state = read(stepper, parse_set("\n".join(SAME.values()), kind("transition")), doc)
    assert pair == state
