"""Folders of Universal Dependencies as they are: which file is what, and what the README says."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from pathlib import Path

from laconic.errors import ConfigError

log = logging.getLogger(__name__)
PARTS = ("train", "dev", "test")
LICENCE = re.compile(r"^\s*Licen[sc]e:\s*(.+?)\s*$", re.M)
README = ("README.md", "README.txt", "README")
LARGEST_README = 1 << 20


@dataclass(frozen=True)
class TreebankFolder:
    """One treebank: its files, and what is known of it. ``licence`` is empty where no README says it."""

    path: Path
    name: str
    language: str
    licence: str
    train: Path
    dev: Path | None
    test: Path | None

    @classmethod
    def read(cls, path: Path) -> TreebankFolder:
        """A folder with files called ``…-ud-train.conllu`` and so on, or ``train.conllu``. ConfigError where there is
        nothing to train on, or more than one file for a part."""
        found = {part: _file(path, part) for part in PARTS}
        train = found["train"]
        if train is None:
            raise ConfigError(_missing(path))
        prefix = train.name.partition("-ud-")[0] if "-ud-" in train.name else ""
        name = prefix or _plain(path.resolve().name)
        language = re.match(r"[a-z]{2,3}(?=_|$)", name)
        return cls(path, name, language[0] if language else "", _licence(path), train, found["dev"], found["test"])


def treebanks_in(path: Path) -> list[TreebankFolder] | None:
    """The treebanks in a folder of folders, by name; None where the folder is a treebank itself. One without training
    data is left out, with a warning in the log. ConfigError where there is none, or two have one name."""
    if not path.is_dir():
        raise ConfigError(f"{path}: is no folder")
    if _file(path, "train") is not None:
        return None
    folders = []
    for one in sorted(path.iterdir()):
        if one.is_dir() and _file(one, "train"):
            folders.append(TreebankFolder.read(one))
        elif one.is_dir() and (_file(one, "dev") or _file(one, "test")):
            log.warning("%s: left out", _missing(one))
    if not folders and _cut(path):
        raise ConfigError(_missing(path))
    if not folders:
        raise ConfigError(f"{path}: neither a treebank nor a folder of treebanks: no …-ud-train.conllu is in it")
    names: dict[str, Path] = {}
    for folder in folders:
        other = names.setdefault(folder.name, folder.path)
        if other != folder.path:
            raise ConfigError(f"{other} and {folder.path} are both the treebank {folder.name}")
    return folders


def _file(path: Path, part: str) -> Path | None:
    found = sorted(
        one
        for pattern in (f"*-ud-{part}.conllu", f"{part}.conllu", f"*-ud-{part}.conllu.gz")
        for one in path.glob(pattern)
    )
    if len(found) > 1:
        raise ConfigError(f"{path}: several files of {part} data: {', '.join(one.name for one in found)}")
    return found[0] if found else None


def _cut(path: Path) -> list[Path]:
    """Training data in several files, as of the largest treebanks (``…-ud-train-a.conllu``)."""
    return sorted(path.glob("*-ud-train-*.conllu"))


def _missing(path: Path) -> str:
    """Why there is nothing to train on."""
    if cut := _cut(path):
        whole = f"{cut[0].name.partition('-ud-')[0]}-ud-train.conllu"
        return f"{path}: training data in {len(cut)} files, {cut[0].name} and so on: join them into {whole}"
    return f"{path}: no training data: there is no file …-ud-train.conllu nor train.conllu in it"


def _licence(path: Path) -> str:
    """By the machine-readable lines of the README."""
    for name in README:
        readme = path / name
        if readme.is_file():
            with readme.open(encoding="utf-8", errors="replace") as file:
                stated = LICENCE.findall(file.read(LARGEST_README))
            if stated:
                return str(stated[-1])
    return ""


def _plain(name: str) -> str:
    """``UD_Faroese-OFT`` and the like as a name of a model."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "treebank"
