"""Heads and labels alone, given words and tags: the parser of a model beside those of UDPipe and spaCy, one thread.

    python -m benchmarks.parser MODEL [--data DIR] [--peers DIR] [--rounds 5]

On the development set of UD English EWT, with tags of the model itself and of the treebank: UAS and LAS by the official
scorer, templates and cache lines per decision, words per CPU second in turns, the ratio to the faster peer with its
spread, and what the memory would allow. Needs the treebank; peers are left out where `ufal.udpipe`, `spacy` or their
models are missing. Writes docs/parser-speed.md.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable

import numpy as np
from experiments.common import ROOT, arguments, command, treebank_files, write_report
from experiments.tables import header, line, ratio
from experiments.timing import turn

import laconic
from benchmarks.peers import SPACY, UDPIPE, fastest, installed, spacy_parser, udpipe_parser
from laconic.evaluate import evaluate

COLUMNS = (
    "system",
    "UAS",
    "LAS",
    "UAS, treebank tags",
    "LAS, treebank tags",
    "templates a decision",
    "cache lines",
    "decisions a word",
    "words per CPU second",
    "nanoseconds a decision",
    "times",
    "of the reads",
)


def main() -> None:
    options = arguments(__doc__, peers=True)
    options.add_argument("model")
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    nlp = laconic.load(chosen.model).at("full")
    table = nlp.components["parser"].frozen[0].table
    gold = laconic.read(treebank_files(chosen.data, "en_ewt")[1])
    tagged = nlp.select("morphology", "lemmatizer")(gold.sentences[:], keep=())
    measures: dict[str, list[str]] = {}
    runs: dict[str, Callable[[], object]] = {}
    limits: dict[str, Callable[[], object]] = {}
    for effort in nlp.efforts:
        own, name = nlp.at(effort).components["parser"], f"laconic, {effort}"
        cells = []
        for given in (tagged, gold):
            guess = given.sentences[:]
            work = own.apply(guess)
            scores = evaluate(gold, guess, single_root=False)
            cells += [f"{scores['UAS'].f1:.2f}", f"{scores['LAS'].f1:.2f}"]
        steps = work.moves
        cells += [f"{work.templates / steps:.1f}", f"{work.rows / steps:.1f}", f"{steps / len(gold):.2f}"]
        measures[name] = cells
        runs[name] = lambda own=own: own.predict(tagged)  # type: ignore[misc]
        # As many reads as the parser makes, of any rows: what the memory takes for them.
        rows = np.random.default_rng(1).integers(0, len(table), own.predict(tagged).work.rows).astype(np.uint32)
        limits[name] = lambda rows=rows: table.sum(rows)  # type: ignore[misc]
    loaders = {UDPIPE: lambda path: udpipe_parser(path, tagged), SPACY: lambda path: spacy_parser(path, tagged)}
    runs |= installed(chosen.peers, loaders)
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    least: dict[str, list[float]] = {name: [] for name in limits}
    for _ in range(chosen.rounds):
        for name, run in runs.items():
            seconds[name].append(turn(run))
            if name in limits:
                least[name].append(turn(limits[name]))
    best = fastest(seconds)
    text = [
        "# The parser alone",
        "",
        f"Written by {command()}: heads and labels given words and tags, UD English EWT development set ({len(gold):,} words), one thread, "
        f"{chosen.rounds} rounds in turns. "
        "Scores are the official F1, with tags of the model itself (trained on jackknifed tags) and of the treebank. "
        "Speed counts nothing but the parser: `times` the faster peer, with the range over the rounds, and `of the reads` "
        "how many times as long as the same number of random rows takes to read and to add up.",
        "",
        *header(*COLUMNS),
    ]
    for name in runs:
        speed = len(gold) / statistics.median(seconds[name])
        times = "" if best is None else "1" if name == best else ratio(seconds[best], seconds[name])
        cells = measures.get(name, [""] * 7)
        took = reads = ""
        if name in limits:
            took, reads = f"{1e9 / speed / float(cells[-1]):,.0f}", ratio(seconds[name], least[name])
        text.append(line(name, *cells, f"{speed:,.0f}", took, times, reads))
    text += [
        "",
        f"The tables have {len(table):,} rows of {getattr(table, 'units', 0)} units, {table.nbytes / 1e6:.1f} MB with "
        "their look-up. spaCy's parser reads no tags; its time includes the vectors it shares with its tagger.",
    ]
    write_report(ROOT / "docs" / "parser-speed.md", text)


if __name__ == "__main__":
    main()
