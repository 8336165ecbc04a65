"""Raw text to sentences, tokens and words."""

from __future__ import annotations

from laconic.learn import Work
from laconic.text.multiword import learn_multiwords
from laconic.text.segmenter import Options, Segmenter, SegmenterConfig
from laconic.text.source import Exceptions, encoded, read_exceptions
from laconic.text.streaming import TextStream

__all__ = [
    "Exceptions",
    "Options",
    "Segmenter",
    "SegmenterConfig",
    "TextStream",
    "Work",
    "encoded",
    "learn_multiwords",
    "read_exceptions",
]
