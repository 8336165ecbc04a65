"""Reading and writing CoNLL-U: laconic against the `conllu` package, in one run.

    python -m benchmarks.corpus_io [--data DIR] [FILE]

Prints a Markdown table. Without FILE it takes the training set of English EWT where LACONIC_DATA or ../shared/data has
it, and else a generated file of about the same size.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path
from statistics import median

import conllu
from experiments.common import arguments
from experiments.tables import header, line
from experiments.timing import cpu

from laconic.corpus import Doc, read, stream, write


def generated(words: int = 200_000) -> str:
    """Invented sentences with the columns and lengths of an annotated treebank."""
    rng = random.Random(1)
    syllables = ["ka", "lo", "mi", "ren", "tu", "sa", "vel", "dor", "an", "ish"]
    lexicon = ["".join(rng.choices(syllables, k=rng.randint(1, 4))) for _ in range(5000)]
    tags = ["NOUN", "VERB", "DET", "ADP", "ADJ", "PRON", "PUNCT", "ADV"]
    lines: list[str] = []
    number = done = 0
    while done < words:
        number += 1
        size = rng.randint(3, 30)
        done += size
        forms = rng.choices(lexicon, k=size)
        lines += [f"# sent_id = {number}", f"# text = {' '.join(forms)}"]
        for i, form in enumerate(forms, 1):
            tag = rng.choice(tags)
            head = 0 if i == 1 else rng.randint(1, i - 1)
            relation = "root" if i == 1 else "dep"
            feats = "Mood=Ind|Number=Sing|Person=3" if tag == "VERB" else "_"
            cells = (i, form, form, tag, tag[:2], feats, head, relation, f"{head}:{relation}", "_")
            lines.append("\t".join(map(str, cells)))
        lines.append("")
    return "\n".join(lines) + "\n"


def default_source(data: Path) -> bytes:
    path = data / "ud" / "en_ewt" / "train.conllu"
    return path.read_bytes() if path.is_file() else generated().encode()


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=5, help="runs of each, in turns (default: 5)")
    options = parser.parse_args()
    data = options.file.read_bytes() if options.file else default_source(options.data)
    text = data.decode()

    def written(docs: Doc) -> io.BytesIO:
        out = io.BytesIO()
        write(docs, out)
        return out

    doc = read(io.BytesIO(data))
    sentences = conllu.parse(text)
    theirs = "".join(sentence.serialize() for sentence in sentences)
    assert written(doc).getvalue() == data
    assert len(sentences) == len(doc.sentences)

    # In turns, so that whatever else the machine does meets both.
    calls: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "read": (lambda: read(io.BytesIO(data)), lambda: conllu.parse(text)),
        "stream": (lambda: sum(map(len, stream(io.BytesIO(data)))), lambda: conllu.parse(text)),
        "write": (lambda: written(doc), lambda: "".join(sentence.serialize() for sentence in sentences)),
    }
    size = len(data) / 1e6
    print(f"{size:.1f} MB, {len(doc.sentences)} sentences, {len(doc)} words; medians of {options.rounds} rounds\n")
    print(*header("", "laconic MB/s", "conllu MB/s", "ratio", "lowest ratio"), sep="\n")
    for name, (ours, other) in calls.items():
        rounds = [(cpu(ours), cpu(other)) for _ in range(options.rounds)]
        mine, their = (median(times) for times in zip(*rounds, strict=True))
        ratios = [b / a for a, b in rounds]
        print(line(name, f"{size / mine:.0f}", f"{size / their:.2f}", f"{median(ratios):.0f}", f"{min(ratios):.0f}"))
    print(f"\nsame bytes back: laconic yes, conllu {'yes' if theirs.encode() == data else 'no'}")


if __name__ == "__main__":
    main()
