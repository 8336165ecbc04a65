"""Models by name or path."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laconic.errors import ConfigError, ModelError
from laconic.pipeline.pipeline import Pipeline

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from laconic.pipeline.model_card import ModelCard

SUFFIX = ".laconic"
BUNDLED = "part of laconic"


def load(
    model: str | os.PathLike[str], components: Iterable[str] | None = None, *, disable: Iterable[str] = ()
) -> Pipeline:
    """The pipeline of a model file, or of a model by its name: one of this package (``"en"``), or of one that pip
    installed; at the effort ``balanced``; only some components of it, or all but those to ``disable``.

    ModelError where there is no such model or the file is damaged. Nothing is executed, nothing fetched.
    """
    found = find(model)
    pipeline = Pipeline.load(found.path, components, found.name)
    if found.digest and pipeline.digest != found.digest:
        raise ModelError(f"{found.name}: the model file is not the one that its package was made with")
    if isinstance(disable, str):
        raise ConfigError(f"disable is a list of components: write [{disable!r}]")
    left_out = list(disable)
    return pipeline.disable(*left_out) if left_out else pipeline


@dataclass(frozen=True)
class FoundModel:
    """A model file, and of one that has a name: the name, where it comes from, and the digest that is told there."""

    path: Path
    name: str = ""
    origin: str = ""
    digest: str = ""


def find(model: str | os.PathLike[str]) -> FoundModel:
    """The file of a model. A model of the package goes before an installed one, and both before a file of the name,
    which ``./name`` tells apart. Installed packages are looked at only for what can be a name."""
    if not isinstance(model, str | os.PathLike) or not os.fspath(model):
        raise ModelError(f"give the name of a model or the path of a model file, not {model!r}")
    name = os.fspath(model)
    known = bundled()
    if name in known:
        return FoundModel(known[name], name, BUNDLED)
    path = Path(name)
    others: dict[str, EntryPoint] = {}
    if isinstance(model, str) and name.isidentifier():
        from laconic.pipeline.model_package import installed

        others = installed()
        if name in others:
            return _installed(others[name])
    if not path.exists():
        names = f"the models of the package are {', '.join(known)}" if known else "no model is part of the package"
        more = f", installed are {', '.join(others)}" if others else ""
        raise ModelError(f"{name}: no such model: it is not a file, and {names}{more}")
    return FoundModel(path)


def path_of(model: str | os.PathLike[str]) -> Path:
    """The file of a model, by ``find``."""
    return find(model).path


def _installed(point: EntryPoint) -> FoundModel:
    from laconic.pipeline.model_package import distribution, model_file

    path, facts = model_file(point)
    package = distribution(point)
    return FoundModel(path, point.name, f"{package.name} {package.version}", facts["digest"])


def listed() -> list[tuple[FoundModel, ModelCard]]:
    """All models that have a name, each with what it says of itself. Of files no more than their headers is read."""
    from laconic.pipeline.model_card import ModelCard
    from laconic.pipeline.model_package import installed

    found = [FoundModel(path, name, BUNDLED) for name, path in bundled().items()]
    found += [_installed(point) for name, point in installed().items() if name not in bundled()]
    return [(one, ModelCard.of(one.name, one.path, **_beside(one.path))) for one in found]


def _beside(model: Path) -> dict[str, str]:
    """Language and licence, where a file beside the model says them."""
    facts = model.with_suffix(".json")
    if not facts.is_file():
        return {}
    said = json.loads(facts.read_text("utf-8"))
    return {key: str(said.get(key, "")) for key in ("language", "licence")}


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
