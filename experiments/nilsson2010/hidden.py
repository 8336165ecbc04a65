"""Templates dropped from the shipped set of the parser with hidden rows: LAS against nanoseconds a word.

    python -m experiments.nilsson2010.hidden [TREEBANK…] [--sentences 4000] [--epochs 4] [--rows 24] [--share 0.2]
                                             [--whole] [--seeds 1] [--data DIR]

On the first treebank (English EWT) the backward phase goes from the shipped set down to ``--rows`` templates; tags are
predicted, training data tagged by jackknifing. The first half of the development set chooses, the second reports. Sets
of about a half and a third are then trained on every treebank, each with ``--seeds`` seeds, and compared
with the shipped set on second halves, which on other treebanks nothing was chosen by; ``--whole`` does that with all
training sentences and eight epochs. Parsers are timed in alternating rounds. Keeps a journal in build. Writes hidden.md,
hidden.templates and hidden.png beside itself. Needs the treebanks.
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
PARTS = {"whole": 1.0, "half": 0.5, "a third": 0.34}
ROUNDS = 9
FULL_EPOCHS = 8


def source_of(config: ParserConfig, train: Doc, dev: Doc) -> HiddenSource:
    searched, reported = halves(dev)
    learner = HiddenParserTrainable(config, train, searched)
    return HiddenSource(learner, config.kind, "las", others={"report": reported})


def nearest(steps: tuple[Reduced, ...], share: float) -> TemplateSet:
    """Of the sets on the way, the one whose size is nearest to a share of the whole."""
    wanted = share * len(steps[0].templates)
    return min((one.templates for one in steps), key=lambda one: abs(len(one) - wanted))


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


def quick_parser(source: HiddenSource, templates: TemplateSet) -> Parser:
    """One epoch is enough to know how long a parser takes."""
    parser = source.trainable.fitted(Trial(templates, 1.0, replace(source.trainable.settings, epochs=1)))
    assert isinstance(parser, Parser)
    return parser


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("treebanks", nargs="*", default=["en_ewt", "sv_talbanken", "de_mix"])
    parser.add_argument("--sentences", type=int, default=4000)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rows", type=int, default=24)
    parser.add_argument("--share", type=float, default=0.2)
    parser.add_argument("--whole", action="store_true", help="compare with all sentences and eight epochs")
    parser.add_argument("--seeds", type=int, default=1)
    chosen = parser.parse_args()
    config = ParserConfig()
    config = replace(config, hidden=replace(config.hidden, epochs=chosen.epochs))
    first = chosen.treebanks[0]
    train, dev = tagged(*treebank(chosen.data, first, chosen.sentences), 2)
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
    sets = {name: nearest(reduced.steps, share) for name, share in PARTS.items()}
    quick = {name: quick_parser(source, templates) for name, templates in sets.items()}
    times: dict[str, list[float]] = {name: [] for name in sets}
    for _ in range(ROUNDS):
        for name, one in quick.items():
            times[name].append(nanoseconds(one, dev))
    least = {name: min(some) for name, some in times.items()}
    text = [
        "# The parser with hidden rows and fewer templates",
        "",
        f"Written by {command()}: {first}, {len(train.sentences):,} training sentences, {chosen.epochs} epochs, predicted tags; in each",
        f"round {chosen.share:g} of the templates are dropped, those first whose absence costs development decisions least.",
        "`Look-ups`: templates about the form of one word are one, where the form is known. `develop` is the half of the",
        "development set that templates were chosen by. Differences are paired, with their standard errors.",
        "",
    ]
    text += header("templates", "look-ups", "LAS develop", "LAS report", "difference to the whole set, report")
    whole = reduced.steps[0].results["report"]["las"]
    for step in reduced.steps:
        gain, error = step.results["report"]["las"].gain(whole)
        scores = [f"{100 * step.score('las', name):.2f}" for name in ("develop", "report")]
        sizes = (str(len(step.templates)), str(len(source.blocks(step.templates))))
        text.append(line(*sizes, *scores, f"{100 * gain:+.2f} ± {100 * error:.2f}"))
    text += [
        "",
        "Nanoseconds a word at full effort, the least of alternating rounds of process time, and to the whole set:",
        "",
    ]
    text += header("set", "templates", "ns a word", "share")
    for name, templates in sets.items():
        text.append(line(name, str(len(templates)), f"{least[name]:.0f}", f"{least[name] / least['whole']:.2f}"))
    checked = replace(config, hidden=replace(config.hidden, epochs=FULL_EPOCHS)) if chosen.whole else config
    seeds = f"{chosen.seeds} seeds" if chosen.seeds > 1 else "one seed"
    text += [
        "",
        f"Trained anew on each treebank, {checked.hidden.epochs} epochs, {seeds}; LAS on the second half of the development set:",
        "",
    ]
    text += header("treebank", "sentences", *(f"{name}, {len(some)}" for name, some in sets.items()))
    for name in chosen.treebanks:
        docs = tagged(*treebank(chosen.data, name, None if chosen.whole else chosen.sentences), 2)
        other = source_of(checked, *docs)
        measured = [trained(name, other, templates, chosen.seeds) for templates in sets.values()]
        cells = [f"{100 * measured[0].score:.2f}"]
        for one in measured[1:]:
            gain, error = one.gain(measured[0])
            cells.append(f"{100 * one.score:.2f} ({100 * gain:+.2f} ± {100 * error:.2f})")
        text.append(line(name, f"{len(docs[0].sentences):,}", *cells))
        write_report(HERE / "hidden.md", text)
    place = folder(HERE / "hidden.md")
    half = next(number for number, one in enumerate(reduced.steps) if one.templates == sets["half"])
    (place / "hidden.templates").write_text(replace(reduced, steps=reduced.steps[: half + 1]).text(), encoding="utf-8")
    points = [(least[name], next(s for s in reduced.steps if s.templates == sets[name]).score("las")) for name in sets]
    plot_front(points, place / "hidden.png", cost="nanoseconds a word", metric="las")


if __name__ == "__main__":
    main()
