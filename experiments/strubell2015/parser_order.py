"""The order of templates for strubell2015's own parser: the wrapper under the paper's truncated loss.

    python -m experiments.strubell2015.parser_order [--data DIR] [--processes 1] [--sentences 1000] [--margin 10] [--rate 0.3]

Orders the 60 templates of parser.templates for the list-based system, moves and labels as one class, on so many sentences
spread over UD English EWT with jackknifed tags, searching with the decisions along the gold paths of half as many of the
first half of the development set. Writes parser-order.templates beside itself. What was computed stays in build/parser_order.jsonl. Needs
the treebank.
"""

from __future__ import annotations

from experiments.common import arguments
from experiments.parsers.orders import spread
from experiments.strubell2015.paper_order import learned_order
from experiments.strubell2015.table2 import HERE, TUNED, corpora, paper_config
from laconic.learn import Settings
from laconic.search import ParserTrainable, Wrapper, halves


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--margin", type=float, default=10.0, help="of the truncated loss; the scale of scores is free")
    parser.add_argument("--rate", type=float, default=0.3)
    chosen = parser.parse_args()
    train, dev = corpora(chosen.data, TUNED)
    settings = Settings(mode="truncated", margin=chosen.margin, rate=chosen.rate)
    config = paper_config(settings, TUNED, templates=HERE / "parser.templates")
    judged = spread(halves(dev)[0], chosen.sentences // 2)
    source = ParserTrainable(config, spread(train, chosen.sentences), judged)
    found = learned_order(source, Wrapper(epochs=2, finalists=4), "parser_order", chosen.processes)
    found.write(HERE / "parser-order.templates", "Moves and labels of a list-based parser by strubell2015's own loss.")


if __name__ == "__main__":
    main()
