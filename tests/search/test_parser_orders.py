"""Orders for the templates of a parser."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from synthetic import conllu

from laconic.corpus import read
from laconic.learn import Settings
from laconic.progress import finished
from laconic.search import ParserTrainable, Pursuit, order
from laconic.transition import ParserConfig

MOVES = "PUNCT(QUEUE1)\nHISTORY3(STATE)\nUPOS(STACK1) & UPOS(STACK0) & UPOS(QUEUE0)\nLEX(QUEUE0)\n"
LABELS = "CASE(HEAD)\nUPOS(HEAD) & UPOS(MOD) & DIRECTION(MOD)\nPUNCT(MOD)\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("parser")
    for name, seed in (("train", 1), ("develop", 2)):
        (path / f"{name}.conllu").write_text(conllu(80, seed), encoding="utf-8")
    return path


def trainable(folder: Path, part: str) -> ParserTrainable:
    settings = Settings(mode="full", epochs=2)
    config = ParserConfig(
        scorer="linear",
        templates=MOVES,
        label_templates=LABELS,
        settings=settings,
        label_settings=settings,
        folds=0,
    )
    return ParserTrainable(config, read(folder / "train.conllu"), read(folder / "develop.conllu"), part)  # type: ignore[arg-type]


@pytest.mark.parametrize(("part", "best"), [("moves", "UPOS(STACK1)"), ("labels", "UPOS(HEAD)")])
def test_telling_templates_come_first(folder: Path, part: str, best: str) -> None:
    found = finished(order(trainable(folder, part), Pursuit(), processes=1))
    assert str(found.templates[0]).startswith(best)
    assert len(found.templates) == len(trainable(folder, part).templates)


def test_a_trainable_survives_pickling_and_sees_the_same_decisions(folder: Path) -> None:
    one = trainable(folder, "moves")
    again = pickle.loads(pickle.dumps(one))
    assert again.digest == one.digest
    assert len(again.pool().train) == len(one.pool().train) > 500
    assert one.pool().develop.templates == 4
