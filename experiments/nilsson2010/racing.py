"""What rejection in a first round of heats and warm starts save, and what they change.

    python -m experiments.nilsson2010.racing [--score las] [--sentences 1000] [--generations 8] [--beam 4] [--data DIR]

Swedish Talbanken, the parser of the paper, one process. Every search is made with nothing computed before it; those that
are done are kept in build. Writes racing.md beside itself. Needs the treebanks.
"""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from pathlib import Path

from experiments.common import arguments, command, journal, write_report
from experiments.nilsson2010.data import paper_parser
from experiments.tables import header, line
from laconic.features import TemplateSet, expand_pairs, load_neighbours, parse_set
from laconic.progress import finished
from laconic.search import DiscoverySettings, HashedSettings, discover
from laconic.search.journal import key
from laconic.search.source import DEVELOP, SetResult

HERE = Path(__file__).resolve().parent


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--score", choices=("uas", "las"), default="las")
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--generations", type=int, default=8)
    parser.add_argument("--beam", type=int, default=4)
    chosen = parser.parse_args()
    rules = load_neighbours("nilsson2010")
    plain = DiscoverySettings(beam=chosen.beam, generations=chosen.generations, threshold=-1.0, audit=0, early=1.0)
    early, warm = replace(plain, early=0.25), HashedSettings(warm_epochs=2)
    searches = {
        "one round of heats, from zero": (plain, HashedSettings()),
        "two rounds": (early, HashedSettings()),
        "one round, warm starts": (plain, warm),
        "two rounds, warm starts": (early, warm),
    }
    text = [
        "# What early rejection and warm starts save",
        "",
        f"Written by {command()}: Swedish Talbanken, {chosen.sentences:,} sentences, of which nine tenths train; by",
        f"{chosen.score.upper()}, beam {chosen.beam}, {chosen.generations} generations. Scores are of the best set at the end, trained from",
        "zero in all cases; its difference to that of the first search is paired, on the treebank's own development set.",
        "",
    ]
    text += header("search", "CPU, s", "develop", "test", "difference on test", "features shared with the first")
    known = journal("racing")
    cold = paper_parser(chosen.data, "swedish", chosen.score, rules, chosen.sentences)
    first: tuple[TemplateSet, SetResult] | None = None
    for name, (settings, hashed) in searches.items():
        source = paper_parser(chosen.data, "swedish", chosen.score, rules, chosen.sentences, hashed)
        about = key(source.digest, asdict(settings), asdict(hashed))
        if about not in known:
            begun = time.process_time()
            found = finished(discover(source, rules, settings, processes=1))
            seconds = time.process_time() - begun
            known.put(about, [seconds, str(found.features(chosen.generations))])
        seconds, features = known[about]
        own = parse_set(features, rules.kind)
        result = cold.final(expand_pairs(own), False)
        first = first or (own, result)
        gain, error = result["test"][chosen.score].gain(first[1]["test"][chosen.score])
        scores = [f"{100 * result[doc][chosen.score].score:.2f}" for doc in (DEVELOP, "test")]
        shared = f"{len({*own} & {*first[0]})} of {chosen.generations}"
        text.append(line(name, f"{seconds:.1f}", *scores, f"{100 * gain:+.2f} ± {100 * error:.2f}", shared))
        print(text[-1], flush=True)
    write_report(HERE / "racing.md", text)


if __name__ == "__main__":
    main()
