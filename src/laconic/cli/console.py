"""What people see: messages and progress on stderr, tables on stdout."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

T = TypeVar("T")
PATIENCE = 2.0  # seconds without a progress bar
STYLES = {logging.DEBUG: "dim", logging.WARNING: "yellow", logging.ERROR: "bold red"}


def printable(text: str) -> str:
    """The text with control characters and broken code points escaped: a file must not steer the terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)


class MessageHandler(logging.Handler):
    """Log records as lines ``laconic: message``, coloured on a terminal and never wrapped."""

    def __init__(self) -> None:
        super().__init__()
        self.console = Console(stderr=True, soft_wrap=True, highlight=False)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = Text(f"laconic: {printable(self.format(record))}", style=STYLES.get(record.levelno, ""))
            self.console.print(line)
        except Exception:
            self.handleError(record)


def configure_logging(*, verbose: bool, quiet: bool) -> None:
    level = logging.DEBUG if verbose else logging.ERROR if quiet else logging.INFO
    logger = logging.getLogger("laconic")
    logger.handlers = [MessageHandler()]
    logger.setLevel(level)
    logger.propagate = False


def out() -> Console:
    """The console for results. Tables keep their width in a file or a pipe."""
    return Console(width=None if sys.stdout.isatty() else 120, highlight=False)


def progress(items: Iterable[T], label: str, total: float | None = None) -> Iterator[tuple[T, Step]]:
    """Passes the items on, each with a ``Step`` that describes the job; on a terminal it shows after a while."""
    step = Step(label, total)
    try:
        for item in items:
            yield item, step
            step.show()
    finally:
        step.close()


class Step:
    """How far a long job is: ``done`` of ``total`` (unknown if None)."""

    def __init__(self, label: str, total: float | None) -> None:
        self.label, self.total, self.done = label, total, 0.0
        self._started = time.monotonic()
        self._bar: Progress | None = None

    def show(self) -> None:
        if self._bar is None:
            if not sys.stderr.isatty() or time.monotonic() - self._started < PATIENCE:
                return
            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(printable(self.label), total=self.total)
            self._bar.start()
        self._bar.update(self._task, completed=self.done, description=printable(self.label))

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
