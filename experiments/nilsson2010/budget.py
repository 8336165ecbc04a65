"""Discovery under a budget: the front of LAS against nanoseconds a word, and what the backward phase adds to it.

    python -m experiments.nilsson2010.budget [--budget 2500] [--sentences 1000] [--generations 10] [--beam 2] [--data DIR]

Swedish Talbanken, the parser of the package with linear rows (arc-hybrid), the neighbour rules `transition`. The cost
model is fitted on this machine first. Writes budget.md, budget.templates and budget.png beside itself. Needs the
treebanks.
"""

from __future__ import annotations

import sys
from pathlib import Path

from experiments.common import arguments, command, folder, treebank, write_report
from experiments.tables import header, line
from laconic.features import load_neighbours
from laconic.progress import finished
from laconic.search import DiscoverySettings, ParserSource, halves
from laconic.search.costs import NAMES, Budget, fit_costs
from laconic.search.discover_templates import STRETCH, discover_templates
from laconic.search.plots import plot_front
from laconic.transition import ParserConfig

HERE = Path(__file__).resolve().parent


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--budget", type=float, default=2500.0)
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--generations", type=int, default=10)
    parser.add_argument("--beam", type=int, default=2)
    chosen = parser.parse_args()
    rules = load_neighbours("transition")
    train, dev = treebank(chosen.data, "sv_talbanken", chosen.sentences)
    searched, reported = halves(dev)
    source = ParserSource(
        ParserConfig(scorer="linear"),
        train,
        searched,
        rules.attributes(),
        score="las",
        random_moves=0.1,
        others={"report": reported},
    )
    costs = finished(fit_costs(source))
    budget = Budget(costs, chosen.budget, STRETCH)
    settings = DiscoverySettings(beam=chosen.beam, generations=chosen.generations, threshold=-1.0, audit=0)
    found = finished(
        discover_templates(source, rules, settings, processes=1, budget=budget, command=command()),
        lambda step: print(f"\r{step.what}   ", end="", file=sys.stderr),
    )
    text = [
        "# Discovery under a budget",
        "",
        f"Written by {command()}: Swedish Talbanken, {len(train.sentences):,} training sentences, arc-hybrid, linear",
        f"rows, rules `transition`, beam {chosen.beam}, {chosen.generations} generations, budget {chosen.budget:g} ns a word; the search looked at",
        f"sets of up to {STRETCH:g} times as much, and dropped templates from the best of them. `develop` is the half of the",
        "development set that the search saw.",
        "",
        f"Prices in ns, fitted to {len(costs.timed)} timed sets, {100 * costs.within:.0f} % of them within 10 %:",
        ", ".join(f"{name} {price:.1f}" for name, price in zip(NAMES, costs.prices, strict=True)) + ".",
        "",
    ]
    text += header("templates", "features", "ns a word", "LAS develop", "LAS report")
    for one in found.discovery.front:
        scores = [f"{100 * one.results[name]['las'].score:.2f}" for name in ("develop", "report")]
        used = len({term for template in one.templates for term in template.terms})
        text.append(line(str(len(one.templates)), str(used), f"{one.cost:.0f}", *scores))
    text += ["", "The answer:", "", *(f"- {note}" for note in found.notes)]
    write_report(HERE / "budget.md", text)
    place = folder(HERE / "budget.md")
    (place / "budget.templates").write_text(found.text(), encoding="utf-8")
    plot_front(
        [(one.cost or 0.0, one.score) for one in found.discovery.front],
        place / "budget.png",
        cost="nanoseconds a word",
        metric="las",
    )


if __name__ == "__main__":
    main()
