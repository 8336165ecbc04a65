"""Patterns as spaCy's DependencyMatcher takes them: a list of dictionaries, each with a node and its relation to one
before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from laconic.errors import InputError, choices
from laconic.query.syntax import Condition, Expression, GroupPattern, NodePattern, RelationPattern

ATTRIBUTES = {
    "ORTH": "form",
    "TEXT": "form",
    "LOWER": "lower",
    "LEMMA": "lemma",
    "POS": "upos",
    "TAG": "xpos",
    "DEP": "deprel",
    "MORPH": "feats",
    "ENT_TYPE": "entity",
}
OPERATORS = {
    **{same: same for same in ("<", ">", "<<", ">>", ".", "$+", "$-", "$++", "$--")},
    **{same: same for same in (">+", ">-", ">++", ">--", "<+", "<-", "<++", "<--")},
    ".*": "..",
    ";": "-",
    ";*": "--",
}
"""spaCy's relations and ours."""


def converted(pattern: Sequence[Mapping[str, Any]]) -> list[NodePattern]:
    """The pattern with all its nodes named. InputError, which says which entry it is, for what cannot be."""
    if isinstance(pattern, Mapping) or not isinstance(pattern, Sequence) or not pattern:
        raise InputError("a pattern is a string, or a list of dictionaries as spaCy's DependencyMatcher takes it")
    nodes: dict[str, tuple[Condition, ...]] = {}
    below: dict[str, list[tuple[str, str]]] = {}
    anchor = ""
    for number, entry in enumerate(pattern):
        where = f"entry {number} of the pattern"
        if not isinstance(entry, Mapping):
            raise InputError(f"{where} is no dictionary: {entry!r}")
        wanted = {"RIGHT_ID", "RIGHT_ATTRS"} if number == 0 else {"LEFT_ID", "REL_OP", "RIGHT_ID", "RIGHT_ATTRS"}
        if set(entry) != wanted:
            raise InputError(f"{where} has {', '.join(map(str, entry))}: expected {', '.join(sorted(wanted))}")
        name = entry["RIGHT_ID"]
        if not isinstance(name, str) or not name or name in nodes:
            raise InputError(f"{where}: RIGHT_ID must be a name that is new, not {name!r}")
        nodes[name] = _conditions(entry["RIGHT_ATTRS"], where)
        below[name] = []
        if number == 0:
            anchor = name
            continue
        left, operator = entry["LEFT_ID"], entry["REL_OP"]
        if not isinstance(left, str) or left not in below or left == name:
            raise InputError(f"{where}: LEFT_ID must be a name of an entry before it, not {left!r}")
        if not isinstance(operator, str) or operator not in OPERATORS:
            raise InputError(f"{where}: no REL_OP {operator!r}: there are {' '.join(OPERATORS)}")
        below[left].append((OPERATORS[operator], name))
    # From the last on, so that what hangs on a node is there before it.
    made: dict[str, NodePattern] = {}
    for name in reversed(nodes):
        parts: tuple[Expression, ...] = tuple(RelationPattern(symbol, made[other]) for symbol, other in below[name])
        relations = None if not parts else parts[0] if len(parts) == 1 else GroupPattern("all", parts)
        made[name] = NodePattern(nodes[name], name=name, relations=relations)
    return [made[anchor]]


def _conditions(attributes: Any, where: str) -> tuple[Condition, ...]:
    if not isinstance(attributes, Mapping):
        raise InputError(f"{where}: RIGHT_ATTRS is a dictionary, not {attributes!r}")
    found: list[Condition] = []
    for name, value in attributes.items():
        source = ATTRIBUTES.get(str(name).upper())
        if source is None:
            raise InputError(f"{where}: no attribute {name!r} here: there are {choices(str(name), ATTRIBUTES)}")
        wanted = value if isinstance(value, Mapping) else {"IN": [value]}
        for how, given in wanted.items():
            found += _compared(source, str(how), given, f"{where}, {name}")
    return tuple(found)


def _compared(source: str, how: str, given: Any, where: str) -> list[Condition]:
    if how == "REGEX" and isinstance(given, str):
        return [Condition(source, regex=given, anywhere=True)]
    several = isinstance(given, Sequence | set | frozenset) and not isinstance(given, str)
    if not several or not all(isinstance(one, str) for one in given):
        raise InputError(f"{where}: cannot compare by {how} with {given!r}: {_KNOWN}")
    values = tuple(str(one) or "_" for one in given)  # spaCy has the empty string where nothing is known
    if how == "IN":
        return [Condition(source, values=values)] if values else [Condition(source, presence="must_not"), _ANYTHING]
    if how == "NOT_IN":
        return [Condition(source, presence="must_not", values=values)] if values else []
    if how == "IS_SUPERSET" and source == "feats":
        return [Condition(source, key, values=(value,)) for key, _, value in (one.partition("=") for one in values)]
    raise InputError(f"{where}: cannot compare by {how}: {_KNOWN}")


_KNOWN = "there are a string, REGEX, IN, NOT_IN and, of MORPH, IS_SUPERSET"
_ANYTHING = Condition("form", presence="must_not")
"""Never true: every word has a form."""
