"""How far our conversion of Penn brackets agrees with one made elsewhere:
``python -m benchmarks.penn_agreement BRACKETS… --reference FILE…``.

Brackets are files or directories of ``.mrg`` files; references hold the same sentences in the same order in ten CoNLL
columns, some sentences may be missing. Prints Markdown: agreement of heads, the commonest disagreements, and, as a
check that the measure can tell tables apart, the heads that change when one rule of the table is reversed.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from experiments.tables import header, line

from laconic.corpus import penn


@dataclass(frozen=True, slots=True)
class Pair:
    tree: penn.PhraseTree
    heads: list[int]


def trees(paths: list[Path]) -> Iterator[penn.PhraseTree]:
    for path in paths:
        for file in sorted(path.glob("*.mrg")) if path.is_dir() else [path]:
            with file.open(encoding="utf-8") as lines:
                yield from penn.parse_trees(lines, str(file))


def references(files: list[Path]) -> Iterator[tuple[list[str], list[int]]]:
    for file in files:
        for block in file.read_text(encoding="utf-8").split("\n\n"):
            rows = [line.split("\t") for line in block.splitlines() if line and not line.startswith("#")]
            if rows:
                yield [row[1] for row in rows], [int(row[6]) for row in rows]


def aligned(paths: list[Path], files: list[Path]) -> Iterator[Pair]:
    """Walks through both in order and leaves out trees that the reference lacks."""
    left = trees(paths)
    for forms, heads in references(files):
        for tree in left:
            ours = penn.to_dependencies(tree)
            if ours is not None and ours.forms == forms:
                yield Pair(tree, heads)
                break
        else:
            raise SystemExit(f"the reference sentence {' '.join(forms)!r} is not among the trees that follow")


def different(pairs: list[Pair]) -> Iterator[tuple[str, str, str]]:
    """Tags of the word, of our head and of the reference's head, for each word whose heads differ."""
    for pair in pairs:
        ours = penn.to_dependencies(pair.tree)
        assert ours is not None
        tags = ["root", *ours.tags]
        for word, (head, other) in enumerate(zip(ours.heads, pair.heads, strict=True), 1):
            if head != other:
                yield tags[word], tags[head], tags[other]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("brackets", nargs="+", type=Path)
    parser.add_argument("--reference", nargs="+", type=Path, required=True)
    arguments = parser.parse_args()

    pairs = list(aligned(arguments.brackets, arguments.reference))
    tags = Counter(tag for pair in pairs for tag in getattr(penn.to_dependencies(pair.tree), "tags", ()))
    words = sum(tags.values())
    punctuation = sum(tags[tag] for tag in penn.PUNCTUATION)
    found = Counter(different(pairs))
    wrong = sum(found.values())
    wrong_words = sum(count for (tag, _, _), count in found.items() if tag not in penn.PUNCTUATION)

    print(f"{len(pairs)} sentences, {words} words, {punctuation} of them punctuation.\n")
    print(*header("heads", "words", "agree", "agreement"), sep="\n")
    for name, size, errors in (("all", words, wrong), ("without punctuation", words - punctuation, wrong_words)):
        print(line(name, str(size), str(size - errors), f"{100 * (size - errors) / size:.3f} %"))
    if found:
        print("", *header("word", "our head", "other head", "count"), sep="\n")
        for (tag, ours, other), count in found.most_common(20):
            print(line(tag, ours, other, str(count)))

    print("", *header("rule reversed", "heads that then differ"), sep="\n")
    for label, rules in list(penn.HEAD_RULES.items()):
        penn.HEAD_RULES[label] = penn._rules("last" if rules[-1].side == "first" else "first")
        print(line(label, str(sum(1 for _ in different(pairs)))))
        penn.HEAD_RULES[label] = rules


if __name__ == "__main__":
    main()
