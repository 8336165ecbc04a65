"""The prefix classifier written down as plainly as possible, in NumPy and double precision: the oracle for the core."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from laconic._core.learn import shuffled
from laconic.learn import Settings


def features_of(row: Sequence[int], templates: Sequence[Sequence[int | range]]) -> list[list[tuple[object, ...]]]:
    """Features per template: values of its columns, all combinations of members of sets, none where one is negative."""
    found = []
    for number, template in enumerate(templates):
        parts = [[row[p]] if isinstance(p, int) else [row[i] for i in p] for p in template]
        found.append([(number, *values) for values in itertools.product(*parts) if min(values) >= 0])
    return found


class Naive:
    """Weights by feature; trained in the same order of examples as the core."""

    def __init__(self, settings: Settings, templates: Sequence[Sequence[int | range]], labels: int) -> None:
        self.settings, self.templates, self.labels = settings, templates, labels
        self.first: dict[tuple[object, ...], np.ndarray] = {}
        self.second: dict[tuple[object, ...], np.ndarray] = {}
        self.total: dict[tuple[object, ...], np.ndarray] = {}
        self.time = 0
        self.frozen: list[int] = []
        self.snapshots: dict[tuple[object, ...], int] = {}

    def time_of(self, template: int) -> int:
        return self.frozen[template] if template < len(self.frozen) else self.time

    def value(self, feature: tuple[object, ...]) -> np.ndarray:
        s = self.settings
        first = self.first.get(feature, np.zeros(self.labels))
        if s.update == "perceptron":
            return first
        second = self.second.get(feature, np.zeros(self.labels))
        return -s.rate * first / (s.stability + np.sqrt(second) + s.rate * s.l2 * self.time_of(feature[0]))

    def fit(self, rows: np.ndarray, gold: Sequence[Sequence[int]], candidates: Sequence[Sequence[int]]) -> None:
        s, k = self.settings, len(self.templates)
        active = [features_of(row, self.templates) for row in rows.tolist()]
        counts: dict[tuple[object, ...], int] = {}
        for feature in itertools.chain.from_iterable(itertools.chain.from_iterable(active)):
            counts[feature] = counts.get(feature, 0) + 1
        active = [[[f for f in t if counts[f] >= s.cutoff] for t in example] for example in active]
        for feature in counts:
            if counts[feature] >= s.cutoff:
                for store in (self.first, self.second, self.total):
                    store[feature] = np.zeros(self.labels)
        stages = {"stagewise": [(j, j + 1) for j in range(k)], "fixed": [(0, s.depth or k)]}.get(s.mode, [(0, k)])
        for number, (first, depth) in enumerate(stages):
            self.frozen += [self.time] * (first - len(self.frozen))
            self.time = 0
            for epoch in range(s.epochs):
                order = shuffled(len(rows), s.seed * 1_000_003 + number * s.epochs + epoch + 1).tolist()
                stride = max(1, len(rows) // s.snapshots)
                for done, i in enumerate(order, 1):
                    self.step(active[i], gold[i], candidates[i], first, depth)
                    if s.average and s.update == "adagrad" and (epoch > 0 or s.epochs == 1) and done % stride == 0:
                        for feature in self.total:
                            if first <= feature[0] < depth:
                                self.total[feature] += self.value(feature)
                                self.snapshots[feature] = self.snapshots.get(feature, 0) + 1

    def step(
        self,
        active: list[list[tuple[object, ...]]],
        gold: Sequence[int],
        candidates: Sequence[int],
        first: int,
        depth: int,
    ) -> None:
        s = self.settings
        exits = set(s.exits_for(len(self.templates))) if s.mode in ("truncated", "every-exit") else set()
        scores = np.zeros(self.labels)
        gradients = np.zeros((depth, self.labels))
        for j in range(depth):
            for feature in active[j]:
                scores = scores + self.value(feature)
            if j + 1 == depth or (j + 1 in exits and j + 1 > first):
                gradients[j], satisfied = self.loss(scores, gold, candidates)
                if satisfied and s.mode == "truncated":
                    break
        self.time += 1
        for j in range(first, depth):
            gradient = gradients[j:].sum(axis=0)
            for feature in active[j]:
                if s.update == "perceptron":
                    self.first[feature] -= s.rate * gradient
                    self.second[feature] -= s.rate * gradient * (self.time - 1)
                else:
                    self.first[feature] += gradient
                    self.second[feature] += gradient**2

    def update(self, gradients: Sequence[tuple[list[list[tuple[object, ...]]], int, float]]) -> None:
        """One step of a loss of several decisions: features of each, a label and the slope of its score."""
        s = self.settings
        self.time += 1
        sums: dict[tuple[object, ...], np.ndarray] = {}
        for active, label, amount in gradients:
            for feature in itertools.chain.from_iterable(active):
                sums.setdefault(feature, np.zeros(self.labels))[label] += amount
        for feature, gradient in sums.items():
            if s.update == "perceptron":
                self.first[feature] -= s.rate * gradient
                self.second[feature] -= s.rate * gradient * (self.time - 1)
            else:
                self.first[feature] += gradient
                self.second[feature] += gradient**2

    def loss(self, scores: np.ndarray, gold: Sequence[int], candidates: Sequence[int]) -> tuple[np.ndarray, bool]:
        s = self.settings
        gradient = np.zeros(self.labels)
        best_gold = max(gold, key=lambda y: (scores[y], -y))
        others = [y for y in candidates if y not in gold]
        if s.loss == "hinge":
            if not others:
                return gradient, True
            rival = max(others, key=lambda y: (scores[y], -y))
            violation = scores[rival] - scores[best_gold] + s.margin
            if violation < 0 or (violation == 0 and s.margin > 0):
                return gradient, True
            gradient[rival] += 1
            gradient[best_gold] -= 1
            return gradient, False
        if s.loss == "snow":
            for y in candidates:
                sign = -1 if y in gold else 1
                if s.margin + sign * scores[y] > 0:
                    gradient[y] = sign
            return gradient, not gradient.any()
        highest = max(scores[best_gold], *(scores[y] for y in candidates))
        mass = np.exp(scores - highest)
        whole = sum(mass[y] for y in candidates)
        right = sum(mass[y] for y in gold)
        for y in candidates:
            gradient[y] = mass[y] / whole - (mass[y] / right if y in gold else 0)
        # Where rounding leaves nothing to the other labels, the log-odds are infinite.
        return gradient, bool(not right < whole or np.log(right) - np.log(whole - right) >= s.margin)

    def weights(self) -> dict[tuple[object, ...], np.ndarray]:
        s = self.settings
        if self.snapshots:
            return {feature: total / self.snapshots.get(feature, 1) for feature, total in self.total.items()}
        if s.average and s.update == "perceptron":
            return {f: self.first[f] - self.second[f] / max(1, self.time_of(f[0])) for f in self.first}
        return {feature: self.value(feature) for feature in self.first}
