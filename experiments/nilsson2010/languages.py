"""Discovered sets against the shipped one with as many templates, on several languages.

    python -m experiments.nilsson2010.languages [TREEBANK…] [--sentences 1000] [--generations 8] [--beam 2] [--rows 30]
                                                [--epochs 4] [--data DIR]

The parser of the package with linear rows (arc-hybrid, exploration), the neighbour rules `transition`, LAS with
punctuation, tags of the treebank. The search sees the first half of the development set; conjunctions are then added
and templates dropped until ``--rows`` are left. A second backward phase goes from these and the shipped templates
together down to as many, `joined`; both choose by UAS, because labels have templates of their own. All are trained in
the ordinary way and compared on the second half. Writes languages.md beside itself, and keeps a journal in build. Needs
the treebanks.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from experiments.common import arguments, command, pos_of, treebank, write_report
from experiments.tables import header, line
from laconic.corpus import Doc
from laconic.features import TemplateSet, load_neighbours, load_set, union
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.search import DiscoverySettings, ParserSource, TrialResult, halves
from laconic.search.discover_templates import ADDED, discover_templates, reduce_templates
from laconic.transition import Parser, ParserConfig

HERE = Path(__file__).resolve().parent
SHARE = 0.2
"""Of the templates that are left, so many go in a round of the second backward phase."""
TREEBANKS = ("sv_talbanken", "en_ewt", "pt_bosque", "da_cdt", "sl_ssj500k")


def labelled(config: ParserConfig, templates: TemplateSet, train: Doc, test: Doc, epochs: int) -> TrialResult:
    """Which words get the right head and label from a parser that was trained in the ordinary way."""
    settings = Settings(mode="full", l2=1e-4, epochs=epochs)
    config = replace(config, templates=str(templates), settings=settings, label_settings=settings)
    guess = test.sentences[:]
    finished(Parser.fit(config, TrainingData(train))).apply(guess)
    same = np.array(guess.strings("deprel")) == np.array(test.strings("deprel"))
    return TrialResult(np.asarray((guess.heads == test.heads) & same))


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("treebanks", nargs="*", default=TREEBANKS)
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--generations", type=int, default=8)
    parser.add_argument("--beam", type=int, default=2)
    parser.add_argument("--rows", type=int, default=30)
    parser.add_argument("--epochs", type=int, default=4)
    chosen = parser.parse_args()
    rules = load_neighbours("transition")
    Path("build").mkdir(exist_ok=True)
    text = [
        "# Discovered sets and the shipped one, with as many templates",
        "",
        f"Written by {command()}: up to {chosen.sentences:,} training sentences, rules `transition`, beam",
        f"{chosen.beam}, {chosen.generations} generations for UAS; {ADDED * chosen.rows} conjunctions of three and four features join the pairs,",
        f"then templates are dropped until {chosen.rows} are left; `joined`: what a backward phase on the same data leaves of these",
        "and of the shipped set `parser` together, with the templates of the latter that read sets of values (`CHILDREN`),",
        f"which columns do not hold: as many in all; beside them the first {chosen.rows} of `parser` in its own order.",
        f"Linear rows, arc-hybrid, {chosen.epochs} epochs, templates of labels as shipped; LAS with punctuation on",
        "the second half of the development set, which the search did not see; differences paired,",
        "with their standard errors.",
        "",
    ]
    text += header("treebank", "shipped", "discovered", "joined", "not in `parser`", "features found")
    for name in chosen.treebanks:
        train, dev = treebank(chosen.data, name, chosen.sentences)
        searched, reported = halves(dev)
        config = ParserConfig(scorer="linear", pos=pos_of(train), folds=0)  # type: ignore[arg-type]
        source = ParserSource(config, train, searched, rules.attributes(), score="uas", random_moves=0.1)
        settings = DiscoverySettings(beam=chosen.beam, generations=chosen.generations, threshold=-1.0, audit=0)
        found = finished(
            discover_templates(
                source,
                rules,
                settings,
                journal=Path("build") / "languages.jsonl",
                processes=1,
                rows=chosen.rows,
            ),
            lambda step, name=name: print(f"\r{name}: {step.what}   ", end="", file=sys.stderr),
        )
        known = load_set("parser")
        pool = union(found.templates, known)
        wider = ParserSource(config, train, searched, pool.attributes(), score="uas", random_moves=0.1)
        left = reduce_templates(wider, pool, chosen.rows, share=SHARE, journal=Path("build") / "languages.jsonl")
        both = finished(left, lambda step, name=name: print(f"\r{name}: {step.what}   ", end="", file=sys.stderr))
        sets = (known[: chosen.rows], found.templates, both.templates)
        news = sum(one not in list(known) for one in both.templates)
        shipped, *own = (labelled(config, some, train, reported, chosen.epochs) for some in sets)
        gains = [f"{100 * gain:+.2f} ± {100 * error:.2f}" for gain, error in (one.gain(shipped) for one in own)]
        features = " ".join(f"`{one}`" for one in found.discovery.features(found.discovery.best))
        cells = [f"{100 * one.score:.2f} ({gain})" for one, gain in zip(own, gains, strict=True)]
        text.append(line(name, f"{100 * shipped.score:.2f}", *cells, f"{news} of {len(both.templates)}", features))
        write_report(HERE / "languages.md", text)


if __name__ == "__main__":
    main()
