"""Sentences and tokens of a list of hard cases.

``segmentation_cases.txt``: 200 lines written for this test. White space ends a token, ``|`` ends one where there is
none, ``‖`` ends a sentence, ``⏎`` is a line end. The text is the line without these marks.
"""

from __future__ import annotations

from pathlib import Path

import laconic
from laconic.corpus import Doc

LINES = Path(__file__).with_name("segmentation_cases.txt").read_text("utf-8").splitlines()
CASES = [line for line in LINES if not line.startswith("# ")]


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


def test_the_english_model_segments_hard_cases() -> None:
    segmenter = laconic.load("en").components["segmenter"]
    wrong = [case for case in CASES if found(segmenter(text_of(case))) != wanted(case)]
    assert len(CASES) == 200
    assert len(wrong) <= 20, wrong
