"""Orders for decisions about words other than one tag."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from synthetic import conllu

from laconic.corpus import Doc
from laconic.features import kind, load_set, read_set
from laconic.learn import Settings
from laconic.progress import finished
from laconic.search import LemmatizerTrainable, Pursuit, TaggerTrainable, order
from laconic.tag import LemmatizerConfig, TaggerConfig

Make = Callable[[], TaggerTrainable | LemmatizerTrainable]
SETTINGS = Settings(mode="full", epochs=2)
TRAIN, DEVELOP = (Doc.from_conllu(conllu(150, seed)) for seed in (1, 2))


def features() -> TaggerTrainable:
    templates = "PUNCT(TOKEN+3)\nHYPHEN(TOKEN)\nSUFFIX2(TOKEN) & UPOS(TOKEN)\nLOWER(TOKEN-3)\n"
    config = TaggerConfig("xpos+feats", "upos", templates, SETTINGS, dictionary_minimum=1000, folds=0)
    return TaggerTrainable(config, TRAIN, DEVELOP)


def lemmas() -> LemmatizerTrainable:
    templates = "PREFIX1(TOKEN)\nPREFIX2(TOKEN)\nSUFFIX1(TOKEN) & UPOS(TOKEN)\nPREFIX3(TOKEN)\n"
    return LemmatizerTrainable(
        LemmatizerConfig(given="upos", templates=templates, settings=SETTINGS, folds=0), TRAIN, DEVELOP
    )


@pytest.mark.parametrize("make", [features, lemmas])
def test_the_ending_tells_most_and_comes_first(make: Make) -> None:
    found = finished(order(make(), Pursuit(), processes=1))
    assert str(found.templates[0]).startswith("SUFFIX")
    assert sorted(map(str, found.templates)) == sorted(map(str, make().templates))


@pytest.mark.parametrize("make", [features, lemmas])
def test_both_documents_give_decisions_and_pickling_changes_none(make: Make) -> None:
    one = make()
    again = pickle.loads(pickle.dumps(one))
    assert again.digest == one.digest
    for pool in (one.pool(), again.pool()):
        assert min(len(pool.train), len(pool.develop)) > 100
        assert pool.train.templates == pool.develop.templates == 4
    assert np.array_equal(again.pool().features(), one.pool().features())


def test_lemmas_are_learned_once_for_each_type() -> None:
    assert len(lemmas().pool().train) < len(TRAIN) / 2


@pytest.mark.parametrize("name", ["features", "lemmas"])
def test_the_learned_order_has_the_templates_of_the_one_by_hand(name: str) -> None:
    by_hand = Path(__file__).parents[2] / "experiments" / "taggers" / f"hand-{name}.templates"
    assert sorted(map(str, load_set(name))) == sorted(map(str, read_set(by_hand, kind("token"))))
