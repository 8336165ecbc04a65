"""What people see: messages and progress on stderr, tables on stdout."""

from __future__ import annotations

import logging
import sys
import threading
import warnings
from functools import cached_property
from typing import TYPE_CHECKING, Any

# rich is loaded when there is something to show: most calls of a verb show nothing.
if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

PATIENCE = 2.0  # seconds without a progress bar
STYLES = {logging.DEBUG: "dim", logging.WARNING: "yellow", logging.ERROR: "bold red"}


def printable(text: str) -> str:
    """The text with control characters and broken code points escaped: a file must not steer the terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)


class MessageHandler(logging.Handler):
    """Log records as lines ``laconic: message`` or ``laconic: warning: message``, coloured on a terminal and never
    wrapped."""

    @cached_property
    def console(self) -> Console:
        from rich.console import Console

        return Console(stderr=True, soft_wrap=True, highlight=False)

    def emit(self, record: logging.LogRecord) -> None:
        from rich.text import Text

        try:
            kind = "warning: " if record.levelno == logging.WARNING else ""
            line = Text(f"laconic: {kind}{printable(self.format(record))}", style=STYLES.get(record.levelno, ""))
            self.console.print(line)
        except Exception:
            self.handleError(record)


def configure_logging(*, verbose: bool, quiet: bool) -> None:
    level = logging.DEBUG if verbose else logging.ERROR if quiet else logging.INFO
    logger = logging.getLogger("laconic")
    logger.handlers = [MessageHandler()]
    logger.setLevel(level)
    logger.propagate = False
    warnings.showwarning = _show_warning


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """What the package warns of, without the place in its source, which helps nobody here."""
    logging.getLogger("laconic").warning("%s", message)


def out() -> Console:
    """The console for results. Tables keep their width in a file or a pipe."""
    from rich.console import Console

    class ResultConsole(Console):
        """Leaves a closed pipe to whoever called the verb, as plain output does."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return ResultConsole(width=None if sys.stdout.isatty() else 120, highlight=False)


class Job:
    """A piece of work that may take long: ``with Job("reading") as job``. On a terminal a bar shows it in time."""

    def __init__(self, label: str) -> None:
        self._state: dict[str, Any] = {"description": printable(label), "completed": 0, "total": None}
        self._bar: Progress | None = None
        # A thread of its own: a call into the core can be the whole job.
        self._timer = threading.Timer(PATIENCE, self._open)
        self._timer.daemon = True

    def __enter__(self) -> Job:
        if sys.stderr.isatty():
            self._timer.start()
        return self

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        task = bar.add_task(**self._state)
        self._bar = bar
        bar.update(task, **self._state)  # once more: `show` may have come between
        bar.start()

    def show(self, label: str, *, done: float = 0, total: float | None = None) -> None:
        """How far the job is; without ``total`` the share done is unknown."""
        self._state = {"description": printable(label), "completed": done, "total": total}
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], **self._state)

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        if self._timer.is_alive():
            self._timer.join()
        if self._bar is not None:
            self._bar.stop()
