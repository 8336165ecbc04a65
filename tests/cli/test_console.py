"""What a terminal shows, and what stays silent."""

from __future__ import annotations

import io
import time

import pytest

from laconic.cli import console


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, patience: float) -> str:
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(console, "PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    with console.Job("counting") as job:
        time.sleep(0.2)
        job.show("counted much", done=1, total=2)
        time.sleep(0.2)
    return stream.getvalue()


def test_a_long_job_shows_itself_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, Terminal(), 0.05)
    assert "counting" in text
    assert "counted much" in text


def test_a_short_job_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, Terminal(), 60) == ""


def test_nothing_is_shown_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, io.StringIO(), 0.05) == ""


def test_control_characters_are_shown_escaped_and_letters_as_they_are() -> None:
    assert console.printable("größe 樹\x1b[31m\udce9\x00") == "größe 樹\\x1b[31m\\udce9\\x00"
