"""Sentences as NLTK's dependency graphs."""

from __future__ import annotations

from typing import Any

from laconic.corpus import Doc
from laconic.errors import InputError
from laconic.interop.optional import needed
from laconic.interop.rows import ABSENT, Rows, bounds


def to_nltk(doc: Doc) -> list[Any]:
    """One ``nltk.parse.DependencyGraph`` per sentence. InputError where a word has no head."""
    graphs = needed("nltk.parse.dependencygraph", "nltk")
    rows = Rows.of(doc)
    if any(head < 0 for head in rows.head):
        raise InputError("a dependency graph needs trees: a word of the document has no head")
    return [_graph(graphs.DependencyGraph, rows, begin, stop) for begin, stop in bounds(doc)]


def _graph(make: Any, rows: Rows, begin: int, stop: int) -> Any:
    graph = make()
    for number, word in enumerate(range(begin, stop), 1):
        graph.add_node(
            {
                "address": number,
                "word": rows.form[word],
                "lemma": rows.lemma[word],
                "ctag": rows.upos[word],
                "tag": rows.xpos[word] if rows.xpos[word] != ABSENT else rows.upos[word],
                "feats": rows.feats[word],
                "head": rows.head[word],
                "rel": rows.deprel[word],
            }
        )
    for number, word in enumerate(range(begin, stop), 1):
        graph.nodes[rows.head[word]]["deps"][rows.deprel[word]].append(number)
        if rows.head[word] == 0 and graph.root is None:
            graph.root = graph.nodes[number]
            graph.top_relation_label = rows.deprel[word]
    return graph
