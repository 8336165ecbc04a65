"""Projectivity against the definitions, spelled out by brute force on every small tree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.corpus import projectivity

SCHEMES: tuple[projectivity.Scheme, ...] = ("head", "path", "head+path")


def ancestors(heads: list[int], word: int) -> list[int]:
    chain: list[int] = []
    while word != 0 and len(chain) <= len(heads):
        word = heads[word - 1]
        chain.append(word)
    return chain


def is_tree(heads: list[int]) -> bool:
    return all(len(ancestors(heads, word)) <= len(heads) for word in range(1, len(heads) + 1))


def nonprojective(heads: list[int], word: int) -> bool:
    """The definition: some word between head and dependent does not descend from the head."""
    head = heads[word - 1]
    between = range(min(head, word) + 1, max(head, word))
    return any(head not in ancestors(heads, other) for other in between)


def lifted_by_definition(heads: list[int]) -> list[int]:
    heads = list(heads)
    while arcs := [word for word in range(1, len(heads) + 1) if nonprojective(heads, word)]:
        smallest = min(arcs, key=lambda word: (abs(heads[word - 1] - word), min(heads[word - 1], word)))
        heads[smallest - 1] = heads[heads[smallest - 1] - 1]
    return heads


@cache
def small_trees() -> list[list[int]]:
    """Every tree of up to six words, several roots included."""
    return [
        list(heads)
        for n in range(1, 7)
        for heads in product(range(n + 1), repeat=n)
        if 0 in heads and is_tree(list(heads))
    ]


@cache
def joined() -> tuple[np.ndarray, np.ndarray]:
    trees = small_trees()
    return np.concatenate([np.array(tree) for tree in trees]), np.cumsum([0] + [len(tree) for tree in trees])


@st.composite
def trees(draw: st.DrawFn, max_size: int = 40) -> list[int]:
    """A random tree: each word in a random order takes a head among the words before it, or the root."""
    order = draw(st.permutations(range(1, draw(st.integers(1, max_size)) + 1)))
    heads = [0] * len(order)
    for i, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:i]]))
    return heads


def test_there_are_as_many_small_trees_as_cayley_counts() -> None:
    assert len(small_trees()) == sum((n + 1) ** (n - 1) for n in range(1, 7))


def test_nonprojective_arcs_are_those_of_the_definition_on_every_small_tree() -> None:
    heads, starts = joined()
    expected = [nonprojective(tree, word) for tree in small_trees() for word in range(1, len(tree) + 1)]
    assert projectivity.nonprojective_arcs(heads, starts).tolist() == expected


def test_a_tree_is_projective_if_every_subtree_is_a_run_of_words() -> None:
    for tree in small_trees()[:3000]:
        words = range(1, len(tree) + 1)
        subtrees = [[other for other in words if other == word or word in ancestors(tree, other)] for word in words]
        assert projectivity.is_projective(tree) == all(part[-1] - part[0] + 1 == len(part) for part in subtrees)


def test_lifting_follows_the_definition_on_every_small_tree() -> None:
    heads, starts = joined()
    expected = [head for tree in small_trees() for head in lifted_by_definition(tree)]
    assert projectivity.lift(heads, starts).tolist() == expected


def test_crossing_alone_does_not_make_an_arc_nonprojective() -> None:
    # 1→3, 1→2 and 2→4: 1→3 and 2→4 cross, and 2→4 is the arc to lift.
    assert projectivity.nonprojective_arcs([0, 1, 1, 2]).tolist() == [False, False, False, True]
    assert projectivity.lift([0, 1, 1, 2]).tolist() == [0, 1, 1, 1]


@given(trees())
def test_lifting_larger_trees_follows_the_definition(heads: list[int]) -> None:
    lifted = projectivity.lift(heads)
    assert lifted.tolist() == lifted_by_definition(heads)
    assert projectivity.is_projective(lifted)
    assert (projectivity.lift(lifted) == lifted).all()


@given(trees(), st.sampled_from(SCHEMES))
def test_an_encoded_tree_is_the_lifted_tree_and_decodes_to_a_tree_with_the_old_labels(
    heads: list[int], scheme: projectivity.Scheme
) -> None:
    labels = [f"l{word % 3}" for word in range(len(heads))]
    encoded, marked = projectivity.encode(heads, labels, scheme)
    assert encoded.tolist() == lifted_by_definition(heads)
    decoded, plain = projectivity.decode(encoded, marked, scheme)
    assert plain == labels
    assert is_tree(decoded.tolist())


@given(trees(), st.sampled_from(("head", "head+path")))
def test_words_that_all_have_their_own_label_are_all_restored_if_one_arc_was_lifted(
    heads: list[int], scheme: projectivity.Scheme
) -> None:
    labels = [f"l{word}" for word in range(len(heads))]
    encoded, marked = projectivity.encode(heads, labels, scheme)
    if sum(encoded != np.array(heads)) == 1:
        assert projectivity.decode(encoded, marked, scheme)[0].tolist() == heads


@pytest.mark.parametrize("scheme", SCHEMES)
def test_projective_trees_pass_through_encoding_and_decoding_unchanged(scheme: projectivity.Scheme) -> None:
    heads, labels = [2, 0, 4, 2], ["a", "root", "b", "c"]
    for step in (projectivity.encode, projectivity.decode):
        new_heads, new_labels = step(heads, labels, scheme)
        assert (new_heads.tolist(), new_labels) == (heads, labels)


@pytest.mark.parametrize(
    ("scheme", "labels"),
    [
        ("head", ["root", "a", "b", "c↑a"]),
        ("path", ["root", "a↓", "b", "c↑"]),
        ("head+path", ["root", "a↓", "b", "c↑a"]),
    ],
)
def test_each_scheme_marks_what_it_says(scheme: projectivity.Scheme, labels: list[str]) -> None:
    heads, marked = projectivity.encode([0, 1, 1, 2], ["root", "a", "b", "c"], scheme)
    assert marked == labels
    assert projectivity.decode(heads, marked, scheme)[0].tolist() == [0, 1, 1, 2]


def test_the_head_search_takes_the_nearest_level_first_and_then_the_leftmost() -> None:
    # Both 3 and 4 are labelled x; 3 is left of 4 on the same level.
    heads, labels = projectivity.decode([0, 1, 1, 1, 3, 1], ["root", "y", "x", "x", "x", "z↑x"], "head")
    assert heads.tolist() == [0, 1, 1, 1, 3, 3]
    assert labels[-1] == "z"


@pytest.mark.parametrize("labels", [["root", "y", "z↑nowhere"], ["root", "y", "z↑"]])
def test_a_lifted_word_whose_head_is_not_found_stays(labels: list[str]) -> None:
    heads, plain = projectivity.decode([0, 1, 1], labels, "head")
    assert heads.tolist() == [0, 1, 1]
    assert plain == ["root", "y", "z"]


def test_sentences_are_taken_one_by_one() -> None:
    heads, labels = [0, 1, 1, 2, 2, 0], ["root", "a", "b", "c", "d", "root"]
    encoded, marked = projectivity.encode(heads, labels, "head", [0, 4, 6])
    assert encoded.tolist() == [0, 1, 1, 1, 2, 0]
    assert marked == ["root", "a", "b", "c↑a", "d", "root"]


def test_an_empty_sentence_is_projective() -> None:
    assert projectivity.is_projective([])
    assert projectivity.lift([]).tolist() == []


@pytest.mark.parametrize(
    ("heads", "reason"),
    [([2, 1], "cycle"), ([1], "cycle"), ([3, 0], "out of range"), ([-1, 0], "absent"), ([0, 3, 2], "cycle")],
)
def test_heads_that_are_no_tree_are_refused_with_the_sentence(heads: list[int], reason: str) -> None:
    with pytest.raises(ValueError, match=f"sentence 1: .*{reason}"):
        projectivity.is_projective(heads)
    with pytest.raises(ValueError, match=f"sentence 2: .*{reason}"):
        projectivity.lift([0, *heads], [0, 1, len(heads) + 1])


def test_labels_that_hold_an_arrow_and_unknown_schemes_are_refused() -> None:
    with pytest.raises(ValueError, match="already encoded"):
        projectivity.encode([0], ["a↑b"])
    with pytest.raises(ValueError, match="head, path, head\\+path"):
        projectivity.encode([0], ["a"], "tail")  # type: ignore[arg-type]


def test_a_sentence_of_100_000_words_is_tested_and_lifted() -> None:
    n = 100_000
    chain = np.arange(n)
    star = np.ones(n, dtype=np.int32)
    star[0] = 0
    for heads in (chain, star):
        assert projectivity.is_projective(heads)
    # Pairs that cross all along: 1→3, 2→4, 5→7, 6→8 …
    crossing = np.arange(n) - 1
    crossing[0::4] = 0
    crossing[1::4] = 0
    assert not projectivity.is_projective(crossing)
    assert projectivity.is_projective(projectivity.lift(crossing))


def test_lifting_does_not_look_again_at_words_that_were_found_below_the_head() -> None:
    def in_turns(words: int) -> npt.NDArray[np.int64]:
        """Dependents of two heads in turns: each arc of the first spans all before it."""
        heads = 1 + np.arange(words) % 2
        heads[:2] = 0, 1
        return heads

    assert projectivity.lift(in_turns(1000)).tolist() == [0, *[1] * 999]
    # So many that looking again at all words below the head would take many minutes.
    assert set(projectivity.lift(in_turns(2_000_000)).tolist()) == {0, 1}


def sentences(path: Path) -> Iterator[tuple[list[int], list[str]]]:
    heads: list[int] = []
    labels: list[str] = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        columns = line.split("\t")
        if not line and heads:
            yield heads, labels
            heads, labels = [], []
        elif len(columns) == 10 and columns[0].isdigit():
            heads.append(int(columns[6]))
            labels.append(columns[7])


@pytest.mark.parametrize("code", ["nl_lassysmall", "da_cdt", "eu_bdt"])
def test_most_arcs_of_real_nonprojective_trees_are_recovered(treebanks: Path, code: str) -> None:
    found = list(sentences(treebanks / code / "dev.conllu"))
    heads = np.concatenate([np.array(part) for part, _ in found])
    starts = np.cumsum([0] + [len(part) for part, _ in found])
    labels = [label for _, part in found for label in part]
    for scheme in SCHEMES:
        encoded, marked = projectivity.encode(heads, labels, scheme, starts)
        decoded, plain = projectivity.decode(encoded, marked, scheme, starts)
        assert plain == labels
        assert (decoded == heads).mean() > 0.97
        assert (decoded == heads).sum() > (encoded == heads).sum()
