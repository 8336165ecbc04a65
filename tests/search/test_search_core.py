"""The compiled parts of search, each against a few lines of NumPy that share nothing with them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from laconic._core.learn import Examples
from laconic._core.search import GroupLasso, fit_templates, residuals, right, scores
from laconic.learn import Settings, train_linear
from laconic.learn.classifier import as_atoms, column_plan
from laconic.progress import finished
from laconic.search.pursuit import normalised

Floats = npt.NDArray[np.float64]
LABELS = 4


class Small:
    """A few hundred decisions over columns of different sizes: labels follow the second column, less so the first."""

    def __init__(self, seed: int = 0, rows: int = 300) -> None:
        random = np.random.default_rng(seed)
        self.x = np.column_stack([random.integers(0, size, rows) for size in (6, 5, 40, 3)])
        noise = random.random(rows)
        self.y = np.where(noise < 0.7, self.x[:, 1] % LABELS, np.where(noise < 0.9, self.x[:, 0] % LABELS, 0))
        plan = column_plan(4)
        self.examples = Examples(4, LABELS)
        gold = np.array([self.examples.add_set([label]) for label in range(LABELS)], np.uint32)
        # Every third decision has fewer candidates, its gold label always among them.
        narrow = np.array([self.examples.add_set(sorted({label, 0, 1})) for label in range(LABELS)], np.uint32)
        thirds = np.arange(rows) % 3 == 0
        self.examples.add_rows(
            plan, as_atoms(self.x), gold[self.y], np.where(thirds, narrow[self.y], 0).astype(np.uint32)
        )
        self.examples.finish(1)
        self.allowed = np.ones((rows, LABELS), bool)
        self.allowed[thirds] = False
        for i in np.flatnonzero(thirds):
            self.allowed[i, [self.y[i], 0, 1]] = True
        self.design = np.zeros((rows, self.examples.features))
        for i in range(rows):
            self.design[i, self.examples.run(i)[0]] = 1
        self.template_of = self.examples.template_of()
        self.onehot = np.eye(LABELS)[self.y]

    def probabilities(self, by_label: Floats) -> Floats:
        masked = np.where(self.allowed, by_label, -np.inf)
        mass = np.exp(masked - masked.max(axis=1, keepdims=True))
        return np.asarray(mass / mass.sum(axis=1, keepdims=True))


@pytest.fixture(scope="module")
def small() -> Small:
    return Small()


def test_scores_and_what_is_right_are_those_of_the_design_matrix(small: Small) -> None:
    weights = np.random.default_rng(1).normal(size=(small.examples.features, LABELS))
    expected = small.design @ weights
    found = scores(small.examples, weights)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    best = np.where(small.allowed, expected, -np.inf).argmax(axis=1)
    np.testing.assert_array_equal(right(small.examples, found), best == small.y)


@pytest.mark.parametrize("loss", ["hinge", "logistic"])
def test_residuals_are_the_negative_gradient_of_the_loss(small: Small, loss: str) -> None:
    by_label = np.random.default_rng(2).normal(size=(len(small.y), LABELS))

    def total(values: Floats) -> Floats:
        if loss == "logistic":
            return -np.log(small.probabilities(values)[np.arange(len(small.y)), small.y])
        rivals = np.where(small.allowed & (small.onehot == 0), values, -np.inf).max(axis=1)
        return np.maximum(0, rivals - values[np.arange(len(small.y)), small.y] + 1.0)

    found = residuals(small.examples, by_label, loss, 1.0)
    step = 1e-6
    for label in range(LABELS):
        moved = by_label.copy()
        moved[:, label] += step
        slope = (total(moved) - total(by_label)) / step
        np.testing.assert_allclose(found[:, label], -slope, atol=1e-4)


@pytest.mark.parametrize("ridge", [0.5, 3.0])
def test_a_template_explains_what_ridge_regression_on_its_columns_explains(small: Small, ridge: float) -> None:
    wrong = np.random.default_rng(3).normal(size=(len(small.y), LABELS))
    explained, freedom = fit_templates(small.examples, wrong, ridge)
    for template in range(4):
        x = small.design[:, small.template_of == template]
        gram = x.T @ x + ridge * np.eye(x.shape[1])
        fitted = np.linalg.solve(gram, x.T @ wrong)
        after = ((wrong - x @ fitted) ** 2).sum() + ridge * (fitted**2).sum()
        assert explained[template] == pytest.approx((wrong**2).sum() - after)
        assert freedom[template] == pytest.approx(np.trace(x @ np.linalg.solve(gram, x.T)))


def test_normalised_shares_do_not_reward_features_without_meaning() -> None:
    random = np.random.default_rng(4)
    shares = []
    for _ in range(50):
        group = random.integers(0, 30, 400)
        wrong = random.normal(size=400)
        means = np.bincount(group, wrong, 30) / np.maximum(1, np.bincount(group, minlength=30))
        explained = (wrong**2).sum() - ((wrong - means[group]) ** 2).sum()
        share = normalised(np.array([explained]), np.array([30.0]), float((wrong**2).sum()), 400, "adjusted")
        shares.append(float(share[0]))
    assert abs(np.mean(shares)) < 0.01
    assert normalised(np.array([4.0]), np.array([2.0]), 8.0, 10, "mean")[0] == pytest.approx(0.25)


def proximal_gradient(small: Small, costs: Floats, strength: float) -> Floats:
    """Plain proximal gradient descent on all weights at once, to the end."""
    n = len(small.y)
    weights = np.zeros((small.design.shape[1], LABELS))
    size = 1 / (0.5 * np.linalg.eigvalsh(small.design.T @ small.design / n).max())
    for _ in range(20000):
        gradient = small.design.T @ (small.probabilities(small.design @ weights) - small.onehot) / n
        moved = weights - size * gradient
        for template, cost in enumerate(costs):
            rows = small.template_of == template
            length = np.linalg.norm(moved[rows])
            moved[rows] *= max(0.0, 1 - size * strength * cost / length) if length > 0 else 0.0
        if np.abs(moved - weights).max() < 1e-11:
            break
        weights = moved
    return weights


def objective(small: Small, weights: Floats, costs: Floats, strength: float) -> float:
    chosen = small.probabilities(small.design @ weights)[np.arange(len(small.y)), small.y]
    lengths = [np.linalg.norm(weights[small.template_of == template]) for template in range(4)]
    return float(-np.log(chosen).mean() + strength * np.dot(costs, lengths))


@pytest.mark.parametrize("share", [0.7, 0.3, 0.05])
def test_group_lasso_agrees_with_proximal_gradient_descent(small: Small, share: float) -> None:
    costs = np.sqrt(np.bincount(small.template_of, minlength=4))
    model = GroupLasso(small.examples, costs.tolist())
    pulls = model.pulls()
    gradient = small.design.T @ (small.probabilities(np.zeros((len(small.y), LABELS))) - small.onehot) / len(small.y)
    np.testing.assert_allclose(
        pulls, [np.linalg.norm(gradient[small.template_of == j]) / costs[j] for j in range(4)], rtol=1e-10
    )
    strength = share * pulls.max()
    for _ in range(5000):
        if model.sweep([0, 1, 2, 3], strength) < 1e-12:
            break
    expected = proximal_gradient(small, costs, strength)
    found = model.weights().reshape(-1, LABELS)
    assert objective(small, found, costs, strength) <= objective(small, expected, costs, strength) + 1e-9
    np.testing.assert_allclose(small.design @ found, small.design @ expected, atol=1e-3)
    np.testing.assert_array_equal(
        model.norms() > 0, [np.linalg.norm(expected[small.template_of == j]) > 0 for j in range(4)]
    )
    assert model.loss() == pytest.approx(objective(small, found, costs, 0.0))


def test_nothing_enters_at_the_strength_of_the_strongest_pull(small: Small) -> None:
    model = GroupLasso(small.examples, [1.0] * 4)
    strongest = model.pulls().max()
    model.sweep([0, 1, 2, 3], strongest)
    assert not model.norms().any()
    model.sweep([0, 1, 2, 3], 0.99 * strongest)
    assert (model.norms() > 0).sum() == 1


def test_a_permutation_of_templates_trains_as_if_collected_in_that_order(small: Small) -> None:
    order = [2, 0, 3]
    chosen = np.arange(0, 300, 2, dtype=np.uint32)
    picked = small.examples.select(np.array(order, np.uint32), chosen)
    direct = Examples(3, small.examples.label_sets())
    gold = np.array([direct.add_set([label]) for label in range(LABELS)], np.uint32)
    narrow = np.array([direct.add_set(sorted({label, 0, 1})) for label in range(LABELS)], np.uint32)
    sets = np.where(chosen % 3 == 0, narrow[small.y[chosen]], 0).astype(np.uint32)
    plan = column_plan(4, [(column,) for column in order])
    direct.add_rows(plan, as_atoms(small.x[chosen]), gold[small.y[chosen]], sets)
    direct.finish(1)
    settings = Settings(epochs=3)
    ours, theirs = (finished(train_linear(examples, 3, settings)).weights(examples) for examples in (picked, direct))
    for i in range(len(chosen)):
        mine, ends = picked.run(i)
        other, same = direct.run(i)
        np.testing.assert_array_equal(ends, same)
        np.testing.assert_array_equal(ours[mine], theirs[other])


def test_decisions_to_be_scored_keep_the_numbers_of_known_features(small: Small) -> None:
    other = Examples(4, small.examples.label_sets())
    gold = np.array([other.add_set([label]) for label in range(LABELS)], np.uint32)
    rows = small.x[:20].copy()
    rows[0, 2] = 999
    other.add_rows(column_plan(4), as_atoms(rows), gold[small.y[:20]], np.zeros(20, np.uint32))
    other.finish_like(small.examples)
    assert len(other.run(0)[0]) == 3
    for i in range(1, 20):
        np.testing.assert_array_equal(other.run(i)[0], small.examples.run(i)[0])
    order, everyone = np.array([3, 1], np.uint32), np.arange(20, dtype=np.uint32)
    one, two = other.select(order, everyone), small.examples.select(order, everyone)
    for i in range(20):
        np.testing.assert_array_equal(one.run(i)[0], two.run(i)[0])


@pytest.mark.parametrize(
    "wrong",
    [
        lambda small: small.examples.select(np.array([0, 0], np.uint32), np.zeros(1, np.uint32)),
        lambda small: small.examples.select(np.array([4], np.uint32), np.zeros(1, np.uint32)),
        lambda small: small.examples.select(np.array([0], np.uint32), np.array([300], np.uint32)),
        lambda small: small.examples.relabel(np.zeros(3, np.uint32)),
        lambda small: scores(small.examples, np.zeros((3, LABELS))),
        lambda small: residuals(small.examples, np.zeros((300, LABELS)), "snow", 1.0),
        lambda small: fit_templates(small.examples, np.zeros((300, LABELS)), -1.0),
        lambda small: GroupLasso(small.examples, [1.0, 1.0]),
        lambda small: GroupLasso(small.examples, [1.0] * 4).sweep([4], 0.1),
    ],
)
def test_arguments_that_do_not_fit_are_refused(small: Small, wrong: Callable[[Small], object]) -> None:
    with pytest.raises(ValueError, match=r"[a-z]"):
        wrong(small)
