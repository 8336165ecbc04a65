"""Folds and calibration: the same for all components, with the same guards."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np
import pytest
from small_model import with_names
from synthetic import conllu

from laconic.corpus import Doc
from laconic.learn import Settings, TrainingData
from laconic.learn.folding import Sentences, fit_folded, folds_of, held_out_parts, in_turn, select
from laconic.progress import Progress, finished
from laconic.tag import EntityConfig, EntityTagger
from laconic.text import Segmenter, SegmenterConfig

QUICK = Settings(epochs=1)


def corpus(sentences: int) -> Doc:
    return Doc.from_conllu(with_names(conllu(sentences, seed=1)))


@pytest.mark.parametrize("count", range(8))
def test_no_model_is_trained_on_nothing_or_calibrated_on_nothing(count: int) -> None:
    trained: list[Sentences] = []

    def fit(sentences: Sentences) -> Generator[Progress, None, str]:
        trained.append(sentences)
        yield Progress("epoch", 1, 1, 0.0)
        return f"of {len(sentences)}"

    doc = Doc.from_words([["a", "b"]] * count)
    everything = np.arange(count, dtype=np.uint32)
    for parts in (folds_of(doc, 5), in_turn(count, 5), [everything], [everything, everything[:0]]):
        trained.clear()
        steps: list[Progress] = []
        model, held = finished(fit_folded(fit, everything, parts), steps.append)
        assert model == f"of {count}"
        assert len(trained) == 1 + len(held)
        assert [step.done for step in steps] == list(range(1, len(trained) + 1))
        assert all(step.of == len(trained) for step in steps)
        for some, (_, outside) in zip(trained[1:], held, strict=True):
            assert len(some)
            assert len(outside)
            assert sorted([*some, *outside]) == everything.tolist()
    assert len(held_out_parts(folds_of(doc, 5))) == (min(5, count) if count > 1 else 0)
    assert held_out_parts(folds_of(doc, 0)) == []


def test_documents_stay_together_where_there_are_enough() -> None:
    doc = Doc.from_words([["a", "b"]] * 100)
    doc.columns.set_comments([["# newdoc"] if i % 2 == 0 else [] for i in range(100)])
    together = folds_of(doc, 4)
    assert len(together) == 4
    assert sorted(np.concatenate(together).tolist()) == list(range(100))
    for part in together:
        assert (part[0::2] + 1 == part[1::2]).all()
    for part in folds_of(doc, 10):  # fifty documents are too few for ten folds
        assert (np.diff(part) == 10).all()


def test_chosen_sentences_are_selected_in_their_order() -> None:
    doc = corpus(12)
    chosen = np.array([True, True, False, True] * 3)
    wanted = [sentence.words for sentence, one in zip(doc.sentences, chosen, strict=True) if one]
    assert [sentence.words for sentence in select(doc, chosen).sentences] == wanted
    assert len(select(doc, ~np.ones(12, bool))) == 0


@pytest.mark.parametrize("sentences", [1, 2, 3])
def test_a_segmenter_of_fewer_sentences_than_folds_has_no_margins_of_a_model_trained_on_nothing(sentences: int) -> None:
    steps: list[Progress] = []
    config = SegmenterConfig(settings=replace(SegmenterConfig().settings, epochs=1), folds=5)
    segmenter = finished(Segmenter.fit(config, TrainingData(corpus(sentences))), steps.append)
    # One training for all, and one for each sentence that can be held out.
    assert len(steps) == (1 if sentences == 1 else 1 + sentences)
    assert bool(segmenter.tolerances) == (sentences > 1)


def test_an_entity_recogniser_of_one_piece_of_text_uses_no_model_trained_on_nothing() -> None:
    steps: list[Progress] = []
    config = EntityConfig(settings=QUICK, folds=3, history_folds=3)
    tagger = finished(EntityTagger.fit(config, TrainingData(corpus(1))), steps.append)
    assert [step.what for step in steps] == ["weights"]
    assert tagger.tolerances == []
    bare = replace(config, folds=0, history_folds=0)
    arrays, facts = finished(EntityTagger.fit(bare, TrainingData(corpus(1)))).state()
    same, also = tagger.state()
    assert facts == also
    assert all(np.array_equal(array, same[name]) for name, array in arrays.items())
