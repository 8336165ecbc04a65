"""From the scores of a teacher to columns: trees by the decoders of ``graph``, tags seen together, entities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from laconic._core import graph
from laconic._core import tag as core
from laconic.distill.labels import LabelNumbers, TeacherLabels

Logs = npt.NDArray[np.float32]
"""Logarithms of probabilities."""
FINE = 10_000
"""Steps of a decoder's whole scores in one unit of a logarithm."""
LOWEST = -50.0
WHOLE_WORD = 65_535
"""In place of what is cut in front: the script puts a lemma in place of the whole word."""
NEVER = -1e9


def log_softmax(scores: npt.NDArray[np.float32]) -> Logs:
    """Over the last axis."""
    shifted = scores - scores.max(-1, keepdims=True)
    logs: Logs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return logs


@dataclass(frozen=True)
class Decoder:
    """What a teacher's labels allow."""

    labels: TeacherLabels
    projective: bool = False

    def tags(self, scores: dict[str, npt.NDArray[np.float32]]) -> tuple[dict[str, LabelNumbers], Logs]:
        """The best combination of tags that was seen, for each word, and its probability among all of them."""
        rows = self.labels.combinations
        total = sum(log_softmax(scores[name])[:, rows[:, i]] for i, name in enumerate(self.labels.tags))
        joint = log_softmax(np.asarray(total, np.float32))
        best = joint.argmax(1)
        found = {name: rows[best, i] for i, name in enumerate(self.labels.tags)}
        return found, joint[np.arange(len(best)), best]

    def scripts(self, scores: npt.NDArray[np.float32], letters: LabelNumbers) -> tuple[LabelNumbers, Logs]:
        """The best edit script that a word of so many letters is long enough for."""
        fits = self._needs[None, :] <= letters[:, None]
        logs = log_softmax(np.where(fits, scores, np.float32(NEVER)))
        best = logs.argmax(1)
        return best, logs[np.arange(len(best)), best]

    @cached_property
    def _needs(self) -> npt.NDArray[np.int64]:
        """Letters that each script cuts, and one more where it puts nothing in their place: a lemma is not empty."""
        rows = [
            0 if front == WHOLE_WORD else front + back + (not before and not after)
            for _, front, back, before, after in self.labels.scripts
        ]
        return np.array(rows, np.int64)

    def tree(self, words: int, rows: Callable[[int, int], Logs]) -> tuple[LabelNumbers, Logs]:
        """The best tree of a sentence and the probability of each of its arcs. ``rows(begin, end)`` gives those of all
        heads, the root first, for some of the words; in sentences of over 400 words only heads that
        ``laconic._core.graph.Edges`` has columns for are candidates, so that memory is linear in them."""
        edges = graph.Edges(words)
        heads = edges.heads()
        logs = np.empty(heads.shape, np.float32)
        step = max(1, 1_000_000 // (words + 1))
        for begin in range(0, words, step):
            end = min(words, begin + step)
            own = rows(begin, end)
            logs[begin:end] = np.take_along_axis(own, np.maximum(heads[begin:end], 0), 1)
        edges.set_scores(np.rint(np.clip(logs, LOWEST, 0) * FINE).astype(np.int32))
        found = graph.best_tree(edges, self.labels.single_root, self.projective)
        assert found is not None, "every word may be the root, so there is a tree"
        best = np.asarray(found, np.int64)
        return best, logs[heads == best[:, None]]

    def entities(self, scores: npt.NDArray[np.float32]) -> LabelNumbers:
        """The best sequence of BILOU labels of a sentence that fit together (Viterbi)."""
        inner, final, start = self._transitions
        logs = log_softmax(scores).astype(np.float64)
        words, count = logs.shape
        value = np.where((final if words == 1 else inner)[start], logs[0], NEVER)
        back = np.zeros((words, count), np.int64)
        for word in range(1, words):
            allowed = final if word == words - 1 else inner
            through = np.where(allowed, value[:, None], 2 * NEVER)
            back[word] = through.argmax(0)
            value = through[back[word], np.arange(count)] + logs[word]
        best = np.empty(words, np.int64)
        best[-1] = value.argmax()
        for word in range(words - 1, 0, -1):
            best[word - 1] = back[word, best[word]]
        return best

    @cached_property
    def _transitions(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_], int]:
        """Which labels may follow which within a sentence and at its end, and the label before the first word."""
        rules = core.Transitions(len(self.labels.entity_types))
        begins, members = rules.sets.begins(), rules.sets.members()
        count = 1 + 4 * len(self.labels.entity_types)

        def allowed(last: bool) -> npt.NDArray[np.bool_]:
            table = np.zeros((count, count), bool)
            for before in range(count):
                number = rules.after(before, last, True)
                table[before, members[begins[number] : begins[number + 1]]] = True
            return table

        return allowed(False), allowed(True), 0
