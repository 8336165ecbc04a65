"""What a terminal shows, and what stays silent."""

from __future__ import annotations

import io
import time

import pytest

from laconic.cli import console


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, patience: float) -> io.StringIO:
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(console, "PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    return stream


def appears(text: str, stream: io.StringIO) -> bool:
    """Waits for it: a bar is drawn by a thread, whose turn may come late."""
    deadline = time.monotonic() + 30
    while text not in stream.getvalue() and time.monotonic() < deadline:
        time.sleep(0.02)
    return text in stream.getvalue()


def test_a_long_job_shows_itself_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = terminal(monkeypatch, Terminal(), 0.05)
    with console.Job("counting") as job:
        assert appears("counting", stream)
        job.show("counted much", done=1, total=2)
        assert appears("counted much", stream)


def test_a_short_job_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = terminal(monkeypatch, Terminal(), 60)
    with console.Job("counting") as job:
        job.show("counted much", done=1, total=2)
    assert stream.getvalue() == ""


def test_nothing_is_shown_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = terminal(monkeypatch, io.StringIO(), 0.05)
    with console.Job("counting") as job:
        time.sleep(0.2)
        job.show("counted much", done=1, total=2)
    assert stream.getvalue() == ""


def test_control_characters_are_shown_escaped_and_letters_as_they_are() -> None:
    assert console.printable("größe 樹\x1b[31m\udce9\x00") == "größe 樹\\x1b[31m\\udce9\\x00"
