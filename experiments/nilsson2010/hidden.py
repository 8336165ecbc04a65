"""Templates dropped from the set of the parser with hidden rows: LAS against nanoseconds a word.

    python -m experiments.nilsson2010.hidden [TREEBANK…] [--sentences 4000] [--epochs 4] [--rows 34] [--share 0.2]
                                             [--check 2000] [--check-epochs 4] [--seeds 1] [--data DIR]

On English EWT the backward phase goes from a set of 104 templates made by hand (whole.templates beside this file) down
to ``--rows``; tags are predicted, training data tagged by jackknifing. The first half of the development set chooses,
the second reports. Sets of about two thirds and a half are then trained on the treebanks given, with up to ``--check``
sentences (0: all) and with ``--seeds`` seeds, and compared with the whole set on second halves. Parsers are timed in
alternating rounds. Keeps journals in build. Writes hidden.md, hidden.templates (two thirds) and hidden.png beside
itself. Needs the treebanks.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from experiments.common import arguments, command, folder, journal, tagged, treebank, write_report
from experiments.tables import header, line
from laconic.corpus import Doc
from laconic.features import TemplateSet
from laconic.progress import finished
from laconic.search import HiddenParserTrainable, HiddenSource, Trial, TrialResult, halves
from laconic.search.costs import nanoseconds
from laconic.search.discover_templates import reduce_templates
from laconic.search.journal import key
from laconic.search.plots import plot_front
from laconic.search.reduction import Reduced
from laconic.transition import Parser, ParserConfig

HERE = Path(__file__).resolve().parent
PARTS = (1.0, 2 / 3, 0.5)
ROUNDS = 9
EXITS = (9, 26, 49)
"""Of the whole set."""
TREEBANK = "en_ewt"


def source_of(config: ParserConfig, train: Doc, dev: Doc) -> HiddenSource:
    searched, reported = halves(dev)
    learner = HiddenParserTrainable(config, train, searched)
    return HiddenSource(learner, config.kind, "las", others={"report": reported})


def trained(name: str, source: HiddenSource, templates: TemplateSet, seeds: int) -> TrialResult:
    """What parsers with several seeds get right in the second half, one after the other; kept in the journal."""
    known, results = journal("hidden-checks"), []
    for seed in range(1, seeds + 1):
        trial = Trial(templates, 1.0, replace(source.trainable.settings, seed=seed))
        at = key(source.digest, trial.facts)
        if at not in known:
            print(f"\r{name}: {len(templates)} templates, seed {seed}   ", end="", file=sys.stderr)
            parser = source.trainable.fitted(trial)
            known.put(at, source.trainable.judged(parser, source.others["report"]).packed())
        results.append(known.decoded(at, TrialResult.unpacked))
    return TrialResult(np.concatenate([one.right for one in results]))


def both(step: Reduced) -> TrialResult:
    """On both halves of the development set."""
    return TrialResult(np.concatenate([step.results[name]["las"].right for name in ("develop", "report")]))


def quick_parser(source: HiddenSource, templates: TemplateSet) -> Parser:
    """One epoch of a quarter of the sentences is enough to know how long a parser takes beside others."""
    parser = source.trainable.fitted(Trial(templates, 0.25, replace(source.trainable.settings, epochs=1)))
    assert isinstance(parser, Parser)
    return parser


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("treebanks", nargs="*", default=["sv_talbanken", "pt_bosque"])
    parser.add_argument("--sentences", type=int, default=4000)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rows", type=int, default=34)
    parser.add_argument("--share", type=float, default=0.2)
    parser.add_argument("--check", type=int, default=2000)
    parser.add_argument("--check-epochs", type=int, default=4)
    parser.add_argument("--seeds", type=int, default=1)
    chosen = parser.parse_args()
    config = ParserConfig(hidden_templates=(HERE / "whole.templates").read_text(encoding="utf-8"))
    config = replace(config, hidden=replace(config.hidden, epochs=chosen.epochs, exits=EXITS))
    train, dev = tagged(*treebank(chosen.data, TREEBANK, chosen.sentences), 2)
    source = source_of(config, train, dev)
    Path("build").mkdir(exist_ok=True)
    reduced = finished(
        reduce_templates(
            source,
            config.template_set(),
            chosen.rows,
            share=chosen.share,
            journal=Path("build") / "hidden.jsonl",
            command=command().strip("`"),
        ),
        lambda step: print(f"\r{step.what} {step.done:.0f}   ", end="", file=sys.stderr),
    )
    steps = reduced.steps
    quick = [quick_parser(source, step.templates) for step in steps]
    least = [np.inf] * len(steps)
    for _ in range(ROUNDS):
        least = [min(time, nanoseconds(one, dev)) for time, one in zip(least, quick, strict=True)]
    text = [
        "# The parser with hidden rows and fewer templates",
        "",
        f"Written by {command()}: {TREEBANK}, {len(train.sentences):,} training sentences, {chosen.epochs} epochs, predicted tags; in each",
        f"round {chosen.share:g} of the templates are dropped, those first whose absence costs development decisions least.",
        "`Look-ups`: templates about the form of one word are one, where the form is known. `develop` is the half of the",
        "development set that templates were chosen by, `report` the other. Differences to the whole set are paired, with",
        "their standard errors; the training of a network itself varies by a few tenths. Nanoseconds are those of this process",
        f"on a core, at full effort, the least of {ROUNDS} alternating rounds.",
        "",
    ]
    text += header("templates", "look-ups", "ns a word", "LAS develop", "LAS report", "difference on both halves")
    whole = both(steps[0])
    for step, time in zip(steps, least, strict=True):
        gain, error = both(step).gain(whole)
        scores = [f"{100 * step.score('las', name):.2f}" for name in ("develop", "report")]
        sizes = (str(len(step.templates)), str(len(source.blocks(step.templates))), f"{time:.0f}")
        text.append(line(*sizes, *scores, f"{100 * gain:+.2f} ± {100 * error:.2f}"))
    wanted = [part * len(steps[0].templates) for part in PARTS]
    parts = [
        min(range(len(steps)), key=lambda one, size=size: abs(len(steps[one].templates) - size)) for size in wanted
    ]
    checked = replace(config, hidden=replace(config.hidden, epochs=chosen.check_epochs))
    seeds = f"{chosen.seeds} seeds" if chosen.seeds > 1 else "one seed"
    text += [
        "",
        f"Trained anew on each treebank, {checked.hidden.epochs} epochs, {seeds}; LAS on the second half of the development set:",
        "",
    ]
    text += header("treebank", "sentences", *(f"{len(steps[one].templates)} templates" for one in parts))
    for name in chosen.treebanks:
        docs = tagged(*treebank(chosen.data, name, chosen.check or None), 2)
        other = source_of(checked, *docs)
        first, *rest = (trained(name, other, steps[one].templates, chosen.seeds) for one in parts)
        cells = [f"{100 * first.score:.2f}"]
        for one in rest:
            gain, error = one.gain(first)
            cells.append(f"{100 * one.score:.2f} ({100 * gain:+.2f} ± {100 * error:.2f})")
        text.append(line(name, f"{len(docs[0].sentences):,}", *cells))
        write_report(HERE / "hidden.md", text)
    place = folder(HERE / "hidden.md")
    answer = replace(reduced, steps=steps[: parts[1] + 1])
    (place / "hidden.templates").write_text(answer.text(), encoding="utf-8")
    points = [(time, both(step).score) for step, time in zip(steps, least, strict=True)]
    plot_front(points, place / "hidden.png", cost="nanoseconds a word", metric="las")


if __name__ == "__main__":
    main()
