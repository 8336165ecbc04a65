"""Reading and writing CoNLL-U: laconic against the `conllu` package, in one run.

    python benchmarks/corpus_io.py [FILE]

Prints a Markdown table. Without FILE it takes the training set of English EWT where LACONIC_DATA or ../shared/data has
it, and else a generated file of about the same size.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import conllu

from laconic.corpus import Doc, read, stream, write

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent


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


def default_source() -> bytes:
    data = Path(os.environ.get("LACONIC_DATA", ROOT.parent / "shared" / "data"))
    path = data / "ud" / "en_ewt" / "train.conllu"
    return path.read_bytes() if path.is_file() else generated().encode()


def timed(call: Callable[[], T], repeat: int) -> tuple[float, T]:
    """The best time of some runs, in seconds, and the result."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - start)
    return best, result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--repeat", type=int, default=7, help="runs of laconic; conllu runs once (default: 7)")
    options = parser.parse_args()
    data = options.file.read_bytes() if options.file else default_source()
    text = data.decode()

    def written(docs: Doc) -> io.BytesIO:
        out = io.BytesIO()
        write(docs, out)
        return out

    read_time, doc = timed(lambda: read(io.BytesIO(data)), options.repeat)
    stream_time, _ = timed(lambda: sum(len(batch) for batch in stream(io.BytesIO(data))), options.repeat)
    write_time, ours = timed(lambda: written(doc), options.repeat)
    their_read_time, sentences = timed(lambda: conllu.parse(text), 1)
    their_write_time, theirs = timed(lambda: "".join(sentence.serialize() for sentence in sentences), 1)
    assert ours.getvalue() == data
    assert len(sentences) == len(doc.sentences)

    size = len(data) / 1e6
    print(f"{size:.1f} MB, {len(doc.sentences)} sentences, {len(doc)} words\n")
    print("| | laconic MB/s | conllu MB/s | ratio |\n| --- | ---: | ---: | ---: |")
    for name, mine, other in [
        ("read", read_time, their_read_time),
        ("stream", stream_time, their_read_time),
        ("write", write_time, their_write_time),
    ]:
        print(f"| {name} | {size / mine:.0f} | {size / other:.2f} | {other / mine:.0f} |")
    print(f"\nsame bytes back: laconic yes, conllu {'yes' if theirs.encode() == data else 'no'}")


if __name__ == "__main__":
    main()
