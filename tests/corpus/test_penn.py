"""Penn brackets: parsing with places of errors, and heads by the table."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.corpus import penn, projectivity
from laconic.errors import InputError


def convert(text: str) -> penn.Dependencies:
    (tree,) = penn.parse_trees(text.splitlines(keepends=True))
    result = penn.to_dependencies(tree)
    assert result is not None
    return result


def head_forms(text: str) -> dict[str, str]:
    found = convert(text)
    forms = ["ROOT", *found.forms]
    return {form: forms[head] for form, head in zip(found.forms, found.heads, strict=True)}


def test_the_finite_verb_heads_the_sentence_and_auxiliaries_head_their_verbs() -> None:
    heads = head_forms("( (S (NP-SBJ (DT The) (NN cat)) (VP (MD will) (VP (VB sleep))) (. .)) )")
    assert heads == {"The": "cat", "cat": "will", "will": "ROOT", "sleep": "will", ".": "will"}


def test_traces_function_tags_and_indices_are_removed() -> None:
    text = """( (S (NP-SBJ-1 (NNS Birds))
        (VP (VBD seemed) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB sing)))))) )"""
    found = convert(text)
    assert found.forms == ["Birds", "seemed", "to", "sing"]
    assert found.tags == ["NNS", "VBD", "TO", "VB"]
    assert found.heads == [2, 0, 4, 2]


def test_a_coordinated_noun_phrase_is_headed_by_its_last_noun() -> None:
    assert head_forms("(NP (NN bread) (CC and) (NN butter))") == {"bread": "butter", "and": "butter", "butter": "ROOT"}


def test_a_possessive_ending_heads_its_noun_phrase() -> None:
    heads = head_forms("(NP (NP (NNP Ann) (POS 's)) (NN hat))")
    assert heads == {"Ann": "'s", "'s": "hat", "hat": "ROOT"}


def test_punctuation_heads_a_phrase_only_where_nothing_else_can() -> None:
    assert head_forms("(PRN (-LRB- -LRB-) (NP (NN now)) (-RRB- -RRB-))")["now"] == "ROOT"
    assert head_forms("(X (: --) (. .))") == {"--": ".", ".": "ROOT"}


@pytest.mark.parametrize(
    ("label", "plain"),
    [("NP-SBJ-1", "NP"), ("S=2", "S"), ("-LRB-", "-LRB-"), ("ADVP|PRT", "ADVP"), ("PP-LOC=1", "PP"), ("WP$", "WP$")],
)
def test_labels_lose_everything_but_the_category(label: str, plain: str) -> None:
    assert penn.plain_label(label) == plain


def test_a_tree_of_empty_elements_alone_has_no_dependencies() -> None:
    (tree,) = penn.parse_trees(["( (S (NP (-NONE- *)) (VP (-NONE- *?*))) )"])
    assert penn.to_dependencies(tree) is None


def test_very_deep_trees_are_parsed() -> None:
    depth = 50_000
    assert convert("(NP " * depth + "(NN deep)" + ")" * depth).heads == [0]


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("(S (NN a)))", 1, 11, "nothing opened"),
        ("word", 1, 1, "expected an opening bracket"),
        ("(S\n  (NN a b))", 2, 9, "takes one word"),
        ("(S (NN a) b)", 1, 11, "only brackets"),
        ("(S (NN a (NN b)))", 1, 10, "a word and a bracket"),
        ("(S ())", 1, 5, "without content"),
        ("(S (NN))", 1, 7, "without content"),
        ("(S\n(NN a)\n", 2, 0, "opens at line 1"),
    ],
)
def test_faults_name_file_line_and_column(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        list(penn.parse_trees(text.splitlines(keepends=True), "some.mrg"))
    assert (caught.value.file, caught.value.line, caught.value.column) == ("some.mrg", line, column)


phrases = st.recursive(
    st.tuples(st.sampled_from(["NN", "VBD", "IN", ",", "-NONE-", "CC"]), st.sampled_from("abcd")).map(
        lambda pair: f"({pair[0]} {pair[1]})"
    ),
    lambda inner: st.tuples(st.sampled_from([*penn.HEAD_RULES, "ODD"]), st.lists(inner, min_size=1, max_size=4)).map(
        lambda pair: f"({pair[0]} {' '.join(pair[1])})"
    ),
    max_leaves=30,
)


@given(phrases)
def test_every_tree_becomes_a_projective_tree_with_one_root_and_all_words(text: str) -> None:
    (tree,) = penn.parse_trees([text])
    found = penn.to_dependencies(tree)
    if found is None:
        assert text.count("(") >= text.count("(-NONE-") >= 1
        return
    assert found.heads.count(0) == 1
    assert projectivity.is_projective(found.heads)


def test_the_treebank_sample_agrees_with_a_conversion_made_elsewhere(shared_data: Path) -> None:
    reference = {}
    for block in (shared_data / "ud" / "en_ptb_sample" / "dev.conll").read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines()]
        reference[tuple(row[1] for row in rows)] = [int(row[6]) for row in rows if row]
    compared = 0
    for number in range(160, 180):
        with (shared_data / "ptb" / "mrg" / f"wsj_{number:04}.mrg").open(encoding="utf-8") as lines:
            for tree in penn.parse_trees(lines):
                found = penn.to_dependencies(tree)
                assert found is not None
                if tuple(found.forms) in reference:
                    assert found.heads == reference[tuple(found.forms)]
                    compared += 1
    assert compared > 250
