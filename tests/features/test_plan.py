from __future__ import annotations

import pytest
from hypothesis import given

from laconic._core.features import Plan, Slot, attribute_names, node_names, step_names
from laconic.errors import ConfigError
from laconic.features import KINDS, TemplateSet, compile_plan, kind, load_set, parse_set
from laconic.features.files import SHIPPED
from laconic.features.kinds import STEPS

from .strategies import template_sets


def described(plan: Plan, slot: int) -> tuple[object, ...]:
    """A slot said in names again, by the core's tables."""
    s: Slot = plan.slots[slot]
    attribute = attribute_names()[s.attribute]
    name = plan.arguments[s.argument] if attribute in ("FEAT", "DICT", "CLUSTER") else ""
    path = tuple(step_names()[step] for step in s.path)
    return attribute, s.number, name, node_names()[s.node], s.index, path, s.many


@given(template_sets())
def test_a_plan_says_what_its_templates_say(chosen: TemplateSet) -> None:
    plan = compile_plan(chosen)
    assert len(plan) == len(chosen)
    for number, template in enumerate(chosen):
        wanted = []
        for term in template.terms:
            address = term.address
            path = (*address.path, "CHILDREN") if address.children else address.path
            many = address.children or address.node == "BETWEEN"
            wanted.append((term.attribute, term.number, term.name, address.node, address.index, path, many))
        assert [described(plan, slot) for slot in plan.template(number)] == wanted
        assert plan.many(number) == any(term[-1] for term in wanted)


@given(template_sets())
def test_slots_are_shared_and_numbered_by_first_use(chosen: TemplateSet) -> None:
    plan = compile_plan(chosen)
    used = [slot for number in range(len(plan)) for slot in plan.template(number)]
    assert list(dict.fromkeys(used)) == list(range(len(plan.slots)))
    assert len({described(plan, slot) for slot in range(len(plan.slots))}) == len(plan.slots)


def test_all_names_of_the_core_belong_to_some_kind_and_the_other_way_round() -> None:
    assert {name for kind in KINDS.values() for name in kind.attributes} == set(attribute_names())
    assert {name for kind in KINDS.values() for name in kind.nodes} == set(node_names())
    assert {*STEPS, "CHILDREN"} == set(step_names())


def test_the_features_of_nilsson_2010_are_written_as_in_the_paper() -> None:
    text = "POS(QUEUE0)\nLEX(QUEUE0)\nDEP(STACK0 lc)\nPOS(STACK1 lc pw) & LEX(QUEUE0)\nPOS(QUEUE0 rs fw)\n"
    assert str(parse_set(text, kind("transition"))) == text


def test_the_features_of_chang_2007_and_he_2013_can_be_written() -> None:
    text = "LEX(FOCUS0)\nPOS(FOCUS-2)\nPOS(FOCUS+5)\nDEP(CHILDREN(FOCUS0))\nPOS(CHILDREN(FOCUS+1)) & HISTORY1(STATE)\n"
    assert str(parse_set(text, kind("stepback"))) == text
    text = "XPOS(BETWEEN) & XPOS(HEAD) & XPOS(MOD)\nPREFIX5(HEAD) & DIRECTION(MOD) & DISTANCE(MOD)\nUPOS(SIB+1)\n"
    assert str(parse_set(text, kind("edge"))) == text


@pytest.mark.parametrize("name", list(SHIPPED))
def test_shipped_sets_parse_compile_and_are_written_canonically(name: str) -> None:
    chosen = load_set(name)
    assert len(compile_plan(chosen)) == len(chosen) > 0
    assert parse_set(str(chosen), chosen.kind) == chosen


def test_the_tagger_has_46_templates_that_look_at_no_column() -> None:
    chosen = load_set("tagger")
    assert len(chosen) == 46
    columns = {"LEMMA", "UPOS", "XPOS", "FEATS", "FEAT", "ENTITY"}
    assert not columns & {term.attribute for template in chosen for term in template.terms}


def test_an_unknown_set_is_an_error_that_lists_the_sets() -> None:
    with pytest.raises(ConfigError, match="tagger"):
        load_set("nothing")


def test_a_plan_refuses_what_does_not_exist() -> None:
    slot = Slot(0, 0)
    with pytest.raises(ValueError, match="slot that does not exist"):
        Plan([slot], [[1]], ["x"])
    with pytest.raises(ValueError, match="at least one slot"):
        Plan([slot], [[]], ["x"])
    with pytest.raises(ValueError, match="one name per template"):
        Plan([slot], [[0]], [])
    with pytest.raises(ValueError, match="at most five steps"):
        Slot(0, 0, path=[0] * 6)
