"""The order of templates for strubell2015's own model: the wrapper under the paper's truncated loss.

    python -m experiments.strubell2015.paper_order [--data DIR] [--processes 1] [--margin 10] [--rate 0.3]

Orders the 46 templates of hand.templates on UD English EWT, searching with the first half of the development set, and
writes order-paper.templates beside itself. Unlike the orders of orders.py, templates that read the form alone do not stand
first: under this loss a template that separates the training data takes what those behind it would have learned, and the
form alone separates much of it. What was computed stays in build/paper_order.jsonl. Needs the treebank.
"""

from __future__ import annotations

import sys
from pathlib import Path

from experiments.common import arguments, treebank
from laconic.features import kind, read_set
from laconic.learn import Settings
from laconic.progress import finished
from laconic.search import Order, PoolSource, SearchProgress, TaggerTrainable, Wrapper, halves, order
from laconic.tag import TaggerConfig
from laconic.tag.form_templates import form_first, form_template_count

HERE = Path(__file__).resolve().parent


def context_first() -> str:
    """The templates, those behind that read the form alone: a tagger reads such ones at one go where they stand first."""
    templates = form_first(read_set(HERE / "hand.templates", kind("token")))
    lines = [str(template) for template in templates]
    alone = form_template_count(templates)
    return "\n".join((*lines[alone:], *lines[:alone]))


def show(step: SearchProgress) -> None:
    print(f"\r{step.what}, {100 * step.done / step.of:.0f} %        ", end="", file=sys.stderr, flush=True)


def learned_order(source: PoolSource, wrapper: Wrapper, name: str, processes: int) -> Order:
    """What the wrapper makes of the templates of a pool, for the script of that name, whose journal keeps it."""
    journal = Path("build") / f"{name}.jsonl"
    journal.parent.mkdir(exist_ok=True)
    made_by = f"python -m experiments.strubell2015.{name}"
    found = finished(order(source, wrapper, journal=journal, processes=processes, command=made_by), show)
    print(file=sys.stderr)
    return found


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--margin", type=float, default=10.0, help="of the truncated loss; the scale of scores is free")
    parser.add_argument("--rate", type=float, default=0.3)
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, "en_ewt")
    settings = Settings(mode="truncated", margin=chosen.margin, rate=chosen.rate)
    config = TaggerConfig(templates=context_first(), settings=settings, folds=0)
    source = TaggerTrainable(config, train, halves(dev)[0])
    found = learned_order(source, Wrapper(), "paper_order", chosen.processes)
    found.write(HERE / "order-paper.templates", "Part-of-speech tagging by strubell2015's own loss.")


if __name__ == "__main__":
    main()
