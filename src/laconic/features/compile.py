"""Template sets to plans for the core."""

from __future__ import annotations

from laconic._core.features import Plan, Slot, attribute_names, node_names, step_names
from laconic.errors import ConfigError
from laconic.features.kinds import Kind
from laconic.features.language import TemplateSet, Term

ATTRIBUTES = {name: code for code, name in enumerate(attribute_names())}
NODES = {name: code for code, name in enumerate(node_names())}
STEPS = {name: code for code, name in enumerate(step_names())}
MAX_SLOTS = 65535


def compile_plan(templates: TemplateSet) -> Plan:
    """The plan of a template set: each distinct term becomes one slot, shared by all templates that have it.

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
        [str(template) for template in templates],
        list(names),
    )


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
