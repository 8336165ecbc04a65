"""Queries over trees: words found by their attributes and relations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.exports import on_first_use

if TYPE_CHECKING:
    from laconic.query.search import Match, Query

__all__ = ["Match", "Query"]

__getattr__, __dir__ = on_first_use(__name__, {"laconic.query.search": "Match Query"})
