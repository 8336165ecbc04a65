"""Raw text to tagged CoNLL-U, side by side: laconic, UDPipe and spaCy on the same text, one thread, in turns.

    python benchmarks/tagging.py [--data DIR] [--peers DIR] [--rounds 5] [--out docs]

Trains segmenter, morphology and lemmatizer on UD English EWT, then measures what each system makes of the development
set's raw text (F1 by the metrics of the official scorer) and how fast (CPU time of text in, CoNLL-U text out). Needs the
treebank, the peers' models, and `pip install ufal.udpipe spacy` for those that are to be compared. Writes OUT/tagging.md.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from laconic.corpus import Doc, read
from laconic.evaluate import evaluate
from laconic.pipeline import Pipeline, TrainConfig, train
from laconic.progress import finished

METRICS = ("Tokens", "Words", "Sentences", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas")
System = Callable[[str], str]


def laconic(pipeline: Pipeline, effort: str) -> System:
    def run(text: str) -> str:
        pipeline.effort = effort
        return pipeline(text).to_conllu()

    return run


def udpipe(model: Path) -> System:
    from ufal.udpipe import Model  # type: ignore[import-untyped]
    from ufal.udpipe import Pipeline as Pipe

    loaded = Model.load(str(model))
    pipe = Pipe(loaded, "tokenize", Pipe.DEFAULT, Pipe.NONE, "conllu")

    def run(text: str, keep: object = loaded) -> str:
        return str(pipe.process(text))

    return run


def spacy(model: Path) -> System:
    import spacy as package  # type: ignore[import-not-found]

    nlp = package.load(model, exclude=["parser"])
    nlp.add_pipe("sentencizer")

    def run(text: str) -> str:
        """Tags as spaCy gives them, written as CoNLL-U with the least Python that does it; sentences by its rules, as
        its parser, which would find them, is left out: it is what makes spaCy slow."""
        lines = []
        for doc in nlp.pipe(text.split("\n\n")):
            for sentence in doc.sents:
                number = 0
                for token in sentence:
                    if token.is_space:
                        continue
                    number += 1
                    feats = str(token.morph) or "_"
                    space = "_" if token.whitespace_ else "SpaceAfter=No"
                    lines.append(
                        f"{number}\t{token.text}\t{token.lemma_}\t{token.pos_}\t{token.tag_}\t{feats}\t_\t_\t_\t{space}\n"
                    )
                if number:
                    lines.append("\n")
        return "".join(lines)

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = Path(__file__).resolve().parent.parent.parent / "shared"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LACONIC_DATA", shared / "data")))
    parser.add_argument("--peers", type=Path, default=Path(os.environ.get("LACONIC_PEERS", shared / "peers")))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path("docs"))
    arguments = parser.parse_args()
    place = arguments.data / "ud" / "en_ewt"
    if not (place / "train.conllu").is_file():
        sys.exit(f"needs the treebank UD English EWT: {place}/train.conllu and dev.conllu")
    config = TrainConfig(
        place / "train.conllu", place / "dev.conllu", components=("segmenter", "morphology", "lemmatizer")
    )
    start = time.process_time()
    pipeline = finished(train(config))
    trained = time.process_time() - start
    systems: dict[str, System] = {
        f"laconic, {effort}": laconic(pipeline, effort) for effort in ("full", "balanced", "fast")
    }
    for name, load, model in (
        ("UDPipe 1", udpipe, arguments.peers / "en_ewt.udpipe"),
        ("spaCy 3.8, no parser", spacy, arguments.peers / "spacy_en_ewt"),
    ):
        try:
            systems[name] = load(model)
        except (ImportError, OSError) as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    gold = read(place / "dev.conllu")
    text = gold.text
    times: dict[str, list[float]] = {name: [] for name in systems}
    for _ in range(arguments.rounds):
        for name, run in systems.items():
            start = time.process_time()
            run(text)
            times[name].append(time.process_time() - start)
    best = min(
        (name for name in systems if not name.startswith("laconic")),
        key=lambda n: statistics.median(times[n]),
        default="",
    )
    lines = [
        "# Raw text to tagged CoNLL-U",
        "",
        "Written by `python benchmarks/tagging.py`: sentences, tokens, words, UPOS, XPOS, FEATS and lemmas of the raw text of the",
        f"development set of UD English EWT ({len(gold):,} words), one thread, CPU time, {arguments.rounds} rounds in turns. Training of all",
        f"laconic components with calibration and profiles: {trained:.0f} CPU seconds. F1 by the metrics of the official scorer.",
        "",
        f"| system | {' | '.join(METRICS)} | words/s | against {best or 'nobody'} |",
        f"| --- |{' --- |' * (len(METRICS) + 2)}",
    ]
    for name, run in systems.items():
        scores = evaluate(gold, Doc.from_conllu(run(text)), single_root=False)
        each = sorted(b / a for a, b in zip(times[name], times[best], strict=True)) if best else [1.0]
        lines.append(
            f"| {name} | {' | '.join(f'{scores[metric].f1:.2f}' for metric in METRICS)} "
            f"| {len(gold) / statistics.median(times[name]):,.0f} | {statistics.median(each):.1f} ({each[0]:.1f} to {each[-1]:.1f}) |"
        )
    lines += [
        "",
        "spaCy has no multiword tokens; its parser, which splits sentences, is left out here because it takes most of its time, and",
        "rules split them instead. Its CoNLL-U is written in Python, which is part of its time as writing is part of everybody's.",
    ]
    arguments.out.mkdir(exist_ok=True)
    (arguments.out / "tagging.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
