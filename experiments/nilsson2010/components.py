"""Discovered sets beside the shipped ones, for the components that a tree is given to or comes from arc by arc.

    python -m experiments.nilsson2010.components [COMPONENT…] [--treebank sv_talbanken] [--sentences 500]
                                                 [--generations 6] [--beam 2] [--data DIR]

Labelers are scored by labels on the trees of the treebank, the graph parser (linear rows) by UAS; tags of the treebank.
The search sees the first half of the development set; both sets are trained in the ordinary way and compared on the
second half. Keeps a journal in build. Writes components.md beside itself. Needs the treebanks.
"""

from __future__ import annotations

import time
from pathlib import Path

from experiments.common import arguments, command, treebank, write_report
from experiments.tables import header, line
from laconic.features import load_neighbours
from laconic.pipeline import TrainConfig, with_settings
from laconic.progress import finished
from laconic.search import DiscoverySettings, Journal, TrialRunner, discover, halves
from laconic.search.components import Documents, discoverable
from laconic.search.racing import Final

HERE = Path(__file__).resolve().parent
COMPONENTS = ("labeler", "tensor_labeler", "graph")


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("components", nargs="*", choices=[*COMPONENTS, []], default=[], help="else all")
    parser.add_argument("--treebank", default="sv_talbanken")
    parser.add_argument("--sentences", type=int, default=500)
    parser.add_argument("--generations", type=int, default=6)
    parser.add_argument("--beam", type=int, default=2)
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, chosen.treebank, chosen.sentences)
    searched, reported = halves(dev)
    settings = DiscoverySettings(beam=chosen.beam, generations=chosen.generations, threshold=-1.0, audit=0)
    Path("build").mkdir(exist_ok=True)
    journal = Path("build") / "components.jsonl"
    text = [
        "# Discovered sets for labelers and the graph parser",
        "",
        f"Written by {command()}: {chosen.treebank}, {len(train.sentences):,} training sentences, beam {chosen.beam}, {chosen.generations} generations;",
        "rules of the component's context kind. Scores are on the second half of the development set, which the search did",
        "not see; differences are paired, with their standard errors. Seconds are of CPU, with one process.",
        "",
    ]
    text += header(
        "component", "score", "shipped: templates", "shipped", "discovered: templates", "discovered", "difference",
        "CPU, s", "features",
    )  # fmt: skip
    for name in chosen.components or COMPONENTS:
        one = discoverable(name)
        config = with_settings(TrainConfig(train=Path("train")), one.given).of(name)
        rules = load_neighbours(one.kind(config).name)
        source = one.source(config, rules, one.scores[0], Documents(train, searched, {"report": reported}))
        begun = time.process_time()
        found = finished(discover(source, rules, settings, journal=journal, processes=1))
        seconds = time.process_time() - begun
        shipped, own = config.template_set(), found.templates(found.best)
        with TrialRunner.open(source, Journal(journal), 1) as runner:
            results = finished(runner.results([Final(shipped), Final(own)]))
        before, after = (result["report"][source.metric] for result in results)
        gain, error = after.gain(before)
        text.append(
            line(
                name,
                source.metric,
                str(len(shipped)),
                f"{100 * before.score:.2f}",
                str(len(own)),
                f"{100 * after.score:.2f}",
                f"{100 * gain:+.2f} ± {100 * error:.2f}",
                f"{seconds:.0f}",
                " ".join(f"`{template}`" for template in found.features(found.best)),
            )
        )
        print(text[-1], flush=True)
    write_report(HERE / "components.md", text)


if __name__ == "__main__":
    main()
