"""Sentences and tokens of lists of hard cases.

``segmentation_cases.txt``: 200 lines written for this test. White space ends a token, ``|`` ends one where there is
none, ``‖`` ends a sentence, ``⏎`` is a line end. The text is the line without these marks.
``typographic_cases.txt``: the same for the dashes, quotes and apostrophes of typeset text, and for abbreviations before
small letters, written when a model trained on a treebank without such text had 35 of 59 wrong.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import laconic
from laconic.corpus import Doc


def cases(name: str) -> list[str]:
    lines = Path(__file__).with_name(f"{name}_cases.txt").read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("# ")]


def text_of(case: str) -> str:
    return case.replace("|", "").replace("‖", "").replace("⏎", "\n")


def wanted(case: str) -> list[list[str]]:
    sentences = case.replace("⏎", "\n").split("‖")
    return [part.replace("|", " ").split() for part in sentences]


def found(doc: Doc) -> list[list[str]]:
    """The tokens of each sentence, as written."""
    starts, ends = doc.starts.tolist(), doc.ends.tolist()
    sentences = []
    for sentence in doc.sentences:
        tokens = {word: (starts[word], ends[word]) for word, _ in enumerate(sentence.words, sentence.begin)}
        for token in sentence.multiword_tokens:
            words = range(sentence.begin + token.first - 1, sentence.begin + token.last)
            span = (starts[words[0]], max(ends[word] for word in words))
            tokens |= dict.fromkeys(words, span)
        sentences.append([doc.text[start:end] for start, end in sorted(set(tokens.values()))])
    return sentences


@pytest.mark.parametrize(("name", "count", "most_wrong"), [("segmentation", 200, 20), ("typographic", 59, 3)])
def test_the_english_model_segments_hard_cases(name: str, count: int, most_wrong: int) -> None:
    segmenter = laconic.load("en").components["segmenter"]
    wrong = [case for case in cases(name) if found(segmenter(text_of(case))) != wanted(case)]
    assert len(cases(name)) == count
    assert len(wrong) <= most_wrong, wrong
