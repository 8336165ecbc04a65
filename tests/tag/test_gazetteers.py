from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic._core.features import atom
from laconic._core.tag import Gazetteer
from laconic.corpus import Doc
from laconic.errors import InputError, ModelError
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.tag import EntityConfig, EntityTagger
from laconic.tag.gazetteers import build_gazetteer, read_entries


def longest_matches(entries: list[tuple[str, ...]], words: list[str]) -> list[str]:
    found, at = ["-"] * len(words), 0
    while at < len(words):
        size = max((len(e) for e in entries if tuple(words[at : at + len(e)]) == e), default=0)
        if size == 1:
            found[at] = "U"
        elif size:
            found[at : at + size] = ["B", *"I" * (size - 2), "L"]
        at += max(size, 1)
    return found


@given(
    st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(tuple), max_size=8, unique=True),
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=12), min_size=1, max_size=3),
)
@settings(deadline=None)
def test_gazetteers_match_the_longest_entry_from_the_left(
    entries: list[tuple[str, ...]], sentences: list[list[str]]
) -> None:
    atoms = {1: "-", **{atom(letter): letter for letter in "BILU"}}
    found = build_gazetteer(entries).match(Doc.from_words(sentences).columns)
    assert [atoms[a] for a in found.tolist()] == [
        letter for words in sentences for letter in longest_matches(entries, words)
    ]


def test_a_gazetteer_from_a_file_teaches_names_that_training_lacks(tmp_path: Path) -> None:
    names = ["Alvo", "Brin Casto", "Brin Casto Delva", "Evin", "Foro Galt", "Hila", "Ivo Jarn", "Kolm", "Lund Mora"]
    path = tmp_path / "places.txt"
    path.write_text("\ufeff" + "\n".join(names) + "\n\nNew Place\r\n", encoding="utf-8")
    assert read_entries(path)[1] == ("Brin", "Casto")
    assert len(read_entries(path)) == len(names) + 1
    others = ["Xana", "Yor Zed", "Uta Vro", "Wim"]
    rows, tags = [], []
    for text in [*names[:6], *others] * 5:
        kind = "LOC" if text in names else ""
        words = text.split()
        rows.append([*words, "is", "near"])
        tags.append(
            [*((f"NER={'I' if i else 'B'}-{kind}" if kind else "NER=O") for i in range(len(words))), *["NER=O"] * 2]
        )
    config = EntityConfig(
        templates="CASE(TOKEN)\nTAG(TOKEN-1)",
        gazetteers={"places": str(path)},
        settings=Settings(cutoff=1, epochs=20),
        history_folds=0,
        folds=0,
    )
    tagger = finished(EntityTagger.fit(config, TrainingData(Doc.from_words(rows, misc=tags))))
    assert "DICT:places(TOKEN)" in tagger.templates
    doc = Doc.from_words([["Lund", "Mora", "and", "Kolm"], ["Lund", "and", "Ivo", "Jarn"]])
    tagger.apply(doc)
    assert [(entity.text, entity.label) for entity in doc.entities] == [
        ("Lund Mora", "LOC"),
        ("Kolm", "LOC"),
        ("Ivo Jarn", "LOC"),
    ]
    again = EntityTagger.from_state(*tagger.state())
    np.testing.assert_array_equal(again.predict(doc)[0], tagger.predict(doc)[0])
    arrays, facts = tagger.state()
    for name in arrays:
        with pytest.raises(ModelError):
            EntityTagger.from_state({key: value for key, value in arrays.items() if key != name}, facts)
    with pytest.raises(ModelError):
        EntityTagger.from_state({**arrays, "gazetteer.places.entries": arrays["gazetteer.places.entries"] + 99}, facts)


def test_gazetteers_say_where_they_are_wrong(tmp_path: Path) -> None:
    path = tmp_path / "names"
    path.write_bytes(b"Ada\n\xff\n")
    with pytest.raises(InputError, match="names:2"):
        read_entries(path)
    path.write_text("Ada\n" + "a " * (Gazetteer.longest + 1), encoding="utf-8")
    with pytest.raises(InputError, match="names:2"):
        read_entries(path)
