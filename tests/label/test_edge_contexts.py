"""Does a labeler read what its templates say? A corpus whose labels are what one term reads must be learned whole."""

from __future__ import annotations

import random

import numpy as np
import pytest
from arc_oracle import children, words_of

from laconic.corpus import Doc
from laconic.features import kind
from laconic.features.parser import parse_template
from laconic.label import Labeler, LabelerConfig
from laconic.learn import Settings, TrainingData
from laconic.progress import finished

TAGS = ("A", "B", "C", "D")


def tree(size: int, draw: random.Random) -> list[int]:
    """Any tree: arcs may cross, and there may be several roots."""
    order = list(range(1, size + 1))
    draw.shuffle(order)
    heads = [0] * size
    for i, word in enumerate(order[1:], 1):
        heads[word - 1] = order[draw.randrange(i)] if draw.random() < 0.9 else 0
    return heads


def corpus(text: str, sentences: int, seed: int, longest: int = 9) -> Doc:
    """Random trees with random tags; the label of an arc tells what the term reads there."""
    draw = random.Random(seed)
    term = parse_template(text, kind("edge")).terms[0]
    forms, tags, trees, labels = [], [], [], []
    for _ in range(sentences):
        size = draw.randint(1, longest)
        heads, upos = tree(size, draw), [draw.choice(TAGS) for _ in range(size)]
        read = [words_of(term, heads, mod) for mod in range(1, size + 1)]
        forms.append(["w"] * size)
        tags.append(upos)
        trees.append(heads)
        many = term.address.children or term.address.node == "BETWEEN"
        labels.append([value(term.attribute, many, words, upos, heads, mod) for mod, words in enumerate(read, 1)])
    return Doc.from_words(forms, upos=tags, head=trees, deprel=labels)


def value(attribute: str, many: bool, words: list[int | None], upos: list[str], heads: list[int], mod: int) -> str:
    if many:
        return f"x{any(word and upos[word - 1] == 'A' for word in words)}"
    word = words[0]
    if word is None:
        return "x-"
    head = heads[mod - 1]
    match attribute:
        case "POS":
            return "x" + upos[word - 1] if word else "xROOT"
        case "DIRECTION":
            return "x" + str(word > head) if head and word else "x-"
        case "DISTANCE":
            return "x" + step_of(abs(word - head)) if head and word else "x-"
        case "VALENCY":
            return f"x{min(3, len(children(heads, word)))}"
        case "LVALENCY":
            return f"x{min(3, sum(child < word for child in children(heads, word)))}"
        case _:
            return f"x{min(3, sum(child > word for child in children(heads, word)))}"


def step_of(distance: int) -> str:
    """1, 2, 3, 4, 5 to 7, 8 to 15, more."""
    return str(distance) if distance < 5 else "5-7" if distance < 8 else "8-15" if distance < 16 else "more"


SINGLE = [
    "POS(HEAD)",
    "POS(MOD)",
    "POS(GRAND)",
    "POS(SIB)",
    "POS(HEAD-1)",
    "POS(MOD+2)",
    "POS(GRAND+1)",
    "POS(SIB-1)",
    "POS(MOD lc)",
    "POS(MOD rc)",
    "POS(HEAD lc2)",
    "POS(HEAD rc2)",
    "POS(MOD fc)",
    "POS(MOD ec)",
    "POS(HEAD fc2)",
    "POS(HEAD ec2)",
    "POS(HEAD h)",
    "POS(HEAD rc)",
    "POS(MOD ls)",
    "POS(MOD rs)",
    "POS(HEAD pw h)",
    "POS(MOD fw lc rs)",
    "DIRECTION(MOD)",
    "DIRECTION(GRAND)",
    "VALENCY(HEAD)",
    "LVALENCY(MOD)",
    "RVALENCY(HEAD)",
]


def accuracy(text: str, epochs: int = 3, longest: int = 9) -> float:
    settings = Settings(mode="full", epochs=epochs, cutoff=1)
    config = LabelerConfig(templates=text, settings=settings, pair_minimum=10**6, folds=0)
    labeler = finished(Labeler.fit(config, TrainingData(corpus(text, 400, 1, longest))))
    unseen = corpus(text, 60, 2, longest)
    labels, _ = labeler.predict(unseen)
    return float(np.mean(np.array(labeler.labels)[labels] == np.array(unseen.strings("deprel"))))


@pytest.mark.parametrize("text", SINGLE)
def test_a_label_that_is_what_a_term_reads_is_always_found(text: str) -> None:
    assert accuracy(text) == 1.0


def test_a_label_that_is_a_distance_is_always_found() -> None:
    assert accuracy("DISTANCE(MOD)", longest=40) == 1.0


@pytest.mark.parametrize("text", ["POS(BETWEEN)", "POS(CHILDREN(MOD))", "POS(CHILDREN(HEAD))", "POS(CHILDREN(MOD ls))"])
def test_a_label_that_depends_on_a_set_is_mostly_found(text: str) -> None:
    # One A among many others must outweigh them all: a sum over members comes near to that.
    assert accuracy(text, 8) > 0.97


def test_distances_from_sixteen_words_on_are_one() -> None:
    # Distances beyond those of training would be read as something never seen if they had steps of their own.
    text = "DISTANCE(MOD)"
    settings = Settings(mode="full", epochs=3, cutoff=1)
    config = LabelerConfig(templates=text, settings=settings, pair_minimum=10**6, folds=0)
    labeler = finished(Labeler.fit(config, TrainingData(corpus(text, 200, 1, longest=30))))
    far = Doc.from_words([["w"] * 70], upos=[["A"] * 70], head=[[0] + [1] * 69])
    labels, _ = labeler.predict(far)
    assert {labeler.labels[label] for label in labels[16:]} == {"xmore"}
