"""Raw text to sentences, tokens and words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.exports import on_first_use

if TYPE_CHECKING:
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

__getattr__, __dir__ = on_first_use(
    __name__,
    {
        "laconic.learn": "Work",
        "laconic.text.multiword": "learn_multiwords",
        "laconic.text.segmenter": "Options Segmenter SegmenterConfig",
        "laconic.text.source": "Exceptions encoded read_exceptions",
        "laconic.text.streaming": "TextStream",
    },
)
