"""Where errors become exit codes: what a user can cause ends in one line on stderr, never in a traceback."""

from __future__ import annotations

import functools
import logging
import os
import sys
from collections.abc import Callable
from typing import ParamSpec

import typer

from laconic.errors import LaconicError

P = ParamSpec("P")
log = logging.getLogger("laconic")

BAD_INPUT, INTERRUPTED, CLOSED_PIPE = 1, 128 + 2, 128 + 13


def guarded(verb: Callable[P, None]) -> Callable[P, None]:
    """The verb with its failures translated: bad input is exit code 1, Ctrl-C and a closed pipe end quietly."""

    @functools.wraps(verb)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            verb(*args, **kwargs)
            # Here, because at the interpreter's end it is too late to be quiet.
            sys.stdout.flush()
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            discard_stdout()
            raise typer.Exit(CLOSED_PIPE) from None
        except (LaconicError, OSError, UnicodeError) as error:
            log.error(describe(error))
            log.debug("where it happened", exc_info=error)
            raise typer.Exit(BAD_INPUT) from None

    return run


def describe(error: BaseException) -> str:
    """One line: where, then why."""
    if isinstance(error, OSError) and error.strerror:
        return f"{os.fsdecode(error.filename)}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def discard_stdout() -> None:
    """Whatever is still buffered goes nowhere, so that closing stdout does not fail once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
