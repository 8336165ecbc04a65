"""
The compiled heart of laconic: the loops that run per character, token or decision.
"""

from laconic._core import (
    corpus as corpus,
    features as features,
    graph as graph,
    label as label,
    learn as learn,
    query as query,
    search as search,
    tag as tag,
    text as text,
    transition as transition
)
