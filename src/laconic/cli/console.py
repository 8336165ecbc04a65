"""What people see: messages and progress on stderr, tables on stdout."""

from __future__ import annotations

import logging
import sys
import threading

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

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


class Job:
    """A piece of work that may take long: ``with Job("reading")``. On a terminal a bar shows it after two seconds."""

    def __init__(self, label: str) -> None:
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(printable(label), total=None)
        # A thread of its own: a call into the core can be the whole job.
        self._timer = threading.Timer(PATIENCE, self._bar.start)
        self._timer.daemon = True

    def __enter__(self) -> Job:
        if sys.stderr.isatty():
            self._timer.start()
        return self

    def show(self, label: str | None = None, *, done: float | None = None, total: float | None = None) -> None:
        """How far the job is; the share done stays unknown until ``total`` is given."""
        description = None if label is None else printable(label)
        self._bar.update(self._task, description=description, completed=done, total=total)

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._bar.stop()
