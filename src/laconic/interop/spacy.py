"""A document as one of spaCy's, in memory: no model and no language of spaCy's is needed."""

from __future__ import annotations

from typing import Any

from laconic._core.corpus import tree_fault
from laconic.corpus import Doc
from laconic.errors import InputError
from laconic.interop.optional import needed
from laconic.interop.rows import ABSENT, Rows, bounds


def to_spacy(doc: Doc, vocab: Any = None) -> Any:
    """A ``spacy.tokens.Doc`` of the words. ``vocab`` is that of a pipeline of spaCy's which is to go on with it.

    Words are tokens there, so the words of a multiword token are tokens of their own. Runs of white space become one
    space. Heads are set if every word has one; InputError where they are no tree, which spaCy cannot hold.
    """
    tokens = needed("spacy.tokens", "spacy")
    rows = Rows.of(doc)
    words = len(rows.form)
    fields: dict[str, Any] = {
        "words": rows.form,
        "spaces": [end < 0 or start < 0 or start > end for end, start in zip(rows.end, rows.start[1:], strict=False)]
        + [False] * (words > 0),
        "tags": _present(rows.xpos),
        "pos": _parts_of_speech(rows.upos),
        "morphs": _present(rows.feats),
        "lemmas": [
            lemma if lemma != ABSENT or form == ABSENT else ""
            for form, lemma in zip(rows.form, rows.lemma, strict=True)
        ],
        "sent_starts": [index == begin for begin, stop in bounds(doc) for index in range(begin, stop)],
        "ents": ["O"] * words,
    }
    for span in doc.entities:
        fields["ents"][span.begin : span.stop] = [
            f"{'B' if index == span.begin else 'I'}-{span.label}" for index in range(span.begin, span.stop)
        ]
    if words and all(head >= 0 for head in rows.head):
        _check_trees(doc)
        fields["heads"] = [
            begin + head - 1 if head else begin + index
            for begin, stop in bounds(doc)
            for index, head in enumerate(rows.head[begin:stop])
        ]
        fields["deps"] = [
            "ROOT" if not head else dep for head, dep in zip(rows.head, _present(rows.deprel), strict=True)
        ]
    return tokens.Doc(vocab or needed("spacy.vocab", "spacy").Vocab(), **fields)


def _check_trees(doc: Doc) -> None:
    for sentence in doc.sentences:
        if fault := tree_fault(sentence.heads):
            raise InputError(f"sentence {sentence.number + 1} is no tree: {fault}")


def _present(values: list[str]) -> list[str]:
    return ["" if value == ABSENT else value for value in values]


def _parts_of_speech(values: list[str]) -> list[str]:
    """spaCy knows the universal ones and raises an error for others; those are in the tag alone."""
    known = needed("spacy.parts_of_speech", "spacy").IDS
    return [value if value in known else "" for value in values]
