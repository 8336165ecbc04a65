"""Rows to parse, what they give on one machine, and processes of an engine that can be told apart from others'."""

from __future__ import annotations

import json
import os
import secrets
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cli.command import laconic
from synthetic import conllu

from laconic.corpus import Doc
from laconic.pipeline import Pipeline

MARK = "LACONIC_TEST_RUN"


@pytest.fixture(scope="session")
def table() -> Any:
    arrow = pytest.importorskip("pyarrow")
    known = [sentence.text for sentence in Doc.from_conllu(conllu(50, seed=3)).sentences]
    texts: list[str | None] = ["\n".join(known[(n * k) % 50] for k in range(1, 16)) for n in range(600)]
    texts[17], texts[18] = None, ""
    return arrow.table({"id": [f"d{n:04}" for n in range(600)], "text": texts, "year": list(range(600))})


@pytest.fixture(scope="session")
def expected(table: Any, small_model: Path) -> Any:
    return Pipeline.load(small_model).at("balanced").map_table(table)


def in_order(found: Any) -> bytes:
    """A table as bytes, whatever its chunks and the order of its rows."""
    import pyarrow

    whole = found.select(sorted(found.column_names)).sort_by("id").replace_schema_metadata(None)
    rows = whole.to_pylist()  # readers differ in names of list items, not in what is there
    return repr((len(rows), rows)).encode() if isinstance(whole, pyarrow.Table) else b""


UNTYPED = {
    "corpus.csv": 'id,note,text\n007,NA,Lo petum.\n008,"  two ","two\nlines ""here"""\n009,"",""\n010,,\n',
    "corpus.jsonl": '{"id":7,"text":"Lo petum.","day":"2020-01-01","n":1}\n{"id":8,"text":null,"day":null,"n":null}\n',
}
"""Files whose columns readers like to guess."""


def lines_of(folder: Path) -> list[dict[str, Any]]:
    """Rows of a folder of JSON Lines, by id."""
    rows = [json.loads(line) for file in folder.glob("[!.]*.json*") for line in file.read_text("utf-8").splitlines()]
    return sorted(rows, key=lambda row: str(row["id"]))


def check_untyped(engine: str, model: Path, place: Path) -> None:
    """The command keeps columns without types on an engine as it does on one machine."""
    for name, rows in UNTYPED.items():
        source = place / name
        source.write_text(rows, "utf-8")
        options = ("-m", model, "--columns", "form,head", "--to", "jsonl")
        done = laconic("parse", source, *options, "--engine", engine, "-o", f"{place}/{name}-out/")
        assert done.code == 0, done.err
        alone = laconic("parse", source, *options).out.splitlines()
        assert lines_of(place / f"{name}-out") == [json.loads(line) for line in alone]


@dataclass(frozen=True)
class Marked:
    """What processes of an engine inherit: a mark in their environment, and a folder for their temporary files."""

    mark: str
    folder: Path


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Marked]:
    made = Marked(secrets.token_hex(8), tmp_path_factory.mktemp("engine"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MARK, made.mark)
        patch.setenv("RAY_TMPDIR", tempfile.gettempdir())  # names of its sockets must be short
        patch.setenv("TMPDIR", str(made.folder))
        yield made


def processes(mark: str, said: str) -> list[int]:
    """Processes with the mark whose command line says that."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if said.encode() in (place / "cmdline").read_bytes() and (
                f"{MARK}={mark}".encode() in (place / "environ").read_bytes()
            ):
                found.append(int(place.name))
        except OSError:
            continue
    return found


class Killer(threading.Thread):
    """Kills the first process of a kind as soon as something has happened."""

    def __init__(self, mark: str, said: str, ready: Callable[[], bool]) -> None:
        super().__init__(daemon=True)
        self.mark, self.said, self.ready = mark, said, ready
        self.killed: list[int] = []
        self.stopped = threading.Event()

    def run(self) -> None:
        while not self.stopped.is_set():
            if self.ready() and (found := processes(self.mark, self.said)):
                os.kill(found[0], signal.SIGKILL)
                self.killed.append(found[0])
                return
            time.sleep(0.02)
