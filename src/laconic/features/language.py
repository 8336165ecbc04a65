"""The template language as values: ``POS(STACK1 lc pw) & LEX(QUEUE0)`` is a Template of two Terms.

``str`` prints, :mod:`laconic.features.parser` reads; the two are inverse.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import overload

from laconic.features.kinds import Kind

GROUP = "# group"
"""The line that ends a group of templates."""


@dataclass(frozen=True, slots=True)
class Address:
    """A node and a path from it: ``STACK1 lc pw``; with ``children`` all children of what is reached."""

    node: str
    index: int = 0
    path: tuple[str, ...] = ()
    children: bool = False


@dataclass(frozen=True, slots=True)
class Term:
    """One attribute at one address: ``SUFFIX3(TOKEN-1)``, ``FEAT:Case(TOKEN)``, ``CLUSTER:brown/4(TOKEN)``."""

    attribute: str
    address: Address
    number: int = 0
    name: str = ""

    @property
    def bare(self) -> Term:
        """The attribute alone: the address says nothing."""
        return Term(self.attribute, Address(""), self.number, self.name)


@dataclass(frozen=True, slots=True)
class Template:
    """One or more terms, all different, whose values together are the feature."""

    kind: Kind
    terms: tuple[Term, ...]

    def __str__(self) -> str:
        return " & ".join(print_term(term, self.kind) for term in self.terms)


@dataclass(frozen=True, slots=True)
class TemplateSet(Sequence[Template]):
    """Templates of one context kind. The order is meaning; no two join the same terms.

    ``groups`` are the depths at which the file has a line ``# group``: templates are computed group after group by
    parsers that stop only there.
    """

    kind: Kind
    templates: tuple[Template, ...]
    groups: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.templates)

    def __iter__(self) -> Iterator[Template]:
        return iter(self.templates)

    @overload
    def __getitem__(self, index: int) -> Template: ...
    @overload
    def __getitem__(self, index: slice) -> TemplateSet: ...
    def __getitem__(self, index: int | slice) -> Template | TemplateSet:
        if isinstance(index, slice):
            chosen = range(len(self.templates))[index]
            ends = {depth: at for at, depth in enumerate(chosen) if at} if chosen.step == 1 else {}
            return TemplateSet(self.kind, self.templates[index], tuple(ends[d] for d in self.groups if d in ends))
        return self.templates[index]

    def __str__(self) -> str:
        ends = set(self.groups)
        return "".join(f"{GROUP}\n" * (i in ends) + f"{template}\n" for i, template in enumerate(self.templates))

    @property
    def group_ends(self) -> tuple[int, ...]:
        """The depth behind each group; one group where the file marks none."""
        return (*self.groups, len(self.templates))

    @property
    def columns(self) -> frozenset[str]:
        """The columns of a document that the templates name. POS, which the configuration gives a meaning, is none."""
        attributes = {term.attribute for template in self.templates for term in template.terms}
        return frozenset(column for name in attributes for column in self.kind.attributes[name].columns)

    def attributes(self) -> tuple[Term, ...]:
        """Every attribute that a template reads, as terms whose addresses say nothing."""
        return tuple(dict.fromkeys(term.bare for template in self.templates for term in template.terms))


def print_term(term: Term, kind: Kind) -> str:
    attribute = kind.attributes[term.attribute]
    address = kind.nodes[term.address.node].print(term.address.index)
    path = " ".join((address, *term.address.path))
    return f"{attribute.print(term.number, term.name)}({f'CHILDREN({path})' if term.address.children else path})"


def union(first: TemplateSet, *others: TemplateSet) -> TemplateSet:
    """The templates of sets of one kind, each once, in the order of the sets; groups are not kept."""
    found: dict[frozenset[Term], Template] = {}
    for some in (first, *others):
        for template in some:
            found.setdefault(frozenset(template.terms), template)
    return TemplateSet(first.kind, tuple(found.values()))


def expand_pairs(templates: TemplateSet) -> TemplateSet:
    """The templates themselves, then every pair of them joined, first with second, first with third and so on.

    A pair that would repeat an earlier template is left out. This gives a linear model the features of a quadratic
    kernel: n templates become n + n (n - 1) / 2.

    Paper: nilsson2010.
    """
    expanded = list(templates)
    seen = {frozenset(template.terms) for template in expanded}
    for first, second in combinations(templates, 2):
        terms = first.terms + tuple(term for term in second.terms if term not in first.terms)
        if frozenset(terms) not in seen:
            seen.add(frozenset(terms))
            expanded.append(Template(templates.kind, terms))
    return TemplateSet(templates.kind, tuple(expanded))
