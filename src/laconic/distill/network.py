"""The network of a teacher: an encoder, a vector for each word, and an output for each column.

Biaffine heads and labels as in Dozat & Manning (2017), over a learned mix of the encoder's layers (Peters et al. 2018).
This file needs torch; nothing else of the room does when it is imported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from laconic.distill.encoder import Tokenizer
from laconic.distill.labels import IGNORED, Targets
from laconic.distill.windows import CASINGS, NO_CASING, casing, windows

Tensor: TypeAlias = Any
"""Of torch, whose types are not looked at."""


@dataclass(frozen=True)
class PieceBatch:
    """Some sentences as the encoder reads them; words one after another."""

    ids: Tensor
    mask: Tensor
    casings: Tensor
    """Of pieces, a row for each window."""
    first: Tensor
    last: Tensor
    """Where the first and last piece of each word stand, in all rows one after another."""
    word_casings: Tensor
    lengths: list[int]
    """Words of each sentence."""

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]], tokenizer: Tokenizer, longest: int) -> PieceBatch:
        """Windows of at most ``longest`` pieces."""
        rows: list[tuple[list[int], list[int]]] = []
        places: list[tuple[int, int, int]] = []
        for forms in sentences:
            pieces = [tokenizer.pieces(form) for form in forms]
            for window in windows([len(one) for one in pieces], longest):
                ids, cases = list(tokenizer.before), [NO_CASING] * len(tokenizer.before)
                for word in range(window.first, window.last):
                    if window.reads[0] <= word < window.reads[1]:
                        places.append((len(rows), len(ids), len(ids) + len(pieces[word]) - 1))
                    ids += pieces[word]
                    cases += [casing(forms[word])] * len(pieces[word])
                rows.append(([*ids, *tokenizer.after], [*cases, *[NO_CASING] * len(tokenizer.after)]))
        width = max(len(ids) for ids, _ in rows)
        shape = (len(rows), width)
        table = np.full(shape, tokenizer.padding, np.int64)
        casings, mask = np.full(shape, NO_CASING, np.int64), np.zeros(shape, np.int64)
        for row, (own, own_cases) in enumerate(rows):
            table[row, : len(own)], casings[row, : len(own)], mask[row, : len(own)] = own, own_cases, 1
        at = np.array(places, np.int64).reshape(-1, 3)
        return cls(
            torch.from_numpy(table),
            torch.from_numpy(mask),
            torch.from_numpy(casings),
            torch.from_numpy(at[:, 0] * width + at[:, 1]),
            torch.from_numpy(at[:, 0] * width + at[:, 2]),
            torch.tensor([casing(form) for forms in sentences for form in forms]),
            [len(forms) for forms in sentences],
        )


class Network(nn.Module):
    """``sizes`` says how many labels each output has; outputs without labels do not exist."""

    def __init__(self, encoder: Any, sizes: Mapping[str, int], settings: Mapping[str, Any]) -> None:
        super().__init__()
        self.encoder = encoder
        hidden, layers = int(encoder.config.hidden_size), int(encoder.config.num_hidden_layers) + 1
        embedded = encoder.get_input_embeddings().embedding_dim
        # From nothing: at first the encoder reads what it was trained to read.
        self.piece_casing = nn.Embedding(len(CASINGS), embedded)
        nn.init.zeros_(self.piece_casing.weight)
        self.word_casing = nn.Embedding(len(CASINGS), int(settings["casing_units"]))
        self.mix = nn.Parameter(torch.zeros(layers))
        self.dropout = nn.Dropout(float(settings["dropout"]))
        word = 2 * hidden + int(settings["casing_units"])
        tags, arcs, labels = (int(settings[f"{name}_units"]) for name in ("tag", "arc", "label"))
        self.tag_layer = nn.Linear(word, tags)
        self.outputs = nn.ModuleDict(
            {name: nn.Linear(tags, size) for name, size in sizes.items() if size and name != "relations"}
        )
        self.arc_dependent, self.arc_head = nn.Linear(word, arcs), nn.Linear(word, arcs)
        self.arc_root = nn.Parameter(torch.zeros(1, arcs))
        self.arc_weights, self.arc_bias = nn.Parameter(torch.empty(arcs, arcs)), nn.Parameter(torch.zeros(arcs))
        self.label_dependent, self.label_head = nn.Linear(word, labels), nn.Linear(word, labels)
        self.label_root = nn.Parameter(torch.zeros(1, labels))
        self.label_weights = nn.Parameter(torch.zeros(sizes["relations"], labels + 1, labels + 1))
        nn.init.xavier_uniform_(self.arc_weights)

    def words(self, batch: PieceBatch) -> Tensor:
        """A vector for each word."""
        inputs = self.encoder.get_input_embeddings()(batch.ids) + self.piece_casing(batch.casings)
        found = self.encoder(inputs_embeds=inputs, attention_mask=batch.mask, output_hidden_states=True)
        weights = torch.softmax(self.mix, 0)
        mixed = sum(weight * layer for weight, layer in zip(weights, found.hidden_states, strict=True))
        flat = mixed.reshape(-1, mixed.shape[-1])
        parts = [flat[batch.first], flat[batch.last], self.word_casing(batch.word_casings)]
        return self.dropout(torch.cat(parts, 1))

    def columns(self, words: Tensor) -> dict[str, Tensor]:
        """The scores of tags, scripts and entities of each word."""
        layer = self.dropout(functional.gelu(self.tag_layer(words)))
        return {name: output(layer) for name, output in self.outputs.items()}

    def arcs(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors of dependents and of heads: the product of two is the score of an arc, the root aside."""
        dependents = self.dropout(functional.gelu(self.arc_dependent(words)))
        heads = self.dropout(functional.gelu(self.arc_head(words)))
        return dependents @ self.arc_weights + self.arc_bias, heads

    def arc_scores(self, dependents: Tensor, heads: Tensor) -> Tensor:
        """Of one sentence: a row for each of the dependents, a column for the root and for each word."""
        return dependents @ torch.cat([self.arc_root, heads]).T

    def relations(self, words: Tensor, heads: Tensor) -> Tensor:
        """The scores of the labels of arcs; ``heads`` are positions of words, -1 for the root."""
        dependents = self.dropout(functional.gelu(self.label_dependent(words)))
        candidates = torch.cat([self.dropout(functional.gelu(self.label_head(words))), self.label_root])
        return torch.einsum("ni,lij,nj->nl", _with_one(dependents), self.label_weights, _with_one(candidates[heads]))

    def loss(self, batch: PieceBatch, targets: Targets, words: np.ndarray[Any, Any]) -> Tensor:
        """The sum of the cross-entropies of all outputs, for a word on average. ``words`` are the numbers of the words
        of the batch, in its order."""
        vectors = self.words(batch)
        total = torch.zeros(())
        gold = targets.columns
        for name, scores in self.columns(vectors).items():
            known = torch.from_numpy(gold[name][words])
            if bool((known != IGNORED).any()):
                total = total + functional.cross_entropy(scores, known, ignore_index=IGNORED)
        heads = torch.from_numpy(targets.heads[words])
        begins = np.concatenate(([0], np.cumsum(batch.lengths)))
        dependents, candidates = self.arcs(vectors)
        arcs = torch.zeros(())
        for begin, end in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True):
            scores = self.arc_scores(dependents[begin:end], candidates[begin:end])
            arcs = arcs + functional.cross_entropy(scores, heads[begin:end], reduction="sum")
        offsets = torch.from_numpy(np.repeat(begins[:-1], batch.lengths))
        places = torch.where(heads > 0, heads - 1 + offsets, -1)
        labels = functional.cross_entropy(self.relations(vectors, places), torch.from_numpy(targets.relations[words]))
        return total + arcs / len(words) + labels


def _with_one(vectors: Tensor) -> Tensor:
    return torch.cat([vectors, torch.ones(len(vectors), 1)], 1)
