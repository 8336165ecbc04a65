"""Random templates of every kind, built from the registry and not by the parser."""

from __future__ import annotations

from hypothesis import strategies as st

from laconic.features import KINDS, Address, Kind, Template, TemplateSet, Term

NAMES = st.text("ABCabcxyz019_-.[]", min_size=1, max_size=8)


@st.composite
def terms(draw: st.DrawFn, kind: Kind) -> Term:
    attribute = draw(st.sampled_from(list(kind.attributes.values())))
    node = kind.nodes[draw(st.sampled_from(attribute.nodes))]
    lowest, highest = (max(node.lowest, -attribute.left), -1) if attribute.left else (node.lowest, node.highest)
    index = draw(st.integers(lowest, highest))
    plain = node.name != "STATE" and not node.many
    path = draw(st.lists(st.sampled_from(kind.steps), max_size=4)) if kind.steps and plain else []
    children = kind.children and plain and draw(st.booleans())
    numbers = list(attribute.numbers)
    if attribute.named:
        numbers.append(0)
    return Term(
        attribute.name,
        Address(node.name, index, tuple(path), children),
        draw(st.sampled_from(numbers)) if numbers else 0,
        draw(NAMES) if attribute.named else "",
    )


@st.composite
def templates(draw: st.DrawFn, kind: Kind | None = None) -> Template:
    kind = kind or draw(st.sampled_from(list(KINDS.values())))
    joined = draw(st.lists(terms(kind), min_size=1, max_size=4, unique=True))
    return Template(kind, tuple(joined))


@st.composite
def template_sets(draw: st.DrawFn) -> TemplateSet:
    kind = draw(st.sampled_from(list(KINDS.values())))
    chosen = draw(st.lists(templates(kind), max_size=8, unique_by=lambda template: frozenset(template.terms)))
    return TemplateSet(kind, tuple(chosen))
