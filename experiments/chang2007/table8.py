"""Table 8 of chang2007: WaitLeft and look-ahead on Swedish, scored as in CoNLL-X: table8.md.

python -m experiments.chang2007.table8 [--data PATH] [--sentences N] [treebank ...]
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

from experiments.chang2007.stages import FEATURES, LEARNERS, fit_stages, options, parsed
from experiments.chang2007.table7 import labeled_scores
from experiments.common import command, treebank, write_report
from experiments.tables import cell, change, header, line
from laconic.label import Labeler, LabelerConfig
from laconic.learn import TrainingData
from laconic.progress import finished

DEPTH = 3


def main() -> None:
    chosen = options(__doc__, ("sv_talbanken",))
    lines = [
        "# WaitLeft and look-ahead on Swedish",
        "",
        f"Written by {command()}: development set, given tags, scored as in CoNLL-X, labels by",
        "the second stage, 95 % intervals by bootstrap over sentences; changes are paired, each against the row above.",
        "`no history`: all features but the last moves. The paper: 87.95 and 81.48, 88.47 and 81.82, 89.07 and 82.31 on the CoNLL-X treebank.",
        "",
        *header("treebank", "learner", "features", "method", "UAS", "LAS", "change of UAS", "change of LAS"),
    ]
    for name in chosen.treebanks:
        train, dev = treebank(chosen.data, name, chosen.sentences)
        labeler = finished(Labeler.fit(replace(LabelerConfig(), folds=0), TrainingData(train)))
        for learner, (features, templates) in itertools.product(LEARNERS, FEATURES.items()):
            plain, waits = (fit_stages(waits, learner, train, None, templates) for waits in ("none", "left"))
            scores = {
                "without WaitLeft": labeled_scores(labeler, dev, parsed(plain, 1, dev)),
                "with WaitLeft": labeled_scores(labeler, dev, parsed(waits, 1, dev)),
                f"with WaitLeft, depth {DEPTH}": labeled_scores(labeler, dev, parsed(waits, DEPTH, dev)),
            }
            before = None
            for method, some in scores.items():
                gains = [change(before, some, metric) if before else "" for metric in ("UAS", "LAS")]
                cells = [cell(some, metric) for metric in ("UAS", "LAS")]
                lines.append(line(name, learner, features, method, *cells, *gains))
                before = some
            write_report(Path(__file__).parent / "table8.md", lines)


if __name__ == "__main__":
    main()
