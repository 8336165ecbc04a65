"""Files made to hurt: what went wrong with each once, found by fuzzing or by reading with an attacker's eyes.

Tests of linear time look at no clock: their inputs are so large that quadratic work would take many minutes, where
linear work takes a second, and the time limit of every test (``conftest.time_limit``) is between the two.
"""

from __future__ import annotations

import gzip
import io

import pytest

from laconic.corpus import Doc, check, read, write
from laconic.corpus.formats import FORMATS
from laconic.corpus.reading import UNLIMITED
from laconic.errors import InputError


def row(*cells: str) -> str:
    return "\t".join(cells) + "\n"


def word(number: int, form: str = "a", head: str = "0", misc: str = "_") -> str:
    return row(str(number), form, "_", "_", "_", "_", head, "_", "_", misc)


def parsed(text: str, format: str = "conllu", *, lenient: bool = False) -> Doc:
    return read(io.BytesIO(text.encode()), format, lenient=lenient)


def written(doc: Doc, format: str) -> str:
    file = io.BytesIO()
    write(doc, file, format)
    return file.getvalue().decode()


CARRIED = {
    "conllx": ["PHead=", "PHead=a\\tb", "PDeprel=a\\nb", "PHead=1|PHead=\\r"],
    "conll2008": ["Pred=", "Pred=a\\tb", "Pred=a|Pred=b", "Pred=a|Pred=_", "Lemma=\\n", "APred1=x"],
    "conll2009": ["Pred=", "Pred", "Pred=x|APred1=\\n", "FillPred=", "PFeat=\\t|Pred=y", "APred7=x"],
    "iob:form,entity,-": ["NER=B-a\\nb", "NER=B-a\\tb", "Column3=\\n", "NER=O|EmptyForm=Yes", "NER=I-x"],
    "iob:id,form,entity": ["NER=O|After=x", "NER=O|After= ", "NER=O|After=\\n", "NER=O|After=\\n\\r\\n \\n", "After="],
}


@pytest.mark.parametrize(("format", "misc"), [(format, misc) for format, all_ in CARRIED.items() for misc in all_])
def test_an_entry_in_misc_that_broke_the_lines_of_another_format_is_lost_instead(format: str, misc: str) -> None:
    doc = parsed(word(1, misc=misc) + word(2, "b", "1", misc) + "\n" + word(1, "c") + "\n")
    first = written(doc, format)
    again = parsed(first, format)
    assert again.sentence_starts.tolist() == [0, 2, 3]
    assert again.strings("form") == ["a", "b", "c"]
    assert written(again, format) == first


def test_a_comment_with_a_tab_was_read_back_as_a_word_of_iob_columns() -> None:
    doc = parsed("# a\tb\n# kept\n" + word(1, misc="NER=O") + "\n")
    assert written(doc, "iob:form,entity") == "# kept\na\tO\n\n"


def test_an_empty_form_is_written_only_where_the_form_is_a_placeholder() -> None:
    doc = parsed(word(1, "kept", misc="NER=O|EmptyForm=Yes") + "\n")
    assert written(doc, "iob:form,entity") == "kept\tO\n\n"


def test_a_tab_in_columns_separated_by_spaces_got_into_a_field_of_conllu() -> None:
    for text in ("a\tb O\n", "a B-x\ty\n"):
        with pytest.raises(InputError, match="a tab in field"):
            parsed(text, "iob:form,entity:space")


def test_a_message_that_cut_a_character_in_two_was_a_decoding_error() -> None:
    for text, format in (
        (row("x" * 39 + "é", *"abcdefghi"), "conllx"),
        (row("1", *"abcde", "1" * 39 + "é", *"ghi"), "conllx"),
        (row("a", "B" * 39 + "é"), "iob:form,entity"),
    ):
        with pytest.raises(InputError, match="é"):
            parsed(text, format)


def test_a_predicate_for_every_word_of_a_huge_sentence_is_refused_before_it_fills_the_memory() -> None:
    lines = [word(1, misc="Pred=x"), *(word(i, head="1", misc="Pred=x") for i in range(2, 20_001))]
    with pytest.raises(ValueError, match="20000 predicates"):
        written(parsed("".join(lines) + "\n"), "conll2009")


def test_each_cycle_looked_at_all_the_rest_of_the_file() -> None:
    cycle = word(1, head="2") + word(2, head="1") + word(3) + "\n"
    data = (cycle * 200_000).encode()
    columns, faults, skipped, consumed, _ = FORMATS["conllu"].parse(data, "", 1, True, UNLIMITED, 0)
    assert (len(columns), len(faults), skipped, consumed) == (0, 200_000, 200_000, len(data))


def test_each_small_batch_looked_at_all_the_rest_of_its_piece() -> None:
    sentence = (word(1, "é") + "\n").encode()
    data = sentence * 1_000_000
    for begin in range(0, 50_000 * len(sentence), len(sentence)):
        assert FORMATS["conllu"].parse(data, "", 1, False, 1, begin)[3] == len(sentence)


def test_a_form_of_spaces_was_compared_at_every_space_of_the_text() -> None:
    size = 1_900_000
    doc = parsed(f"# text = {' ' * 2 * size}x\n{word(1, ' ' * size + 'y')}\n")
    assert len(doc.text) == 2 * size + 1
    assert doc.starts.tolist() == [-1]


@pytest.mark.parametrize(
    ("text", "forms", "places"),
    [
        ("a \t b", ["a", "\t", "b"], [(0, 1), (2, 3), (4, 5)]),
        ("a  b", ["a", " b"], [(0, 1), (2, 4)]),
        ("a   b", ["a", " ", " ", "b"], [(0, 1), (1, 2), (2, 3), (4, 5)]),
        ("a b", ["a", "  b"], [(-1, -1), (-1, -1)]),
        ("a \t  b", ["a", "  ", "b"], [(0, 1), (3, 5), (5, 6)]),
        ("ab", ["a", " ", "b"], [(-1, -1)] * 3),
    ],
)
def test_forms_with_white_space_are_found_where_they_first_fit(
    text: str, forms: list[str], places: list[tuple[int, int]]
) -> None:
    # A tab cannot stand in a file of columns, but a document made by hand may hold any text.
    quoted = [form.replace("\t", "\f") for form in forms]
    lines = "".join(word(i, form, "0") for i, form in enumerate(quoted, 1))
    doc = parsed("# text = " + text.replace("\t", "\f") + "\n" + lines + "\n")
    assert list(zip(doc.starts.tolist(), doc.ends.tolist(), strict=True)) == places


def test_a_line_of_columns_that_all_look_like_tags_was_guessed_at_for_hours() -> None:
    line = b"a" + b"\tO" * 100_000 + b"\n\n"
    with pytest.raises(InputError, match="ambiguous"):
        read(io.BytesIO(line))


def test_many_small_gzip_members_were_copied_for_each_other() -> None:
    member = gzip.compress((word(1) + "\n").encode(), mtime=0)
    assert len(read(io.BytesIO(member * 300_000), "conllu")) == 300_000
    assert len(read(io.BytesIO(member * 1000 + b"\0" * 100_000), "conllu")) == 1000


def test_gzip_members_of_a_byte_each_were_added_up_for_each_other() -> None:
    empty = gzip.compress(b"\n", mtime=0)
    assert list(check(io.BytesIO(empty * 400_000))) == []


@pytest.mark.parametrize(
    ("piece", "faults"),
    [(b"(A b)", 0), (b"\n(S", 100_000), (b"\n(S x)", 0), (b"\n)", 1), (b"x (", 1)],
    ids=["trees on one line", "trees that do not end", "faults", "closing brackets", "words outside"],
)
def test_brackets_of_any_kind_are_read_in_linear_time(piece: bytes, faults: int) -> None:
    assert len(list(check(io.BytesIO(piece * 100_000), "ptb"))) == faults


def test_a_fault_deep_inside_brackets_was_met_again_from_every_bracket_around_it() -> None:
    deep = b"(S\n" * 100_000 + b"(A)" + b")" * 100_000
    assert len(list(check(io.BytesIO(deep), "ptb"))) == 1


def test_lenient_reading_goes_on_behind_a_bracket_with_a_fault() -> None:
    text = "(S (A b))\n(S (A))\n(S (A c)\n(S (A d))\nx\n(S (A e)) (S (A f))\n(S (A g))\n"
    assert parsed(text, "ptb", lenient=True).strings("form") == ["b", "d", "e", "f", "g"]
    places = [(fault.line, fault.column) for fault in check(io.BytesIO(text.encode()), "ptb")]
    assert [line for line, _ in places] == [2, 4, 5]


def test_the_column_of_a_fault_counts_the_trees_before_it_on_the_line() -> None:
    with pytest.raises(InputError) as caught:
        parsed("(é b) (A)\n", "ptb")
    assert (caught.value.line, caught.value.column) == (1, 9)
