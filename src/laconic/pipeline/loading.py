"""Models by name or path."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from laconic.errors import ConfigError, ModelError
from laconic.pipeline.pipeline import Pipeline

SUFFIX = ".laconic"


def load(
    model: str | os.PathLike[str], components: Iterable[str] | None = None, *, disable: Iterable[str] = ()
) -> Pipeline:
    """The pipeline of a model file, or of a bundled model by its name (``"en"``), at the effort ``balanced``; only some
    components of it, or all but those to ``disable``.

    ModelError where there is no such model or the file is damaged. Nothing is executed, nothing fetched.
    """
    path, name = path_of(model), os.fspath(model)
    pipeline = Pipeline.load(path, components, name if name in bundled() else "")
    if isinstance(disable, str):
        raise ConfigError(f"disable is a list of components: write [{disable!r}]")
    left_out = list(disable)
    return pipeline.disable(*left_out) if left_out else pipeline


def path_of(model: str | os.PathLike[str]) -> Path:
    """The file of a model. A bundled model goes before a file of its name, which ``./name`` tells apart."""
    if not isinstance(model, str | os.PathLike) or not os.fspath(model):
        raise ModelError(f"give the name of a bundled model or the path of a model file, not {model!r}")
    name = os.fspath(model)
    known = bundled()
    if name in known:
        return known[name]
    path = Path(name)
    if not path.exists():
        names = f"the bundled models are {', '.join(known)}" if known else "no model is bundled"
        raise ModelError(f"{name}: no such model: it is not a file, and {names}")
    return path


def bundled() -> dict[str, Path]:
    """Names and files of the models that are part of the package."""
    folder = Path(__file__).parent.parent / "models"
    return {path.stem: path for path in sorted(folder.glob(f"*{SUFFIX}"))}


def unpickled(
    model: str, digest: str, names: tuple[str, ...], effort: str | float, options: dict[str, Any]
) -> Pipeline:
    """What a pipeline pickles as; ModelError unless the file is the one that was pickled."""
    pipeline = _opened(model, digest, names).at(effort)
    if options:
        pipeline.segmenter.options = options["options"]
    return pipeline


@lru_cache(maxsize=2)
def _opened(model: str, digest: str, names: tuple[str, ...]) -> Pipeline:
    """Kept, since a pool of processes unpickles the same pipeline for every task."""
    try:
        pipeline = load(model)
    except OSError as error:
        raise ModelError(f"{model}: the model that was pickled cannot be read: {error.strerror}") from error
    if pipeline.digest != digest:
        raise ModelError(f"{model}: the model file is not the one that was pickled")
    return pipeline.select(*names)
