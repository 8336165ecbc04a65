"""How sharp the scores are that look-ahead adds up, as a share of the calibrated temperature: temperature.md beside this file.

python -m experiments.parsers.temperature [--data PATH] [--sentences N] [treebank ...]
"""

from __future__ import annotations

from pathlib import Path

from experiments.chang2007.stages import FEATURES, LEARNERS, fit_stages, options
from experiments.common import command, treebank, write_report
from experiments.tables import change, header, line
from laconic.corpus import Doc
from laconic.evaluate import Scores, evaluate_conllx
from laconic.transition import LookAhead, Parser

DEPTH = 3
SHARES = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0)


def parser_scores(parser: Parser, gold: Doc) -> Scores:
    guess = gold.sentences[:]
    parser.apply(guess)
    return evaluate_conllx(gold, guess)


def main() -> None:
    chosen = options(__doc__, ("sv_talbanken", "en_ewt", "en_ptb_sample"))
    lines = [
        "# The temperature of look-ahead",
        "",
        f"Written by {command()}:",
        f"the change of UAS that looking {DEPTH} moves ahead brings to a greedy step-back parser, by the share of the calibrated",
        "temperature that its softmax has. Development sets, given tags, scored as in CoNLL-X, 95 % intervals by paired bootstrap",
        "over sentences. A calibrated score says how probable a head is to be right, earlier mistakes included, and so is",
        "flatter than the chance of the move itself.",
        "",
        *header("treebank", "sentences", "learner", "greedy UAS", *(f"{share:g}" for share in SHARES)),
    ]
    for name in chosen.treebanks:
        train, dev = treebank(chosen.data, name, chosen.sentences)
        for learner in LEARNERS:
            parser = fit_stages("left", learner, train, templates=FEATURES["all"])
            greedy = parser_scores(parser, dev)
            ahead = [parser_scores(parser.searching(LookAhead(DEPTH, temper=share)), dev) for share in SHARES]
            cells = [change(greedy, some, "UAS") for some in ahead]
            lines.append(line(name, f"{len(train.sentences):,}", learner, f"{greedy['UAS'].f1:.2f}", *cells))
            write_report(Path(__file__).parent / "temperature.md", lines)


if __name__ == "__main__":
    main()
