"""Heads and labels alone, given words and tags: the parser of a model beside those of UDPipe and spaCy, one thread.

    python benchmarks/parser.py MODEL [--data DIR] [--peers DIR] [--rounds 5] [--out docs]

On the development set of UD English EWT, with tags of the model itself and of the treebank: UAS and LAS by the official
scorer, templates and cache lines per decision, words per CPU second in turns, the ratio to the faster peer with its
spread, and what the memory would allow. Needs the treebank; peers are left out where `ufal.udpipe`, `spacy` or their
models are missing. Writes OUT/parser-speed.md.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LEAST = 0.5
"""CPU seconds that a turn takes at least."""


def udpipe(path: Path, given: str) -> Callable[[], Any]:
    from ufal.udpipe import InputFormat, Model, ProcessingError, Sentence

    model = Model.load(str(path))
    reader = InputFormat.newConlluInputFormat()
    reader.setText(given)
    error, sentences = ProcessingError(), []
    while reader.nextSentence(sentence := Sentence(), error):
        sentences.append(sentence)
    return lambda: [model.parse(sentence, Model.DEFAULT) for sentence in sentences]


def spacy(path: Path, words: list[list[str]]) -> Callable[[], Any]:
    import spacy as package
    from spacy.tokens import Doc

    nlp = package.load(path, exclude=["tagger", "morphologizer", "trainable_lemmatizer"])
    # Without its tagger the parser still gets the vectors it shares with it.
    return lambda: list(nlp.pipe([Doc(nlp.vocab, words=sentence) for sentence in words]))


def turn(run: Callable[[], Any]) -> float:
    start, times = time.process_time(), 0
    while times == 0 or time.process_time() - start < LEAST:
        run()
        times += 1
    return (time.process_time() - start) / times


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("model")
    options.add_argument("--data", type=Path, default=Path(os.environ.get("LACONIC_DATA", "../shared/data")))
    options.add_argument("--peers", type=Path, default=Path(os.environ.get("LACONIC_PEERS", "../shared/peers")))
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--out", type=Path, default=Path("docs"))
    chosen = options.parse_args()
    place = chosen.data / "ud" / "en_ewt" / "dev.conllu"
    if not place.exists():
        sys.exit(f"needs {place}: give the folder of the treebanks by --data or LACONIC_DATA")

    import numpy as np

    import laconic
    from laconic.evaluate import evaluate

    nlp = laconic.load(chosen.model)
    parser = nlp.components["parser"]
    gold = laconic.read(place)
    tagged = nlp.select("morphology", "lemmatizer")(gold.sentences[:], keep=())
    lines: list[list[str]] = []
    runs: dict[str, Callable[[], Any]] = {}
    limits: dict[str, Callable[[], Any]] = {}
    for effort in nlp.efforts:
        own = nlp.at(effort).components["parser"]
        line = [f"laconic, {effort}"]
        for given in (tagged, gold):
            guess = given.sentences[:]
            work = own.apply(guess)
            scores = evaluate(gold, guess, single_root=False)
            line += [f"{scores['UAS'].f1:.2f}", f"{scores['LAS'].f1:.2f}"]
        steps = work.moves
        line += [f"{work.templates / steps:.1f}", f"{work.rows / steps:.1f}", f"{steps / len(gold):.2f}"]
        lines.append(line)
        runs[line[0]] = lambda own=own: own.predict(tagged)  # type: ignore[misc]
        # As many reads as the parser makes, of any rows: what the memory takes for them.
        reads = np.random.default_rng(1).integers(0, len(parser.frozen[0].table), own.predict(tagged).work.rows)
        rows = reads.astype(np.uint32)
        limits[line[0]] = lambda rows=rows: parser.frozen[0].table.sum(rows)  # type: ignore[misc]
    words = [[token.form for token in sentence] for sentence in gold.sentences]
    for name, make in (
        ("UDPipe 1", lambda: udpipe(chosen.peers / "en_ewt.udpipe", tagged.to_conllu())),
        ("spaCy 3.8", lambda: spacy(chosen.peers / "spacy_en_ewt", words)),
    ):
        try:
            runs[name] = make()
        except (ImportError, OSError) as error:
            print(f"without {name}: {error}", file=sys.stderr)
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    least: dict[str, list[float]] = {name: [] for name in limits}
    for _ in range(chosen.rounds):
        for name, run in runs.items():
            seconds[name].append(turn(run))
            if name in limits:
                least[name].append(turn(limits[name]))
    peers = [name for name in runs if not name.startswith("laconic")]
    fastest = min(peers, key=lambda name: statistics.median(seconds[name])) if peers else None
    table = parser.frozen[0].table
    text = [
        "# The parser alone\n",
        f"Heads and labels given words and tags, UD English EWT development set ({len(gold):,} words), one thread, "
        f"{chosen.rounds} rounds in turns; written by `python benchmarks/parser.py {Path(chosen.model).name}`. "
        "Scores are the official F1, with tags of the model itself (trained on jackknifed tags) and of the treebank. "
        "Speed counts nothing but the parser: `times` the faster peer, with the range over the rounds, and `of the reads` "
        "how many times as long as the same number of random rows takes to read and to add up.\n",
        "| system | UAS | LAS | UAS, treebank tags | LAS, treebank tags | templates a decision | cache lines | "
        "decisions a word | words per CPU second | nanoseconds a decision | times | of the reads |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    shown = {row[0]: row[1:] for row in lines}
    for name in runs:
        speed = len(gold) / statistics.median(seconds[name])
        ratio = "" if fastest is None else "1"
        if fastest is not None and name != fastest:
            ratios = [peer / own for peer, own in zip(seconds[fastest], seconds[name], strict=True)]
            ratio = f"{statistics.median(ratios):.1f} ({min(ratios):.1f} to {max(ratios):.1f})"
        cells = shown.get(name, [""] * 7)
        took = reads_ratio = ""
        if name in limits:
            took = f"{1e9 / speed / float(cells[-1]):,.0f}"
            ratios = [own / limit for own, limit in zip(seconds[name], least[name], strict=True)]
            reads_ratio = f"{statistics.median(ratios):.1f} ({min(ratios):.1f} to {max(ratios):.1f})"
        text.append(f"| {name} | {' | '.join(cells)} | {speed:,.0f} | {took} | {ratio} | {reads_ratio} |")
    text += [
        "",
        f"The tables have {len(table):,} rows of {getattr(table, 'units', 0)} units, {table.nbytes / 1e6:.1f} MB with "
        "their look-up. spaCy's parser reads no tags; its time includes the vectors it shares with its tagger.",
    ]
    chosen.out.mkdir(exist_ok=True)
    (chosen.out / "parser-speed.md").write_text("\n".join(text) + "\n", "utf-8")
    print("\n".join(text))


if __name__ == "__main__":
    main()
