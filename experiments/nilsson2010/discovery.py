"""Tables 6 and 7 of nilsson2010: the best set of every generation of a discovery, beside the paper's own sets.

    python -m experiments.nilsson2010.discovery [swedish] [english] [--score uas [las]] [--beam 8 [4]]
                                                [--generations 16] [--sentences N] [--processes 2]
                                                [--rules nilsson2010] [--data DIR]

Arc-eager, an action and then a label, a static gold path, all pairs of features, punctuation not scored, tags of the
treebank, no early end. For every language, score and beam, writes discovery-LANGUAGE-SCORE.md, .templates and .png
beside itself, with -beamN in their names for beams other than 8. What was computed is kept in build: a run that was
interrupted goes on, also with another beam. Needs the treebanks.
"""

from __future__ import annotations

import os
import sys
import time
from argparse import Namespace
from pathlib import Path

from experiments.common import arguments, command, folder, write_report
from experiments.nilsson2010.data import Objective, paper_features, paper_name, paper_parser
from experiments.tables import header, line
from laconic.features import expand_pairs, load_neighbours
from laconic.features.language import print_term
from laconic.progress import finished
from laconic.search import Discovery, DiscoverySettings, Journal, TrialRunner, discover
from laconic.search.discover import DiscoveryProgress
from laconic.search.plots import plot_generations
from laconic.search.racing import Final
from laconic.search.source import DEVELOP, SetResult

HERE = Path(__file__).resolve().parent
BEAM = 8
PAPER = {
    "swedish": {
        DEVELOP: "43.49 74.02 79.50 83.58 85.96 87.23 88.42 89.43 89.84 90.23 90.49 90.73 90.81 90.81 90.85 90.84",
        "test": "45.93 71.60 79.07 82.75 84.82 86.34 87.67 88.09 88.69 89.17 89.58 89.66 89.52 89.32 89.13 88.65",
    },
    "english": {
        DEVELOP: "45.25 64.42 78.62 81.83 84.43 85.95 86.95 88.03 88.61 89.09 89.54 89.95 90.26 90.54 90.61 90.65",
        "EWT": "45.82 64.71 78.99 82.46 84.89 86.61 87.73 88.52 89.15 89.47 90.25 90.63 90.64 90.71 90.89 90.88",
        "GUM": "52.12 71.29 78.67 80.57 84.03 84.55 85.26 85.66 86.29 86.43 87.00 86.87 87.35 87.50 87.47 87.42",
    },
}
"""UAS by generation."""


def cells(results: SetResult, names: list[str]) -> list[str]:
    return [" ".join(f"{100 * results[name][measure].score:.2f}" for measure in ("uas", "las")) for name in names]


def show(step: DiscoveryProgress) -> None:
    score = "" if step.score is None else f", best {100 * step.score:.2f} with {len(step.best)} features"
    left = "" if step.seconds_left is None else f", {step.seconds_left / 60:.1f} minutes left"
    print(f"\r{step.what}{score}{left}   ", end="", file=sys.stderr, flush=True)


def report(found: Discovery, paper: list[SetResult], language: str, took: str, about: list[str]) -> list[str]:
    names = list(found.generations[0].results)
    text = [*about, ""]
    columns = [f"{name} UAS LAS" for name in names]
    theirs = [f"paper's set: {name} UAS LAS" for name in names]
    text += header("generation", "new feature", "candidates", *columns, *theirs, "paper: UAS on its data")
    for number, one in enumerate(found.generations, 1):
        new = " ".join(paper_name(print_term(f, found.kind)) for f in one.features if f not in one.parent)
        known = paper[number - 1] if number <= len(paper) else None
        their = cells(known, names) if known else [""] * len(names)
        printed = " / ".join(values.split()[number - 1] for values in PAPER[language].values()) if number <= 16 else ""
        text.append(line(str(number), new, str(one.candidates), *cells(one.results, names), *their, printed))
    best, chosen = found.best, found.chosen
    drawn, missed = found.audited
    relations = ", ".join(f"{name} {value:.2f}" for name, value in found.correlations().items())
    text += [
        "",
        f"The best set on the development set has {best} features; the smallest within one standard error has {chosen}:",
        ", ".join(f"`{paper_name(str(one))}`" for one in found.features()) + ".",
        "",
        f"Rank correlation with the scores of finals, within generations: {relations}. Of {drawn} sets that screening",
        f"had rejected, {missed} would have entered the beam. {took}",
    ]
    if len(paper) >= best:
        text += ["", "Differences to the paper's set with as many features, paired, with their standard errors:", ""]
        text += header("document", "measure", "points", "standard error")
        for name in names:
            for measure in ("uas", "las"):
                gain, error = found.generations[best - 1].results[name][measure].gain(paper[best - 1][name][measure])
                text.append(line(name, measure.upper(), f"{100 * gain:+.2f}", f"{100 * error:.2f}"))
    return text


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("languages", nargs="*", choices=[*sorted(PAPER), []], default=[], help="else both")
    parser.add_argument("--score", nargs="+", choices=("uas", "las"), default=["uas"])
    parser.add_argument("--beam", type=int, nargs="+", default=[BEAM])
    parser.add_argument("--generations", type=int, default=16)
    parser.add_argument("--sentences", type=int, default=None, help="train on so many sentences")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rules", default="nilsson2010")
    chosen = parser.parse_args()
    for language in chosen.languages or sorted(PAPER, reverse=True):
        for score in chosen.score:
            for beam in chosen.beam:
                search(language, score, beam, chosen)


def cpu_seconds() -> float:
    """Of this process and of those that it has started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def search(language: str, score: Objective, beam: int, chosen: Namespace) -> None:
    """One search and its report."""
    rules = load_neighbours(chosen.rules)
    source = paper_parser(chosen.data, language, score, rules, chosen.sentences)
    name = f"discovery-{language}-{score}"
    Path("build").mkdir(exist_ok=True)
    journal = Path("build") / f"{name}.jsonl"
    name += "" if beam == BEAM else f"-beam{beam}"
    settings = DiscoverySettings(beam=beam, generations=chosen.generations, threshold=-1.0)
    spent = Path("build") / f"{name}.seconds"  # of CPU, by runs of this search that were interrupted
    shared = journal.exists() and not spent.exists()
    before = float(spent.read_text("utf-8")) if spent.exists() else 0.0
    begun, used = time.monotonic(), cpu_seconds()
    steps = discover(
        source, rules, settings, journal=journal, processes=chosen.processes, labels=True, command=command()
    )
    try:
        found = finished(steps, show)
    finally:
        cpu = before + cpu_seconds() - used
        spent.write_text(f"{cpu:.0f}", encoding="utf-8")
    minutes = (time.monotonic() - begun) / 60
    ran = "one process" if chosen.processes == 1 else f"{chosen.processes} processes"
    took = f"{cpu / 60:.1f} CPU minutes, "
    took += "in several runs." if before else f"{minutes:.1f} minutes by the clock with {ran}."
    took = "Some results are of another search." if shared else took
    features = paper_features(language)[: chosen.generations]
    with TrialRunner.open(source, Journal(journal), chosen.processes) as runner:
        sets = [expand_pairs(features[:size]) for size in range(1, len(features) + 1)]
        paper = finished(runner.results([Final(one, labels=True) for one in sets]))
    about = [
        f"# Discovery of features: {language.capitalize()}, for {score.upper()}",
        "",
        f"Written by {command()}: arc-eager, action then label, a static gold path, features with all their pairs,",
        f"hashed linear rows; {len(source.train.sentences):,} training sentences, tags of the treebank, punctuation not",
        f"scored; beam {beam}. `{DEVELOP}` is what the search saw. The last column is the paper's, with other",
        f"treebanks and another classifier ({' / '.join(PAPER[language])}): it shows the shape to expect.",
    ]
    write_report(HERE / f"{name}.md", report(found, paper, language, took, about))
    place = folder(HERE / f"{name}.md")
    found.write(place / f"{name}.templates")
    plot_generations(found, place / f"{name}.png")


if __name__ == "__main__":
    main()
