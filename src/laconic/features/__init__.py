"""The template language, its plans, the shipped template sets, and the frozen vocabulary of word-level atoms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic._core.features import Dictionary, Lexicon, Plan, Slot, WordRows
from laconic.exports import on_first_use

if TYPE_CHECKING:
    from laconic.features.compile import compile_plan
    from laconic.features.files import chosen_set, load_set, read_set, stored_set
    from laconic.features.kinds import KINDS, Kind, TagColumn, kind
    from laconic.features.language import Address, Template, TemplateSet, Term, expand_pairs, union
    from laconic.features.lexicon import (
        atoms,
        build_dictionary,
        build_lexicon,
        load_dictionary,
        load_lexicon,
        word_rows,
    )
    from laconic.features.neighbours import Neighbours, chosen_neighbours, load_neighbours, parse_neighbours
    from laconic.features.parser import parse_set, parse_template

__all__ = [
    "KINDS",
    "Address",
    "Dictionary",
    "Kind",
    "Lexicon",
    "Neighbours",
    "Plan",
    "Slot",
    "TagColumn",
    "Template",
    "TemplateSet",
    "Term",
    "WordRows",
    "atoms",
    "build_dictionary",
    "build_lexicon",
    "chosen_neighbours",
    "chosen_set",
    "compile_plan",
    "expand_pairs",
    "kind",
    "load_dictionary",
    "load_lexicon",
    "load_neighbours",
    "load_set",
    "parse_neighbours",
    "parse_set",
    "parse_template",
    "read_set",
    "stored_set",
    "union",
    "word_rows",
]

__getattr__, __dir__ = on_first_use(
    __name__,
    {
        "laconic.features.compile": "compile_plan",
        "laconic.features.files": "chosen_set load_set read_set stored_set",
        "laconic.features.kinds": "KINDS Kind TagColumn kind",
        "laconic.features.language": "Address Template TemplateSet Term expand_pairs union",
        "laconic.features.lexicon": "atoms build_dictionary build_lexicon load_dictionary load_lexicon word_rows",
        "laconic.features.neighbours": "Neighbours chosen_neighbours load_neighbours parse_neighbours",
        "laconic.features.parser": "parse_set parse_template",
    },
)
