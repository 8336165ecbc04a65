"""Raw text to sentences, tokens and words."""

from __future__ import annotations

from laconic.text.multiword import learn_multiwords
from laconic.text.segmenter import Options, Progress, Segmenter, SegmenterConfig, Work
from laconic.text.source import Exceptions, encoded, read_exceptions

__all__ = [
    "Exceptions",
    "Options",
    "Progress",
    "Segmenter",
    "SegmenterConfig",
    "Work",
    "encoded",
    "learn_multiwords",
    "read_exceptions",
]
