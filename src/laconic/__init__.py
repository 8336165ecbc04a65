"""laconic: raw text to dependency trees, computing only as many features as each decision needs.

Importing this package imports nothing but its errors. A public name brings its room with it when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.errors import ConfigError, InputError, LaconicError, ModelError
from laconic.exports import on_first_use

if TYPE_CHECKING:
    from laconic.corpus import Doc, Entity, Sentence, Span, Token, check, read, stream, write
    from laconic.pipeline import Pipeline, TrainConfig, load
    from laconic.pipeline import trained as train

__version__ = "0.1.0"
__all__ = [
    "ConfigError",
    "Doc",
    "Entity",
    "InputError",
    "LaconicError",
    "ModelError",
    "Pipeline",
    "Sentence",
    "Span",
    "Token",
    "TrainConfig",
    "__version__",
    "check",
    "load",
    "read",
    "stream",
    "train",
    "write",
]

__getattr__, __dir__ = on_first_use(
    __name__,
    {
        "laconic.corpus": "Doc Entity Sentence Span Token check read stream write",
        "laconic.pipeline": "Pipeline TrainConfig load train=trained",
    },
    "cli corpus distill ensemble evaluate features graph integrations interop label learn pipeline query scale search "
    "serve tag text transition",
)
