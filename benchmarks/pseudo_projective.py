"""How much of a non-projective treebank survives each pseudo-projective encoding.

Encodes the gold trees, decodes them again, and prints, as Markdown, the share of lifted arcs that return to their old
head.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from laconic import corpus
from laconic.corpus import projectivity


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", nargs="+", type=Path, metavar="FILE")
    print_table(parser.parse_args().treebanks)


def print_table(paths: list[Path]) -> None:
    print(
        "| treebank | arcs | non-projective arcs | lifted | scheme | lifted arcs recovered | all arcs right | labels |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for path in paths:
        doc = corpus.read(path)
        heads, starts = doc.heads.copy(), doc.sentence_starts
        codes, values = doc.codes("deprel")
        arcs = int(projectivity.nonprojective_arcs(heads, starts).sum())
        schemes: tuple[projectivity.Scheme, ...] = ("head", "path", "head+path")
        for scheme in schemes:
            encoded, marked, marks = projectivity.encode_codes(heads, codes, values, scheme, starts)
            decoded, _, _ = projectivity.decode_codes(encoded, marked, marks, scheme, starts)
            lifted = encoded != heads
            right = decoded == heads
            print(
                f"| {path.parent.name} | {len(heads)} | {arcs} | {int(lifted.sum())} | {scheme} "
                f"| {100 * right[lifted].mean():.2f} % | {100 * right.mean():.3f} % | {len(values)} → {len(marks)} |"
            )


if __name__ == "__main__":
    main()
