"""Names of inputs on the command line: files, folders, globs, and files that list them."""

from __future__ import annotations

from glob import glob, has_magic
from pathlib import Path, PurePath
from typing import Annotated, NamedTuple

import typer

from laconic.cli import tables
from laconic.cli.source import STREAM, one_stream_at_most
from laconic.errors import InputError

ENDINGS = (".txt", ".md", ".conllu", ".conllx", ".conll", ".iob", ".iob2", ".bio", ".mrg", ".ptb", ".tsv")
"""Of files: a lone argument that ends so, packed (.gz) or not, is no text; of a folder such files are read."""
ListOf = Annotated[
    str | None,
    typer.Option("--list", metavar="FILE", help="A file with the name of an input on each line; - is stdin."),
]


class GivenFile(NamedTuple):
    path: str
    place: str
    """Below the folder that was given, or its name alone."""


def files_of(names: list[str], listed: str | None = None) -> list[GivenFile]:
    """All files that are meant, in order: those of a folder by their names, with all folders below it, those of a glob
    likewise. Of a folder, tables are meant where it has nothing else. Wrong usage where nothing is found."""
    found: list[GivenFile] = []
    for name in [*names, *_listed(listed)]:
        found += _meant(name)
    one_stream_at_most([*(file.path for file in found), *([STREAM] if listed == STREAM else [])])
    return found


def _meant(name: str) -> list[GivenFile]:
    path = Path(name)
    if name != STREAM and path.is_dir():
        below = [file for file in path.rglob("*") if not _is_hidden(file.relative_to(path)) and file.is_file()]
        files = sorted(_ending_in(ENDINGS, below) or _ending_in(tables.ENDINGS, below))
        if not files:
            raise InputError(f"no file in it ends in one of {' '.join(ENDINGS)}, packed or not", name)
        return [GivenFile(str(file), file.relative_to(path).as_posix()) for file in files]
    if name != STREAM and is_glob(name):
        globbed = sorted(file for file in glob(name, recursive=True) if not Path(file).is_dir())  # noqa: PTH207
        if not globbed:
            raise InputError("no file is called so", name)
        return [GivenFile(file, PurePath(file).name) for file in globbed]
    return [GivenFile(name, path.name)]


def is_glob(name: str) -> bool:
    """A pattern for names of files, not a question: there is no such file, and it looks like a path."""
    return has_magic(name) and looks_like_a_path(name) and not Path(name).exists()


def looks_like_a_path(name: str) -> bool:
    """Is it rather a file that is missing than a text? It ends like a file, starts like a path, or is one word with a
    slash or an ending."""
    if name.lower().endswith((*ENDINGS, *tables.ENDINGS, ".gz")) or name.startswith(
        ("/", "./", "../", "~/", ".\\", "..\\")
    ):
        return True
    if any(c.isspace() for c in name):
        return False
    ending = PurePath(name).suffix[1:]
    return "/" in name or "\\" in name or (0 < len(ending) <= 8 and ending.isascii() and ending.isalnum())


def without_ending(name: str) -> str:
    """``a/notes.txt.gz`` is ``a/notes``; an ending that no input has is part of the name."""
    bare = name.removesuffix(".gz")
    return bare[: -len(PurePath(bare).suffix)] if bare.lower().endswith(ENDINGS) else bare


def _is_hidden(file: Path) -> bool:
    return any(part.startswith(".") for part in file.parts)


def _ending_in(endings: tuple[str, ...], files: list[Path]) -> list[Path]:
    return [file for file in files if file.name.lower().removesuffix(".gz").endswith(endings)]


def _listed(name: str | None) -> list[str]:
    if name is None:
        return []
    from laconic.corpus.files import read_chunks

    data = b"".join(read_chunks(name, 1 << 16))
    found = [line for line in data.decode("utf-8", "surrogateescape").splitlines() if line.strip()]
    if not found:
        raise typer.BadParameter(f"{name}: lists no input", param_hint="--list")
    return found
