"""Core of laconic.query."""

from collections.abc import Sequence

import numpy
import numpy.typing

import laconic._core.corpus


class Pattern:
    """A pattern over trees; see core/query/query.hpp."""

    def __init__(self) -> None: ...

    def add_regex(self, expression: str, ignore_case: bool, anywhere: bool) -> int: ...

    def add_test(self, source: str, key: str, presence: str, values: Sequence[str], regex: int) -> int: ...

    def add_relation(self, symbol: str, label: int, node: int, least: int, most: int, name: int = -1, same_arc: bool = False) -> int: ...

    def add_group(self, kind: str, parts: Sequence[int]) -> int: ...

    def add_node(self, tests: Sequence[int], negated: bool, name: int, expression: int) -> int: ...

    def add_part(self, node: int) -> None: ...

    @property
    def names(self) -> int: ...

    def find(self, columns: laconic._core.corpus.Columns) -> numpy.typing.NDArray[numpy.int32]:
        """
        Words of all matches, one after another: that of the first node, then that of each name, -1 for none.
        """

def regex_matches(expression: str, texts: Sequence[str], ignore_case: bool = False, anywhere: bool = False) -> list[bool]:
    """Which of the texts match a regular expression."""
