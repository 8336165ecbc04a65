from __future__ import annotations

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from naive import Naive, features_of

from laconic._core.learn import Examples, Learner
from laconic.errors import ConfigError
from laconic.learn import Settings, train_linear
from laconic.learn.classifier import as_atoms, column_plan
from laconic.progress import finished

TEMPLATES = [(0,), (1,), (0, 1), (2,), (1, range(3, 6)), (2, 0)]


def toy(seed: int, labels: int, rows: int = 60) -> tuple[np.ndarray, list[list[int]], list[list[int]]]:
    source = np.random.default_rng(seed)
    x = source.integers(-1, 5, size=(rows, 6))
    gold, candidates = [], []
    for row in x:
        right = int((row[0] + 2 * (row[1] > 1) + row[2]) % min(labels, 5))
        gold.append(sorted({right} | ({(right + 1) % labels} if row[3] == 4 else set())))
        open_set = (
            list(range(labels)) if row[4] > 0 else sorted({*gold[-1], int(row[5]) % labels, (right + 2) % labels})
        )
        candidates.append(open_set)
    return x, gold, candidates


def prepared(x: np.ndarray, gold: list[list[int]], candidates: list[list[int]], labels: int, cutoff: int) -> Examples:
    examples = Examples(len(TEMPLATES), labels)
    plan = column_plan(x.shape[1], TEMPLATES)
    gold_sets = np.array([examples.add_set(g) for g in gold], np.uint32)
    candidate_sets = np.array([examples.add_set(c) for c in candidates], np.uint32)
    examples.add_rows(plan, as_atoms(x), gold_sets, candidate_sets)
    examples.finish(cutoff)
    return examples


def learned(settings: Settings, labels: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """All weights of the core and of the naive implementation, in the core's order of features."""
    x, gold, candidates = toy(seed, labels)
    examples = prepared(x, gold, candidates, labels, settings.cutoff)
    core = finished(train_linear(examples, len(TEMPLATES), settings, doubles=True)).weights(examples)
    naive = Naive(settings, TEMPLATES, labels)
    naive.fit(x, gold, candidates)
    # Features are numbered by first appearance, example by example, template by template: as naive dictionaries fill.
    return core, np.array(list(naive.weights().values()))


@pytest.mark.parametrize("mode", ["full", "truncated", "every-exit", "stagewise", "fixed"])
@pytest.mark.parametrize(
    ("loss", "update"), list(itertools.product(["hinge", "logistic", "snow"], ["adagrad", "perceptron"]))
)
@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("labels", [5, 140])
def test_every_way_of_training_gives_the_weights_of_the_naive_implementation(
    mode: str, loss: str, update: str, average: bool, labels: int
) -> None:
    settings = Settings(
        mode=mode,
        loss=loss,
        update=update,
        average=average,
        margin=0.7,
        l2=0.003,
        epochs=2,
        depth=4 if mode == "fixed" else 0,  # type: ignore[arg-type]
    )
    core, naive = learned(settings, labels)
    assert core.shape == naive.shape
    assert np.abs(core).max() > 0.01
    np.testing.assert_allclose(core, naive, rtol=0, atol=1e-9)


@pytest.mark.parametrize("mode", ["truncated", "every-exit"])
def test_losses_are_taken_at_the_given_exits_only(mode: str) -> None:
    core, naive = learned(Settings(mode=mode, exits=(1, 3), epochs=3, cutoff=1), 5)  # type: ignore[arg-type]
    np.testing.assert_allclose(core, naive, rtol=0, atol=1e-9)
    everywhere, _ = learned(Settings(mode=mode, epochs=3, cutoff=1), 5)  # type: ignore[arg-type]
    assert not np.allclose(core, everywhere)


def test_a_perceptron_with_margin_zero_still_learns_from_ties() -> None:
    core, naive = learned(Settings(mode="full", update="perceptron", margin=0.0, rate=1.0, average=False), 5)
    np.testing.assert_allclose(core, naive, rtol=0, atol=1e-9)
    assert core.any()


def test_the_same_seed_gives_the_same_bytes_and_another_seed_does_not() -> None:
    x, gold, candidates = toy(1, 5)
    examples = prepared(x, gold, candidates, 5, 1)

    def frozen(seed: int) -> bytes:
        learner = finished(train_linear(examples, len(TEMPLATES), Settings(seed=seed)))
        return bytes(learner.freeze(examples).buckets().tobytes())

    assert frozen(1) == frozen(1)
    assert frozen(1) != frozen(2)


def test_features_rarer_than_the_cutoff_are_forgotten() -> None:
    x, gold, candidates = toy(1, 5)
    sizes = [prepared(x, gold, candidates, 5, cutoff).features for cutoff in (1, 2, 5)]
    assert sizes[0] > sizes[1] > sizes[2] > 0


def test_the_full_mode_reaches_the_optimum_of_the_crammer_singer_machine() -> None:
    svm = pytest.importorskip("sklearn.svm")
    source = np.random.default_rng(5)
    x = source.integers(0, 4, size=(300, 5))
    y = (x[:, 0] + (x[:, 1] > 1) + source.integers(0, 2, 300)) % 3
    hot = np.concatenate([np.eye(4)[x[:, c]] for c in range(5)], axis=1)
    strength = 0.02
    judge = svm.LinearSVC(
        multi_class="crammer_singer", C=1 / (strength * len(x)), fit_intercept=False, tol=1e-6, max_iter=100_000
    ).fit(hot, y)

    def objective(weights: np.ndarray) -> float:
        scores = hot @ weights.T
        right = scores[np.arange(len(y)), y]
        scores[np.arange(len(y)), y] -= 1
        return float(strength / 2 * (weights**2).sum() + np.maximum(0, scores.max(axis=1) + 1 - right).mean())

    plan = column_plan(5)
    examples = Examples(5, 3)
    sets = np.array([examples.add_set([label]) for label in range(3)], np.uint32)
    examples.add_rows(plan, as_atoms(x), sets[y], np.zeros(len(x), np.uint32))
    examples.finish(1)
    settings = Settings(mode="full", l2=strength, epochs=300, rate=1.0, stability=0.01)
    rows = finished(train_linear(examples, 5, settings, doubles=True)).weights(examples)
    templates, seen = examples.template_of(), set()
    weights = np.zeros((3, 20))
    order = iter(rows)
    for row in x.tolist():  # features are numbered by first appearance
        for column, value in enumerate(row):
            if (column, value) not in seen:
                seen.add((column, value))
                weights[:, column * 4 + value] = next(order)
    assert len(templates) == len(seen)
    assert objective(judge.coef_) <= objective(weights) + 1e-6
    assert objective(weights) < objective(judge.coef_) * 1.01


def test_settings_that_cannot_work_are_refused_with_the_choices() -> None:
    with pytest.raises(ConfigError, match="one of full, truncated"):
        Settings(mode="none")  # type: ignore[arg-type]
    for wrong in ({"rate": 0.0}, {"l2": -1.0}, {"epochs": 0}, {"exits": (3, 2)}, {"margin": float("nan")}):
        with pytest.raises(ConfigError):
            Settings(**wrong)  # type: ignore[arg-type]


def test_examples_that_do_not_fit_are_refused() -> None:
    plan = column_plan(2)
    examples = Examples(2, 3)
    with pytest.raises(ValueError, match="fit together"):
        examples.add_rows(plan, np.zeros((2, 1), np.uint32), np.zeros(2, np.uint32), np.zeros(2, np.uint32))
    with pytest.raises(ValueError, match="does not exist"):
        examples.add_rows(plan, np.zeros((1, 2), np.uint32), np.array([7], np.uint32), np.zeros(1, np.uint32))
    with pytest.raises(ValueError, match="set of labels"):
        examples.add_set([])
    with pytest.raises(ValueError, match="call finish"):
        finished(train_linear(examples, 2, Settings()))
    examples.finish(1)
    with pytest.raises(ValueError, match="nothing can be added"):
        examples.finish(1)
    with pytest.raises(ValueError, match="no mode"):
        learner_of(examples, "x")
    learner = learner_of(examples, "full")
    with pytest.raises(ValueError, match="no such templates"):
        learner.start(0, 3)
    with pytest.raises(ValueError, match="other examples"):
        learner.weights(prepared(*toy(1, 5), 5, 1))


def learner_of(examples: Examples, mode: str) -> Learner:
    settings = Settings(mode="full", margin=1, rate=1, l2=0, average=False)
    return Learner(examples, SimpleNamespace(**{**vars(settings), "mode": mode}))


def test_the_average_of_a_stage_is_over_that_stage_alone() -> None:
    # All templates see the same: what is left over for later ones to learn must not be diluted by earlier stages.
    x = np.repeat(np.random.default_rng(2).integers(0, 6, size=(400, 1)), 6, axis=1)
    examples = Examples(len(TEMPLATES), 6)
    sets = np.array([examples.add_set([label]) for label in range(6)], np.uint32)
    examples.add_rows(column_plan(6, TEMPLATES), as_atoms(x), sets[x[:, 0]], np.zeros(len(x), np.uint32))
    examples.finish(1)
    plain, averaged = (
        finished(
            train_linear(examples, len(TEMPLATES), Settings(mode="stagewise", average=average, epochs=6, margin=50.0))
        )
        for average in (False, True)
    )
    strength = [
        [np.abs(w[examples.template_of() == j]).mean() for j in range(len(TEMPLATES))]
        for w in (plain.weights(examples), averaged.weights(examples))
    ]
    ratios = np.array(strength[1]) / np.array(strength[0])
    assert ratios.min() > 0.4


def test_weights_that_overflow_are_an_error() -> None:
    examples = prepared(*toy(1, 5), 5, 1)
    with pytest.raises(ConfigError, match="overflowed"):
        finished(
            train_linear(
                examples,
                len(TEMPLATES),
                Settings(mode="full", update="perceptron", rate=1e6, margin=1e6, loss="logistic", epochs=40),
            )
        ).freeze(examples)


def test_truncated_training_stops_where_a_decision_is_infinitely_sure() -> None:
    """Exact softmax: the log-odds of a decision that leaves nothing to others are above every margin."""
    plan = column_plan(3, [(0,), (range(1, 3),)])
    examples = Examples(2, 2)
    gold = np.array([examples.add_set([label]) for label in (0, 1)], np.uint32)
    examples.add_rows(plan, as_atoms([[0, 0, 1], [-1, 0, 1]]), gold, np.zeros(2, np.uint32))
    examples.finish(1)
    settings = Settings(
        mode="truncated", loss="logistic", update="perceptron", rate=2000.0, l2=0.0, average=False, exits=(1,)
    )
    learner = Learner(examples, settings)
    first, second = (np.array([number], np.uint32) for number in range(2))
    learner.start(0, 1)
    learner.epoch(examples, first)
    learner.start(0, 2)
    learner.epoch(examples, second)  # two features of one template now say the opposite, and more of it
    before = learner.weights(examples)
    assert learner.epoch(examples, first) == 0
    assert np.array_equal(learner.weights(examples), before)


@pytest.mark.parametrize("update", ["adagrad", "perceptron"])
@pytest.mark.parametrize("labels", [5, 140])
def test_an_update_of_several_decisions_is_one_step_of_their_summed_gradient(update: str, labels: int) -> None:
    settings = Settings(mode="full", update=update, average=update == "perceptron", rate=0.5, l2=0.01, cutoff=1)  # type: ignore[arg-type]
    x, gold, candidates = toy(5, labels)
    examples = prepared(x, gold, candidates, labels, 1)
    learner = Learner(examples, settings, doubles=True)
    naive = Naive(settings, TEMPLATES, labels)
    active = [features_of(row, TEMPLATES) for row in x.tolist()]
    for feature in itertools.chain.from_iterable(itertools.chain.from_iterable(active)):
        naive.first[feature], naive.second[feature] = np.zeros(labels), np.zeros(labels)
    source = np.random.default_rng(1)
    for size in (7, 0, 4, 12, 0):  # a loss of zero is a step too
        which = source.integers(0, len(x), size).astype(np.uint32)
        chosen = source.integers(0, 5, size).astype(np.uint16)
        amounts = np.round(source.normal(size=size), 2)
        learner.update(examples, which, chosen, amounts)
        naive.update([(active[i], int(y), float(a)) for i, y, a in zip(which, chosen, amounts, strict=True)])
    np.testing.assert_allclose(learner.weights(examples), np.array(list(naive.weights().values())), rtol=0, atol=1e-9)


def test_parts_of_an_update_that_cancel_change_nothing() -> None:
    x, gold, candidates = toy(6, 5)
    examples = prepared(x, gold, candidates, 5, 1)
    settings = Settings(mode="full", cutoff=1)
    learner = finished(train_linear(examples, len(TEMPLATES), replace(settings, l2=0.0), doubles=True))
    before = learner.weights(examples)
    same = np.array([3, 3], np.uint32)
    learner.update(examples, same, np.array([2, 2], np.uint16), np.array([1.0, -1.0]))
    assert np.array_equal(learner.weights(examples), before)
    for which, label in ((60, 2), (3, 5)):
        with pytest.raises(ValueError, match="no such"):
            learner.update(examples, np.array([which], np.uint32), np.array([label], np.uint16), np.ones(1))
    with pytest.raises(ValueError, match="one label and one amount"):
        learner.update(examples, same, np.array([2], np.uint16), np.ones(2))
