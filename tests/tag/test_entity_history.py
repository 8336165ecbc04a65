from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic._core.tag import History
from laconic.corpus import Doc
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.tag import EntityConfig, EntityTagger

NONE = 65535


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 4)), max_size=60),
    st.integers(0, 1100),
    st.integers(0, 60),
)
@settings(deadline=None)
def test_history_is_what_counting_the_last_thousand_words_gives(
    noted: list[tuple[str, int]], gap: int, cut: int
) -> None:
    history = History(5)
    labelled: list[tuple[str, int] | None] = []
    for number, (form, label) in enumerate(noted):
        if number == cut:
            history.start()
            labelled = []
        history.note(form, label)
        history.pass_word()
        labelled.append((form, label))
        if number == 10:
            for _ in range(gap):
                history.pass_word()
            labelled += [None] * gap
    for form in "abcd":
        seen = [one[1] for one in labelled[-History.window :] if one is not None and one[0] == form]
        most = [y for y in range(5) if seen and seen.count(y) == max(map(seen.count, seen))]
        assert history.seen(form) == (NONE if not seen else seen[-1] if seen[-1] in most else most[0])


def test_history_stays_right_over_many_forms_that_come_and_go() -> None:
    draw = random.Random(5)
    history, labelled = History(4), list[tuple[str, int]]()
    for number in range(6000):
        form, label = f"w{int(draw.paretovariate(0.7)) % 3000}", draw.randrange(4)
        history.note(form, label)
        history.pass_word()
        labelled.append((form, label))
        if number % 97 == 0:
            asked = f"w{draw.randrange(50)}"
            seen = [y for one, y in labelled[-History.window :] if one == asked]
            most = [y for y in range(4) if seen and seen.count(y) == max(map(seen.count, seen))]
            assert history.seen(asked) == (NONE if not seen else seen[-1] if seen[-1] in most else most[0])


def test_history_reaches_back_a_thousand_words_and_no_farther() -> None:
    history = History(3)
    history.note("Ada", 2)
    history.pass_word()
    for _ in range(999):
        assert history.seen("Ada") == 2
        history.note("x", 1)
        history.pass_word()
    assert history.seen("Ada") == 2
    history.pass_word()
    assert history.seen("Ada") == NONE


def history_reader() -> EntityTagger:
    """A recogniser that knows Mr. and, for all other words, believes what it said before."""
    words = [["Mr.", name, "here"] for name in "ABCDEF"] + [[name, "here"] for name in "ABCDEF"]
    words = [row for i in range(6) for row in (words[i], words[i + 6], ["Q", "there"])] * 4
    tags = [["NER=O", "NER=B-PER", "NER=O"] if len(row) == 3 else ["NER=B-PER", "NER=O"] for row in words]
    tags = [["NER=O", "NER=O"] if row[0] == "Q" else tag for row, tag in zip(words, tags, strict=True)]
    templates = "LEX(TOKEN-1)\nSEEN(TOKEN)"
    config = EntityConfig(
        templates=templates,
        settings=Settings(cutoff=1, epochs=20),
        history_folds=0,
        folds=0,
        lexicon_minimum=1,
        outside_minimum=10**9,
    )
    comments = [["# newdoc"] if i % 3 == 0 else [] for i in range(len(words))]
    return finished(EntityTagger.fit(config, TrainingData(Doc.from_words(words, misc=tags, comments=comments))))


def test_what_was_said_of_a_word_is_forgotten_at_the_next_document_and_carried_between_its_pieces() -> None:
    tagger = history_reader()
    first = Doc.from_words([["Mr.", "Zed", "here"]])
    again = Doc.from_words([["Zed", "here"]])
    fresh = Doc.from_words([["Zed", "here"]], comments=[["# newdoc id = 2"]])

    def labels_after(*docs: Doc) -> list[str]:
        history = tagger.document_state()
        for doc in docs:
            labels, _ = tagger.predict(doc, history)
        return [tagger.labels[y] for y in labels]

    assert labels_after(first) == ["O", "U-PER", "O"]
    assert labels_after(again) == ["O", "O"]
    assert labels_after(first, again) == ["U-PER", "O"]
    assert labels_after(first, fresh) == ["O", "O"]
    assert labels_after(first, Doc.from_words([["x"] * 998]), again) == ["U-PER", "O"]
    assert labels_after(first, Doc.from_words([["x"] * 999]), again) == ["O", "O"]


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 4), st.booleans()), max_size=3000), st.data())
@settings(max_examples=30)
def test_a_history_that_was_kept_goes_on_as_if_it_had_stayed(
    words: list[tuple[str, int, bool]], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(words)))
    stayed, left = History(5), History(5)
    for number, (form, label, noted) in enumerate(words):
        if number == cut:
            other = History(5)
            other.note("z", 1)  # what it held before is forgotten
            other.restore(*left.kept())
            left = other
        for history in (stayed, left):
            if noted:
                history.note(form, label)
            history.pass_word()
        assert [stayed.seen(c) for c in "abcdefghz"] == [left.seen(c) for c in "abcdefghz"]


def test_notes_that_are_no_history_are_refused() -> None:
    forms = np.zeros(2, np.uint64)
    for labels, ages in (([0, 9], [2, 1]), ([0, 0], [1, 2]), ([0, 0], [1001, 1])):
        with pytest.raises(ValueError, match="no history"):
            History(5).restore(forms, np.array(labels, np.uint16), np.array(ages, np.uint16))
