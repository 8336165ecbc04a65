"""A tagger's set under a budget: discovery, the backward phase, and the front of accuracy against nanoseconds a word.

    python -m experiments.nilsson2010.tagger [--treebank en_ewt] [--sentences 3000] [--generations 8] [--beam 2]
                                             [--rows 8] [--data DIR]

Features of the kind `token` are found from one feature; conjunctions join their pairs; the backward phase goes from
these, from the shipped set `tagger`, and from both together down to ``--rows`` templates. Templates that read nothing
but the word's own form cost one look-up together and are dropped last. The first half of the development set chooses.
Sets on the way, the shipped one first, are then trained in the ordinary way (UPOS), timed in alternating rounds, and
compared on the second half. The cheapest that tags the first half as well as the shipped one, and the cheapest within
a standard error of it, are trained once more with all sentences. Keeps a journal in build. Writes tagger.md,
tagger.templates (the latter set) and tagger.png beside itself. Needs the treebanks.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from experiments.common import arguments, command, folder, treebank, write_report
from experiments.tables import header, line
from laconic.corpus import Doc
from laconic.features import Template, TemplateSet, load_neighbours, load_set, union
from laconic.learn import TrainingData
from laconic.progress import finished
from laconic.search import DiscoverySettings, Journal, TaggerSource, TrialResult, TrialRunner, discover, halves
from laconic.search.costs import nanoseconds
from laconic.search.order import comments
from laconic.search.plots import plot_front
from laconic.search.reduction import add_conjunctions, drop_templates
from laconic.tag import Tagger, TaggerConfig
from laconic.tag.form_templates import exits_after, form_first, form_template_count, of_the_form

HERE = Path(__file__).resolve().parent
FORM_PRICE = 0.1
"""Of a template that reads the form alone, beside others: known words have one row for all of them."""
LONGEST = 3
CONJUNCTIONS = 30
SHARE = 0.2
SIZES = (37, 30, 24, 20, 16, 12, 8)
"""Sets of about so many templates are trained in the ordinary way."""
ROUNDS = 15
OTHER = "en_gum"
"""Another domain."""


@dataclass
class Tried:
    """A set that was trained in the ordinary way."""

    origin: str
    templates: TemplateSet
    tagger: Tagger
    results: dict[str, TrialResult]
    least: float = np.inf
    """Nanoseconds a word."""

    def behind(self, other: Tried, document: str) -> float:
        """By how many standard errors it tags a document worse than another set."""
        gain, error = self.results[document].gain(other.results[document])
        return -gain / error if gain else 0.0

    @property
    def context(self) -> int:
        return len(self.templates) - form_template_count(self.templates)


def price(template: Template) -> float:
    return FORM_PRICE if of_the_form(template) else 1.0


def tried(origin: str, templates: TemplateSet, config: TaggerConfig, train: Doc, parts: dict[str, Doc]) -> Tried:
    own = form_first(templates)
    settings = replace(config.settings, exits=exits_after(form_template_count(own), len(own)))
    config = replace(config, templates=str(own), settings=settings)
    tagger = finished(Tagger.fit(config, TrainingData(train)))
    results = {}
    for name, doc in parts.items():
        guess = doc.sentences[:]
        tagger.apply(guess)
        results[name] = TrialResult(np.array(guess.strings("upos")) == np.array(doc.strings("upos")))
    return Tried(origin, own, tagger, results)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--treebank", default="en_ewt")
    parser.add_argument("--sentences", type=int, default=3000)
    parser.add_argument("--generations", type=int, default=8)
    parser.add_argument("--beam", type=int, default=2)
    parser.add_argument("--rows", type=int, default=8)
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, chosen.treebank, chosen.sentences)
    searched, reported = halves(dev)
    config = TaggerConfig(folds=0)
    source = TaggerSource(config, train, searched)
    rules = load_neighbours("token")
    settings = DiscoverySettings(beam=chosen.beam, generations=chosen.generations, threshold=-1.0, audit=0)
    Path("build").mkdir(exist_ok=True)
    journal = Path("build") / "tagger-sets.jsonl"
    found = finished(
        discover(source, rules, settings, journal=journal, processes=1),
        lambda step: print(f"\r{step.what}   ", end="", file=sys.stderr),
    )
    shipped, best = load_set("tagger"), found.member(found.best)
    parts = {"develop": searched, "report": reported}
    sets = [tried("shipped", shipped, config, train, parts)]
    with TrialRunner.open(source, Journal(journal), 1) as runner:
        wider = finished(add_conjunctions(runner, best.templates, CONJUNCTIONS, longest=LONGEST))
        for origin, whole in (("shipped", shipped), ("found", wider), ("both", union(wider, shipped))):
            steps = finished(drop_templates(runner, whole, chosen.rows, SHARE, price))
            sizes = [len(step.templates) for step in steps]
            wanted = {min(range(len(steps)), key=lambda at, size=size: abs(sizes[at] - size)) for size in SIZES}
            for number in sorted(wanted - ({0} if origin == "shipped" else set())):
                sets.append(tried(origin, steps[number].templates, config, train, parts))
                print(f"\r{origin}: {sizes[number]} templates   ", end="", file=sys.stderr)
    for _ in range(ROUNDS):
        for one in sets:
            one.least = min(one.least, nanoseconds(one.tagger, dev))
    base = sets[0]
    good = [one for one in sets if one.behind(base, "develop") <= 0]
    close = [one for one in sets if one.behind(base, "develop") <= 1]
    equal, answer = (min(some, key=lambda one: one.least) for some in (good, close))
    text = [
        "# Sets of the tagger under a budget",
        "",
        f"Written by {command()}: {chosen.treebank}, {len(train.sentences):,} training sentences, UPOS, linear rows at full effort;",
        f"rules `token`, beam {chosen.beam}, {chosen.generations} generations, {CONJUNCTIONS} conjunctions of up to {LONGEST} features; in a round of the backward phase",
        f"{SHARE:g} of the templates are dropped. `Of the form`: templates that read the word's own form alone, one look-up for all of",
        "them where the word is known. `develop` is the half of the development set that sets were chosen by, `report` the",
        "other; differences to the shipped set are paired, with their standard errors. Nanoseconds are of this process on a",
        f"core, the least of {ROUNDS} alternating rounds.",
        "",
    ]
    text += header(
        "from", "templates", "of the form", "ns a word", "UPOS develop", "UPOS report", "difference on report"
    )
    for one in sets:
        gain, error = one.results["report"].gain(base.results["report"])
        scores = [f"{100 * one.results[name].score:.2f}" for name in parts]
        sizes = (str(len(one.templates)), str(len(one.templates) - one.context), f"{one.least:.0f}")
        text.append(line(one.origin, *sizes, *scores, f"{100 * gain:+.2f} ± {100 * error:.2f}"))
    whole = treebank(chosen.data, chosen.treebank)[0]
    parts = {f"{chosen.treebank}, second half": reported, OTHER: treebank(chosen.data, OTHER)[1]}
    text += [
        "",
        f"Features found: {' '.join(f'`{one}`' for one in found.features(found.best))}.",
        "",
        "The shipped set, the cheapest one that tags the first half at least as well, and the cheapest one that is within a",
        f"standard error of it there, trained with all {len(whole.sentences):,} sentences:",
        "",
    ]
    text += header("from", "templates", "ns a word, of the shipped set's", *(f"UPOS {name}" for name in parts))
    again = [tried(one.origin, one.templates, config, whole, parts) for one in (base, equal, answer)]
    for one, of in zip(again, (base, equal, answer), strict=True):
        gains = {name: one.results[name].gain(again[0].results[name]) for name in parts}
        cells = [
            f"{100 * one.results[name].score:.2f} ({100 * gain:+.2f} ± {100 * error:.2f})"
            for name, (gain, error) in gains.items()
        ]
        text.append(line(one.origin, str(len(one.templates)), f"{of.least / base.least:.2f}", *cells))
    write_report(HERE / "tagger.md", text)
    place = folder(HERE / "tagger.md")
    about = comments([f"made by: {command().strip('`')}", f"data and configuration: sha256 {source.digest}"])
    (place / "tagger.templates").write_text("\n".join([*about, "", str(answer.templates)]), encoding="utf-8")
    points = [(one.least, one.results["report"].score) for one in sets]
    plot_front(points, place / "tagger.png", cost="nanoseconds a word", metric="upos")


if __name__ == "__main__":
    main()
