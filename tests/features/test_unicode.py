from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic._core import features as core

BY_CATEGORY = {"Lu": "upper", "Lt": "upper", "Ll": "lower", "Nd": "digit"}
BY_FIRST = {"L": "letter", "M": "mark", "N": "number", "P": "punctuation", "S": "symbol", "Z": "space", "C": "other"}


def test_all_code_points_are_classed_and_lowered_as_by_python() -> None:
    same_version = unicodedata.unidata_version == core.UNICODE_VERSION
    wrong = []
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        category = unicodedata.category(char)
        cls, script, lowered = core.code_point(code)
        # A Python of another Unicode version knows other characters; those that the tables lack are left out.
        if not same_version and cls == "other":
            continue
        wanted = "space" if char.isspace() else BY_CATEGORY.get(category, BY_FIRST[category[0]])
        lower = "i" if char == "\u0130" else char.lower()
        if (cls, chr(lowered)) != (wanted, lower) or (script == "none") == (category[0] == "L"):
            wrong.append(code)
    assert wrong == []


@pytest.mark.parametrize(
    ("char", "script"),
    [
        ("a", "latin"),
        ("Ａ", "latin"),
        ("ß", "latin"),
        ("λ", "greek"),
        ("ж", "cyrillic"),
        ("א", "hebrew"),
        ("ب", "arabic"),
        ("漢", "han"),
        ("𠀀", "han"),
        ("ひ", "hiragana"),
        ("カ", "katakana"),
        ("ｶ", "katakana"),
        ("한", "hangul"),
        ("ᄀ", "hangul"),
        ("अ", "devanagari"),
        ("ก", "thai"),
        ("ა", "georgian"),
        ("ქ", "georgian"),
        ("ᐃ", "other"),
        ("1", "none"),
        (".", "none"),
        ("́", "none"),
    ],
)
def test_letters_have_the_script_that_people_call_them_by(char: str, script: str) -> None:
    assert core.code_point(ord(char))[1] == script


@given(st.binary(max_size=40))
def test_bytes_are_decoded_as_by_python_with_replacement(raw: bytes) -> None:
    assert core.decode(raw) == [ord(char) for char in raw.decode("utf-8", errors="replace")]


@given(
    st.lists(
        st.sampled_from(
            [0xC0, 0xC2, 0xE0, 0xE2, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0x41]
        )
    )
)
def test_broken_sequences_are_replaced_as_by_python(points: list[int]) -> None:
    raw = bytes(points)
    assert core.decode(raw) == [ord(char) for char in raw.decode("utf-8", errors="replace")]


@given(st.text())
def test_lower_case_is_the_simple_mapping_of_each_code_point(text: str) -> None:
    wanted = "".join("i" if char == "\u0130" else char.lower() for char in text)
    assert core.lower(text.encode()).decode() == wanted
