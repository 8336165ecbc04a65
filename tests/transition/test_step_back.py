"""The step-back parser: the lemmas of Chang, Do & Roth (2007) on all small trees and on treebanks."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from synthetic import conllu
from systems import FOCUSES

from laconic._core.transition import Stepper, follow_oracle, system_facts
from laconic.corpus import Doc, read
from laconic.corpus.projectivity import is_projective, lift
from laconic.errors import ConfigError
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.transition import Parser, ParserConfig

Heads = tuple[int, ...]
Pair = tuple[int, int]
SHIFT, LEFT, RIGHT, WAIT_LEFT, WAIT_RIGHT = range(5)


@cache
def projective_trees(words: int) -> tuple[Heads, ...]:
    """All projective trees with one root: every span has a root and spans of its own to its left and right."""

    @cache
    def trees(first: int, last: int, head: int) -> tuple[tuple[Pair, ...], ...]:
        """Ways to hang all of the words from first to last, in one or more trees, on head."""
        if first > last:
            return ((),)
        made = []
        for end in range(first, last + 1):
            for root in range(first, end + 1):
                for left in trees(first, root - 1, root):
                    for right in trees(root + 1, end, root):
                        for rest in trees(end + 1, last, head):
                            made.append(((root, head), *left, *right, *rest))
        return tuple(made)

    found = {tuple(head for _, head in sorted(arcs)) for arcs in trees(1, words, 0)}
    return tuple(sorted(heads for heads in found if heads.count(0) == 1))


def followed(
    heads: Heads, single_root: bool = True, focus: str = "step-back", waits: str = "left"
) -> Iterator[tuple[Stepper, Pair, int]]:
    """The stepper before each of the oracle's moves, the pair it looks at, and the move."""
    stepper = Stepper("step-back", len(heads), single_root, focus, waits)
    gold = np.array(heads, np.int32)
    stepper.apply(SHIFT)
    while not stepper.done:
        costs = stepper.costs(gold)
        move = next(move for move, cost in costs.items() if cost == 0)
        yield stepper, (stepper.stack()[0], stepper.queue()[0]), move
        stepper.apply(move)
    stepper.finish()
    assert tuple(stepper.heads()) == tuple(heads)


def check_lemmas(heads: Heads) -> None:
    considered: dict[Pair, tuple[int, int]] = {}
    moves = 0
    for stepper, pair, move in followed(heads, waits="both"):
        # Lemma 1: one round. A new one would note fewer words than the sentence has.
        assert stepper.noted == len(heads)
        # Lemma 2: a pair comes back only with a new child.
        found = stepper.heads().tolist()
        children = (found.count(pair[0]), found.count(pair[1]))
        assert considered.get(pair) != children
        considered[pair] = children
        # Lemma 4: nothing waits for a child to its left.
        assert move != WAIT_RIGHT
        moves += 1
    # Lemma 3: a linear number of moves.
    assert moves <= 3 * len(heads)


@pytest.mark.parametrize("words", range(1, 8))
def test_the_lemmas_hold_on_all_trees(words: int) -> None:
    trees = projective_trees(words)
    # All but the last size go step by step through Python; of the largest, what the compiled oracle tells.
    for heads in trees if words < 7 else random.Random(3).sample(trees, 1500):
        check_lemmas(heads)
    for heads in trees:
        built, moves = follow_oracle("step-back", np.array(heads, np.int32), True)
        assert tuple(built) == heads
        assert moves <= 3 * words


def test_the_trees_are_all_projective_ones() -> None:
    for words in range(1, 6):
        found = set()
        for heads in itertools.product(range(words + 1), repeat=words):
            graph = nx.DiGraph((head, word) for word, head in enumerate(heads, 1))
            if heads.count(0) == 1 and nx.is_arborescence(graph) and is_projective(heads):
                found.add(heads)
        assert found == set(projective_trees(words))


@pytest.mark.parametrize("treebank", ["en_ewt", "sv_talbanken"])
def test_the_lemmas_hold_on_treebanks(treebank: str, treebanks: Path) -> None:
    doc = read(next((treebanks / treebank).glob("dev.conll*")))
    for begin, end in list(itertools.pairwise(doc.sentence_starts.tolist()))[:400]:
        heads = tuple(lift(doc.heads[begin:end].copy()).tolist())
        if heads.count(0) == 1:
            check_lemmas(heads)


def test_step_back_needs_the_fewest_moves_and_starting_over_the_most(treebanks: Path) -> None:
    doc = read(treebanks / "en_ewt" / "dev.conllu")
    totals: Counter[str] = Counter()
    for begin, end in itertools.pairwise(doc.sentence_starts.tolist()):
        heads = lift(doc.heads[begin:end].copy())
        for policy in FOCUSES:
            built, moves = follow_oracle("step-back", heads, True, policy)
            assert np.array_equal(built, heads)
            totals[policy] += moves
    assert totals["step-back"] < totals["stay"] < totals["start-over"]


@pytest.mark.parametrize("policy", FOCUSES)
def test_every_policy_makes_the_same_arcs(policy: str) -> None:
    for words in range(1, 6):
        for heads in projective_trees(words):
            moves = Counter(move for _, _, move in followed(heads, focus=policy))
            assert moves[LEFT] == sum(0 < head < word for word, head in enumerate(heads, 1))
            assert moves[RIGHT] == sum(head > word for word, head in enumerate(heads, 1))


def test_starting_over_never_needs_fewer_moves_than_a_step_back() -> None:
    for words in range(1, 8):
        for heads in projective_trees(words):
            moves = [
                follow_oracle("step-back", np.array(heads, np.int32), True, policy)[1]
                for policy in ("step-back", "start-over")
            ]
            assert moves[0] <= moves[1]


def test_two_rounds_may_need_fewer_moves_than_one() -> None:
    """As the paper says of contrived sentences: what steps back looks again at pairs that what stays leaves alone."""
    fewer = [
        heads
        for heads in projective_trees(4)
        if follow_oracle("step-back", np.array(heads, np.int32), True, "stay")[1]
        < follow_oracle("step-back", np.array(heads, np.int32), True)[1]
    ]
    assert fewer


def test_the_moves_are_those_of_the_paper() -> None:
    assert system_facts("step-back").moves == ["shift", "left", "right", "wait-left", "wait-right"]
    for waits, valid in (("left", 4), ("none", 3), ("both", 5)):
        stepper = Stepper("step-back", 3, True, waits=waits)
        assert stepper.valid() == [SHIFT]
        stepper.apply(SHIFT)
        assert len(stepper.valid()) == valid
    stepper = Stepper("step-back", 3, True)
    stepper.apply(SHIFT)
    assert stepper.arc(LEFT) == (1, 2)
    assert stepper.arc(RIGHT) == (2, 1)
    assert stepper.arc(WAIT_LEFT) == (-1, -1)


@pytest.mark.parametrize(
    ("focus", "left", "right"),
    [("step-back", (1, 2), (1, 3)), ("stay", (2, 4), (3, 4)), ("start-over", (1, 2), (1, 3))],
)
def test_where_the_focus_goes_after_an_arc(focus: str, left: Pair, right: Pair) -> None:
    for move, pair in ((LEFT, left), (RIGHT, right)):
        stepper = Stepper("step-back", 4, False, focus)
        for one in (SHIFT, SHIFT, move):
            stepper.apply(one)
        assert (stepper.stack()[0], stepper.queue()[0]) == pair


def test_a_round_that_attaches_nothing_is_the_last() -> None:
    stepper = Stepper("step-back", 4, False)
    moves = 0
    while not stepper.done:
        stepper.apply(SHIFT)
        moves += 1
    stepper.finish()
    assert moves == 4
    assert stepper.heads().tolist() == [0, 0, 0, 0]


def test_words_left_over_join_their_neighbours_where_one_root_is_asked_for() -> None:
    stepper = Stepper("step-back", 4, True)
    for _ in range(4):
        stepper.apply(SHIFT)
    assert stepper.valid() == [LEFT, RIGHT]
    stepper.apply(LEFT)
    stepper.apply(RIGHT)
    stepper.apply(LEFT)
    stepper.finish()
    assert stepper.heads().tolist() == [3, 1, 0, 3]


def test_a_round_that_attaches_something_is_followed_by_another() -> None:
    stepper = Stepper("step-back", 3, False)
    for move in (SHIFT, SHIFT, LEFT, SHIFT, SHIFT):
        assert not stepper.done
        stepper.apply(move)
        if move == LEFT:
            assert (stepper.stack(), stepper.queue()) == ([1], [2])
    assert stepper.done


@pytest.mark.parametrize("focus", FOCUSES)
def test_very_long_sentences_stay_within_the_budget(focus: str) -> None:
    """The worst that can be: every round attaches one word, the last of the row."""
    words = 3000
    stepper = Stepper("step-back", words, True, focus)
    moves = 0
    while not stepper.done:
        valid = stepper.valid()
        last = len(stepper.queue()) == 1 if moves < 100 else False
        stepper.apply(LEFT if SHIFT not in valid or last else SHIFT)
        moves += 1
    assert moves <= 1000 + 32 * words


def test_it_learns_to_parse_and_its_templates_see_the_pair(treebanks: Path) -> None:
    train, dev = read(treebanks / "en_ewt" / "train.conllu").sentences[:1500], read(treebanks / "en_ewt" / "dev.conllu")
    for settings in (
        Settings(epochs=3, exits=(4, 10, 20)),
        Settings(mode="full", loss="snow", update="perceptron", margin=2.0, rate=0.05, epochs=3),
    ):
        config = ParserConfig(
            scorer="linear",
            system="step-back",
            templates="stepback",
            labels="none",
            settings=settings,
            label_settings=settings,
            folds=0,
        )
        guess = dev.sentences[:200]
        finished(Parser.fit(config, TrainingData(train))).apply(guess)
        assert np.mean(guess.heads == dev.sentences[:200].heads) > 0.74


def test_a_parser_of_pairs_learns_labels_after_moves_and_comes_back_from_its_state() -> None:
    train, dev = Doc.from_conllu(conllu(300, seed=1)), Doc.from_conllu(conllu(50, seed=2))
    settings = Settings(epochs=3, exits=(4, 10))
    config = ParserConfig(
        scorer="linear", system="step-back", templates="stepback", settings=settings, label_settings=settings, folds=2
    )
    parser = finished(Parser.fit(config, TrainingData(train)))
    guess = dev.sentences[:]
    parser.apply(guess)
    right = (guess.heads == dev.heads) & (np.array(guess.strings("deprel")) == np.array(dev.strings("deprel")))
    assert right.mean() > 0.85
    again = dev.sentences[:]
    Parser.from_state(*parser.state()).apply(again)
    assert again == guess


def test_pairs_have_no_joint_labels() -> None:
    with pytest.raises(ConfigError, match="step-back"):
        ParserConfig(system="step-back", labels="joint")
