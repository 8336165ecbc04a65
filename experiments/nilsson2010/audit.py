"""What racing costs: a greedy search in which every candidate is trained in full, beside the same search with screening
and heats.

    python -m experiments.nilsson2010.audit [--sentences 600] [--generations 6] [--beam 1] [--data DIR]

Swedish Talbanken for UAS, the parser of the paper. Writes audit.md beside itself. Needs the treebanks.
"""

from __future__ import annotations

import time
from pathlib import Path

from experiments.common import arguments, command, write_report
from experiments.nilsson2010.data import paper_name, paper_parser
from experiments.tables import header, line
from laconic.features import load_neighbours
from laconic.features.language import print_term
from laconic.progress import finished
from laconic.search import Discovery, DiscoverySettings, discover

HERE = Path(__file__).resolve().parent
ALL = 10_000.0


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sentences", type=int, default=600)
    parser.add_argument("--generations", type=int, default=6)
    parser.add_argument("--beam", type=int, default=1)
    chosen = parser.parse_args()
    rules = load_neighbours("nilsson2010")
    common = {"beam": chosen.beam, "generations": chosen.generations, "threshold": -1.0}
    searches = {
        "exhaustive": DiscoverySettings(**common, heats=ALL, finals=ALL, audit=0),
        "racing": DiscoverySettings(**common),
    }
    found: dict[str, Discovery] = {}
    seconds: dict[str, float] = {}
    for name, settings in searches.items():
        source = paper_parser(chosen.data, "swedish", "uas", rules, chosen.sentences)
        begun = time.process_time()
        found[name] = finished(discover(source, rules, settings, processes=1))
        seconds[name] = time.process_time() - begun
    text = [
        "# Racing against training every candidate",
        "",
        f"Written by {command()}: Swedish Talbanken, {len(source.train.sentences):,} training sentences, UAS, beam",
        f"{chosen.beam}. `exhaustive` trains every candidate in full, `racing` screens, runs heats, and trains few.",
        "",
    ]
    text += header(
        "generation", "candidates", *(f"{name}: new feature" for name in found), *(f"{name}: UAS dev" for name in found),
        *(f"{name}: UAS test" for name in found),
    )  # fmt: skip
    for number in range(1, chosen.generations + 1):
        some = [one.generations[number - 1] for one in found.values()]
        new = [paper_name(print_term(one.features[-1], rules.kind)) for one in some]
        scores = [[100 * one.results[doc]["uas"].score for one in some] for doc in ("develop", "test")]
        cells = [f"{score:.2f}" for part in scores for score in part]
        text.append(line(str(number), str(some[0].candidates), *new, *cells))
    racing, exhaustive = found["racing"], found["exhaustive"]
    gain, error = racing.result(chosen.generations).gain(exhaustive.result(chosen.generations))
    drawn, missed = racing.audited
    relations = ", ".join(f"{name} {value:.2f}" for name, value in racing.correlations().items())
    text += [
        "",
        f"At the end racing is {100 * gain:+.2f} points of UAS away from the exhaustive search (standard error",
        f"{100 * error:.2f}), in {seconds['racing']:.0f} in place of {seconds['exhaustive']:.0f} seconds of CPU. Of {drawn}",
        f"sets that screening rejected and that were trained to check it, {missed} would have entered the beam; rank",
        f"correlations with finals: {relations}.",
    ]
    write_report(HERE / "audit.md", text)


if __name__ == "__main__":
    main()
