"""Neighbour rules: what a search looks at next."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.errors import ConfigError, InputError
from laconic.features import (
    KINDS,
    Neighbours,
    Term,
    chosen_neighbours,
    load_neighbours,
    load_set,
    parse_neighbours,
    parse_template,
)
from laconic.features.language import print_term
from laconic.features.neighbours import SHIPPED, UNDONE_BY

TRANSITION = KINDS["transition"]
PAPER = load_neighbours("nilsson2010")
# |SUCC| of the published sequences after each feature, from the first on (docs of the rules: table 2 and its counts).
SWEDISH = [15, 38, 39, 56, 55, 72, 95, 94, 93, 110, 109, 123, 140, 154, 168, 185]
ENGLISH = [15, 38, 39, 56, 55, 72, 95, 94, 93, 94, 111, 112, 129, 146, 163, 177]


def feature(text: str) -> Term:
    return parse_template(text, TRANSITION).terms[0]


def published(language: str) -> list[Term]:
    """Its lc and rc are those of all children."""
    terms = [template.terms[0] for template in load_set(f"nilsson2010-{language}")]
    return [feature(print_term(one, TRANSITION).replace(" lc", " fc").replace(" rc", " ec")) for one in terms]


def test_an_empty_set_leads_to_the_start() -> None:
    assert PAPER.of_set([]) == (feature("POS(QUEUE0)"), feature("LEX(QUEUE0)"))


def test_a_single_feature_has_as_many_successors_as_tables_3_and_4_have_lines() -> None:
    for name in ("POS(QUEUE0)", "LEX(QUEUE0)"):
        assert len(PAPER.of_set([feature(name)])) == 15
    assert len(PAPER.of_set([feature("POS(QUEUE0)"), feature("POS(STACK0)")])) == 38


@pytest.mark.parametrize(("language", "counts"), [("swedish", SWEDISH), ("english", ENGLISH)])
def test_the_published_sequences_can_be_derived_step_by_step(language: str, counts: list[int]) -> None:
    sequence = published(language)
    for size, one in enumerate(sequence):
        assert one in PAPER.of_set(sequence[:size])
    assert [len(PAPER.of_set(sequence[: size + 1])) for size in range(len(sequence))] == counts


def test_a_path_ending_in_pw_has_the_six_successors_of_the_worked_example() -> None:
    found = {term.address for term in PAPER.successors(feature("POS(STACK0 pw)"))}
    steps = {address.path[-1] for address in found if len(address.path) == 2}
    assert steps == {"h", "fc", "ec", "ls", "rs", "pw"}


@pytest.mark.parametrize("name", SHIPPED)
def test_no_shipped_rule_undoes_a_step_or_names_itself_or_what_the_language_cannot_say(name: str) -> None:
    rules = load_neighbours(name)
    frontier, seen = list(rules.start), set(rules.start)
    for _ in range(3):
        following = [one for term in frontier for one in rules.successors(term)]
        for term in frontier:
            own = rules.successors(term)
            assert len(own) == len(set(own))
            assert term not in own
        for one in following:
            assert parse_template(print_term(one, rules.kind), rules.kind).terms == (one,)
            assert all(UNDONE_BY.get(a) != b for a, b in zip(one.address.path, one.address.path[1:], strict=False))
        frontier = [one for one in dict.fromkeys(following) if one not in seen]
        seen.update(frontier)


@pytest.mark.parametrize("name", SHIPPED)
def test_rules_print_and_read_as_themselves(name: str) -> None:
    rules = load_neighbours(name)
    again = parse_neighbours(str(rules), rules.kind)
    assert again == rules
    assert str(again) == str(rules)


@given(st.text(alphabet="starSTACKQUEUE0n+-*hfcpwPOSLEX|(): ,\n#self", max_size=80))
def test_any_text_is_a_set_of_rules_that_prints_and_reads_as_itself_or_an_input_error(text: str) -> None:
    try:
        rules = parse_neighbours(text, TRANSITION)
    except InputError:
        return
    assert parse_neighbours(str(rules), TRANSITION) == rules


def test_paths_end_where_the_language_ends() -> None:
    deep = feature("POS(STACK0 pw pw pw pw pw)")
    assert {print_term(one, TRANSITION) for one in PAPER.successors(deep)} == {
        "LEX(STACK0 pw pw pw pw pw)",
        "DEP(STACK0 pw pw pw pw pw)",
    }
    last = Term("POS", feature("POS(QUEUE99)").address)
    assert [print_term(one, TRANSITION) for one in PAPER.successors(last)] == ["LEX(QUEUE99)"]


GOOD = "start: POS(QUEUE0)\n"


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("STACK0: POS(self)\n", 1, 0, "need a line 'start"),
        (GOOD + GOOD, 2, 1, "there is a start already"),
        ("start: POS(self)\n", 1, 12, "has no self"),
        (GOOD + "STOCK0: POS(self)\n", 2, 1, "did you mean STACK?"),
        (GOOD + "STACK0 POS(self)\n", 2, 8, "expected ':'"),
        (GOOD + "STACK0: POS(self), POS(self)\n", 2, 20, "POS(STACK0) is a successor already"),
        (GOOD + "STACK0: POS(self)\nSTACK0: LEX(self)\n", 3, 1, "a rule for this already, in line 2"),
        (GOOD + "* pw: POS(self fw)\n", 2, 11, "fw after pw leads back"),
        (GOOD + "* fc: POS(self h)\n", 2, 11, "h after fc leads back"),
        (GOOD + "STACK0: POS(self ls rs)\n", 2, 13, "rs after ls leads back"),
        (GOOD + "* up: POS(self)\n", 2, 3, "unknown step 'up'"),
        (GOOD + "* h: POS(self+1)\n", 2, 14, "the end of a path has no index"),
        (GOOD + "STACK0: POSS(self)\n", 2, 9, "unknown attribute"),
        (GOOD + "STACK0: HISTORY1(self)\n", 2, 9, "HISTORY is an attribute of STATE only"),
        (GOOD + "STACK0: POS(self) POS(QUEUE0)\n", 2, 19, "expected ','"),
        (GOOD + "STACK0: POS(self h\n", 2, 19, "expected ')'"),
    ],
)
def test_a_fault_in_a_rule_file_is_pointed_at(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_neighbours(text, TRANSITION, "mine.neighbours")
    assert reason in caught.value.reason
    assert (caught.value.file, caught.value.line, caught.value.column) == ("mine.neighbours", line, column)


def test_rules_are_chosen_by_name_or_file_and_must_fit_the_kind(tmp_path: pytest.TempPathFactory) -> None:
    assert chosen_neighbours("nilsson2010", TRANSITION) == PAPER
    with pytest.raises(ConfigError, match="are for transition, not for token"):
        chosen_neighbours("nilsson2010", KINDS["token"])
    with pytest.raises(ConfigError, match="nilsson2010"):
        load_neighbours("nilson2010")
    file = tmp_path / "mine.neighbours"  # type: ignore[operator]
    file.write_text(str(PAPER))
    assert chosen_neighbours(str(file), TRANSITION).rules == PAPER.rules
    file.write_bytes(b"start: POS(QUEUE0)\n# \xff\n")
    with pytest.raises(InputError, match="expected UTF-8"):
        chosen_neighbours(str(file), TRANSITION)


def test_attributes_are_all_that_rules_can_lead_to() -> None:
    assert [one.attribute for one in PAPER.attributes()] == ["POS", "LEX", "DEP"]
    named: Neighbours = parse_neighbours("start: FEAT:Case(QUEUE0)\nQUEUE0: SUFFIX3(self)\n", TRANSITION)
    assert [(one.attribute, one.number, one.name) for one in named.attributes()] == [
        ("FEAT", 0, "Case"),
        ("SUFFIX", 3, ""),
    ]
