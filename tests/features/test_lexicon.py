from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic._core.features import NO_PAYLOAD, NOTHING, UNKNOWN, UNKNOWN_WORD, word_atom
from laconic.errors import ConfigError, ModelError
from laconic.features import (
    Dictionary,
    Lexicon,
    build_dictionary,
    build_lexicon,
    compile_plan,
    kind,
    load_dictionary,
    load_lexicon,
    load_set,
    parse_set,
    word_rows,
)
from laconic.features.compile import ATTRIBUTES

from . import oracle

TEMPLATES = """
LEX(TOKEN)
LOWER(TOKEN) & TAG(TOKEN-1)
SUFFIX2(TOKEN-1)
SUFFIX3(TOKEN)
SHAPE(TOKEN)
AMBIGUITY(TOKEN+1)
FEAT:Case(TOKEN-1)
DICT:places(TOKEN)
CLUSTER:brown(TOKEN)
CLUSTER:brown/2(TOKEN)
LEX(TOKEN+1) & SUFFIX3(TOKEN+1)
"""
PLAN = compile_plan(parse_set(TEMPLATES, kind("entity")))
COLUMNS = ["LEX", "LOWER", "SUFFIX2", "SUFFIX3", "SHAPE", "AMBIGUITY", "DICT", "CLUSTER", "CLUSTER/2"]
PLACES = {"Athens": "city", "Laconia": "region", "sparta": "city"}
BROWN = {"dog": "0110", "cat": "0111", "runs": "10", "Athens": "0"}
CLASSES = {"dog": "NOUN|VERB", "runs": "VERB"}

WORDS = ["dog", "Dog", "DOG", "cat", "runs", "Runs", "Athens", "athens", "sparta", "", "é", "É", "x" * 30]
some_forms = st.text("abAB", max_size=3) | st.sampled_from(WORDS)
some_counts = st.dictionaries(some_forms, st.integers(1, 3), max_size=12)


def dictionaries() -> dict[str, Dictionary]:
    return {"places": build_dictionary(PLACES), "brown": build_dictionary(BROWN)}


def lexicon(counts: dict[str, int], cutoff: int = 1) -> Lexicon:
    payloads = np.array([[number, len(form)] for number, form in enumerate(counts)], np.uint32).reshape(-1, 2)
    return build_lexicon(
        PLAN,
        list(counts),
        list(counts.values()),
        cutoff=cutoff,
        ambiguity=CLASSES,
        dictionaries=dictionaries(),
        payloads=payloads,
    )


def expected(form: str, counts: dict[str, int], cutoff: int) -> list[int]:
    """A row by definition, one attribute at a time."""
    kept = [known for known, count in counts.items() if count >= cutoff]
    lowers = {oracle.lower(known) for known in kept}
    known = form in kept
    return [
        oracle.atom(form) if known else UNKNOWN,
        oracle.atom(oracle.lower(form)) if oracle.lower(form) in lowers else UNKNOWN,
        oracle.affix(form, 2, suffix=True),
        oracle.affix(form, 3, suffix=True),
        oracle.atom(oracle.shape(form)),
        oracle.atom(CLASSES.get(form, "")) if known else UNKNOWN_WORD,
        oracle.atom(PLACES[form]) if form in PLACES else NOTHING,
        oracle.atom(BROWN[form]) if form in BROWN else NOTHING,
        oracle.atom(BROWN[form][:2]) if form in BROWN else NOTHING,
        *([list(counts).index(form), len(form)] if known else [NO_PAYLOAD, NO_PAYLOAD]),
    ]


def test_each_word_level_attribute_has_one_column_that_its_slots_share() -> None:
    assert len(set(PLAN.word_columns) - {-1}) == len(COLUMNS)
    by_slot = list(zip(PLAN.slots, PLAN.word_columns, strict=True))
    suffixes = [column for slot, column in by_slot if slot.attribute == ATTRIBUTES["SUFFIX"]]
    assert suffixes == [2, 3, 3]
    assert [column for slot, column in by_slot if slot.attribute in (ATTRIBUTES["TAG"], ATTRIBUTES["FEAT"])] == [-1, -1]


@given(some_counts, st.integers(1, 3), st.lists(some_forms, max_size=30))
def test_rows_are_right_for_known_and_unknown_words(counts: dict[str, int], cutoff: int, batch: list[str]) -> None:
    rows = word_rows(lexicon(counts, cutoff), batch)
    assert rows.table().tolist() == [expected(form, counts, cutoff) for form in batch]


@given(st.lists(some_forms, max_size=30), st.sets(some_forms, max_size=10))
def test_a_batch_numbers_each_unknown_type_once_and_the_lexicon_stays(batch: list[str], known: set[str]) -> None:
    chosen = lexicon(dict.fromkeys(sorted(known), 1))
    rows = word_rows(chosen, batch)
    new = list(dict.fromkeys(form for form in batch if form not in known))
    order = {form: number for number, form in enumerate([*chosen.forms, *new])}
    assert rows.ids.tolist() == [order[form] for form in batch]
    assert rows.unknown_types == len(new)
    assert [rows.known(i) for i in range(len(batch))] == [form in known for form in batch]
    assert len(chosen) == len(known)


@given(st.dictionaries(st.binary(max_size=12).map(lambda raw: raw.decode("latin-1")), st.integers(1, 4), max_size=40))
def test_frequent_forms_come_first_and_every_form_is_found_by_its_bytes(counts: dict[str, int]) -> None:
    chosen = build_lexicon(compile_plan(parse_set("LEX(TOKEN)", kind("token"))), list(counts), list(counts.values()))
    assert chosen.forms == [form for form, _ in Counter(counts).most_common()]
    assert [chosen.find(form) for form in chosen.forms] == list(range(len(counts)))
    for form in counts:
        assert (form + "x" in chosen) == (form + "x" in counts)
        assert (form[:-1] in chosen) == (form[:-1] in counts)


@given(some_counts, st.lists(some_forms, max_size=10))
def test_a_lexicon_survives_its_arrays(counts: dict[str, int], batch: list[str]) -> None:
    before = lexicon(counts)
    saved = {name: load_dictionary(table.arrays()) for name, table in dictionaries().items()}
    after = load_lexicon(PLAN, before.arrays(), saved)
    assert after.forms == before.forms
    assert np.array_equal(word_rows(after, batch).table(), word_rows(before, batch).table())
    for name, array in before.arrays().items():
        assert np.array_equal(after.arrays()[name], array)


COUNTS = {"dog": 3, "cat": 2, "runs": 1}


@settings(max_examples=300)
@given(st.data())
def test_damaged_arrays_are_refused_or_give_some_lexicon_but_never_crash(data: st.DataObject) -> None:
    arrays = {name: array.copy() for name, array in lexicon(COUNTS).arrays().items()}
    name = data.draw(st.sampled_from(sorted(arrays)))
    damage = data.draw(st.sampled_from(["cut", "grow", "value", "type", "missing", "flat"]))
    array = arrays[name]
    if damage == "cut":
        arrays[name] = array[: data.draw(st.integers(0, len(array) - 1))]
    elif damage == "grow":
        arrays[name] = np.concatenate([array, array[-1:]])
    elif damage == "value":
        array.reshape(-1)[data.draw(st.integers(0, array.size - 1))] = data.draw(
            st.integers(0, np.iinfo(array.dtype).max)
        )
    elif damage == "type":
        arrays[name] = array.astype(np.int64)
    elif damage == "missing":
        del arrays[name]
    else:
        arrays[name] = array.reshape(1, *array.shape)
    try:
        loaded = load_lexicon(PLAN, arrays, dictionaries())
    except ModelError:
        return
    assert damage == "value"
    assert len(loaded) == 3
    word_rows(loaded, ["dog", "new"]).table()


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("offsets", [0, 3, 6, 11], "span"),
        ("offsets", [1, 3, 6, 10], "span"),
        ("offsets", [0, 7, 6, 10], "ascend"),
        ("offsets", [], "forms"),
        ("ambiguity", [1, 2], "one ambiguity class per form"),
        ("ambiguity", [], "no ambiguity classes"),
        ("bytes", list(b"dogdogruns"), "twice"),
    ],
)
def test_a_wrong_array_is_named_in_the_error(name: str, value: list[int], reason: str) -> None:
    arrays = lexicon(COUNTS).arrays()
    arrays[name] = np.array(value, arrays[name].dtype)
    with pytest.raises(ModelError, match=reason):
        load_lexicon(PLAN, arrays, dictionaries())


@pytest.mark.parametrize(
    ("name", "value"), [("values", [0, 1, 9]), ("values", [0]), ("offsets", [0, 99]), ("name_offsets", [1])]
)
def test_a_damaged_dictionary_is_refused(name: str, value: list[int]) -> None:
    arrays = build_dictionary(PLACES).arrays()
    arrays[name] = np.array(value, np.uint32)
    with pytest.raises(ModelError):
        load_dictionary(arrays)


def test_a_missing_dictionary_is_an_error_that_names_it() -> None:
    with pytest.raises(ConfigError, match="places"):
        build_lexicon(PLAN, ["dog"], ambiguity={}, dictionaries={"brown": build_dictionary(BROWN)})


def test_forms_counts_and_payloads_must_fit_together() -> None:
    with pytest.raises(ConfigError, match="AMBIGUITY"):
        build_lexicon(PLAN, ["dog"], dictionaries=dictionaries())
    with pytest.raises(ConfigError, match="distinct"):
        build_lexicon(PLAN, ["dog", "dog"], dictionaries=dictionaries())
    with pytest.raises(ConfigError, match="count per form"):
        build_lexicon(PLAN, ["dog"], [1, 2], dictionaries=dictionaries())
    with pytest.raises(ConfigError, match="row per form"):
        build_lexicon(PLAN, ["dog"], payloads=np.zeros((2, 1), np.uint32), dictionaries=dictionaries())


def test_an_empty_lexicon_knows_no_word() -> None:
    rows = word_rows(lexicon({}), ["dog", "", "dog"])
    assert rows.ids.tolist() == [0, 1, 0]


def test_a_huge_form_is_a_word_like_any_other() -> None:
    huge = "é" * 5_000_000
    rows = word_rows(lexicon({huge: 1}), [huge, huge + "s", huge + "s"])
    assert rows.ids.tolist() == [0, 1, 1]
    assert rows.table()[1, COLUMNS.index("SUFFIX2")] == oracle.atom("és")


def test_bits_flipped_in_two_blocks_no_longer_cancel_in_the_hash() -> None:
    # The top bit of one block and two bits of the next once left the hash as it was, whatever went before.
    block = b"colliding words "
    other = (int.from_bytes(block, "little") ^ (1 << 63) ^ (((1 << 63) | (1 << 34)) << 64)).to_bytes(16, "little")
    assert oracle.hash_bytes(block) != oracle.hash_bytes(other)
    # Nor does a second block that takes up the difference of the states after the first.
    length = 0x2545F4914F6CDD1D * 17 & oracle.MASK
    states = [oracle.absorb(length, int.from_bytes(start, "little")) for start in (b"collides", b"collider")]
    second = int.from_bytes(b" of them", "little")
    ends = [state.to_bytes(8, "little") for state in (second, second ^ states[0] ^ states[1])]
    assert oracle.hash_bytes(b"collides" + ends[0]) != oracle.hash_bytes(b"collider" + ends[1])


def test_words_crowded_into_one_place_are_told_apart() -> None:
    # More words than the window has places, all with the same last bits of the hash: the rest go into a tree.
    crowd = [word for i in range(60_000) if oracle.hash_bytes((word := f"w{i}").encode()) & 0x1FF == 7]
    assert len(crowd) > 90
    rows = word_rows(lexicon({}), crowd + crowd)
    assert rows.ids.tolist() == [*range(len(crowd)), *range(len(crowd))]


def test_many_threads_read_one_lexicon_and_see_the_same() -> None:
    counts = {f"w{i}": 1 for i in range(2000)}
    chosen = lexicon(counts)
    batch = [f"w{i * 7 % 3000}" for i in range(20_000)]
    wanted = word_rows(chosen, batch).table()
    with ThreadPoolExecutor(4) as pool:
        for rows in pool.map(lambda _: word_rows(chosen, batch), range(8)):
            assert np.array_equal(rows.table(), wanted)


def test_the_words_of_a_treebank_resolve_to_their_own_atoms(treebanks: Path) -> None:
    lines = (treebanks / "en_ewt" / "dev.conllu").read_text(encoding="utf-8").splitlines()
    forms = [line.split("\t")[1] for line in lines if line.split("\t")[0].isdigit()]
    counts = Counter(forms)
    plan = compile_plan(load_set("tagger"))
    chosen = build_lexicon(plan, list(counts), list(counts.values()), cutoff=2, ambiguity={})
    assert len(chosen) == sum(count >= 2 for count in counts.values())
    rows = word_rows(chosen, forms)
    column = next(c for s, c in zip(plan.slots, plan.word_columns, strict=True) if s.attribute == ATTRIBUTES["SHAPE"])
    atoms = {form: word_atom(form, ATTRIBUTES["SHAPE"]) for form in counts}
    assert rows.table()[:, column].tolist() == [atoms[form] for form in forms]
    assert (rows.ids < len(chosen)).tolist() == [counts[form] >= 2 for form in forms]


def test_threads_that_meet_a_word_first_at_the_same_time_see_the_same_row() -> None:
    plan = compile_plan(parse_set("LEX(TOKEN)\nSUFFIX3(TOKEN)\nLOWER(TOKEN)\n", kind("token")))
    forms = [f"Word{number}ing" for number in range(2000)]
    batch = [*forms, *(f"UNSEEN{number}" for number in range(50)), "word7ING"]
    expected = word_rows(build_lexicon(plan, forms), batch).table()
    fresh = build_lexicon(plan, forms)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: word_rows(fresh, batch[:: 1 if number % 2 else -1]).table(), range(16)))
    for number, table in enumerate(found):
        assert np.array_equal(table[:: 1 if number % 2 else -1], expected)
