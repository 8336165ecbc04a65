"""``laconic explain`` and ``laconic serve`` as commands."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import urllib.request
from pathlib import Path

import pytest
from cli.command import COMMAND, laconic
from explained_model import TEXT, trained

from laconic import load
from laconic.pipeline.costs import EXPLAINED_SENTENCES, explanations


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(tmp_path_factory.mktemp("served"))


def test_explain_tells_of_every_decision(model: Path) -> None:
    result = laconic("explain", TEXT, "-m", model, "--effort", "full", "--json")
    assert result.code == 0, result.err
    explained = json.loads(result.out)
    words = max(one["word"] for one in explained) + 1
    assert len(explained) == 6 * words
    fast = json.loads(laconic("explain", TEXT, "-m", model, "--effort", "fast", "--json").out)
    assert sum(len(one["steps"]) for one in fast) < sum(len(one["steps"]) for one in explained)


def test_explanations_of_a_long_text_are_those_of_its_sentences(model: Path) -> None:
    """They are made some sentences at a time and printed one after another: none is lost or told twice."""
    nlp = load(model)
    doc = nlp(" ".join([TEXT] * 5))
    assert len(doc.sentences) > 2 * EXPLAINED_SENTENCES
    whole = [one for name in nlp.components for one in nlp.components[name].explain(doc)]
    found = list(explanations(nlp, doc))
    assert sorted(map(repr, found)) == sorted(map(repr, whole))
    assert [one.component for one in found] == [one.component for one in whole]
    printed = json.loads(laconic("explain", " ".join([TEXT] * 5), "-m", model, "--json").out)
    assert printed == json.loads(json.dumps([one.to_json() for one in found]))
    assert json.loads(laconic("explain", " ", "-m", model, "--json").out) == []


def test_explain_prints_tables(model: Path) -> None:
    overview = laconic("explain", TEXT, "-m", model)
    assert overview.code == 0
    assert "runner-up" in overview.out
    assert "petum" in overview.out
    one = laconic("explain", TEXT, "-m", model, "--effort", "full", "--word", "1")
    assert "all 46 templates" in one.out
    assert "TAG(TOKEN-1)" in one.out
    assert "becomes the head of Lo" in one.out


def test_explain_refuses_what_is_not_there(model: Path) -> None:
    assert laconic("explain", TEXT, "-m", model, "--word", "99").code == 2
    assert laconic("explain", TEXT, "-m", model, "--effort", "none").code == 2
    assert laconic("explain", TEXT, "--model", "nowhere.laconic").code == 1


def test_serve_listens_until_it_is_told_to_end(model: Path) -> None:
    pytest.importorskip("uvicorn")
    with subprocess.Popen([*COMMAND, "serve", str(model), "--port", "0"], stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            place = re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())
            assert place is not None
            with urllib.request.urlopen(f"{place[0]}/models") as reply:
                assert json.load(reply)["default_model"] == "small"
        finally:
            process.terminate()
            said = process.stderr.read() if process.stderr else ""
            process.wait(20)
    assert "Traceback" not in said


def test_serve_says_what_is_wrong_before_it_serves(model: Path, tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    assert laconic("serve", tmp_path / "no.laconic").code == 1
    assert laconic("serve", model, "--threads", "0").code == 2
    assert laconic("serve", model, model).code == 2
    result = laconic("serve", model, "--host", "no.such.host.invalid")
    assert result.code == 1
    assert "no.such.host.invalid" in result.err
    assert "Traceback" not in result.err


def test_a_port_that_is_taken_is_named(model: Path) -> None:
    pytest.importorskip("uvicorn")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = laconic("serve", model, "--port", str(port))
    assert result.code == 1
    assert result.err.splitlines()[-1].startswith(f"laconic: cannot listen on port {port} of 127.0.0.1: ")
