from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.errors import ConfigError, InputError
from laconic.features import KINDS, Kind, Template, TemplateSet, expand_pairs, kind, parse_set, parse_template, read_set

from .strategies import template_sets, templates

kinds = st.sampled_from(list(KINDS.values()))
scraps = st.sampled_from(
    [
        "LEX",
        "POS",
        "SUFFIX3",
        "FEAT:Case",
        "CLUSTER:b/4",
        "(",
        ")",
        "&",
        " ",
        "STACK0",
        "QUEUE1",
        "TOKEN",
        "TOKEN-1",
        "-",
        "+",
        "FOCUS0",
        "FOCUS+1",
        "CHILDREN",
        "BETWEEN",
        "HEAD",
        "STATE",
        "HISTORY1",
        "lc",
        "pw",
        "#",
        "\n",
        "\r",
        "\t",
        "0",
        "9" * 50,
    ]
)


def fault(text: str, kind_name: str = "transition") -> InputError:
    with pytest.raises(InputError) as caught:
        parse_set(text, kind(kind_name), "mine.templates")
    return caught.value


@given(templates())
def test_parsing_a_printed_template_gives_the_template(template: Template) -> None:
    assert parse_template(str(template), template.kind) == template


@given(template_sets())
def test_parsing_a_printed_set_gives_the_set_in_its_order(chosen: TemplateSet) -> None:
    assert parse_set(str(chosen), chosen.kind) == chosen


@given(templates(), st.lists(st.sampled_from(["", " ", "  ", "\t"]), min_size=4, max_size=4))
def test_blanks_around_signs_and_comments_change_nothing(template: Template, blanks: list[str]) -> None:
    a, b, c, d = blanks
    text = str(template).replace(" & ", f"{a}&{b}").replace(")", f"{c})")
    parsed = parse_set(f"\n# first\n{d}{text}{a} # why\r\n\n", template.kind)
    assert list(parsed) == [template]


@given(st.text(max_size=60), kinds)
def test_arbitrary_text_is_parsed_or_refused_with_a_place(text: str, chosen: Kind) -> None:
    check_total(text, chosen)


@given(st.lists(scraps, max_size=12).map("".join), kinds)
def test_scraps_of_the_language_are_parsed_or_refused_with_a_place(text: str, chosen: Kind) -> None:
    check_total(text, chosen)


def outcome(text: str, chosen: Kind) -> TemplateSet | InputError:
    try:
        return parse_set(text, chosen, "f")
    except InputError as error:
        return error


def check_total(text: str, chosen: Kind) -> None:
    result = outcome(text, chosen)
    if isinstance(result, InputError):
        lines = text.split("\n")
        assert result.file == "f"
        assert 1 <= result.line <= len(lines)
        assert 1 <= result.column <= len(lines[result.line - 1]) + 1
    else:
        assert parse_set(str(result), chosen) == result


@pytest.mark.parametrize(
    "line",
    [
        lambda size: "A" * size,
        lambda size: "LEX(" * (size // 4),
        lambda size: " " * size + "x",
        lambda size: "LEX(STACK" + "9" * size,
        lambda size: "LEX(STACK0" + " lc" * (size // 3),
        lambda size: "LEX(STACK0)" + " " * size + "#" * size,
        lambda size: "#" * size,
    ],
    ids=["letters", "brackets", "blanks", "digits", "steps", "comment", "hashes"],
)
def test_a_line_of_a_megabyte_takes_linear_time_and_a_short_message(line: Callable[[int], str]) -> None:
    # Quadratic work on a line as long as this would take hours.
    assert len(str(outcome(line(1_000_000), kind("transition")))) < 2000


def test_an_error_quotes_the_line_and_points_at_the_column() -> None:
    error = fault("# words\nLEX(STACK0)\n\tPOS(STACK1 lc xx) & LEX(QUEUE0)\n")
    assert (error.file, error.line, error.column) == ("mine.templates", 3, 16)
    quote, caret = str(error).split("\n")[-2:]
    assert quote == "    \tPOS(STACK1 lc xx) & LEX(QUEUE0)"
    assert caret == "    \t" + " " * 14 + "^"


def test_the_caret_is_under_the_fault_in_a_long_line() -> None:
    line = " & ".join(f"LEX(STACK{i})" for i in range(40)) + " & LEX(STCK9)"
    quote, caret = str(fault(line)).split("\n")[-2:]
    assert quote[caret.index("^") :].startswith("STCK9")


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("POSS(STACK0)", 1, ["'POSS'", "did you mean POS?", "LEMMA", "SUFFIXn", "FEAT:name", "HISTORYn"]),
        ("LEX(STAK0)", 5, ["'STAK'", "did you mean STACK?", "QUEUEn", "CHILDREN(...)"]),
        ("LEX(STACK0 lcc)", 12, ["'lcc'", "did you mean lc?", "pw"]),
        ("LEX(STACK)", 5, ["STACK0, STACK1"]),
        ("LEX(STACK01)", 10, ["without leading zeros"]),
        ("LEX(STACK100)", 10, ["up to 99"]),
        ("LEX(STACK0 h h h h h h)", 22, ["at most 5 steps"]),
        ("DEP(CHILDREN(STACK0 h h h h h))", 5, ["at most 4 steps"]),
        ("DEP(CHILDREN(CHILDREN(STACK0)))", 14, ["unknown node 'CHILDREN'"]),
        ("LEX(STACK0", 11, ["expected ')'"]),
        ("LEX STACK0", 4, ["expected '('"]),
        ("LEX(STACK0) & ", 14, ["expected an attribute"]),
        ("LEX(STACK0) LEX(STACK1)", 13, ["expected '&'"]),
        ("LEX(STACK0) & LEX(STACK0)", 15, ["in the template already"]),
        ("SUFFIX6(STACK0)", 7, ["from 1 to 5"]),
        ("SUFFIX(STACK0)", 7, ["from 1 to 5"]),
        ("SHAPE2(STACK0)", 6, ["takes no number"]),
        ("FEAT(STACK0)", 5, ["needs a name"]),
        ("FEAT:(STACK0)", 6, ["needs a name"]),
        ("LEX(STATE)", 5, ["STACK, QUEUE only"]),
        ("HISTORY1(STACK0)", 10, ["STATE only"]),
        ("HISTORY1(STATE h)", 10, ["no path leads from STATE"]),
    ],
)
def test_a_fault_says_what_was_expected(text: str, column: int, words: list[str]) -> None:
    error = fault(text)
    assert error.column == column
    for word in words:
        assert word in error.reason


@pytest.mark.parametrize(
    ("kind_name", "text", "words"),
    [
        ("token", "TAG(TOKEN)", "only to the left: TOKEN-1, TOKEN-2"),
        ("token", "LEX(TOKEN1)", "written with a sign: TOKEN-1, TOKEN, TOKEN+1"),
        ("token", "LEX(TOKEN-0)", "from 1 to 99 after '-'"),
        ("token", "LEX(TOKEN lc)", "have no paths"),
        ("token", "POS(TOKEN)", "unknown attribute 'POS'"),
        ("token", "DEP(CHILDREN(TOKEN))", "unknown attribute 'DEP'"),
        ("token", "SEEN(TOKEN)", "unknown attribute 'SEEN'"),
        ("entity", "ENTITY(TOKEN)", "unknown attribute 'ENTITY'"),
        ("entity", "CLUSTER:b/(TOKEN)", "from 1 to 32"),
        ("stepback", "LEX(FOCUS)", "FOCUS needs a number"),
        ("edge", "AMBIGUITY(MOD)", "unknown attribute 'AMBIGUITY'"),
        ("transition", "DICT:x(STACK0)", "unknown attribute 'DICT'"),
        ("char", "CHAR(CHAR+60)", "from 1 to 39 after '+'"),
        ("char", "CHAR(CHAR-33)", "from 1 to 32 after '-'"),
        ("char", "TAG(CHAR-9)", "TAG is known back to CHAR-8"),
        ("edge", "LEX(BETWEEN2)", "BETWEEN takes no number"),
        ("edge", "DISTANCE(BETWEEN)", "MOD, GRAND, SIB only"),
        ("char", "LEX(CHAR)", "unknown attribute 'LEX'"),
    ],
)
def test_each_kind_has_its_own_words(kind_name: str, text: str, words: str) -> None:
    assert words in fault(text, kind_name).reason


def test_the_same_terms_twice_are_an_error_in_whatever_order() -> None:
    error = fault("LEX(STACK0) & POS(QUEUE0)\n\nPOS(QUEUE0) & LEX(STACK0)\n")
    assert (error.line, error.column) == (3, 1)
    assert "in line 1" in error.reason


def test_pairs_are_the_set_and_each_two_templates_joined() -> None:
    singles = parse_set("LEX(STACK0)\nPOS(STACK0)\nPOS(QUEUE0)\n", kind("transition"))
    assert str(expand_pairs(singles)).splitlines() == [
        "LEX(STACK0)",
        "POS(STACK0)",
        "POS(QUEUE0)",
        "LEX(STACK0) & POS(STACK0)",
        "LEX(STACK0) & POS(QUEUE0)",
        "POS(STACK0) & POS(QUEUE0)",
    ]


@given(template_sets())
def test_pairs_cover_exactly_the_unions_and_can_be_read_back(chosen: TemplateSet) -> None:
    expanded = expand_pairs(chosen)
    wanted = {frozenset(a.terms + b.terms) for a in chosen for b in chosen}
    assert [frozenset(template.terms) for template in expanded[: len(chosen)]] == [frozenset(t.terms) for t in chosen]
    assert {frozenset(template.terms) for template in expanded} == wanted
    assert len(expanded) == len(wanted)
    assert parse_set(str(expanded), expanded.kind) == expanded


def test_an_unknown_kind_is_an_error_that_lists_the_kinds() -> None:
    with pytest.raises(ConfigError, match="token, entity, transition, arc, stepback, char, edge, node, candidate"):
        kind("tree")


def test_a_file_is_read_with_its_name_in_errors(tmp_path: Path) -> None:
    file = tmp_path / "own.templates"
    file.write_bytes(b"\xef\xbb\xbfLEX(TOKEN)\r\nSHAPE(TOKEN)\r\n")
    assert str(read_set(file, kind("token"))) == "LEX(TOKEN)\nSHAPE(TOKEN)\n"
    file.write_bytes(b"LEX(TOKEN)\nSH\xff(TOKEN)\n")
    with pytest.raises(InputError, match="UTF-8") as caught:
        read_set(file, kind("token"))
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(file), 2, 3)


@given(template_sets())
def test_a_set_survives_pickling(chosen: TemplateSet) -> None:
    assert pickle.loads(pickle.dumps(chosen)) == chosen
