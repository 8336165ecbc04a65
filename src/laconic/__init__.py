"""laconic: raw text to dependency trees, computing only as many features as each decision needs.

Importing this package imports nothing but its errors. A public name brings its room with it when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from laconic.errors import ConfigError, InputError, LaconicError, ModelError

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

_HOMES = {
    **dict.fromkeys(
        ("Doc", "Entity", "Sentence", "Span", "Token", "check", "read", "stream", "write"), "laconic.corpus"
    ),
    **dict.fromkeys(("Pipeline", "TrainConfig", "load", "train"), "laconic.pipeline"),
}
_CALLED_THERE = {"train": "trained"}
_ROOMS = frozenset(
    (
        "cli",
        "corpus",
        "ensemble",
        "evaluate",
        "features",
        "graph",
        "interop",
        "label",
        "learn",
        "pipeline",
        "search",
        "serve",
        "tag",
        "text",
        "transition",
    )
)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), _CALLED_THERE.get(name, name))
    elif name in _ROOMS:
        value = import_module(f"laconic.{name}")
    else:
        raise AttributeError(f"module 'laconic' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_ROOMS})
