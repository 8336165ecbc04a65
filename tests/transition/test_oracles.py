"""Transition systems and their oracles against brute force: every tree and every reachable state of short sentences."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from systems import ARC_SYSTEMS, VARIANTS, options

from laconic._core.transition import Stepper, follow_oracle, system_facts, system_names
from laconic.corpus import read
from laconic.corpus.projectivity import is_projective, lift

# Whether there are moves to wait changes nothing in what the step-back system can build.
SYSTEMS = VARIANTS
Heads = tuple[int, ...]


def is_projective_only(variant: str) -> bool:
    return system_facts(options(variant)["system"]).projective


def is_tree(heads: Heads) -> bool:
    graph = nx.DiGraph((head, word) for word, head in enumerate(heads, start=1))
    return all(0 <= head <= len(heads) for head in heads) and nx.is_arborescence(graph)


@cache
def trees(words: int) -> tuple[Heads, ...]:
    """All trees over so many words, several roots allowed."""
    return tuple(heads for heads in itertools.product(range(words + 1), repeat=words) if is_tree(heads))


def projective_trees(words: int, single_root: bool) -> Iterator[Heads]:
    for heads in trees(words):
        if is_projective(heads) and (heads.count(0) == 1 or not single_root):
            yield heads


def array(heads: Heads | list[int]) -> np.ndarray:
    return np.array(heads, np.int32)


class Graph:
    """All states that a system can reach on so many words, as numbers, and where each move leads."""

    def __init__(self, system: str, words: int, single_root: bool) -> None:
        start = Stepper(**options(system), words=words, single_root=single_root)
        numbers = {self.key(start): 0}
        self.steppers, self.moves = [start], []
        self.final: dict[int, Heads] = {}
        for stepper in self.steppers:
            after = {}
            for move in stepper.valid():
                new = stepper.copy()
                new.apply(move)
                number = numbers.setdefault(self.key(new), len(numbers))
                if number == len(self.steppers):
                    self.steppers.append(new)
                after[move] = number
            self.moves.append(after)
            if stepper.done:
                ended = stepper.copy()
                ended.finish()
                self.final[len(self.moves) - 1] = tuple(ended.heads())

    @staticmethod
    def key(stepper: Stepper) -> tuple[object, ...]:
        places = tuple(stepper.stack()), tuple(stepper.aside()), tuple(stepper.queue())
        return *places, tuple(stepper.heads()), stepper.noted

    def losses(self, gold: Heads) -> list[int]:
        """The fewest wrong heads that can still be had from each state."""
        best: dict[int, int] = {}
        for number in self.order:
            if number in self.final:
                best[number] = sum(a != b for a, b in zip(self.final[number], gold, strict=True))
            else:
                best[number] = min(best[after] for after in self.moves[number].values())
        return [best[number] for number in range(len(self.moves))]

    @cached_property
    def order(self) -> list[int]:
        graph = nx.DiGraph((a, b) for a, moves in enumerate(self.moves) for b in moves.values())
        graph.add_nodes_from(range(len(self.moves)))
        return list(reversed(list(nx.topological_sort(graph))))


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_way_through_a_system_ends_in_a_tree(system: str, single_root: bool) -> None:
    for words in range(1, 5):
        graph = Graph(system, words, single_root)
        assert graph.final
        for heads in graph.final.values():
            assert is_tree(heads)
            assert not single_root or heads.count(0) == 1
        for stepper, moves in zip(graph.steppers, graph.moves, strict=True):
            assert stepper.done or moves


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_system_reaches_the_trees_it_is_meant_for(system: str, single_root: bool) -> None:
    for words in range(1, 5):
        wanted = set(projective_trees(words, single_root))
        if not is_projective_only(system):
            wanted = {heads for heads in trees(words) if heads.count(0) == 1 or not single_root}
        reached = set(Graph(system, words, single_root).final.values())
        assert reached == wanted if system != "arc-eager" or not single_root else wanted <= reached


@pytest.mark.parametrize(("system", "single_root"), [("arc-eager", False), ("arc-hybrid", False), ("arc-hybrid", True)])
@pytest.mark.parametrize("words", [1, 2, 3, 4, 5])
def test_costs_are_the_arcs_that_brute_force_finds_lost(system: str, single_root: bool, words: int) -> None:
    graph = Graph(system, words, single_root)
    golds = list(projective_trees(words, single_root))
    if words == 5:
        golds = random.Random(7).sample(golds, 12)
    for gold in golds:
        least = graph.losses(gold)
        for number, (stepper, moves) in enumerate(zip(graph.steppers, graph.moves, strict=True)):
            if moves:
                assert stepper.costs(array(gold)) == {move: least[to] - least[number] for move, to in moves.items()}


def test_with_a_single_root_arc_eager_keeps_to_the_moves_that_lose_nothing() -> None:
    for words in range(1, 5):
        for gold in projective_trees(words, single_root=True):
            stepper = Stepper("arc-eager", words, True)
            while not stepper.done:
                costs = stepper.costs(array(gold))
                move = min(costs, key=costs.__getitem__)
                assert costs[move] == 0
                stepper.apply(move)
            stepper.finish()
            assert tuple(stepper.heads()) == gold


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_oracle_rebuilds_every_small_tree(system: str, single_root: bool) -> None:
    for words in range(1, 6):
        for gold in trees(words):
            if (single_root and gold.count(0) > 1) or (is_projective_only(system) and not is_projective(gold)):
                continue
            built, moves = follow_oracle(**options(system), heads=array(gold), single_root=single_root)
            assert tuple(built) == gold
            if is_projective_only(system) and system in ARC_SYSTEMS:
                assert moves <= 2 * words


@st.composite
def random_trees(draw: st.DrawFn) -> Heads:
    """A tree of any shape: words in random order, each hung on one that came before it."""
    words = draw(st.integers(1, 40))
    order = draw(st.permutations(range(1, words + 1)))
    heads = [0] * words
    for i, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:i]]))
    return tuple(heads)


@pytest.mark.parametrize("system", SYSTEMS)
@given(heads=random_trees())
def test_the_oracle_rebuilds_random_trees(system: str, heads: Heads) -> None:
    wanted = tuple(lift(heads)) if is_projective_only(system) else heads
    assert tuple(follow_oracle(**options(system), heads=array(wanted))[0]) == wanted


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
@given(words=st.integers(1, 30), seed=st.integers(0, 2**32))
def test_random_walks_end_in_trees(system: str, single_root: bool, words: int, seed: int) -> None:
    source = random.Random(seed)
    stepper = Stepper(**options(system), words=words, single_root=single_root)
    while not stepper.done:
        stepper.apply(source.choice(stepper.valid()))
    stepper.finish()
    heads = tuple(stepper.heads())
    assert is_tree(heads)
    assert not single_root or heads.count(0) == 1


@pytest.mark.parametrize("treebank", ["en_ewt", "nl_lassysmall", "eu_bdt"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_oracle_rebuilds_a_treebank(system: str, treebank: str, treebanks: Path) -> None:
    place = next((treebanks / treebank).glob("dev.conll*"))
    doc = read(place)
    starts = doc.sentence_starts.tolist()
    for begin, end in itertools.pairwise(starts):
        heads = doc.heads[begin:end].copy()
        if is_projective_only(system):
            heads = lift(heads)
        built, _ = follow_oracle(**options(system), heads=heads, single_root=bool((heads == 0).sum() == 1))
        assert np.array_equal(built, heads)


@pytest.mark.parametrize("system", ["list-based", "swap"])
def test_systems_with_a_budget_stay_linear_beyond_it(system: str) -> None:
    moves = []
    for words in (2_000, 4_000):
        stepper = Stepper(system, words, True)
        count = 0
        while not stepper.done:
            valid = stepper.valid()
            greedy = {"list-based": (4, 0), "swap": (3, 0, 2)}[system]
            stepper.apply(next(move for move in greedy if move in valid))
            count += 1
        stepper.finish()
        moves.append(count)
    assert moves[1] < 2.2 * moves[0]


def test_the_facts_of_systems_are_told_by_the_core() -> None:
    facts = {name: system_facts(name) for name in system_names()}
    assert list(facts) == ["arc-eager", "arc-hybrid", "arc-standard", "list-based", "swap", "step-back"]
    assert [name for name, one in facts.items() if not one.projective] == ["list-based", "swap"]
    assert [name for name, one in facts.items() if one.dynamic] == ["arc-eager", "arc-hybrid"]
    assert [name for name, one in facts.items() if one.has_focus] == ["step-back"]
    assert [name for name, one in facts.items() if not one.joint_labels] == ["step-back"]
    assert {name: one.template_kind for name, one in facts.items() if one.has_focus} == {"step-back": "stepback"}
    assert all(one.name == name and one.moves[0] == "shift" for name, one in facts.items())
    with pytest.raises(ValueError, match="no transition system"):
        system_facts("arc-lazy")


def test_moves_that_are_not_possible_are_refused() -> None:
    stepper = Stepper("arc-hybrid", 2)
    with pytest.raises(ValueError, match="not possible"):
        stepper.apply(1)
    with pytest.raises(ValueError, match="not possible"):
        stepper.apply(200)
    with pytest.raises(ValueError, match="some moves are left"):
        stepper.finish()
    with pytest.raises(ValueError, match="number of words"):
        stepper.costs(array([0]))
    with pytest.raises(ValueError, match="cycle"):
        Stepper("arc-hybrid", 3).costs(array([0, 3, 2]))
    with pytest.raises(ValueError, match="no transition system"):
        Stepper("arc-lazy", 2)
    with pytest.raises(ValueError, match="no focus"):
        Stepper("step-back", 2, focus="leap")
