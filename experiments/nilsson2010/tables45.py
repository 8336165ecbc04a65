"""Tables 4 and 5 of nilsson2010: every second feature beside each of the first two, every third beside the best two.

    python -m experiments.nilsson2010.tables45 [--score uas [las]] [--beam 8] [--sentences N] [--processes 1] [--data DIR]

Swedish Talbanken, arc-eager, an action and then a label, a static gold path, pairs of features, punctuation not scored.
No candidate is left out: this is also what screening and heats are compared with. The tables are made for each of the
scores. Writes tables45.md beside itself, and keeps a journal in build. Needs the treebanks.
"""

from __future__ import annotations

import sys
from pathlib import Path

from experiments.common import arguments, command, write_report
from experiments.nilsson2010.data import KIND, paper_name, paper_parser
from experiments.tables import header, line
from laconic.features import Neighbours, Term, load_neighbours, parse_template
from laconic.features.language import print_term
from laconic.progress import finished
from laconic.search import Journal, TrialRunner
from laconic.search.discovery import rank_correlation
from laconic.search.racing import Final, Heat, Screen
from laconic.search.source import DEVELOP, DiscoverSource, Features, SetResult

HERE = Path(__file__).resolve().parent
TABLE4 = {
    "POS STACK0": ("74.02 59.67", "65.86 52.18"),
    "LEX STACK0": ("67.77 54.50", "58.59 45.51"),
    "POS QUEUE0 pw": ("58.37 41.83", "51.98 37.70"),
    "LEX QUEUE0 pw": ("55.28 38.49", "50.38 35.24"),
    "POS QUEUE1": ("51.53 30.43", "50.44 29.71"),
    "LEX QUEUE0 lc": ("51.05 32.66", "48.66 29.91"),
    "POS QUEUE0 lc": ("49.71 31.54", "47.09 28.65"),
    "LEX QUEUE1": ("49.49 29.18", "48.91 27.77"),
    "LEX QUEUE0": ("49.37 32.27", ""),
    "POS QUEUE0": ("", "49.37 32.27"),
    "DEP STACK0": ("48.68 29.34", "44.77 26.17"),
    "LEX QUEUE0 rc": ("48.47 30.84", "47.25 28.92"),
    "DEP QUEUE0 lc": ("46.77 26.86", "46.68 27.08"),
    "POS QUEUE0 rc": ("46.40 29.95", "45.69 27.83"),
    "DEP QUEUE0 pw": ("42.27 25.21", "41.87 23.04"),
    "DEP QUEUE0 rc": ("41.04 26.56", "44.43 26.47"),
}
TABLE5 = {
    "POS QUEUE1": "79.50 65.34",
    "LEX STACK0 fw": "78.73 66.98",
    "LEX QUEUE1": "77.42 63.08",
    "LEX QUEUE0 pw": "77.06 64.54",
    "LEX QUEUE0": "76.83 66.01",
    "POS STACK0 fw": "76.63 63.62",
    "LEX STACK0": "76.44 64.24",
    "LEX QUEUE0 lc": "76.39 63.12",
}


def feature(text: str) -> Term:
    return parse_template(text, KIND).terms[0]


def cell(result: SetResult, name: str) -> str:
    return " ".join(f"{100 * result[name][measure].score:.2f}" for measure in ("uas", "las"))


def extended(
    runner: TrialRunner[DiscoverSource], features: Features, candidates: Features
) -> tuple[list[SetResult], str]:
    """What every candidate scores beside the features, and how screening and heats rank them."""
    source = runner.trainable
    finals = [Final(source.expanded((*features, one)), labels=True) for one in candidates]
    results = finished(runner.results(finals))
    parent = source.expanded(features)
    (losses,) = finished(runner.results([Screen(parent, features, candidates, 2.0)]))
    heats = finished(runner.results([Heat(parent, source.added(one, features)) for one in candidates]))
    kept = [i for i, loss in enumerate(losses) if loss is not None]
    scores = [results[i][DEVELOP][source.metric].score for i in kept]
    told = {"screening": [-(loss or 0.0) for loss in losses], "heats": [one.score for one in heats]}
    ranks = [f"{name} {rank_correlation([some[i] for i in kept], scores):.2f}" for name, some in told.items()]
    return results, f"beside {', '.join(paper_name(print_term(one, KIND)) for one in features)}: {', '.join(ranks)}"


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--score", nargs="+", choices=("uas", "las"), default=["uas"])
    parser.add_argument("--beam", type=int, default=8)
    parser.add_argument("--sentences", type=int, default=None, help="train on so many sentences")
    parser.add_argument("--processes", type=int, default=1)
    chosen = parser.parse_args()
    Path("build").mkdir(exist_ok=True)
    text = [
        "# Tables 4 and 5: every second and every third feature",
        "",
        f"Written by {command()}: Swedish Talbanken, arc-eager,",
        "action then label, a static gold path, hashed linear rows, punctuation not scored; UAS and LAS on the",
        "development set (every tenth training sentence) and, for table 5, on the treebank's own development set.",
        "For LAS lifted arcs are put back after parsing. The paper's figures are of another version of the treebank,",
        "with other tags and labels.",
    ]
    for score in chosen.score:
        rules = load_neighbours("nilsson2010")
        source = paper_parser(chosen.data, "swedish", score, rules, chosen.sentences)
        with TrialRunner.open(source, Journal(Path("build") / "tables45.jsonl"), chosen.processes) as runner:
            text += tables(runner, rules, chosen.beam, len(source.train.sentences))
    write_report(HERE / "tables45.md", text)


def tables(runner: TrialRunner[DiscoverSource], rules: Neighbours, beam: int, sentences: int) -> list[str]:
    """Both tables for one score."""
    metric = runner.trainable.metric

    def score(result: SetResult) -> float:
        return result[DEVELOP][metric].score

    text = ["", f"## Table 4, by {metric.upper()}", "", f"{sentences:,} training sentences.", ""]
    columns, told = [], []
    sets: dict[frozenset[Term], SetResult] = {}
    for one in (feature("POS(QUEUE0)"), feature("LEX(QUEUE0)")):
        candidates = rules.of_set([one])
        results, ranks = extended(runner, (one,), candidates)
        columns.append(dict(zip(candidates, results, strict=True)))
        sets |= {frozenset((one, other)): result for other, result in columns[-1].items()}
        told.append(ranks)
        print(ranks, file=sys.stderr)
    text += header("second feature", "with POS QUEUE0", "paper", "with LEX QUEUE0", "paper")
    for one in sorted({*columns[0], *columns[1]}, key=lambda one: -score(columns[0].get(one) or columns[1][one])):
        name = paper_name(print_term(one, KIND))
        own = [cell(column[one], DEVELOP) if one in column else "" for column in columns]
        text.append(line(name, own[0], TABLE4[name][0], own[1], TABLE4[name][1]))
    best = sorted(map(score, sets.values()), reverse=True)[:beam]
    text += ["", f"The {beam} sets that survive have {', '.join(f'{100 * one:.2f}' for one in best)}."]
    both = (feature("POS(QUEUE0)"), feature("POS(STACK0)"))
    candidates = rules.of_set(both)
    results, ranks = extended(runner, both, candidates)
    text += ["", f"## Table 5, by {metric.upper()}", ""]
    text += header("third feature", "development UAS LAS", "test UAS LAS", "paper, development")
    for one, result in sorted(zip(candidates, results, strict=True), key=lambda pair: -score(pair[1])):
        name = paper_name(print_term(one, KIND))
        text.append(line(name, cell(result, DEVELOP), cell(result, "test"), TABLE5.get(name, "")))
    text += ["", f"## What screening and heats would have said, by {metric.upper()}", ""]
    text += [f"Rank correlation over all candidates with their {metric.upper()} when trained in full:", ""]
    return text + [f"- {one}" for one in (*told, ranks)]


if __name__ == "__main__":
    main()
