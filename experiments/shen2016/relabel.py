"""Other parsers' trees labelled anew (tables 2 and 4 of shen2016): relabel.md beside this file.

    python -m experiments.shen2016.relabel [--data PATH] [--peers PATH] [--folds 5]

Needs `ud/en_ewt`, and for UDPipe's and spaCy's trees the packages `ufal.udpipe` and `spacy` with the models in the folder
of the peers; a parser that is missing is left out. The labelers learn from gold trees with jackknifed tags, or from these and
jackknifed trees. All columns but the labels are the parser's own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.peers import FILES, SPACY, UDPIPE, spacy_annotated, udpipe_annotated

from experiments.common import arguments, command, tagged, treebank, write_report
from experiments.shen2016.labelers import FIRST, SECOND, TREE_FOLDS, jackknifed_trees, relabelled, taught, twice
from experiments.tables import header
from laconic import load
from laconic.corpus import Doc
from laconic.learn import TrainingData

HERE = Path(__file__).resolve().parent


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


def main() -> None:
    parser = arguments(__doc__, peers=True)
    parser.add_argument("--folds", type=int, default=5)
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, "en_ewt")
    gold = dev.sentences[len(dev.sentences) // 2 :]
    jackknifed, _ = tagged(train, dev.sentences[:1], chosen.folds)
    trees, _ = jackknifed_trees(train, jackknifed, dev.sentences[:1])
    both = taught(twice(train, jackknifed, trees), (FIRST, SECOND))
    labelers = taught(TrainingData(train, jackknifed)) | {
        f"{name}, both kinds of trees": one for name, one in both.items()
    }
    parsers: dict[str, Callable[[Doc], Doc]] = {
        "laconic, full": partial(annotated, "full"),
        "laconic, beam": partial(annotated, "beam"),
        UDPIPE: partial(udpipe_annotated, chosen.peers / FILES[UDPIPE]),
        SPACY: partial(spacy_annotated, chosen.peers / FILES[SPACY]),
    }
    lines = [
        "# Trees of other parsers, labelled anew",
        "",
        f"Written by {command()}: the second half of the development set of UD English EWT, words and sentences given,",
        "all else by each parser itself; then labels by labelers that learned from gold trees with jackknifed tags, or from",
        f"these and from trees of a parser of linear rows, jackknifed {TREE_FOLDS} ways (both kinds of trees). Labels are compared",
        "whole, punctuation counted, with 95 % intervals by bootstrap over sentences; gains by paired bootstrap.",
        "",
        *header("parser", "UAS", "LAS of its own labels", *(f"gain by {name}" for name in labelers)),
    ]
    for name, parse in parsers.items():
        try:
            made = with_columns_of(parse(gold), gold)
        except (ImportError, OSError) as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
            continue
        lines.append(relabelled(name, gold, made, labelers))
        write_report(HERE / "relabel.md", lines)


if __name__ == "__main__":
    main()
