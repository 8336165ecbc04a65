from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic._core import features as core
from laconic.features.compile import ATTRIBUTES

from . import oracle

# Letters, digits, marks and signs of several scripts, upper and lower, close enough together to make words of.
ALPHABET = st.sampled_from("aBcDéÉßİıΣσжЖאب漢ひカ한ก1٣½-‐'.,$€«\u0301\u0327 \u00a0\u200d🎉Ǆǅ")
known_to_both = st.characters(codec="utf-8").filter(
    lambda char: unicodedata.unidata_version == core.UNICODE_VERSION or core.code_point(ord(char))[0] != "other"
)
NAMES = st.text("ABCab[]", min_size=1, max_size=4)
PINNED = [2502890737, 984460854, 259277728, 915583205, 3666115647, 2612700156]
forms = st.text(ALPHABET, max_size=20) | st.text(known_to_both, max_size=20)


def word_atom(form: str, attribute: str, number: int = 0) -> int:
    return core.word_atom(form, ATTRIBUTES[attribute], number)


@given(st.text(max_size=40))
def test_an_atom_is_the_stable_hash_of_its_text(text: str) -> None:
    assert core.atom(text) == oracle.atom(text)


def test_atoms_are_what_they_were_when_models_were_saved() -> None:
    assert [core.atom(text) for text in ("", "a", "the", "Laconic", "running", "twelve bytes")] == PINNED


@given(forms, st.integers(1, 5))
def test_affixes_are_lower_cased_characters_or_nothing_if_the_word_is_shorter(form: str, size: int) -> None:
    assert word_atom(form, "PREFIX", size) == oracle.affix(form, size, suffix=False)
    assert word_atom(form, "SUFFIX", size) == oracle.affix(form, size, suffix=True)


@given(forms)
def test_the_lower_cased_form_is_an_atom(form: str) -> None:
    assert word_atom(form, "LOWER") == oracle.atom(oracle.lower(form))


@given(forms)
def test_shapes_are_collapsed_and_bounded(form: str) -> None:
    assert core.shape(form) == oracle.shape(form)
    assert word_atom(form, "SHAPE") == oracle.atom(oracle.shape(form))


@given(forms)
def test_flags_are_those_of_the_characters(form: str) -> None:
    assert word_atom(form, "DIGIT") == oracle.atom(oracle.share(form, "N"))
    assert word_atom(form, "PUNCT") == oracle.atom(oracle.share(form, "PS"))
    assert word_atom(form, "CASE") == oracle.atom(oracle.casing(form))
    assert word_atom(form, "HYPHEN") == oracle.atom("yes" if set(form) & set("-‐‑") else "no")


@pytest.mark.parametrize(
    ("form", "shape"),
    [
        ("I", "X"),
        ("He", "Xx"),
        ("Laconic", "Xxx"),
        ("USA", "XX"),
        ("F-16s", "X-ddx"),
        ("3.14", "d.dd"),
        ("e\u0301té", "xx"),
        ("東京", "cc"),
        ("", ""),
        ("aB" * 10, "xXxXxXxXxXxX+"),
    ],
)
def test_shapes_look_like_this(form: str, shape: str) -> None:
    assert core.shape(form) == shape


@given(st.dictionaries(NAMES, st.text("xyz,", min_size=1, max_size=4), max_size=4), NAMES)
def test_a_single_feature_is_found_among_all(feats: dict[str, str], name: str) -> None:
    text = "|".join(f"{key}={value}" for key, value in feats.items()) or "_"
    assert core.feat_atom(text, name) == (oracle.atom(feats[name]) if name in feats else oracle.NOTHING)


@pytest.mark.parametrize("piece", ["a", "é", "東", "\u0301", "9", "A-"])
def test_a_form_of_ten_megabytes_takes_linear_time(piece: str) -> None:
    # Quadratic work on a form as long as this would take hours.
    form = piece * (10_000_000 // len(piece.encode()))
    assert word_atom(form, "SUFFIX", 5) == oracle.affix(form[-10:], 5, suffix=True)
    assert len(core.shape(form)) <= 13
