"""Models that pip installs: a wheel of data alone, and how installed ones are found.

Nothing in such a wheel is a program, and nothing of it is imported: its entry point in the group ``laconic.models``
names the folder where the model lies.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import keyword
import re
import zipfile
from dataclasses import replace
from importlib.metadata import Distribution, EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import laconic
from laconic.corpus.files import opened_to_write
from laconic.errors import ConfigError, ModelError
from laconic.pipeline.loading import bundled
from laconic.pipeline.model_card import ModelCard
from laconic.pipeline.modelfile import ModelFile

GROUP = "laconic.models"
MODEL, CARD, FACTS, LICENCE = "model.laconic", "MODEL_CARD.md", "model.json", "LICENSE"
VERSION = re.compile(r"\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?")
TIME = (1980, 1, 1, 0, 0, 0)
"""Of every file in the wheel: equal models are equal wheels."""


def package(
    model: Path,
    name: str,
    directory: Path,
    *,
    version: str = "1.0.0",
    licence: str = "",
    language: str = "",
    licence_file: Path | None = None,
) -> Path:
    """Write a wheel that pip installs, and after which ``laconic.load(name)`` finds the model; the path of it.

    ConfigError for a name or version that pip does not take, and where nothing says the licence: neither the model,
    as one does that ``laconic train --ud`` made, nor the caller. ModelError for a damaged model.
    """
    check_name(name)
    if not VERSION.fullmatch(version):
        raise ConfigError(f"the version must be numbers separated by points, such as 1.0.0, not {version!r}")
    data = model.read_bytes()
    digest = ModelFile.from_bytes(data, str(model)).digest
    card = replace(ModelCard.of(name, model, licence=licence, language=language), digest=digest)
    if not card.licence:
        raise ConfigError(f"{model}: the model does not say its licence: say it, such as --licence 'CC BY-SA 4.0'")
    if "\n" in card.licence + card.language:
        raise ConfigError("licence and language are one line each: the text of a licence goes into a file")
    facts = card.to_json() | {"version": version}
    files = {
        f"{name}/{MODEL}": data,
        f"{name}/{CARD}": card.to_markdown().encode(),
        f"{name}/{FACTS}": (json.dumps(facts, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode(),
    }
    about = f"{name}-{version}.dist-info"
    if licence_file is not None:
        files[f"{about}/licenses/{LICENCE}"] = licence_file.read_bytes()
    files |= {
        f"{about}/METADATA": _metadata(card, version, licence_file is not None).encode(),
        f"{about}/WHEEL": f"Wheel-Version: 1.0\nGenerator: laconic {laconic.__version__}\n"
        "Root-Is-Purelib: true\nTag: py3-none-any\n".encode(),
        f"{about}/entry_points.txt": f"[{GROUP}]\n{name} = {name}\n".encode(),
    }
    files[f"{about}/RECORD"] = _record(files, f"{about}/RECORD").encode()
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{name}-{version}-py3-none-any.whl"
    with opened_to_write(path) as file:
        file.write(_zipped(files))
    return path


def check_name(name: str) -> None:
    """ConfigError unless it can be the name of a folder, a package and a model at once."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise ConfigError(
            f"a model is called by small letters, digits and single underscores, such as de_mytreebank: not {name!r}"
        )
    if name == "laconic":
        raise ConfigError("laconic is the name of the program: choose another")
    module = find_spec(name)
    if module is not None and module.origin is not None:
        raise ConfigError(f"{name} is a Python module, in whose place pip would put the model: choose another name")
    if name in bundled():
        raise ConfigError(f"{name} is a model of laconic itself, which is found first: choose another name")


def _metadata(card: ModelCard, version: str, with_licence: bool) -> str:
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {card.name}",
        f"Version: {version}",
        f"Summary: A laconic model{f' for the language {card.language}' if card.language else ''}",
        f"License: {card.licence}",
        *([f"License-File: {LICENCE}"] if with_licence else []),
        f"Requires-Dist: laconic>={laconic.__version__}",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + card.to_markdown()


def _record(files: dict[str, bytes], itself: str) -> str:
    rows = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(data)}")
    return "\n".join([*rows, f"{itself},,"]) + "\n"


def _zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return packed.getvalue()


def installed() -> dict[str, EntryPoint]:
    """The models that other packages bring, by name. Reads what pip wrote; imports nothing. ModelError where two
    packages bring a model of one name."""
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        other = found.setdefault(point.name, point)
        if distribution(other).name != distribution(point).name:
            raise ModelError(
                f"{point.name}: two packages bring a model of this name, {distribution(other).name} and "
                f"{distribution(point).name}: uninstall one"
            )
    return dict(sorted(found.items()))


def distribution(point: EntryPoint) -> Distribution:
    """The package that an entry point is of."""
    if point.dist is None:
        raise ModelError(f"{point.name}: nothing says which package brings this model")
    return point.dist


def model_file(point: EntryPoint) -> tuple[Path, dict[str, Any]]:
    """Where the model of a package lies, and what the package says of it. ModelError where it is not there."""
    folder = Path(str(distribution(point).locate_file(point.value.replace(".", "/"))))
    try:
        facts = json.loads((folder / FACTS).read_text("utf-8"))
        if not isinstance(facts, dict) or not isinstance(facts.get("digest"), str):
            raise ValueError("it does not say the digest")
    except (OSError, ValueError) as error:
        raise ModelError(f"{point.name}: the package {distribution(point).name} is damaged: {error}") from None
    if not (folder / MODEL).is_file():
        raise ModelError(f"{point.name}: the package {distribution(point).name} has no {MODEL}")
    return folder / MODEL, facts
