"""Emoji that training did not show get one part of speech, if a setting says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

import laconic
from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.tag import Tagger, TaggerConfig
from laconic.tag.emoji import emoji

CONFIG = TaggerConfig(settings=Settings(epochs=2, cutoff=1), lexicon_minimum=1, folds=0)


def small_doc() -> Doc:
    rows = [("We", "PRON"), ("saw", "VERB"), ("5", "NUM"), ("%", "SYM"), ("⭐", "NOUN"), (".", "PUNCT")]
    lines = [f"{i}\t{form}\t_\t{upos}\t_\t_\t_\t_\t_\t_" for i, (form, upos) in enumerate(rows, 1)]
    return Doc.from_conllu("\n".join(lines) + "\n\n")


def tags(tagger: Tagger, words: list[str]) -> list[str]:
    doc = Doc.from_words([words])
    tagger.apply(doc)
    return doc.strings("upos")


def test_only_emoji_that_training_did_not_show_are_symbols() -> None:
    data = TrainingData(small_doc())
    tagger = finished(Tagger.fit(replace(CONFIG, emoji="SYM"), data))
    found = tags(tagger, ["We", "😀", "👍🏽", "🇪🇺", "☀️", "⭐", "."])
    assert found[1:6] == ["SYM"] * 4 + ["NOUN"]
    assert "😀" not in finished(Tagger.fit(CONFIG, data)).lexicon.forms
    again = Tagger.from_state(*tagger.state())
    assert tags(again, ["We", "😀"]) == tags(tagger, ["We", "😀"])
    assert set(emoji()) <= set(again.lexicon.forms)


def test_a_part_of_speech_that_nothing_has_is_refused() -> None:
    with pytest.raises(ConfigError, match="no such upos"):
        finished(Tagger.fit(replace(CONFIG, emoji="EMO"), TrainingData(small_doc())))


def test_each_emoji_is_named_once() -> None:
    every = list(emoji())
    assert len(every) == len(set(every))
    assert not any(one.isalnum() or one in "❝❞★✓" for one in every)


@pytest.mark.parametrize("effort", ["beam", "full", "balanced", "fast"])
def test_currencies_and_emoji_are_symbols_in_english(effort: str) -> None:
    nlp = laconic.load("en").at(effort)
    text = "It costs € 5. Pay £20 now. I paid ¥ 3000. I love it 😀 Great 👍 thanks! We 🍕 and 🍺 all day. 👍🏽 ❤️"
    found = {word.text: word.upos for word in nlp(text)}
    signs = ["€", "£", "¥", "😀", "👍", "🍕", "🍺", "👍🏽", "❤️"]
    assert {sign: found.get(sign) for sign in signs} == dict.fromkeys(signs, "SYM")


@pytest.mark.parametrize("effort", ["beam", "full", "balanced", "fast"])
def test_the_sentences_of_the_readme_read_right(effort: str) -> None:
    nlp = laconic.load("en").at(effort)
    assert [word.upos for word in nlp("The ferry leaves.")] == ["DET", "NOUN", "VERB", "PUNCT"]
    found = nlp("The ferry to the islands leaves at noon.")
    assert [word.upos for word in found] == ["DET", "NOUN", "ADP", "DET", "NOUN", "VERB", "ADP", "NOUN", "PUNCT"]
    assert [word.deprel for word in found] == ["det", "nsubj", "case", "det", "nmod", "root", "case", "obl", "punct"]
