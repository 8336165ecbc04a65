"""Whoever misspells a name is told which one they may have meant."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.command import laconic as command

import laconic
from laconic.corpus import Doc
from laconic.corpus.formats import find
from laconic.errors import choices, nearest
from laconic.features import kind
from laconic.features.files import load_set
from laconic.learn import Settings
from laconic.pipeline.components import order_of_use
from laconic.transition import ParserConfig


def test_the_nearest_name_is_found_whatever_the_case_and_none_where_nothing_is_near() -> None:
    assert nearest("Blanced", ["full", "balanced", "fast"]) == "balanced"
    assert nearest("xyz", ["full", "balanced", "fast"]) is None
    assert nearest("STAK", ["STACK", "QUEUE"]) == "STACK"
    assert nearest("", ["full"]) is None
    assert choices("fas", ["full", "fast"]) == "full, fast; did you mean fast?"
    assert choices("xyz", ["full", "fast"]) == "full, fast"


@pytest.mark.parametrize(
    ("use", "meant"),
    [
        (lambda: find("conlu"), "conllu"),
        (lambda: find("iob:form,entity:bilo"), "bilou"),
        (lambda: Doc.from_words([["a"]], uops=[["X"]]), "upos"),
        (lambda: order_of_use(["lematizer"]), "lemmatizer"),
        (lambda: kind("tokn"), "token"),
        (lambda: load_set("tager"), "tagger"),
        (lambda: Settings(loss="hing"), "hinge"),  # type: ignore[arg-type]
        (lambda: ParserConfig(system="arc-hybird"), "arc-hybrid"),  # type: ignore[arg-type]
    ],
)
def test_an_unknown_name_is_an_error_with_a_suggestion(use: Callable[[], Any], meant: str) -> None:
    with pytest.raises(ValueError, match=f"did you mean {meant}\\?"):
        use()


def test_unknown_efforts_columns_and_options_of_a_model_get_a_suggestion(small_model: Path) -> None:
    nlp = laconic.load(small_model)
    with pytest.raises(ValueError, match="did you mean balanced"):
        nlp.effort = "ballanced"
    with pytest.raises(ValueError, match="did you mean upos"):
        nlp(Doc.from_words([["a"]]), keep=("uppos",))
    with pytest.raises(TypeError, match="did you mean lines"):
        nlp("a", line=True)


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["parse", "a text", "--to", "tabel"], "table"),
        (["parse", "-", "--from", "conlu"], "conllu"),
        (["stats", "-", "--from", "conlu"], "conllu"),
        (["convert", "-", "-", "--to", "conlx"], "conllx"),
        (["train", "--train", "a", "-o", "m", "--components", "taggr"], "tagger"),
    ],
)
def test_wrong_usage_of_the_command_gets_a_suggestion(arguments: list[str], meant: str) -> None:
    result = command(*arguments)
    assert result.code == 2
    assert f"did you mean {meant}?" in " ".join(result.err.replace("│", "").split())
