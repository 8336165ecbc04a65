"""How sure a teacher was of a sentence: comments made from what MISC says of its words."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from laconic.corpus import Doc
from laconic.evaluate.columns import tags_of

COMMENTS = {"TagConf": "conf_tags", "LemmaConf": "conf_lemmas", "ArcConf": "conf_tree"}
"""For each entry of MISC the comment that holds the mean of the logarithms over the words of a sentence."""
LEAST = 0.0005
"""Probabilities in MISC are thousandths: what is rounded to none is half of one."""


def comment_confidences(doc: Doc) -> None:
    """Tell in the comments of each sentence how sure the teacher was of its words on average; what was told there
    before is replaced. Nothing is told where a word has no confidence. Linear."""
    means = {name: found for key, name in COMMENTS.items() if (found := _means(doc, key)) is not None}
    known = tuple(f"# {name} =" for name in COMMENTS.values())
    doc.columns.set_comments(
        [
            [line for line in lines if not line.startswith(known)]
            + [f"# {name} = {values[number]:.4f}" for name, values in means.items()]
            for number, lines in enumerate(doc.comments)
        ]
    )


def _means(doc: Doc, key: str) -> npt.NDArray[np.float64] | None:
    codes, values = tags_of(doc, key)
    if not len(doc) or "_" in values:
        return None
    logs = np.log(np.maximum(np.array([float(value) for value in values]), LEAST))[codes]
    starts = doc.sentence_starts.astype(np.int64)
    means: npt.NDArray[np.float64] = np.add.reduceat(logs, starts[:-1]) / np.diff(starts)
    return means
