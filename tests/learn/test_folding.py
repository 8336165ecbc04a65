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
from laconic.learn.folding import Sentences, Unit, fit_folded, folds_of, select
from laconic.progress import Progress, finished
from laconic.tag import EntityConfig, EntityTagger
from laconic.text import Segmenter, SegmenterConfig

QUICK = Settings(epochs=1)


def corpus(sentences: int) -> Doc:
    return Doc.from_conllu(with_names(conllu(sentences, seed=1)))


@pytest.mark.parametrize("count", range(8))
@pytest.mark.parametrize("unit", ["document", "piece", "sentence"])
def test_no_model_is_trained_on_nothing_or_calibrated_on_nothing(count: int, unit: Unit) -> None:
    trained: list[Sentences] = []

    def run(sentences: Sentences) -> Generator[Progress, None, str]:
        yield Progress("epoch", 1, 1, 0.0)
        return f"of {len(sentences)}"

    def fit(sentences: Sentences) -> Generator[Progress, None, str]:
        trained.append(sentences)  # here, since runs go on side by side
        return run(sentences)

    doc = Doc.from_words([["a", "b"]] * count)
    everything = np.arange(count, dtype=np.uint32)
    for folds in range(7):
        parts = folds_of(doc, folds, unit)
        assert len(parts) == (min(folds, count) if min(folds, count) > 1 else 0)
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


def test_units_are_counted_among_the_sentences_that_are_given() -> None:
    doc = Doc.from_words([["a", "b"]] * 100)
    some = np.arange(0, 100, 7, dtype=np.uint32)
    units: tuple[Unit, ...] = ("document", "piece", "sentence")
    for unit in units:
        parts = folds_of(doc, 3, unit, some)
        assert sorted(np.concatenate(parts).tolist()) == some.tolist()
        assert max(map(len, parts)) - min(map(len, parts)) <= 2
    doc.columns.set_comments([["# newdoc"]] * 100)
    parts = folds_of(doc, 2, "document", np.arange(0, 100, 2, dtype=np.uint32))  # of every other document
    assert [len(part) for part in parts] == [25, 25]
    assert folds_of(doc, 3, "piece", some[:1]) == folds_of(doc, 3, "piece", some[:0]) == []


@pytest.mark.parametrize(("sentences", "folds"), [(7, 3), (5000, 4)])
def test_pieces_keep_the_neighbours_of_a_long_document_together(sentences: int, folds: int) -> None:
    doc = Doc.from_words([["a", "b"]] * sentences)
    parts = folds_of(doc, folds, "piece")
    assert len(parts) == folds
    assert sorted(np.concatenate(parts).tolist()) == list(range(sentences))
    assert min(map(len, parts)) > sentences / (2 * folds)
    breaks = sum(int((np.diff(part.astype(np.int64)) > 1).sum()) for part in parts)
    assert breaks <= max(2 * sentences // 1000 + 1, 4 * folds)


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
