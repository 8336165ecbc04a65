"""Dynamic feature selection with scores from arrays: what must hold whatever the features are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from graph.trees import Heads, crosses, edges_of, is_projective, is_tree, part_sum, possible_edges, sum_of
from laconic._core import graph

RULES = [(projective, single) for projective in (False, True) for single in (False, True)]
Scores = NDArray[np.int32]


class Sentence:
    """Random scores of groups, the first the widest, as features found by forward selection are."""

    def __init__(self, seed: int, words: int, groups: int, siblings: int = 0, parsers: int = 1, share: float = 0.8):
        random = np.random.default_rng(seed)
        spread = np.array([200 // (1 + group) for group in range(groups)])[None, :, None, None]
        shape = (parsers, groups, words, words + 1)
        self.words = words
        self.groups = np.rint(random.normal(size=shape) * spread).astype(np.int32)
        self.siblings = np.rint(random.normal(size=(siblings, *((words + 1,) * 3))) * 80).astype(np.int32)
        self.alive = possible_edges(words) & (random.random((words, words + 1)) < share)
        self.random = random

    def run(self, policy: str, **options: Any) -> tuple[Heads, graph.RoundsResult, graph.CheckedTrace]:
        limits = {name: options.pop(name) for name in ("longest", "reach") if name in options}
        edges = edges_of(np.zeros((self.words, self.words + 1), np.int32), self.alive, **limits)
        return graph.run_rounds(edges, self.groups, self.siblings, policy, **options)

    def full(self, projective: bool, single_root: bool) -> int | None:
        """The sum of the best tree by all groups of edges."""
        scores = self.groups[0].sum(axis=0, dtype=np.int32)
        heads = graph.best_tree(edges_of(scores, self.alive), single_root, projective)
        return None if heads is None else sum_of(heads, scores)


def keeps_to(heads: Heads, projective: bool, single_root: bool) -> bool:
    tree = tuple(heads.tolist())
    return is_tree(tree) and (not projective or is_projective(tree)) and (not single_root or tree.count(0) == 1)


@pytest.mark.parametrize(("projective", "single_root"), RULES)
@pytest.mark.parametrize("policy", ["never", "drop"])
def test_without_drops_the_result_is_the_full_parsers(policy: str, projective: bool, single_root: bool) -> None:
    for seed in range(20):
        sentence = Sentence(seed, 1 + seed, 4)
        best = sentence.full(projective, single_root)
        thresholds = {"thresholds": [2**40] * 3} if policy == "drop" else {}
        heads, result, _ = sentence.run(policy, projective=projective, single_root=single_root, **thresholds)
        if best is not None:
            assert not result.lifted
            assert sum_of(heads, sentence.groups[0].sum(axis=0, dtype=np.int32)) == best


@pytest.mark.parametrize(
    ("projective", "single_root", "siblings"), [(*rules, 0) for rules in RULES] + [(True, False, 2), (True, True, 2)]
)
@pytest.mark.parametrize("policy", ["always", "drop", "expert", "never"])
def test_exact_rounds(policy: str, projective: bool, single_root: bool, siblings: int) -> None:
    """Always a tree under the rules; the current tree stays alive and no lock meets a conflict with it; decoding what
    is open gives what decoding from scratch gives, in every round; counters are what was computed."""
    rounds = 0
    for seed in range(40):
        words = 1 + seed % 20
        sentence = Sentence(100 + seed, words, 4, siblings, share=0.6 + 0.4 * (seed % 2))
        options: dict[str, Any] = {"thresholds": [150, 90, 60, 60, 40]} if policy == "drop" else {}
        if policy == "expert":
            gold = graph.best_tree(graph.Edges(words), single_root, projective)
            options["gold"] = gold.tolist()
        heads, result, trace = sentence.run(
            policy, projective=projective, single_root=single_root, by_score=seed % 3 == 0, **options
        )
        rounds += len(trace.trees)
        assert keeps_to(heads, projective, single_root)
        assert not result.failed
        assert heads.tolist() == trace.trees[-1]
        assert trace.tree_is_alive
        assert all(counts.kept == 0 for counts in result.rounds)
        assert trace.sums == trace.sums_from_scratch
        check_counters(sentence, result, trace)
        for _, head, word, what in trace.events:
            if what in ("locked", "forced"):
                assert heads[word - 1] == head
            else:
                assert heads[word - 1] != head
            if what == "locked" and policy == "expert":
                assert gold[word - 1] == head
    assert rounds > 40 or policy == "always"


def check_counters(sentence: Sentence, result: graph.RoundsResult, trace: graph.CheckedTrace) -> None:
    words = sentence.words
    alive = trace.edges_alive[0]
    locked = 0
    edge_groups = sentence.groups.shape[1]
    for at, counts in enumerate(result.rounds):
        assert counts.group == at
        dead = [event for event in trace.events if event[0] == at - 1 and event[3] not in ("locked", "forced")]
        kinds = [event[3] for event in trace.events if event[0] == at - 1]
        assert (counts.locked, counts.forced) == (kinds.count("locked"), kinds.count("forced"))
        assert counts.dropped == kinds.count("trails") + kinds.count("other head")
        assert counts.dropped + counts.ruled_out == len(dead)
        locked += counts.locked + counts.forced
        alive -= len(dead)
        assert counts.open == words - locked
        assert counts.edges == alive - locked
        if at < edge_groups and not (at == 0 and result.lifted):
            assert counts.rows == counts.templates == counts.edges
        if at < len(trace.trees):
            assert trace.edges_alive[at] == alive
            assert len(trace.candidates(at)) <= counts.open
        else:
            assert counts.open == 0


@pytest.mark.parametrize("single_root", [False, True])
def test_all_groups_of_siblings_give_the_tree_of_the_second_order_decoder(single_root: bool) -> None:
    for seed in range(15):
        sentence = Sentence(seed, 1 + seed, 3, siblings=2, share=1)
        heads, *_ = sentence.run("never", single_root=single_root)
        scores, parts = sentence.groups[0].sum(axis=0, dtype=np.int32), sentence.siblings.sum(axis=0, dtype=np.int32)
        best = graph.best_with_siblings(edges_of(scores), parts, single_root)
        assert best is not None
        sums = [sum_of(tree, scores) + part_sum(tuple(tree.tolist()), parts) for tree in (heads, best)]
        assert sums[0] == sums[1]


def test_a_linear_policy_locks_where_its_function_is_positive() -> None:
    weights = graph.PolicyWeights(bias=-0.9, now=0.7, before=-0.2, margin=0.8, groups=[0.1, -0.3], temperature=150)
    locked = added = 0

    def squashed(score: float) -> float:
        return float(1 / (1 + np.exp(-score / 150)))

    for seed in range(20):
        sentence = Sentence(seed, 14, 3)
        acquired = sentence.random.normal(size=(14, 15)) * 0.3
        heads, _, trace = sentence.run("linear", weights=weights, acquired=acquired)
        assert keeps_to(heads, True, True)
        assert trace.sums == trace.sums_from_scratch
        decided = {(at, word): what for at, _, word, what in trace.events if what in ("locked", "forced")}
        gone = {(at, word) for at, _, word, what in trace.events if what not in ("locked", "forced", "other head")}
        for at in range(min(2, len(trace.trees))):
            for word, scores in trace.candidates(at).items():
                if (at, word) in gone or decided.get((at, word)) == "forced":
                    continue  # the question was another one, or none
                head = trace.trees[at][word - 1]
                rival = max(score for other, score in scores.items() if other != head)
                before = trace.candidates(at - 1)[word][head] if at else 0
                now = squashed(scores[head])
                value = -0.9 + 0.7 * now - 0.2 * squashed(before) + 0.8 * (now - squashed(rival))
                value += [0.1, -0.3][at] + acquired[word - 1, head]
                assert ((at, word) in decided) == (value > 0)
                locked += value > 0
                added += value <= 0
    assert min(locked, added) > 10


def test_dropped_rivals_trail_by_the_threshold_and_others_stay() -> None:
    for seed in range(20):
        sentence = Sentence(seed, 12, 2)
        *_, trace = sentence.run("drop", thresholds=[100])
        before = trace.candidates(0)
        trailing = {(word, head) for _, head, word, what in trace.events if what == "trails"}
        for word, scores in before.items():
            head = trace.trees[0][word - 1]
            for other, score in scores.items():
                if (word, other) in trailing:
                    assert scores[head] - score >= 100
        for word, scores in (trace.candidates(1) if len(trace.trees) > 1 else {}).items():
            first = before[word]
            assert all(first[trace.trees[0][word - 1]] - first[other] < 100 for other in scores)


@pytest.mark.parametrize("single_root", [False, True])
def test_the_papers_rounds(single_root: bool) -> None:
    """Crossing trees until the last group of edges, then projective ones; edges of the current tree are kept where the
    rules would remove them; without a projective tree the tree before is the result."""
    kept = failed = 0
    for seed in range(120):
        sentence = Sentence(500 + seed, 2 + seed % 14, 4, siblings=2 * (seed % 2), parsers=3)
        heads, result, trace = sentence.run(
            "drop", thresholds=[120, 70, 40, 40, 40], propagation="paper", single_root=single_root, by_score=True
        )
        kept += sum(counts.kept for counts in result.rounds)
        failed += result.failed
        assert keeps_to(heads, False, single_root)
        assert trace.tree_is_alive
        assert heads.tolist() == trace.trees[-1]
        assert trace.sums == trace.sums_from_scratch
        parsers = [counts.parser for counts in result.rounds]
        assert parsers == ["crossing", "crossing", "crossing", "projective", "siblings", "siblings"][: len(parsers)]
        if len(trace.trees) >= 4:
            assert all(is_projective(tuple(tree)) for tree in trace.trees[3:])
        locks = [(head, word) for _, head, word, what in trace.events if what in ("locked", "forced")]
        for at, _, head, word in [(e[0], e[3], e[1], e[2]) for e in trace.events if e[3] == "crossing"]:
            assert any(crosses((head, word), lock) for lock in locks)
            assert at < len(trace.trees)
    assert min(kept, failed) > 0, "the cases that the paper names do occur"


def test_a_run_can_stop_after_each_group_and_is_then_projective() -> None:
    sentence = Sentence(3, 15, 5, siblings=1)
    for propagation in ("exact", "paper"):
        for rounds in range(1, 7):
            heads, result, _ = sentence.run("never", propagation=propagation, rounds=rounds)
            assert [counts.group for counts in result.rounds] == list(range(rounds))
            assert keeps_to(heads, True, True)


def test_words_without_alive_heads_get_all_back() -> None:
    sentence = Sentence(1, 8, 3)
    sentence.alive[4] = False
    heads, result, trace = sentence.run("never", single_root=False)
    assert not result.lifted
    assert trace.edges_alive[0] == sentence.alive.sum() + 8
    sentence.alive[:] = False
    heads, result, trace = sentence.run("drop", thresholds=[50, 50])
    assert trace.edges_alive[0] == 64
    assert keeps_to(heads, True, True)


def test_edges_without_a_tree_bring_all_others_back() -> None:
    sentence = Sentence(1, 3, 2)
    sentence.alive[:] = False
    for word, head in [(1, 2), (2, 1), (3, 2)]:
        sentence.alive[word - 1, head] = True
    for projective in (False, True):
        heads, result, _ = sentence.run("never", projective=projective)
        assert result.lifted
        assert keeps_to(heads, projective, True)
        assert result.rounds[0].rows == 3 + 9, "what was computed before counts too"


@pytest.mark.parametrize(("projective", "single_root"), RULES)
def test_sentences_with_a_window_are_parsed_without_rules_of_locks(projective: bool, single_root: bool) -> None:
    for seed in range(10):
        sentence = Sentence(seed, 30, 3, siblings=2 if projective else 0, share=1)
        options: dict[str, Any] = {"longest": 10, "reach": 6, "projective": projective, "single_root": single_root}
        heads, result, trace = sentence.run("drop", thresholds=[100, 60], **options)
        assert keeps_to(heads, projective, single_root)
        assert trace.tree_is_alive
        assert trace.sums == trace.sums_from_scratch
        assert all(counts.ruled_out == counts.forced == 0 for counts in result.rounds)
        assert all(counts.parser != "siblings" for counts in result.rounds)
        heads, result, _ = sentence.run("always", **options)
        assert keeps_to(heads, projective, single_root)
        assert [counts.open for counts in result.rounds] == [30, 0]


def test_the_same_run_gives_the_same_trace() -> None:
    runs = [Sentence(4, 20, 4, siblings=1).run("drop", thresholds=[90, 60, 50, 40]) for _ in range(2)]
    assert runs[0][2].events == runs[1][2].events
    assert runs[0][0].tolist() == runs[1][0].tolist()


def test_no_words_need_no_rounds() -> None:
    heads, result, _ = Sentence(0, 0, 2).run("always")
    assert heads.tolist() == []
    assert result.rounds == []


def test_bad_arguments_are_refused() -> None:
    sentence = Sentence(0, 4, 2, siblings=1)
    for reason, options in [
        ("no policy 'sometimes'", {"policy": "sometimes"}),
        ("no propagation", {"policy": "never", "propagation": "fast"}),
        ("head for each word", {"policy": "expert", "gold": [0]}),
        ("no group", {"policy": "never", "rounds": 0}),
        ("linear policy", {"policy": "linear"}),
    ]:
        with pytest.raises(ValueError, match=reason):
            sentence.run(**options)
    sentence.groups = sentence.groups[:, :, :, :-1].copy()
    with pytest.raises(ValueError, match="groups need"):
        sentence.run("never")
