"""Templates that read nothing but the form of the word in focus. At the head of a list they cost one look-up together:
their weights are summed for a word of the lexicon when it is first met (``core/tag/form_scores.hpp``)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from laconic._core.features import is_word_level
from laconic.features import Template, TemplateSet, load_set
from laconic.features.compile import ATTRIBUTES


def of_the_form(template: Template) -> bool:
    return all(is_word_level(ATTRIBUTES[term.attribute]) and term.address.index == 0 for term in template.terms)


def form_template_count(templates: Sequence[Template]) -> int:
    """How many templates at the head of a list read the form alone."""
    return sum(1 for _ in takewhile(of_the_form, templates))


def form_first(templates: TemplateSet) -> TemplateSet:
    """The same templates, those that read the form alone first."""
    return TemplateSet(templates.kind, tuple(sorted(templates, key=lambda template: not of_the_form(template))))


def exits_after(head: int, templates: int) -> tuple[int, ...]:
    """Where decisions about words may end: after the head, then ever more rarely. Templates between two exits are
    fetched together, and each exit costs about as much as three templates: more of them make a decision read less and
    take longer."""
    return tuple(depth for depth in (head, head + 3, head + 8, head + 18) if 0 < depth < templates)


def tagger_exits() -> tuple[int, ...]:
    """Those of the shipped tagger."""
    templates = load_set("tagger")
    return exits_after(form_template_count(templates), len(templates))
