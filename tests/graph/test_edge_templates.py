"""The templates of possible arcs: the shipped sets, and what the core reads for them."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from synthetic import conllu

from laconic._core.graph import ArcModel, Lengths
from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError
from laconic.features import Template, build_lexicon, compile_plan, kind, load_set, parse_set
from laconic.graph import GraphConfig

ROOT = Path(__file__).parent.parent.parent
READ = """\
LEX(HEAD)
UPOS(HEAD) & LEX(MOD)
XPOS(HEAD-1) & XPOS(HEAD) & XPOS(MOD) & XPOS(MOD+1)
UPOS(MOD-2) & DISTANCE(MOD)
UPOS(HEAD) & UPOS(BETWEEN) & UPOS(MOD) & DIRECTION(MOD)
LEX(BETWEEN)
UPOS(BETWEEN) & XPOS(BETWEEN)
GAP(SIB)
UPOS(SIB) & UPOS(MOD) & GAP(SIB)
UPOS(HEAD) & LEX(SIB+1)
DISTANCE(SIB) & DIRECTION(SIB)
"""
ROOT_VALUE = "(root)"
Value = tuple[str, ...]


def model_of(doc: Doc, text: str) -> ArcModel:
    templates = parse_set(text, kind("candidate"))
    plan = compile_plan(templates)
    codes, forms = doc.codes("form")
    lexicon = build_lexicon(plan, forms, np.bincount(codes, minlength=len(forms)), cutoff=2)
    return ArcModel(plan, lexicon, Lengths(), "upos", [len(plan)])


def steps(distance: int) -> str:
    return next(str(limit) for limit in (1, 2, 3, 4, 7, 15, 10**9) if abs(distance) <= limit)


def values(template: Template, doc: Doc, first: int, size: int, head: int, mod: int, sib: int | None) -> list[Value]:
    """The features of a template as tuples of strings, read in the plainest way; none where something is unknown."""
    known = {form for form in doc.strings("form") if doc.strings("form").count(form) > 1}
    columns = {"UPOS": doc.strings("upos"), "XPOS": doc.strings("xpos"), "LEX": doc.strings("form")}

    def word(attribute: str, at: int | None) -> str | None:
        if at is None or at > size or at < 0:
            return "(none)"
        if at == 0:
            return ROOT_VALUE
        value = columns[attribute][first + at - 1]
        return None if attribute == "LEX" and value not in known else value

    def read(attribute: str, node: str, index: int) -> list[str | None]:
        if node == "BETWEEN":
            inner = range(min(head, mod) + 1, max(head, mod))
            nearest = sorted(inner, key=lambda at: abs(at - mod))[:48]
            return [word(attribute, at) for at in nearest]
        at = {"HEAD": head, "MOD": mod, "SIB": sib}[node]
        if attribute == "GAP":
            return ["(none)" if at is None else steps(at - mod)]
        if attribute == "DISTANCE":
            return ["(none)" if at is None else steps(at - head)]
        if attribute == "DIRECTION":
            return ["(none)" if at is None else str(at > head)]
        if at is None:
            return ["(none)"]
        beside = at + index
        return [word(attribute, beside if index == 0 or beside >= 1 else None)]

    combined: list[tuple[str | None, ...]] = [()]
    for term in template.terms:
        choices = read(term.attribute, term.address.node, term.address.index)
        combined = [(*one, value) for one in combined for value in choices]
    return [tuple(str(value) for value in one) for one in combined if None not in one]


def arcs(doc: Doc) -> Iterator[tuple[int, int, int, int, int, int | None]]:
    """Sentence, its first word, its size, head, modifier, sibling or none."""
    starts = doc.sentence_starts.tolist()
    for sentence, (first, end) in enumerate(itertools.pairwise(starts)):
        size = end - first
        for head in range(size + 1):
            for mod in range(1, size + 1):
                if head != mod:
                    inner = range(min(head, mod) + 1, max(head, mod))
                    sib = inner[len(inner) // 2] if len(inner) % 2 else None
                    yield sentence, first, size, head, mod, sib


def test_two_arcs_have_the_same_key_for_a_template_exactly_where_they_have_the_same_values() -> None:
    doc = Doc.from_conllu(conllu(5, seed=3))
    templates = parse_set(READ, kind("candidate"))
    model = model_of(doc, READ)
    keys: dict[tuple[int, Value], int] = {}
    for sentence, first, size, head, mod, sib in arcs(doc):
        found = model.keys(doc.columns, sentence, head, mod, -1 if sib is None else sib)
        for number, template in enumerate(templates):
            wanted = values(template, doc, first, size, head, mod, sib)  # members of sets from the modifier on
            assert len(found[number]) == len(wanted)
            for value, key in zip(wanted, found[number], strict=True):
                assert keys.setdefault((number, value), key) == key, (str(template), head, mod, sib)
    assert len(set(keys.values())) == len(keys) > 500


@pytest.mark.parametrize(("name", "lines"), [("graph", 134), ("graph-siblings", 56)])
def test_the_shipped_sets_have_as_many_templates_as_the_paper_counts(name: str, lines: int) -> None:
    templates = load_set(name)
    assert len(templates) == lines  # each with and without direction and distance: 268 and 112
    assert len(templates.group_ends) == {"graph": 7, "graph-siblings": 4}[name]


def test_of_the_templates_of_arcs_forty_read_one_word_and_four_a_set() -> None:
    sides = {"HEAD": 0, "MOD": 0, "both": 0, "sets": 0}
    for template in load_set("graph"):
        nodes = {term.address.node for term in template.terms}
        sides["sets" if "BETWEEN" in nodes else nodes.pop() if len(nodes) == 1 else "both"] += 1
    assert sides == {"HEAD": 20, "MOD": 20, "both": 90, "sets": 4}


def test_behind_vectors_all_templates_of_arcs_read_two_words() -> None:
    pairs, siblings = load_set("graph-pairs"), load_set("graph-siblings-brief")
    assert (len(pairs), len(siblings)) == (72, 34)
    assert all({"HEAD", "MOD"} <= {term.address.node for term in template.terms} for template in pairs)
    assert {str(one) for one in pairs} < {str(one) for one in load_set("graph")}
    assert {str(one) for one in siblings} < {str(one) for one in load_set("graph-siblings")}


def test_the_shipped_sets_are_what_the_script_writes() -> None:
    subprocess.run([sys.executable, str(ROOT / "tools" / "edge_templates.py"), "--check"], check=True)


def test_marks_of_groups_are_kept_by_reading_printing_and_slicing() -> None:
    text = "UPOS(HEAD)\n# group\nUPOS(MOD)\nXPOS(MOD)\n# group\nXPOS(HEAD)\n"
    templates = parse_set(text, kind("candidate"))
    assert templates.groups == (1, 3)
    assert templates.group_ends == (1, 3, 4)
    assert str(templates) == text
    assert templates[:3].groups == (1,)
    assert templates[1:].groups == (2,)
    assert parse_set("# group\n\nUPOS(HEAD)\n# group\n# group\n", kind("candidate")).groups == ()


@pytest.mark.parametrize(
    ("line", "column", "reason"),
    [
        ("UPOS(HEAD lc)", 11, "no paths"),
        ("DEP(HEAD)", 1, "unknown attribute 'DEP'"),
        ("VALENCY(HEAD)", 1, "unknown attribute 'VALENCY'"),
        ("UPOS(CHILDREN(HEAD))", 6, "unknown node 'CHILDREN'"),
        ("UPOS(GRAND)", 6, "unknown node 'GRAND'"),
        ("GAP(MOD)", 5, "SIB only"),
    ],
)
def test_what_only_finished_trees_have_is_refused_where_it_stands(line: str, column: int, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        GraphConfig(pair_templates=f"UPOS(HEAD)\n{line}\n").template_set()
    assert (caught.value.line, caught.value.column) == (2, column)


def test_templates_that_the_scorers_cannot_use_are_refused() -> None:
    with pytest.raises(ConfigError, match="sibling"):
        GraphConfig(pair_templates="UPOS(SIB)").template_set()
    with pytest.raises(ConfigError, match="sibling"):
        GraphConfig(scorer="linear", templates="UPOS(SIB)").template_set()
    with pytest.raises(ConfigError, match="HEAD or MOD alone"):
        GraphConfig(word_templates="UPOS(HEAD)\nUPOS(MOD) & UPOS(HEAD)").word_template_set("HEAD")
    with pytest.raises(ConfigError, match="none that reads MOD"):
        GraphConfig(word_templates="UPOS(HEAD)").word_template_set("MOD")
