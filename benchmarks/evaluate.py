"""Time of scoring a treebank, side by side with the official scorer: python -m benchmarks.evaluate GOLD.conllu

The system is gold with a tenth of its tags and labels changed and a tenth of its words hung on the root.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
from experiments.tables import header, line
from experiments.timing import cpu
from udtools import udeval

from laconic.corpus import Doc, read
from laconic.evaluate import compare, evaluate


def damage(doc: Doc, seed: int) -> None:
    random = np.random.default_rng(seed)
    for field in ("upos", "deprel", "lemma"):
        codes, values = doc.codes(field)
        changed = np.where(random.random(len(doc)) < 0.1, random.integers(len(values), size=len(doc)), codes)
        doc.set_codes(field, changed.astype(np.int32), values)
    for begin, end in zip(doc.sentence_starts[:-1], doc.sentence_starts[1:], strict=True):
        heads = doc.heads[begin:end]
        root = int(np.flatnonzero(heads == 0)[0])
        heads[(random.random(len(heads)) < 0.1) & (np.arange(len(heads)) != root)] = root + 1


def seconds(call: Callable[[], object], repeat: int = 3) -> float:
    """The shortest of some runs."""
    return min(cpu(call) for _ in range(repeat))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path)
    path = parser.parse_args().gold
    gold, one, two = read(path), read(path), read(path)
    damage(one, 1)
    damage(two, 2)
    texts = [doc.to_conllu() for doc in (gold, one)]
    first, second = evaluate(gold, one), evaluate(gold, two)

    def official_read() -> list[object]:
        return [udeval.load_conllu(io.StringIO(text), "", {}) for text in texts]

    def own_read() -> list[Doc]:
        return [read(io.BytesIO(text.encode()), "conllu") for text in texts]

    loaded = official_read()
    own, official = seconds(lambda: evaluate(gold, one)), seconds(lambda: udeval.evaluate(*loaded))
    own_all = seconds(lambda: evaluate(*own_read()))
    official_all = seconds(lambda: udeval.evaluate(*official_read()))
    bootstrap = seconds(lambda: compare(first, second, samples=10_000))
    print(f"{len(gold)} words in {len(gold.sentences)} sentences")
    print(*header("", "laconic", "udtools", "ratio"), sep="\n")
    for name, ours, theirs in (("scoring", own, official), ("reading and scoring", own_all, official_all)):
        print(line(name, f"{ours * 1e3:.0f} ms", f"{theirs * 1e3:.0f} ms", f"{theirs / ours:.1f}"))
    print(f"\npaired bootstrap, 10,000 samples of all metrics: {bootstrap * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
