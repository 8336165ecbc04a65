"""Opening what a user names: a path, ``-`` or an open file. Gzip is unpacked; a path is replaced as a whole."""

from __future__ import annotations

import errno
import gzip
import io
import os
import secrets
import shutil
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, Any, BinaryIO, TypeAlias, cast

from laconic.errors import ConfigError, InputError

Source: TypeAlias = str | os.PathLike[str] | IO[Any]

GZIP_MAGIC = b"\x1f\x8b"
SLICE = 1 << 14  # of compressed bytes at once: what is left behind the end of a gzip member is copied


def name_of(source: Source) -> str:
    """How errors name it: always text, so that bytes of a file name which are not UTF-8 are shown escaped."""
    if isinstance(source, str | os.PathLike):
        return "<stdin>" if os.fspath(source) == "-" else os.fsencode(source).decode("utf-8", "backslashreplace")
    return str(getattr(source, "name", "<file>"))


def read_chunks(source: Source, size: int) -> Iterator[bytes]:
    """The bytes of a source in pieces of about ``size`` (-1: in one piece), inflated where they are gzip.

    InputError for damaged gzip.
    """
    with _opened(source) as file:
        pieces = _pieces(file, size)
        first = next(pieces, b"")
        while 0 < len(first) < len(GZIP_MAGIC) and (more := next(pieces, b"")):
            first += more
        if first.startswith(GZIP_MAGIC):
            yield from _inflated(first, pieces, size, name_of(source))
        else:
            yield first
            yield from pieces


@contextmanager
def _opened(source: Source) -> Iterator[IO[Any]]:
    if not isinstance(source, str | os.PathLike):
        yield source
    elif os.fspath(source) == "-":
        yield sys.stdin.buffer
    else:
        with Path(source).open("rb") as file:
            yield file


def _pieces(file: IO[Any], size: int) -> Iterator[bytes]:
    while piece := file.read(size):
        yield piece.encode() if isinstance(piece, str) else piece


def _inflated(first: bytes, rest: Iterator[bytes], size: int, name: str) -> Iterator[bytes]:
    inflater = zlib.decompressobj(wbits=31)
    slices = _slices(chain([first], rest))
    data = b""
    started = True
    try:
        while True:
            if inflater.eof:
                # A gzip file may have several members; zeros may pad it.
                data = inflater.unused_data.lstrip(b"\0")
                inflater = zlib.decompressobj(wbits=31)
                started = False
            if not data and not (data := next(slices, b"")):
                break
            if not started and not (data := data.lstrip(b"\0")):
                continue
            started = True
            if piece := inflater.decompress(data, max(size, 0)):
                yield piece
            data = b"" if inflater.eof else inflater.unconsumed_tail
    except zlib.error as error:
        raise InputError(f"damaged gzip data ({error}): expected a whole .gz file", name) from None
    if started and not inflater.eof:
        raise InputError("the gzip data ends early: is the file truncated?", name)


def _slices(pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        for begin in range(0, len(piece), SLICE):
            yield piece[begin : begin + SLICE]


def check_apart(sources: Iterable[Source], target: Source) -> None:
    """ConfigError where the target is one of the sources, whatever the two are called: links and redirected streams
    are seen through. Devices and pipes may be both."""
    written = _status(target, sys.stdout)
    if written is None or not stat.S_ISREG(written.st_mode):
        return
    for source in sources:
        read = _status(source, sys.stdin)
        if read is not None and os.path.samestat(read, written):
            raise ConfigError(f"{_shown(target, '<stdout>')}: is an input as well: choose another output")


def _status(source: Source, stream: Any) -> os.stat_result | None:
    """What the system knows of a file; None where there is no such file."""
    try:
        if isinstance(source, str | os.PathLike) and os.fspath(source) != "-":
            return os.stat(source)  # noqa: PTH116  # as for the streams
        return os.fstat((stream if isinstance(source, str | os.PathLike) else source).fileno())
    except (OSError, ValueError, AttributeError):
        return None


def _shown(target: Source, stream: str) -> str:
    return stream if target == "-" else name_of(target)


def check_writable(path: Path) -> None:
    """OSError that names what the user gave, where a file cannot be made there."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such directory", str(path.parent))
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path.parent))


@contextmanager
def opened_to_write(target: Source) -> Iterator[BinaryIO]:
    """A binary file to write to. A path appears or changes only when everything was written: no half file is left."""
    if not isinstance(target, str | os.PathLike):
        yield cast(BinaryIO, target)
    elif os.fspath(target) == "-":
        with _written_whole(sys.stdout.buffer) as file:
            yield file
    else:
        path = Path(target)
        with _replaced(path) as file:
            if path.suffix != ".gz":
                yield file
                return
            # No time and no name in the header: equal documents are equal bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                yield cast(BinaryIO, packed)


@contextmanager
def _written_whole(stream: BinaryIO) -> Iterator[BinaryIO]:
    """The stream, buffered. An unbuffered Python gives the raw one, which may write only a part of what it gets."""
    if not isinstance(stream, io.RawIOBase):
        yield stream
        stream.flush()
        return
    whole = io.BufferedWriter(stream)
    try:
        yield whole
    finally:
        whole.detach()


@contextmanager
def _replaced(path: Path) -> Iterator[BinaryIO]:
    if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
        with path.open("wb") as file:
            yield file
        return
    given, path = path, path.resolve()
    draft = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        with _draft(draft, given) as file:
            yield file
        if path.exists():
            shutil.copymode(path, draft)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _draft(draft: Path, given: Path) -> BinaryIO:
    """The file that will become what the user named. Errors tell of that name: nobody knows the draft's."""
    try:
        return draft.open("xb")
    except OSError as error:
        check_writable(given)
        raise OSError(error.errno, error.strerror, str(given)) from None
