from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.text import Segmenter, SegmenterConfig
from laconic.text.augment import made_text, read_abbreviations

NAMES = ["Ann", "Bob", "Eve", "Tom", "Kim", "Lund", "Reyes", "Hale"]
VERBS = ["saw", "met", "called", "asked", "heard"]
THINGS = ["dog", "boat", "ferry", "harbour", "letter", "house"]


def treebank(count: int, seed: int) -> Doc:
    source = np.random.default_rng(seed)
    words, upos, misc = [], [], []
    for _ in range(count):
        name, other = source.choice(NAMES, 2)
        verb, thing = source.choice(VERBS), source.choice(THINGS)
        if source.random() < 0.5:
            words.append([name, verb, "the", thing, "."])
            upos.append(["PROPN", "VERB", "DET", "NOUN", "PUNCT"])
        else:
            words.append([name, verb, other, "."])
            upos.append(["PROPN", "VERB", "PROPN", "PUNCT"])
        misc.append(["_"] * (len(words[-1]) - 2) + ["SpaceAfter=No", "_"])
    return Doc.from_words(words, upos=upos, misc=misc)


DOC = treebank(400, 1)


def test_made_text_has_lines_and_knows_its_sources() -> None:
    made = made_text(DOC, 1.0, read_abbreviations("en"), 1)
    assert made is not None
    assert len(made.sources) == len(made.doc.sentences)
    assert set(made.sources) <= set(range(400))
    assert "\n" in made.doc.text
    again = made_text(DOC, 1.0, read_abbreviations("en"), 1)
    assert again is not None
    assert again.doc.text == made.doc.text
    assert made_text(DOC, 0.0, {}, 1) is None


def test_a_segmenter_learns_lines_and_abbreviations_from_it() -> None:
    # One paragraph each, so that every way of laying text out is drawn.
    doc = Doc.from_conllu(
        "".join("# newpar\n" + s for s in DOC.to_conllu().split("\n\n") for s in [s + "\n\n"] if s.strip())
    )
    settings = SegmenterConfig().settings
    config = SegmenterConfig(
        made_share=1.0,
        abbreviations="en",
        folds=0,
        settings=Settings(epochs=settings.epochs, exits=settings.exits, margin=settings.margin, l2=settings.l2),
    )
    segmenter = finished(Segmenter.fit(config, TrainingData(doc)))

    def sentences(text: str) -> list[str]:
        found = segmenter(text)
        return [" ".join(sentence.words) for sentence in found.sentences]

    assert sentences("Ann saw the dog\nBob met Eve") == ["Ann saw the dog", "Bob met Eve"]
    assert sentences("Ann met Prof. Reyes.") == ["Ann met Prof. Reyes ."]


def test_made_text_has_quotes_dashes_and_typeset_marks() -> None:
    words = [["Ann", ",", "Bob", "and", "Eve", "called", '"', "Tom", '"', "..."]] * 300
    misc = [["SpaceAfter=No", "_", "_", "_", "_", "_", "SpaceAfter=No", "SpaceAfter=No", "SpaceAfter=No", "_"]] * 300
    upos = [["PROPN", "PUNCT", "PROPN", "CCONJ", "PROPN", "VERB", "PUNCT", "PROPN", "PUNCT", "PUNCT"]] * 300
    made = made_text(Doc.from_words(words, upos=upos, misc=misc), 1.0, read_abbreviations("en"), 1)
    quoted = made_text(DOC, 1.0, {}, 1)
    assert made is not None
    assert quoted is not None
    for part in ("Ann\u2014Bob", "Ann--Bob", "Ann \u2013 Bob", "\u201cTom\u201d\u2026", "\u2018Tom\u2019\u2026"):
        assert part in made.doc.text
    assert set(made.doc.strings("form")) >= {"\u2014", "\u2018", "\u201c", "\u2026", "Bob", "O\u2019Bob"}
    for opening, closing in (("\u201c", "\u201d"), ("\u2018", "\u2019"), ('"', '"')):
        both = [sentence for sentence in quoted.doc.sentences if opening in sentence.words]
        assert both
        assert all(closing in sentence.words for sentence in both)


def test_bad_lists_and_shares_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no list of abbreviations 'xx': give one of en"):
        read_abbreviations("xx")
    path = tmp_path / "mine.txt"
    path.write_text("# mine\nbefore-name: Hr. Fr.\nsomewhere: x.\n", "utf-8")
    with pytest.raises(InputError, match="before-name") as caught:
        read_abbreviations(str(path))
    assert caught.value.line == 3
    path.write_text("before-name: Hr. Fr.\n", "utf-8")
    assert read_abbreviations(str(path)) == {"before-name": ["Hr.", "Fr."]}
    with pytest.raises(ConfigError, match="made_share"):
        SegmenterConfig(made_share=1.5)
