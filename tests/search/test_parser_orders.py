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
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parser")
    for name, seed in (("train", 1), ("develop", 2)):
        (folder / f"{name}.conllu").write_text(conllu(80, seed), encoding="utf-8")
    return folder


def trainable(place: Path, part: str) -> ParserTrainable:
    settings = Settings(mode="full", epochs=2)
    config = ParserConfig(
        scorer="linear",
        templates=MOVES,
        label_templates=LABELS,
        settings=settings,
        label_settings=settings,
        folds=0,
    )
    return ParserTrainable(config, read(place / "train.conllu"), read(place / "develop.conllu"), part)  # type: ignore[arg-type]


@pytest.mark.parametrize(("part", "best"), [("moves", "UPOS(STACK1)"), ("labels", "UPOS(HEAD)")])
def test_telling_templates_come_first(place: Path, part: str, best: str) -> None:
    found = finished(order(trainable(place, part), Pursuit(), processes=1))
    assert str(found.templates[0]).startswith(best)
    assert len(found.templates) == len(trainable(place, part).templates)


def test_a_trainable_survives_pickling_and_sees_the_same_decisions(place: Path) -> None:
    one = trainable(place, "moves")
    again = pickle.loads(pickle.dumps(one))
    assert again.digest == one.digest
    assert len(again.pool().train) == len(one.pool().train) > 500
    assert one.pool().develop.templates == 4
