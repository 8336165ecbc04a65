"""Labels by low-rank factors: what they can learn, gradients, stages, frozen weights."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from synthetic import conllu

from laconic._core import label as core
from laconic._core.learn import use_instruction_set
from laconic.corpus import Doc, read
from laconic.errors import ConfigError, InputError, ModelError
from laconic.features import build_lexicon, compile_plan, kind, parse_set
from laconic.label import Labeler, LabelerConfig, TensorLabeler, TensorLabelerConfig, TensorSettings
from laconic.label.arc_counts import ArcAnswers
from laconic.label.candidates import LabelCounts
from laconic.label.stages import STAGES, HeldOutArcs, StageStop, calibrate_stages
from laconic.learn import Settings, TrainingData, expected_calibration_error
from laconic.progress import finished

CONFIG = TensorLabelerConfig(settings=TensorSettings(epochs=4), folds=2)
WORDS = "LEX(TOKEN)\n"


@pytest.fixture(scope="module")
def corpus() -> Doc:
    return Doc.from_conllu(conllu(400, seed=1))


@pytest.fixture(scope="module")
def unseen() -> Doc:
    return Doc.from_conllu(conllu(200, seed=2))


@pytest.fixture(scope="module")
def labeler(corpus: Doc) -> TensorLabeler:
    return finished(TensorLabeler.fit(CONFIG, TrainingData(corpus)))


def right(labeler: TensorLabeler | Labeler, doc: Doc) -> float:
    labels, _ = labeler.predict(doc)
    return float(np.mean(np.array(labeler.labels)[labels] == np.array(doc.strings("deprel"))))


def chains(count: int, seed: int, rule: str) -> Doc:
    """Chains of words of two kinds, each hanging on the one before. The label of an arc is told by the kinds of both
    words together (`product`), by neither alone; or by the label of the arc above and a kind (`parent`)."""
    source = np.random.default_rng(seed)
    lines = []
    for _ in range(count):
        above, kind_above = 0, 0
        for i in range(1, int(source.integers(3, 8))):
            own = int(source.integers(0, 2))
            label = 0 if i == 1 else (own ^ kind_above if rule == "product" else own ^ above)
            name = "root" if i == 1 else f"l{label}"
            lines.append(f"{i}\tw{own}\tw{own}\tX\tX\t_\t{i - 1}\t{name}\t_\t_")
            above, kind_above = (own if i == 1 and rule == "parent" else label), own
        lines.append("")
    return Doc.from_conllu("\n".join(lines) + "\n")


def test_it_learns_as_much_as_the_linear_labeler(labeler: TensorLabeler, corpus: Doc, unseen: Doc) -> None:
    linear = finished(Labeler.fit(LabelerConfig(settings=Settings(epochs=5), folds=0), TrainingData(corpus)))
    assert right(labeler, unseen) > right(linear, unseen) - 0.005
    assert right(labeler, unseen) > 0.98


def test_a_product_of_head_and_modifier_is_learned_that_no_sum_of_both_can_express() -> None:
    train, test = chains(400, 1, "product"), chains(200, 2, "product")
    settings = TensorSettings(epochs=12, rate=0.01, row_dropout=0.0)
    config = replace(CONFIG, templates=WORDS, settings=settings, folds=0)
    assert right(finished(TensorLabeler.fit(config, TrainingData(train))), test) > 0.99
    sums = LabelerConfig(templates="LEX(HEAD)\nLEX(MOD)\n", settings=Settings(mode="full", epochs=10), folds=0)
    assert right(finished(Labeler.fit(sums, TrainingData(train))), test) < 0.8


@pytest.mark.parametrize("loss", ["likelihood", "hinge"])
def test_the_label_of_the_arc_above_is_known_to_the_second_order_only(loss: str) -> None:
    train, test = chains(500, 1, "parent"), chains(200, 2, "parent")
    settings = TensorSettings(
        epochs=15,
        rate=0.01,
        row_dropout=0.0,
        second=32,
        loss=loss,
        largest_step=0.1,  # type: ignore[arg-type]
    )
    config = replace(CONFIG, templates=WORDS, settings=settings, folds=0)
    second = finished(TensorLabeler.fit(config, TrainingData(train)))
    assert right(second, test) > 0.97
    only_first = replace(config, settings=replace(settings, second=0))
    assert right(finished(TensorLabeler.fit(only_first, TrainingData(train))), test) < 0.85


@pytest.mark.parametrize("loss", ["likelihood", "hinge"])
def test_linear_rows_learn_beside_the_factors_what_these_cannot_see(loss: str) -> None:
    """The label is told by head and modifier together, which the templates of the factors do not read."""
    train, test = chains(400, 1, "product"), chains(200, 2, "product")
    settings = TensorSettings(
        epochs=8,
        row_dropout=0.0,
        loss=loss,  # type: ignore[arg-type]
        largest_step=0.1,
    )
    config = replace(CONFIG, templates="POS(TOKEN)\n", settings=settings, folds=0)
    without = finished(TensorLabeler.fit(config, TrainingData(train)))
    assert right(without, test) < 0.8
    beside = finished(TensorLabeler.fit(replace(config, sparse="LEX(HEAD) & LEX(MOD)\n"), TrainingData(train)))
    assert right(beside, test) > 0.99
    _, work = without.predict(test)
    _, more = beside.predict(test)
    assert more.templates > work.templates
    again = TensorLabeler.from_state(*beside.state())
    assert np.array_equal(again.predict(test)[0], beside.predict(test)[0])
    assert str(again.config.sparse_set()) == str(beside.config.sparse_set())


def test_linear_rows_that_do_not_fit_are_refused(corpus: Doc) -> None:
    with pytest.raises(ConfigError, match="edge"):
        finished(TensorLabeler.fit(replace(CONFIG, sparse="tensor"), TrainingData(corpus)))
    config = replace(CONFIG, sparse="POS(HEAD) & POS(MOD)\n", settings=TensorSettings(epochs=1), folds=2)
    labeler = finished(TensorLabeler.fit(config, TrainingData(corpus)))
    assert labeler.tolerances
    rows = labeler.classifier.sparse
    assert rows is not None
    other = compile_plan(parse_set("POS(HEAD)\nPOS(MOD)\n", kind("edge")))
    with pytest.raises(ModelError, match="linear rows"):
        replace(labeler.classifier, sparse=replace(rows, plan=other))
    arrays, facts = labeler.state()
    with pytest.raises(ModelError):
        TensorLabeler.from_state({name: array for name, array in arrays.items() if name != "sparse.rows"}, facts)


def test_a_joint_step_has_one_length() -> None:
    """With linear rows the gradient is longer, so that a passive-aggressive step changes the factors less."""
    doc = Doc.from_conllu(conllu(1, seed=4))
    plan = compile_plan(parse_set("POS(HEAD) & POS(MOD)\nLEX(MOD)\n", kind("edge")))
    forms, names = doc.codes("form")
    lexicon = build_lexicon(plan, names, np.bincount(forms), cutoff=1)
    features = core.ArcFeatures(plan, lexicon, "upos", doc.columns, np.zeros(1, np.uint32), 1)
    changes = []
    for beside in (None, features):
        learner = trainer(
            doc, np.ones(len(doc), np.uint8), features=beside, loss="hinge", largest_step=100.0, prior=False
        )
        before = learner.values(2)
        learner.epoch(np.zeros(1, np.uint32), 1, 1.0, 1.0, 0)
        changes.append(float(np.linalg.norm(learner.values(2) - before)))
    assert 0 < changes[1] < changes[0]


def trainer(
    doc: Doc, teach: np.ndarray, features: core.ArcFeatures | None = None, **given: object
) -> core.TensorTrainer:
    settings = TensorSettings(**{"first": 5, "second": 4, "row_dropout": 0.0} | given)  # type: ignore[arg-type]
    plan = compile_plan(parse_set("LEX(TOKEN)\nPOS(TOKEN)\nPOS(CHILDREN(TOKEN))\nPOS(TOKEN-1)\n", kind("node")))
    forms, names = doc.codes("form")
    lexicon = build_lexicon(plan, names, np.bincount(forms), cutoff=1)
    gold = np.unique(doc.strings("deprel"), return_inverse=True)[1].astype(np.uint16)
    counts = LabelCounts.of(
        core.pair_keys(doc.columns, "upos"), gold, int(gold.max()) + 1, 1000
    )  # any pair may bear any label
    pairs = counts.candidates(1.0 if settings.prior else 0.0)
    sentences = np.arange(len(doc.sentences), dtype=np.uint32)
    trees = core.LabelledTrees(plan, lexicon, pairs, "upos", doc.columns, gold, teach, sentences, 1)
    return core.TensorTrainer(trees, pairs, settings, features)


@pytest.mark.parametrize("latent", [False, True], ids=["all labelled", "latent labels"])
@pytest.mark.parametrize("length", [False, True])
def test_gradients_are_those_of_the_loss(latent: bool, length: bool) -> None:
    doc = Doc.from_conllu(conllu(4, seed=3))
    teach = (np.arange(len(doc)) % 3 != 0 if latent else np.ones(len(doc))).astype(np.uint8)
    learner = trainer(doc, teach, length=length)
    every = np.arange(len(doc.sentences), dtype=np.uint32)
    _, *gradients = learner.gradients(every)
    source = np.random.default_rng(1)
    for part, gradient in enumerate(gradients):
        largest = np.argsort(-np.abs(gradient))[:6]
        assert np.abs(gradient).max() > 0
        for place in [*largest.tolist(), *source.integers(0, len(gradient), 4).tolist()]:
            losses = []
            for by in (0.01, -0.02):
                learner.shift(part, place, by)
                losses.append(learner.gradients(every)[0])
            learner.shift(part, place, 0.01)
            assert (losses[0] - losses[1]) / 0.02 == pytest.approx(gradient[place], abs=0.02, rel=0.03), (part, place)


def test_every_factor_has_a_gradient_from_the_first_step_on() -> None:
    doc = Doc.from_conllu(conllu(30, seed=3))
    learner = trainer(doc, np.ones(len(doc), np.uint8), prior=False)
    _, rows, starts, outputs, upper, lower = learner.gradients(np.arange(len(doc.sentences), dtype=np.uint32))
    lengths = [float(np.linalg.norm(one)) for one in (rows, starts, outputs, lower, upper)]
    assert max(lengths) < 1000 * min(lengths)


def test_a_tensor_of_low_rank_is_found_again_by_its_decomposition() -> None:
    source = np.random.default_rng(5)
    vectors = [[source.normal(size=size) for size in (6, 5, 4)] for _ in range(2)]
    dense = sum(np.einsum("i,j,k->ijk", *three) for three in vectors)
    places = np.argwhere(dense != 0)
    values = dense[dense != 0].tolist()
    lengths = []
    for rank in (1, 2, 6):
        found = core.decompose((6, 5, 4), places.tolist(), values, rank, 200, 3)
        left = dense - sum(np.einsum("i,j,k->ijk", *three) for three in found)
        lengths.append(float(np.linalg.norm(left) / np.linalg.norm(dense)))
        assert all(np.linalg.norm(vector) == pytest.approx(1, abs=1e-3) for vector in found[0][:2])
    one = np.einsum("i,j,k->ijk", *vectors[0])
    found = core.decompose((6, 5, 4), np.argwhere(one != 0).tolist(), one[one != 0].tolist(), 1, 200, 3)
    assert np.einsum("i,j,k->ijk", *found[0]) == pytest.approx(one, abs=1e-3)
    assert lengths[0] > lengths[1] > lengths[2]
    assert lengths[2] < 0.2
    with pytest.raises(ValueError, match="outside"):
        core.decompose((1, 1, 1), [(0, 0, 1)], [1.0], 1, 1, 1)


def test_factors_that_start_from_a_decomposed_linear_model_know_its_labels(corpus: Doc, unseen: Doc) -> None:
    """Before any step of their own, and every factor has a gradient."""
    doc = Doc.from_conllu(conllu(60, seed=3))
    every = np.arange(len(doc.sentences), dtype=np.uint32)
    losses = {}
    for start in ("ones", "decomposition"):
        learner = trainer(doc, np.ones(len(doc), np.uint8), prior=False, start=start, first=8, second=0)
        losses[start], rows, starts, outputs, *_ = learner.gradients(every)
        assert min(float(np.linalg.norm(one)) for one in (rows, starts, outputs)) > 0
    assert losses["decomposition"] < 0.8 * losses["ones"]
    settings = TensorSettings(epochs=4, start="decomposition")
    config = replace(CONFIG, settings=settings, folds=0)
    labeler = finished(TensorLabeler.fit(config, TrainingData(corpus)))
    assert right(labeler, unseen) > 0.97


def test_a_passive_aggressive_step_is_never_longer_than_allowed_and_lowers_the_loss() -> None:
    doc = Doc.from_conllu(conllu(1, seed=4))
    for limit in (0.001, 0.05):
        learner = trainer(doc, np.ones(len(doc), np.uint8), loss="hinge", largest_step=limit, prior=False)
        one = np.zeros(1, np.uint32)
        before, *gradients = learner.gradients(one)
        values = [learner.values(part) for part in range(5)]
        assert before > 0
        learner.epoch(one, 1, 1.0, 1.0, 0)
        squared = sum(float((gradient.astype(float) ** 2).sum()) for gradient in gradients)
        step = min(limit, before / squared)
        for part, gradient in enumerate(gradients):
            assert learner.values(part) == pytest.approx(values[part] - step * gradient, abs=1e-4)
        # A longer step leaves the neighbourhood in which a product of factors is nearly linear.
        assert limit > 0.001 or learner.gradients(one)[0] < before


def test_stages_drop_only_what_trails_and_are_told(labeler: TensorLabeler, unseen: Doc) -> None:
    full, most = labeler.predict(unseen)
    try:
        labeler.effort(0.02)
        early, some = labeler.predict(unseen)
        assert some.templates < most.templates
        assert np.mean(early != full) < 0.06
        explained = labeler.explain(unseen)
        assert [one.word for one in explained] == list(range(len(unseen)))
        assert [one.label for one in explained] == [labeler.labels[y] for y in early]
        assert {one.effect.removeprefix("decided by ") for one in explained} <= set(STAGES)
        assert len({one.effect for one in explained}) > 2
        for one in explained:
            assert one.candidates[0] == one.label
            if one.scores:
                sums = np.array(one.start) + np.sum([step.contributions for step in one.steps], axis=0)
                assert sums == pytest.approx(one.scores, abs=1e-4)
    finally:
        labeler.effort(0.0)


def test_second_order_is_explained_by_probabilities_in_the_tree(corpus: Doc, unseen: Doc) -> None:
    config = replace(CONFIG, settings=TensorSettings(epochs=2, second=16), folds=2)
    labeler = finished(TensorLabeler.fit(config, TrainingData(corpus)))
    explained = [one for one in labeler.explain(unseen) if one.effect == "decided by second order"]
    assert explained
    for one in explained:
        assert sum(np.exp(one.scores)) == pytest.approx(1, abs=1e-3)
    labels, _, sure = labeler.predict(unseen, confidence=True)
    assert ((sure > 0) & (sure <= 1)).all()
    assert [one.label for one in labeler.explain(unseen)] == [labeler.labels[y] for y in labels]


def test_limits_keep_to_the_tolerance_that_they_were_set_for() -> None:
    source = np.random.default_rng(3)
    gaps = np.maximum(source.normal(-2, 2, (3, 5000)), 0).astype(np.float32)
    leads = source.exponential(4, (3, 5000)).astype(np.float32)
    arcs = HeldOutArcs(gaps, leads)

    def wrong(stop: StageStop) -> int:
        return int((gaps >= np.array(stop.limits, np.float32)[:, None]).any(0).sum())

    stops = calibrate_stages(arcs, True, wrong, (0.001, 0.01, 0.05))
    for tolerance, stop in stops.items():
        assert wrong(stop) <= tolerance * 5000
        assert StageStop.from_json(stop.to_json()) == stop
    assert stops[0.05].limits < stops[0.001].limits


def counted(kinds: list[list[int]], pairs: list[int], gold: list[str]) -> dict[int, tuple[str, float]]:
    """Answers by key: label and log odds."""
    names = sorted(set(gold))
    labels = np.array([names.index(one) for one in gold], np.uint16)
    keys = np.array(pairs, np.uint64)
    found = ArcAnswers.counted(
        np.array(kinds, np.uint64), keys, labels, LabelCounts.of(keys, labels, len(names), 1), all_tags=True
    )
    answers = zip(found.keys.tolist(), found.answers.tolist(), strict=True)
    return {key: (names[answer & 0xFFFF], (answer >> 16) / 256) for key, answer in answers}


def test_kinds_of_arcs_tell_what_they_were_called_and_lean_on_coarser_ones() -> None:
    gold = ["a"] * 30 + ["b"] * 10 + ["c"] * 5
    pairs = [1] * 40 + [2] * 5  # the second pair has no choice
    coarse = [100] * 30 + [101] * 10 + [102] * 5
    fine = [200] * 29 + [201] + [202] * 9 + [203] + [204] * 5
    answers = counted([fine, coarse], pairs, gold)
    assert {key: label for key, (label, _) in answers.items()} == {100: "a", 101: "b", 200: "a", 202: "b"}
    assert answers[200][1] > answers[100][1] > answers[101][1] > 0
    # (29 + 3 * (30 + 3 * 0.75) / 33) / 32 against the rest
    chance = (29 + 3 * (30 + 3 * 0.75) / 33) / 32
    assert answers[200][1] == pytest.approx(np.log(chance / (1 - chance + 1e-4)), abs=0.01)


def test_a_kind_that_was_always_called_the_same_decides_an_arc(labeler: TensorLabeler, unseen: Doc) -> None:
    classifier = labeler.classifier
    stop = StageStop((np.inf, 1e-3, np.inf))
    labels, stages, _, work = classifier.decide(unseen, stop)
    full, _, _, most = classifier.decide(unseen, StageStop())
    assert (stages == STAGES.index("counts")).any()
    assert work.templates < most.templates
    assert np.mean(labels == full) > 0.8
    none = replace(classifier, counts=ArcAnswers())
    assert not (none.decide(unseen, stop)[1] == STAGES.index("counts")).any()


def test_counts_of_arcs_that_are_damaged_are_refused(labeler: TensorLabeler) -> None:
    classifier = labeler.classifier
    counts = classifier.counts
    for keys, answers, what in (
        (counts.keys[1:], counts.answers, "one answer"),
        (np.full_like(counts.keys, 7), counts.answers, "twice"),
        (counts.keys, counts.answers | 0xFFFF, "label"),
    ):
        with pytest.raises(ModelError, match=what):
            replace(classifier, counts=ArcAnswers(keys, answers, counts.all_tags))
    arrays, facts = labeler.state()
    with pytest.raises(ModelError):
        TensorLabeler.from_state(arrays, facts | {"all_tags": 1})


def test_confidence_is_calibrated_on_trees_that_training_did_not_see(corpus: Doc, unseen: Doc) -> None:
    source = np.random.default_rng(1)

    def noisy(doc: Doc) -> Doc:
        copy = doc.sentences[:]
        codes, names = copy.codes("deprel")
        drawn = source.integers(len(names), size=len(copy))
        copy.set_codes("deprel", np.where(source.random(len(copy)) < 0.3, drawn, codes).astype(np.int32), names)
        return copy

    labeler = finished(TensorLabeler.fit(CONFIG, TrainingData(noisy(corpus))))
    judged = noisy(unseen)
    labels, _, sure = labeler.predict(judged, confidence=True)
    correct = np.array(labeler.labels)[labels] == np.array(judged.strings("deprel"))
    assert expected_calibration_error(sure, correct) < 0.08
    assert abs(float(sure.mean()) - float(correct.mean())) < 0.06


def test_batches_and_instruction_sets_change_nothing(labeler: TensorLabeler, unseen: Doc) -> None:
    whole, _, sure = labeler.predict(unseen, confidence=True)
    parts = [labeler.predict(unseen.sentences[i : i + 7], confidence=True) for i in range(0, len(unseen.sentences), 7)]
    assert np.array_equal(np.concatenate([labels for labels, _, _ in parts]), whole)
    assert np.array_equal(np.concatenate([one for _, _, one in parts]), sure)
    try:
        use_instruction_set("portable")
        again, _, same = labeler.predict(unseen, confidence=True)
    finally:
        use_instruction_set("auto")
    assert np.array_equal(again, whole)
    assert np.array_equal(same, sure)


EVERY_PATH = """LEX(TOKEN)
POS(TOKEN)
LEX(TOKEN-1)
POS(TOKEN-1) & POS(TOKEN) & POS(TOKEN+1) & POS(TOKEN h)
LEX(TOKEN rs) & POS(TOKEN)
POS(CHILDREN(TOKEN)) & POS(TOKEN)
LEX(CHILDREN(TOKEN)) & VALENCY(TOKEN)
POS(CHILDREN(TOKEN)) & LEX(CHILDREN(TOKEN h))
VALENCY(CHILDREN(TOKEN)) & POS(TOKEN)
POS(TOKEN lc) & POS(TOKEN rc2)
LEX(CHILDREN(TOKEN))
"""
"""Rows by tables and by search, of sets, of several sets, of what the tree tells of them."""


@pytest.mark.parametrize(("second", "templates"), [(0, "tensor"), (16, "tensor"), (0, EVERY_PATH), (16, EVERY_PATH)])
def test_rows_summed_by_type_are_those_summed_one_by_one(corpus: Doc, unseen: Doc, second: int, templates: str) -> None:
    config = replace(CONFIG, templates=templates, settings=TensorSettings(epochs=1, second=second))
    labeler = finished(TensorLabeler.fit(config, TrainingData(corpus)))
    folded = labeler.classifier
    assert len(folded.type_keys) > 20
    none = replace(folded, type_keys=folded.type_keys[:0], type_atoms=folded.type_atoms[:0])
    half = len(folded.type_keys) // 2
    columns = len(folded.type_atoms) // len(folded.type_keys)
    some = replace(folded, type_keys=folded.type_keys[:half], type_atoms=folded.type_atoms[: half * columns])
    for tolerance in (0.0, 0.01):
        stop = folded.stop(tolerance)
        labels, stages, sure, work = folded.decide(unseen, stop, stop.temperatures)
        for other in (none, some):
            others = other.decide(unseen, stop, stop.temperatures)
            for one, same in zip((labels, stages, sure), others, strict=False):
                assert np.array_equal(one, same)
            assert others[3].templates == work.templates
            assert others[3].rows > work.rows


def test_what_nobody_looks_at_changes_no_label(labeler: TensorLabeler, unseen: Doc) -> None:
    for tolerance in (0.0, 0.001, 0.02):
        stop = labeler.classifier.stop(tolerance)
        labels, stages, _, work = labeler.classifier.decide(unseen, stop)
        again, same, _, equal = labeler.classifier.decide(unseen, stop, stop.temperatures)
        assert np.array_equal(labels, again)
        assert np.array_equal(stages, same)
        assert work == equal


def test_types_that_do_not_fit_the_templates_are_refused(labeler: TensorLabeler) -> None:
    classifier = labeler.classifier
    with pytest.raises(ModelError, match="word types"):
        replace(classifier, type_atoms=classifier.type_atoms[1:])
    with pytest.raises(ModelError, match="twice"):
        replace(classifier, type_keys=np.full_like(classifier.type_keys, 5))


def test_arcs_with_wrong_heads_teach_nothing_but_are_there(corpus: Doc) -> None:
    parsed = corpus.sentences[:]
    starts = parsed.sentence_starts.tolist()
    for begin, end in itertools.pairwise(starts):
        roots = [i for i in range(begin, end) if parsed.heads[i] == 0]
        other = next((i for i in range(begin, end) if i not in roots and parsed.heads[i] != roots[0] - begin + 1), None)
        if other is not None:
            parsed.heads[other] = roots[0] - begin + 1
    labeler = finished(TensorLabeler.fit(replace(CONFIG, folds=0), TrainingData(corpus, parsed)))
    kept = parsed.heads == corpus.heads
    labels, _ = labeler.predict(parsed)
    assert (np.array(labeler.labels)[labels] == np.array(corpus.strings("deprel")))[kept].mean() > 0.97


def test_trees_that_are_none_and_data_without_labels_are_refused(labeler: TensorLabeler, corpus: Doc) -> None:
    with pytest.raises(InputError, match="sentence 1"):
        labeler.predict(Doc.from_words([["a", "b"]]))
    for heads in ([2, 1], [0, 3], [0, -2], [2, 0, 2, 5, 4]):
        words = ["a"] * len(heads)
        doc = Doc.from_words([["b"], words], upos=[["X"], ["X"] * len(heads)], head=[[0], [0] * len(heads)])
        doc.heads[1:] = heads
        with pytest.raises(InputError, match="sentence 2"):
            labeler.predict(doc)
    with pytest.raises(ConfigError, match="no labelled trees"):
        finished(TensorLabeler.fit(CONFIG, TrainingData(Doc.from_words([["a", "b"]]))))
    with pytest.raises(ConfigError, match="rate"):
        TensorSettings(rate=0.0)
    with pytest.raises(ValueError, match="folds"):
        finished(TensorLabeler.fit(replace(CONFIG, folds=0), TrainingData(corpus))).predict(corpus, confidence=True)


def test_a_chain_and_a_star_of_100000_words_are_labelled(labeler: TensorLabeler) -> None:
    words = 100_000
    for heads in (list(range(words)), [0] + [1] * (words - 1)):
        doc = Doc.from_words([["x"] * words], upos=[["NOUN"] * words], head=[heads])
        labels, _ = labeler.predict(doc)
        assert len(labels) == words


def test_labels_of_a_real_treebank(treebanks: Path) -> None:
    train = read(treebanks / "en_ewt" / "train.conllu").sentences[:1500]
    dev = read(treebanks / "en_ewt" / "dev.conllu").sentences[:400]
    labeler = finished(TensorLabeler.fit(replace(CONFIG, folds=0), TrainingData(train)))
    assert right(labeler, dev) > 0.95


@pytest.mark.parametrize(
    "given",
    [
        {"rate": float("nan")},
        {"start": "zeros"},
        {"sparse_rate": -1.0},
        {"first_decay": 1.0},
        {"rate": 100.0},
        {"first": 0},
    ],
)
def test_settings_that_cannot_work_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(given))):
        TensorSettings(**given)
