"""Which components there are, in the order in which they work on a text."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import TYPE_CHECKING, cast

from laconic.corpus import Doc
from laconic.errors import ConfigError, MissingColumnsWarning, choices
from laconic.learn import Component

if TYPE_CHECKING:
    from laconic.text import Segmenter

Components = Mapping[str, Component]


class Registry(MutableMapping[str, type[Component]]):
    """Classes by name, in the order of use. A class that is given as ``module:class`` is loaded when it is asked for:
    a model brings the rooms of its components with it and no others."""

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self._kinds: dict[str, str | type[Component]] = dict(kinds)

    def __getitem__(self, name: str) -> type[Component]:
        kind = self._kinds[name]
        if isinstance(kind, str):
            module, _, called = kind.partition(":")
            kind = cast("type[Component]", getattr(import_module(module), called))
            self._kinds[name] = kind
        return kind

    def __setitem__(self, name: str, kind: type[Component]) -> None:
        self._kinds[name] = kind

    def __delitem__(self, name: str) -> None:
        del self._kinds[name]

    def __contains__(self, name: object) -> bool:
        return name in self._kinds

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)


COMPONENTS = Registry(
    {
        "segmenter": "laconic.text:Segmenter",
        "tagger": "laconic.tag:Tagger",
        "morphology": "laconic.tag:Morphology",
        "lemmatizer": "laconic.tag:Lemmatizer",
        "parser": "laconic.transition:Parser",
        "graph": "laconic.graph:GraphParser",
        "ensemble": "laconic.ensemble:Ensemble",
        "labeler": "laconic.label:Labeler",
        "tensor_labeler": "laconic.label:TensorLabeler",
        "entities": "laconic.tag:EntityTagger",
    }
)
"""A new component is an entry here, at its place in the order of use."""


def work_of(name: str) -> str:
    """What the component does, by the name of the one that others stand instead of: a model has one for each work."""
    return COMPONENTS[name].instead_of or name


def order_of_use(names: Iterable[str]) -> tuple[str, ...]:
    """The components of these names in the order of use; ConfigError for a name that does not exist."""
    chosen = set(names)
    for name in sorted(chosen - COMPONENTS.keys()):
        raise ConfigError(f"no component {name!r}: there are {choices(name, COMPONENTS)}")
    if not chosen:
        raise ConfigError(f"no component is named: choose from {', '.join(COMPONENTS)}")
    return tuple(name for name in COMPONENTS if name in chosen)


def warn_unless_given(component: Component, doc: Doc) -> None:
    """A lemma, a head or an entity made without tags is poor, and nothing would tell.

    A column is missing if no word of the document has a value there; of columns of features, which many a short text
    does not have, this is said only where nothing else is there either. Cost: a look at the first word per column, and
    at all words only where that one has no value.
    """
    needed = component.reads
    if not len(doc) or not needed:
        return
    missing = [column for column in needed if column != "feats" and _is_empty(doc, column)]
    if "feats" in needed and len(missing) == len(needed) - 1 and _is_empty(doc, "feats"):
        missing.append("feats")
    if missing:
        warnings.warn(
            f"the {component.name} component reads {', '.join(missing)}, which nothing has filled: "
            "what it says will be poor",
            MissingColumnsWarning,
            stacklevel=2,
        )


def _is_empty(doc: Doc, column: str) -> bool:
    if doc.columns.strings(column, 0, 1) != ["_"] or doc.codes(column)[1] != ["_"]:
        return False
    return column != "lemma" or doc.codes("form")[1] != ["_"]  # the lemma of an underscore is an underscore


def find_segmenter(components: Components) -> Segmenter | None:
    """The component that makes documents from raw text, if there is one."""
    found = next((component for component in components.values() if component.segments), None)
    return cast("Segmenter | None", found)


def segmenter_of(components: Components) -> Segmenter:
    """The same; ConfigError, with what to do, where there is none."""
    segmenter = find_segmenter(components)
    if segmenter is not None:
        return segmenter
    raise ConfigError(
        f"a text must be segmented into sentences and words first, and there is no segmenter among the components in "
        f"use ({', '.join(components)}): add segmenter to them, if the model has one, or give words in place of text: "
        "a treebank such as CoNLL-U, one sentence a line with --pretokenized, in Python a document or lists of words"
    )
