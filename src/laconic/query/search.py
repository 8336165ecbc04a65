"""Patterns compiled, and the words of documents that match them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from laconic._core import query as core
from laconic.errors import InputError
from laconic.query.dependency_matcher import converted
from laconic.query.syntax import Condition, Expression, GroupPattern, NodePattern, RelationPattern, fault, parsed

if TYPE_CHECKING:
    from laconic.corpus import Doc, Sentence, Token

AnyPattern = str | Sequence[Mapping[str, Any]]
"""In the language of Semgrex, or as spaCy's DependencyMatcher takes it."""


@dataclass(frozen=True, slots=True)
class Match:
    """Words that match a pattern: ``token`` is that of the first node, ``match["who"]`` one with a name. A relation
    with a name is the word that depends, whose ``deprel`` and ``head`` are the arc."""

    doc: Doc
    words: tuple[int, ...]
    """Indices in the document: the first node, then each name; -1 where an optional one was not found."""
    names: tuple[str, ...]

    @property
    def token(self) -> Token:
        return self.doc[self.words[0]]

    @property
    def sentence(self) -> Sentence:
        return self.token.sentence

    def __getitem__(self, name: str) -> Token:
        """KeyError for a name that is not in the pattern, or was optional and not found."""
        found = self.get(name)
        if found is None:
            raise KeyError(name)
        return found

    def get(self, name: str) -> Token | None:
        """The word of a name; None where there is none."""
        word = self.words[1 + self.names.index(name)] if name in self.names else -1
        return None if word < 0 else self.doc[word]

    @property
    def tokens(self) -> dict[str, Token]:
        """The words that were found, by name."""
        return {name: self.doc[word] for name, word in zip(self.names, self.words[1:], strict=True) if word >= 0}

    def __repr__(self) -> str:
        named = "".join(f", {name}={token.form!r}" for name, token in self.tokens.items())
        return f"<Match {self.token.form!r}{named}>"


class Query:
    """A pattern, ready to be searched for in any number of documents, from any number of threads.

    InputError where the pattern cannot be read. Searching is linear in the sentence for every part of the pattern;
    what names add is the number of ways to match.
    """

    def __init__(self, pattern: AnyPattern) -> None:
        self.pattern = pattern
        parts = parsed(pattern) if isinstance(pattern, str) else converted(pattern)
        names: dict[str, int] = {}
        compiled = _Compiler(pattern if isinstance(pattern, str) else "", names)
        for part in parts:
            compiled.core.add_part(compiled.node(part))
        self.names = tuple(names)
        self.relations = frozenset(compiled.relations)
        """Those of the names that are of relations."""
        self._core = compiled.core

    def __repr__(self) -> str:
        return f"<Query {self.pattern!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Query, (self.pattern,)

    def rows(self, doc: Doc) -> NDArray[np.int32]:
        """A row per match, in the order of the words: indices of the first node and of each name, -1 where an optional
        one was not found. No Python object per match."""
        return self._core.find(doc.columns).reshape(-1, 1 + len(self.names))

    def find(self, doc: Doc) -> Iterator[Match]:
        """The matches in a document, in the order of their words."""
        return (Match(doc, tuple(row), self.names) for row in self.rows(doc).tolist())


@lru_cache(maxsize=64)
def compiled(pattern: str) -> Query:
    return Query(pattern)


def find(doc: Doc, pattern: AnyPattern | Query) -> list[Match]:
    """All matches in a document."""
    if isinstance(pattern, str):
        pattern = compiled(pattern)
    return list((pattern if isinstance(pattern, Query) else Query(pattern)).find(doc))


class _Compiler:
    def __init__(self, pattern: str, names: dict[str, int]) -> None:
        self.core, self._pattern, self._names = core.Pattern(), pattern, names
        self.relations: set[str] = set()

    def node(self, node: NodePattern) -> int:
        # Names are numbered as they stand in the pattern, from left to right.
        name = -1 if node.name is None else self._names.setdefault(node.name, len(self._names))
        tests = [self._test(condition) for condition in node.conditions]
        relations = -1 if node.relations is None else self._expression(node.relations)
        return self.core.add_node(tests, node.negated, name, relations)

    def _expression(self, expression: Expression) -> int:
        if isinstance(expression, GroupPattern):
            return self.core.add_group(expression.kind, [self._expression(part) for part in expression.parts])
        return self._relation(expression)

    def _relation(self, relation: RelationPattern) -> int:
        label = -1 if relation.label is None else self._test(relation.label)
        name = -1
        if relation.name is not None:
            name = self._names.setdefault(relation.name, len(self._names))
            self.relations.add(relation.name)
        node = self.node(relation.node)
        return self.core.add_relation(
            relation.operator, label, node, relation.least, relation.most, name, relation.same_arc
        )

    def _test(self, condition: Condition) -> int:
        regex = -1
        if condition.regex is not None:
            try:
                regex = self.core.add_regex(condition.regex, condition.ignore_case, condition.anywhere)
            except InputError as error:
                if self._pattern:
                    raise fault(self._pattern, condition.place + error.column - 1, error.reason) from None
                raise fault(condition.regex, error.column - 1, error.reason) from None
        return self.core.add_test(condition.source, condition.key, condition.presence, list(condition.values), regex)
