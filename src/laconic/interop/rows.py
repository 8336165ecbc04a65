"""The columns of a document as Python lists, taken out once, for views that go over its words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from laconic.corpus import Doc
from laconic.errors import InputError
from laconic.evaluate.columns import tags_of
from laconic.evaluate.entities import UNANNOTATED, split_tag
from laconic.evaluate.judge import Coded

ABSENT = "_"
KEY = "NER"


@dataclass(frozen=True)
class Rows:
    """One list per column, one value per word of the document. Heads and offsets are -1 where they are not known."""

    form: list[str]
    lemma: list[str]
    upos: list[str]
    xpos: list[str]
    feats: list[str]
    head: list[int]
    deprel: list[str]
    deps: list[str]
    misc: list[str]
    start: list[int]
    end: list[int]

    @classmethod
    def of(cls, doc: Doc) -> Rows:
        text = {
            name: doc.strings(name) for name in ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")
        }
        return cls(**text, head=doc.heads.tolist(), start=doc.starts.tolist(), end=doc.ends.tolist())


def entity_tags(doc: Doc) -> Coded:
    """The entity tags of MISC as codes and values. What is not a tag of any scheme counts as no annotation: MISC is
    everybody's, and a view of it must not fail."""
    codes, values = tags_of(doc, KEY)
    return codes, [value if _is_tag(value) else UNANNOTATED for value in values]


def bounds(doc: Doc) -> Iterator[tuple[int, int]]:
    """First word of each sentence and the one after its last."""
    starts = doc.sentence_starts.tolist()
    return pairwise(starts)


def _is_tag(value: str) -> bool:
    try:
        split_tag(value)
    except InputError:
        return False
    return True
