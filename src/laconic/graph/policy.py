"""The learned policy of he2013: a linear SVM that says of each word, between trees, whether its head is to be locked or
the next group of templates to be added."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from laconic._core import graph as core
from laconic._core.learn import Table
from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.graph.config import PolicySettings
from laconic.learn.tables import table_from, table_state
from laconic.progress import Progress

LANES = 14
META = 3
"""Squashed score now, before the last group, and its margin; the next group follows, one column each."""
Questions = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class LearnedPolicy:
    """Weights of meta-features and of features of arcs. It needs no scikit-learn."""

    now: float
    before: float
    margin: float
    groups: tuple[float, ...]
    """By the next group, from the second on."""
    temperature: float
    """Real scores are divided by it before they are squashed."""
    table: Table

    def core(self) -> core.ArcPolicy:
        weights = core.PolicyWeights(0.0, self.now, self.before, self.margin, list(self.groups), self.temperature)
        return core.ArcPolicy(weights, self.table)

    def state(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        arrays, facts = table_state(self.table)
        weights = {
            "now": self.now,
            "before": self.before,
            "margin": self.margin,
            "groups": list(self.groups),
            "temperature": self.temperature,
        }
        return arrays, {"weights": weights, "table": facts}

    @classmethod
    def from_state(
        cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any], groups: int, templates: int
    ) -> LearnedPolicy:
        """ValueError, KeyError or TypeError unless it fits so many groups and templates."""
        table = table_from(arrays, facts["table"])
        if not isinstance(table, Table) or table.labels != LANES or table.templates != templates:
            raise ValueError("the rows of the policy do not fit the templates")
        said = facts["weights"]
        now, before, margin, temperature = (float(said[name]) for name in ("now", "before", "margin", "temperature"))
        by_group = tuple(float(weight) for weight in said["groups"])
        if len(by_group) != groups - 1:
            raise ValueError("the policy does not fit the groups")
        found = cls(now, before, margin, by_group, temperature, table)
        found.core()  # refuses numbers that are none
        return found


@dataclass(frozen=True)
class Rollout:
    """A model, and sentences that it did not see, to let policies run on."""

    model: core.GraphModel
    doc: Doc
    sentences: npt.NDArray[np.uint32]
    gold: npt.NDArray[np.int32]
    """One head per word of the document."""
    projective: bool
    single_root: bool
    propagation: str

    def run(self, policy: core.ArcPolicy | None) -> tuple[core.Parsed, Questions]:
        """What parsing gave, and what was asked; without a policy the expert answers."""
        return self.model.ask(
            self.doc.columns,
            self.gold,
            self.sentences,
            [0] * (self.model.groups - 1),
            self.projective,
            self.single_root,
            self.propagation,
            policy,
        )

    @property
    def gold_heads(self) -> npt.NDArray[np.int32]:
        """Of the sentences."""
        starts = self.doc.sentence_starts.tolist()
        return np.concatenate([self.gold[starts[s] : starts[s + 1]] for s in self.sentences.tolist()])


def fit_policy(
    settings: PolicySettings,
    learn: Sequence[Rollout],
    judge: Sequence[Rollout],
    temperature: float,
    templates: int,
) -> Generator[Progress, None, LearnedPolicy]:
    """DAgger: the first questions are those of a run of the expert, later ones those of the policy so far, always with
    the expert's answers, and a policy is trained on all of them; of the policies the one with the most heads right on
    ``judge`` is kept, of equal ones the cheapest. ConfigError without scikit-learn.

    Cost: one SVM an iteration, over all questions so far. Paper: he2013, section 4.
    """
    svm = _linear_svc()
    asked: list[Questions] = []
    best: tuple[tuple[int, int], LearnedPolicy] | None = None
    policy: LearnedPolicy | None = None
    for iteration in range(settings.iterations):
        source = learn[iteration % len(learn)]
        some = _drawn(source, settings, iteration // len(learn))
        asked.append(replace(source, sentences=some).run(None if policy is None else policy.core())[1])
        if len(np.unique(np.concatenate([one["locked"] for one in asked]))) < 2:
            raise ConfigError("there are too few sentences to learn a policy from")
        policy = _trained(svm, settings, asked, temperature, learn[0].model.groups, templates)
        right, cost = 0, 0
        for one in judge:
            found = one.run(policy.core())[0]
            right += int(np.sum(found.heads == one.gold_heads))
            cost += found.templates
        if best is None or (right, -cost) > best[0]:
            best = (right, -cost), policy
        yield Progress("policy", iteration + 1, settings.iterations, right)
    assert best is not None
    return best[1]


def _drawn(source: Rollout, settings: PolicySettings, turn: int) -> npt.NDArray[np.uint32]:
    """Sentences with about so many words, others at every turn as long as there are some."""
    starts = source.doc.sentence_starts.astype(np.int64)
    words = int(np.diff(starts)[source.sentences].sum())
    stride = max(1, words // settings.words)
    return np.ascontiguousarray(source.sentences[turn % stride :: stride])


def _trained(
    svm: Any, settings: PolicySettings, asked: Sequence[Questions], temperature: float, groups: int, templates: int
) -> LearnedPolicy:
    """One linear SVM over all questions."""
    from scipy.sparse import csr_matrix

    def joined(name: str) -> npt.NDArray[Any]:
        return np.concatenate([one[name] for one in asked])

    def squashed(scores: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return 1 / (1 + np.exp(-np.clip(scores / temperature, -500, 500)))

    keys, first, numbers, counts = np.unique(joined("keys"), return_index=True, return_inverse=True, return_counts=True)
    known = counts >= settings.cutoff
    places = np.where(known, np.cumsum(known) - 1, -1)
    sizes = np.concatenate([np.diff(one["begins"]).astype(np.int64) for one in asked])
    questions = np.repeat(np.arange(len(sizes)), sizes)
    of_features = places[numbers.ravel()]
    kept = of_features >= 0
    questions, of_features = questions[kept], of_features[kept]
    first_feature = META + groups - 1
    lanes = joined("lanes").astype(np.int64)[questions]
    plain = first_feature + of_features * (LANES + 1)
    now = squashed(joined("now"))
    next_groups = joined("groups").astype(np.int64)
    every = np.arange(len(sizes))
    values = [now, squashed(joined("before")), now - squashed(joined("rival")), np.ones(len(sizes))]
    places_of_meta = [np.full(len(sizes), column) for column in range(META)] + [META + next_groups - 1]
    rows = np.concatenate([every] * (META + 1) + [questions, questions])
    columns = np.concatenate([*places_of_meta, plain, plain + 1 + lanes])
    data = np.concatenate([*values, np.ones(2 * len(questions))])
    width = first_feature + int(known.sum()) * (LANES + 1)
    matrix = csr_matrix((data, (rows, columns)), shape=(len(sizes), width))
    learner = svm(
        C=settings.c,
        class_weight={0: settings.add_weight, 1: 1.0},
        fit_intercept=False,  # every question has one next group
        dual=True,
        tol=0.05,
        max_iter=50,
        random_state=settings.seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a few more passes would change nothing that matters
        learner.fit(matrix, joined("locked"))
    weights = learner.coef_[0]
    of_arcs = weights[first_feature:].reshape(-1, LANES + 1)
    table = core.policy_table(
        np.ascontiguousarray(keys[known]),
        np.ascontiguousarray(joined("templates")[first[known]]),
        np.ascontiguousarray(of_arcs[:, :1] + of_arcs[:, 1:]),
        templates,
    )
    meta = [float(weight) for weight in weights[:first_feature]]
    return LearnedPolicy(meta[0], meta[1], meta[2], tuple(meta[META:]), temperature, table)


def _linear_svc() -> Any:
    try:
        from sklearn.svm import LinearSVC
    except ImportError as error:
        raise ConfigError(
            "the policy svm is trained with scikit-learn, which is not there: pip install 'laconic[train]'"
        ) from error
    return LinearSVC
