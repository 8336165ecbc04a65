"""Template sets to plans for the core."""

from __future__ import annotations

from laconic._core.features import Plan, Slot, attribute_names, is_word_level, node_names, step_names
from laconic.errors import ConfigError
from laconic.features.kinds import Kind
from laconic.features.language import Template, TemplateSet, Term

ATTRIBUTES = {name: code for code, name in enumerate(attribute_names())}
NODES = {name: code for code, name in enumerate(node_names())}
STEPS = {name: code for code, name in enumerate(step_names())}
MAX_SLOTS = 65535


def compile_plan(templates: TemplateSet, *, shared: bool = False) -> Plan:
    """The plan of a template set: each distinct term becomes one slot, shared by all templates that have it.

    With ``shared``, templates of one term about a word's form give the same feature at every node: its vector is
    learned once for all positions (hidden rows).
    Slots are numbered in the order of their first use, so an early template never waits for the atoms of a late one.
    Cost: linear in the number of terms.
    """
    slots: dict[Term, int] = {}
    names: dict[str, int] = {}
    for template in templates:
        for term in template.terms:
            slots.setdefault(term, len(slots))
            if term.name:
                names.setdefault(term.name, len(names))
    if len(slots) > MAX_SLOTS or len(names) > MAX_SLOTS:
        raise ConfigError(f"a template set has at most {MAX_SLOTS} different terms")
    return Plan(
        [_slot(term, templates.kind, names) for term in slots],
        [[slots[term] for term in template.terms] for template in templates],
        [_seed(template) if shared else str(template) for template in templates],
        list(names),
    )


def _seed(template: Template) -> str:
    """What tells the features of a template from those of others."""
    first = template.terms[0]
    if len(template.terms) > 1 or first.address.children or not is_word_level(ATTRIBUTES[first.attribute]):
        return str(template)
    attribute = template.kind.attributes[first.attribute]
    return f"{attribute.print(first.number, first.name)}(any word)"


def _slot(term: Term, kind: Kind, names: dict[str, int]) -> Slot:
    address = term.address
    path = [STEPS[step] for step in address.path]
    if address.children:
        path.append(STEPS["CHILDREN"])
    return Slot(
        attribute=ATTRIBUTES[term.attribute],
        node=NODES[address.node],
        index=address.index,
        number=term.number,
        argument=names.get(term.name, 0),
        path=path,
        many=address.children or kind.nodes[address.node].many,
    )
