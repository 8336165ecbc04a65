"""One process at a time: a lock of the operating system, which ends with its process however that ends."""

from __future__ import annotations

import errno
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from laconic.errors import ConfigError

logger = logging.getLogger(__name__)
HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""What the system says where another process has the lock."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock; its file has the number of this process, and is gone in the end. ConfigError, which tells the
    process that holds it. What a process leaves that was killed is a file without a lock: it is taken over."""
    file = _taken(path)
    try:
        yield
    finally:
        if sys.platform == "win32":  # an open file cannot be removed there
            file.close()
        with suppress(OSError):
            path.unlink()
        file.close()


def _taken(path: Path) -> BinaryIO:
    while True:
        file = path.open("a+b")
        try:
            _lock(file)
        except OSError as error:
            if error.errno not in HELD:
                # Rather a job without a lock than none: some network file systems have no locks.
                logger.warning("%s: cannot be locked (%s): start no other job there", path.parent, error.strerror)
                return file
            with file:
                file.seek(0)
                holder = file.read(20).decode("ascii", "replace").strip()
            owner = f"process {holder}" if holder else "another process"
            raise ConfigError(f"{path.parent}: {owner} is writing there: wait for it, or stop it") from None
        if _is_at(file, path):
            file.truncate(0)
            file.write(f"{os.getpid()}\n".encode())
            file.flush()
            return file
        file.close()  # its holder has removed it since it was opened: another try


def _is_at(file: BinaryIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _lock(file: BinaryIO) -> None:
    """At once, or OSError."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(1 << 30)  # what is locked cannot be read there: not the number of the process
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
