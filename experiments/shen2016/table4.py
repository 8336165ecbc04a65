"""Heads with and without labels, trees labelled anew, one step against two (tables 2 and 4 of shen2016): table4.md beside
this file.

    python -m experiments.shen2016.table4 [--data PATH] [--peers PATH] [--sentences N] [--rounds 5]

Needs `ud/en_ewt`, and for UDPipe's and spaCy's trees the packages `ufal.udpipe` and `spacy` with the models in the folder
of the peers; a parser that is missing is left out. All columns but the labels are the parser's own.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from benchmarks.peers import FILES, SPACY, UDPIPE, spacy_annotated, udpipe_annotated

from experiments.common import arguments, command, tagged, treebank, write_report
from experiments.shen2016.decision import Stages, fitted_labelers, fitted_parser
from experiments.shen2016.labelers import FIRST, LINEAR, RECIPES, SECOND, AnyLabeler
from experiments.tables import cell, change, header, line, ratio
from experiments.timing import cpu, in_turns
from laconic import load
from laconic.corpus import Doc
from laconic.evaluate import Scores, evaluate_conllx
from laconic.learn import TrainingData
from laconic.transition import Beam, Search

HERE = Path(__file__).resolve().parent
FOLDS = 5
"""Of jackknifed tags."""
PARSERS: dict[str, tuple[str, str, Search | None]] = {
    "linear, with the move": ("linear", "joint", None),
    "linear, after the move": ("linear", "after", None),
    "hidden, after the move": ("hidden", "after", None),
    "hidden, after the move, beam of 4": ("hidden", "after", Beam(4)),
}
"""Rows, labels and search of the parsers that are trained here."""


def score(gold: Doc, made: Doc) -> Scores:
    return evaluate_conllx(gold, made, punctuation=True)


def annotated(effort: str, words: Doc) -> Doc:
    """Words as given, all other columns by the bundled model."""
    return load("en").at(effort)([[token.form for token in sentence] for sentence in words.sentences])


def with_columns_of(made: Doc, gold: Doc) -> Doc:
    """What a parser wrote, on the words of the gold document: forms that it changed are those of gold again."""
    copy = gold.sentences[:]
    for column in ("upos", "xpos", "feats", "lemma", "deprel"):
        copy.columns.set_strings(column, made.strings(column))
    copy.heads[:] = made.heads
    return copy


def relabelled(name: str, gold: Doc, made: Doc, labelers: Mapping[str, AnyLabeler]) -> str:
    before = score(gold, made)
    cells = []
    for labeler in labelers.values():
        copy = made.sentences[:]
        labeler.apply(copy)
        cells.append(change(before, score(gold, copy), "LAS"))
    return line(name, cell(before, "UAS"), cell(before, "LAS"), *cells)


def labelers_of(data: TrainingData) -> dict[str, AnyLabeler]:
    return {name: RECIPES[name]().fitted(data) for name in (LINEAR, FIRST, SECOND)}


def heads_and_time(data: TrainingData, gold: Doc, given: Doc, rounds: int) -> tuple[list[str], list[str], list[str]]:
    """Rows of the parsers that are trained here: of heads with and without labels, of labels anew, of time."""
    behind, anew = fitted_labelers(data), labelers_of(data)
    bare = {scorer: fitted_parser(scorer, "none", data) for scorer in ("linear", "hidden")}
    heads, labels, times = [], [], []
    for name, (scorer, own, search) in PARSERS.items():
        joint = Stages(fitted_parser(scorer, own, data).searching(search))
        alone = bare[scorer].searching(search)
        made, unlabelled = joint.run(given), Stages(alone).run(given)
        with_labels, without = score(gold, made), score(gold, unlabelled)
        heads.append(line(name, cell(with_labels, "UAS"), cell(without, "UAS"), change(with_labels, without, "UAS")))
        labels.append(relabelled(name, gold, made, anew))
        ways = {"": joint} | {title: Stages(alone, labeler) for title, labeler in behind.items()}
        seconds = in_turns({title: partial(way.run, given) for title, way in ways.items()}, rounds, cpu)
        each = [f"{1e9 * statistics.median(some) / len(given):,.0f}" for some in seconds.values()]
        ratios = [ratio(seconds[""], seconds[title]) for title in behind]
        two_steps = [f"{each[1 + i]}: {ratios[i]}" for i in range(len(behind))]
        times.append(line(name, each[0], *two_steps))
    return heads, labels, times


def others(peers: Path, gold: Doc, labelers: Mapping[str, AnyLabeler]) -> Iterator[str]:
    parsers: dict[str, Callable[[Doc], Doc]] = {
        "the model `en`, full": partial(annotated, "full"),
        "the model `en`, beam": partial(annotated, "beam"),
        UDPIPE: partial(udpipe_annotated, peers / FILES[UDPIPE]),
        SPACY: partial(spacy_annotated, peers / FILES[SPACY]),
    }
    for name, parse in parsers.items():
        try:
            made = with_columns_of(parse(gold), gold)
        except (ImportError, OSError) as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
            continue
        yield relabelled(name, gold, made, labelers)


def main() -> None:
    parser = arguments(__doc__, peers=True)
    parser.add_argument("--sentences", type=int, default=None, help="that the parsers of the first table learn from")
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, "en_ewt")
    gold = dev.sentences[len(dev.sentences) // 2 :]
    jackknifed, given = tagged(train, gold, FOLDS)
    part = TrainingData(train.sentences[: chosen.sentences], jackknifed.sentences[: chosen.sentences])
    heads, labels, times = heads_and_time(part, gold, given, chosen.rounds)
    labels += others(chosen.peers, gold, labelers_of(TrainingData(train, jackknifed)))
    names = (LINEAR, FIRST, SECOND)
    lines = [
        "# Heads with and without labels, trees labelled anew, one step against two",
        "",
        f"Written by {command()}: the second half of the development set of UD English EWT, words and sentences given.",
        f"Linear and hidden rows learn from {len(part.gold.sentences):,} sentences with jackknifed tags, one seed, and so do their",
        "labelers; the other parsers are finished models that annotate by themselves, and their labelers learn from all",
        f"{len(train.sentences):,} sentences. Labelers learn from gold trees with jackknifed tags. Labels are compared whole,",
        "punctuation counted, with 95 % intervals by bootstrap over sentences; changes by paired bootstrap.",
        "",
        "## Heads of a parser trained with labels and without",
        "",
        *header("parser", "UAS with labels", "UAS without labels", "change"),
        *heads,
        "",
        "## Trees labelled anew",
        "",
        *header("parser", "UAS", "LAS of its own labels", *(f"gain by {name}" for name in names)),
        *labels,
        "",
        "## Time of heads and labels: one step against two",
        "",
        "Nanoseconds a word of one thread's CPU time, alternating, and how many times as long as two steps one step takes:",
        "the parser with its own labels against the parser trained without, with a labeler behind it.",
        "",
        *header("parser", "its own labels", *(f"without, then {name}" for name in names)),
        *times,
    ]
    write_report(HERE / "table4.md", lines)


if __name__ == "__main__":
    main()
