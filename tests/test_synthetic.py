"""The invented treebank must itself be sound, or what is learnt from it proves nothing."""

from __future__ import annotations

import conllu
import networkx as nx
import pytest
import synthetic
from conllu.models import TokenList


def trees(text: str) -> list[TokenList]:
    return list(conllu.parse(text))


def words(sentence: TokenList) -> list[conllu.models.Token]:
    return [token for token in sentence if isinstance(token["id"], int)]


def crossing(sentence: TokenList) -> bool:
    arcs = [sorted((token["id"], token["head"])) for token in words(sentence)]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


def test_equal_seeds_give_equal_bytes_and_others_do_not() -> None:
    assert synthetic.conllu(30, 1) == synthetic.conllu(30, 1)
    assert synthetic.conllu(30, 1) != synthetic.conllu(30, 2)


@pytest.mark.parametrize("nonprojective", [0.0, 0.5])
def test_every_sentence_is_a_tree_with_one_root(nonprojective: float) -> None:
    for sentence in trees(synthetic.conllu(200, 3, nonprojective=nonprojective)):
        graph = nx.DiGraph((token["head"], token["id"]) for token in words(sentence))
        assert nx.is_arborescence(graph)
        assert graph.out_degree(0) == 1


def test_trees_are_projective_unless_asked_otherwise() -> None:
    assert not any(map(crossing, trees(synthetic.conllu(300, 4))))
    assert sum(map(crossing, trees(synthetic.conllu(300, 4, nonprojective=0.5)))) > 20


def test_tokens_and_spaces_spell_the_text() -> None:
    for sentence in trees(synthetic.conllu(200, 5)):
        covered: set[int] = set()
        text = ""
        for token in sentence:
            if isinstance(token["id"], tuple):
                covered.update(range(token["id"][0], token["id"][2] + 1))
            elif token["id"] in covered:
                continue
            text += token["form"] + ("" if (token["misc"] or {}).get("SpaceAfter") == "No" else " ")
        assert text.strip() == sentence.metadata["text"]


def test_a_second_sample_has_unknown_words_and_ambiguous_ones() -> None:
    tags: dict[str, set[str]] = {}
    for sentence in trees(synthetic.conllu(1000, 6)):
        for token in words(sentence):
            tags.setdefault(token["form"], set()).add(token["upos"])
    forms = [token["form"] for sentence in trees(synthetic.conllu(200, 7)) for token in words(sentence)]
    assert 0.05 < sum(form not in tags for form in forms) / len(forms) < 0.3
    assert 0.1 < sum(len(tags.get(form, ())) > 1 for form in forms) / len(forms) < 0.5
