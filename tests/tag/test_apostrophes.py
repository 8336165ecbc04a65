"""Typographic apostrophes (U+2019), which few treebanks have, are read as those of a typewriter."""

from __future__ import annotations

import pytest

from laconic import load

TEXT = "They're late, we've gone, I'm sure she'll win, he'd go, it's John's, and they can't wait."


@pytest.mark.parametrize("effort", ["full", "balanced", "fast"])
def test_words_tags_and_lemmas_are_those_of_straight_apostrophes(effort: str) -> None:
    nlp = load("en").at(effort)
    straight, curly = nlp(TEXT), nlp(TEXT.replace("'", "\u2019"))
    assert [form.replace("\u2019", "'") for form in curly.strings("form")] == straight.strings("form")
    assert curly.strings("upos") == straight.strings("upos")
    assert [lemma.replace("\u2019", "'") for lemma in curly.strings("lemma")] == straight.strings("lemma")


def test_the_text_keeps_its_apostrophes() -> None:
    text = TEXT.replace("'", "\u2019")
    assert load("en")(text).text == text
