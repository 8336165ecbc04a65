"""Tagger states made to hurt: what a model file could once do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from synthetic import conllu

from laconic._core.features import Plan, Slot
from laconic._core.learn import LabelSets, Table
from laconic.corpus import Doc, read
from laconic.errors import ModelError
from laconic.features import kind, stored_set
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.tag import Tagger, TaggerConfig

State = tuple[dict[str, Any], dict[str, Any]]


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> State:
    path = tmp_path_factory.mktemp("data") / "a.conllu"
    path.write_text(conllu(40), encoding="utf-8")
    config = TaggerConfig(templates="LEX(TOKEN)\nTAG(TOKEN-1)\n", settings=Settings(epochs=1), folds=2)
    return finished(Tagger.fit(config, TrainingData(read(path)))).state()


def test_a_model_could_name_a_file_to_be_read_as_its_templates(state: State, tmp_path: Path) -> None:
    path = tmp_path / "secret.templates"
    path.write_text("LEX(TOKEN)\nTAG(TOKEN-1)\n")
    arrays, facts = state
    for templates in (str(path), "tagger", "", "# none\n", 3, None, ["LEX(TOKEN)"]):
        with pytest.raises(ModelError):
            Tagger.from_state(arrays, {**facts, "templates": templates})


def test_the_templates_of_a_model_may_end_like_a_path(state: State) -> None:
    arrays, facts = state
    templates = facts["templates"] + "# not a file.templates"
    assert Tagger.from_state(arrays, {**facts, "templates": templates}).templates == facts["templates"]
    assert str(stored_set("LEX(TOKEN)", kind("token"))) == "LEX(TOKEN)\n"


@pytest.mark.parametrize("number", [float("inf"), float("nan"), 1e300, 10**400, -1])
def test_numbers_too_large_for_anything_were_an_overflow_instead_of_a_damaged_model(state: State, number: Any) -> None:
    arrays, facts = state
    stop = {**facts["stops"][0], "depths": [number]}
    for damage in ({"labels": number}, {"open": number}, {"stops": [stop]}):
        with pytest.raises(ModelError):
            Tagger.from_state(arrays, {**facts, **damage})


@pytest.mark.parametrize("name", ["", "a\tb", "a\nb", "\ud800"])
def test_labels_that_no_column_can_hold_were_seen_only_when_a_document_was_tagged(state: State, name: str) -> None:
    arrays, facts = state
    with pytest.raises(ModelError):
        Tagger.from_state(arrays, {**facts, "names": [name, *facts["names"][1:]]})


def test_a_plan_of_another_kind_read_atoms_outside_of_its_row() -> None:
    plan = Plan([Slot(attribute=0, node=0, index=-1)], [[0]], ["t"])
    table = Table(2, 1.0, np.array([0, 1], np.uint64), np.zeros(64, np.uint8), np.zeros(0, np.uint32))
    exits = table.exits([1], [1.0])
    atoms, none = np.ones((1, 4), np.uint32), np.zeros(1, np.uint32)
    with pytest.raises(ValueError, match="do not fit"):
        table.decide(plan, atoms, none, LabelSets(2), exits)


def test_exits_of_a_deeper_table_read_templates_that_are_not_there() -> None:
    def table(templates: int) -> Table:
        directory = np.arange(templates + 1, dtype=np.uint64)
        return Table(2, 1.0, directory, np.zeros(64 * templates, np.uint8), np.zeros(0, np.uint32))

    plan = Plan([Slot(attribute=0, node=0)], [[0]], ["t"])
    atoms, none = np.ones((1, 1), np.uint32), np.zeros(1, np.uint32)
    deeper = table(3).exits([3], [1.0])
    with pytest.raises(ValueError, match="do not fit"):
        table(1).decide(plan, atoms, none, LabelSets(2), deeper)


def test_a_state_that_is_whole_still_tags(state: State) -> None:
    doc = Doc.from_words([["a", "b"]])
    Tagger.from_state(*state).apply(doc)
    assert "_" not in doc.strings("upos")
