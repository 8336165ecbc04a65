"""Segmenter states made to hurt: what a model file could once do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from synthetic import conllu

from laconic.corpus import read
from laconic.errors import ModelError
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.text import Segmenter, SegmenterConfig

State = tuple[dict[str, Any], dict[str, Any]]


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> State:
    path = tmp_path_factory.mktemp("data") / "a.conllu"
    path.write_text(conllu(40), encoding="utf-8")
    templates = "CHAR(CHAR)\nCHAR(CHAR+1)\n"
    config = SegmenterConfig(templates=templates, settings=Settings(epochs=1, exits=(1,)), folds=2)
    return finished(Segmenter.fit(config, TrainingData(read(path)))).state()


def test_a_model_could_name_a_file_to_be_read_as_the_templates_of_its_segmenter(state: State, tmp_path: Path) -> None:
    arrays, facts = state
    path = tmp_path / "secret.templates"
    path.write_text(facts["templates"])
    for templates in (str(path), "segmenter", "", 3, None):
        with pytest.raises(ModelError):
            Segmenter.from_state(arrays, {**facts, "templates": templates})


@pytest.mark.parametrize("number", [float("inf"), 10**400, -1])
def test_numbers_too_large_for_anything_are_a_damaged_segmenter(state: State, number: Any) -> None:
    arrays, facts = state
    for damage in ({"labels": number}, {"scale": -1.0}, {"stops": [{**facts["stops"][0], "depths": [number]}]}):
        with pytest.raises(ModelError):
            Segmenter.from_state(arrays, {**facts, **damage})
