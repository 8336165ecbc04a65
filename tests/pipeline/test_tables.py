"""Tables of texts in, tables of words out, and documents back from them."""

from __future__ import annotations

from pathlib import Path

import pytest
from conllu_strategies import conllu_bytes
from hypothesis import given
from small_model import text as running_text

from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError
from laconic.interop.tables import NAMES
from laconic.pipeline import Pipeline
from laconic.pipeline.tables import ROWS, TableSettings, in_portions

arrow = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def nlp(small_model: Path) -> Pipeline:
    return Pipeline.load(small_model)


TEXTS = ["  Lo petum kui.\n\nKui  la dela? ", None, "", " \n", "Lo petum — «kui»?"]


def table(texts: list[str | None] | None = None) -> arrow.Table:
    chosen = TEXTS if texts is None else texts
    return arrow.table({"id": list(range(len(chosen))), "text": chosen})


@given(conllu_bytes())
def test_documents_come_back_from_their_tables(data: bytes) -> None:
    doc = Doc.from_conllu(data)
    doc.columns.drop_empty_nodes()
    # Of a multiword token, tables have form, range and MISC.
    doc.columns.set_multiwords(
        [[(one.first, one.last, one.form, one.misc) for one in tokens] for tokens in doc.multiword_tokens]
    )
    assert Doc.from_arrow(doc.to_arrow()) == doc


def test_frames_of_pandas_are_tables_too(nlp: Pipeline) -> None:
    pytest.importorskip("pandas")
    doc = nlp(running_text(5))
    assert Doc.from_arrow(doc.to_pandas()) == doc


def test_a_table_with_some_columns_is_a_document_with_these() -> None:
    few = arrow.table({"form": ["Marta", "left"], "sentence": [7, 7], "entity": ["B-PER", None], "sent_id": ["a", "a"]})
    doc = Doc.from_arrow(few)
    assert (doc.strings("misc"), doc.strings("upos")) == (["NER=B-PER", "_"], ["_", "_"])
    assert doc.sentences[0].sent_id == "a"
    assert doc.heads.tolist() == [-1, -1]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"form": ["a"]}, "needs a column sentence"),
        ({"form": ["a", None], "sentence": [0, 0]}, "row 1: a word without form"),
        ({"form": ["a", "b"], "sentence": [0, 0], "id": [1, 3]}, "row 1: word 3 where word 2"),
        ({"form": ["a\tb"], "sentence": [0]}, "cannot stand in a document"),
        ({"form": ["a"], "sentence": ["x"]}, "whole numbers"),
        ({"form": ["a"], "sentence": [0], "multiword": ["a"], "multiword_id": ["x"]}, "a range such as 2-3"),
        ({"form": ["a"], "sentence": [0], "multiword": ["a"], "multiword_id": ["1-9"]}, "multiword tokens"),
        ({"form": ["a"], "sentence": [0], "multiword": [1], "multiword_id": [1]}, "a range such as 2-3"),
        (
            {"form": ["a"], "sentence": [0], "multiword": [[1]], "multiword_id": [1]},
            "column multiword must hold strings",
        ),
        ({"form": ["a"], "sentence": [0], "lemma": [[1]]}, "column lemma must hold strings"),
        ({"form": ["a", "b", "c"], "sentence": [0, 0, 1], "head": [0, 1, 2]}, "row 2: the head 2 is no word"),
        ({"form": ["a"], "sentence": [0], "head": [-3]}, "row 0: the head -3 is no word"),
        ({"form": ["a"], "sentence": [0], "entity": ["B-A|B"]}, "'B-A|B' does not fit"),
        (arrow.table([["a"], [0], ["b"]], ["form", "sentence", "form"]), "2 columns form"),
        (5, "no table of words"),
    ],
)
def test_what_is_no_table_of_words_is_refused(columns: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Doc.from_arrow(arrow.table(columns) if isinstance(columns, dict) else columns)


def test_a_row_per_document_has_its_words_as_a_list(nlp: Pipeline) -> None:
    found = nlp.map_table(table())
    assert found.column_names == ["id", "text", "words"]
    assert found.select(["id", "text"]) == table()
    for text, words in zip(TEXTS, found["words"], strict=True):
        assert words.is_valid == (text is not None)
        if text is not None:
            assert Doc.from_arrow(words) == nlp(text)


def test_a_row_per_word_repeats_the_other_columns(nlp: Pipeline) -> None:
    found = nlp.map_table(table(), rows="word", prefix="word_")
    assert found.column_names == ["id", *(f"word_{name}" for name in NAMES)]
    assert set(found["id"].to_pylist()) == {0, 4}
    for number in (0, 4):
        own = found.filter(arrow.compute.equal(found["id"], number)).drop_columns("id")
        assert Doc.from_arrow(own.rename_columns(list(NAMES))) == nlp(str(TEXTS[number]))


def test_both_forms_say_the_same_and_threads_change_nothing(nlp: Pipeline) -> None:
    texts = [running_text(3, seed) for seed in range(30)]
    nested = nlp.map_table(table(texts), columns=["form", "upos", "sentence", "start"])
    flat = nlp.map_table(table(texts), columns=["upos", "form", "start", "sentence"], rows="word")
    words = arrow.Table.from_struct_array(arrow.chunked_array([c.flatten() for c in nested["words"].chunks]))
    assert flat.drop_columns("id").combine_chunks() == words.combine_chunks()
    assert nlp.map_table(table(texts), columns=["form", "upos", "sentence", "start"], threads=3) == nested


def test_a_batch_gives_a_batch_also_without_rows(nlp: Pipeline) -> None:
    for number in (0, 1, 5):
        batch = table().slice(0, number).combine_chunks().to_batches() or [
            arrow.RecordBatch.from_pylist([], table().schema)
        ]
        for rows in ("document", "word"):
            found = nlp.map_table(batch[0], rows=rows, prefix="w_")
            assert isinstance(found, arrow.RecordBatch)
            assert found.schema == TableSettings(rows=rows, prefix="w_").schema(table().schema)
    assert nlp.map_table(table([])).num_rows == 0


@pytest.mark.parametrize("kind", ["string", "large_string", "binary", "large_binary", "string_view", "dictionary"])
def test_texts_of_every_type_are_read(nlp: Pipeline, kind: str) -> None:
    texts = arrow.array(["Lo petum.", None, "Kui la"])
    texts = texts.dictionary_encode() if kind == "dictionary" else texts.cast(getattr(arrow, kind)())
    assert (
        nlp.map_table(arrow.table({"text": texts}))["words"]
        == nlp.map_table(arrow.table({"text": ["Lo petum.", None, "Kui la"]}))["words"]
    )


def test_a_text_that_cannot_be_read_stops_the_work_or_is_told_in_a_column(nlp: Pipeline) -> None:
    broken = arrow.table({"id": [7, 8, 9], "text": arrow.array([b"Lo petum.", b"Lo \xff", b"Kui"])})
    with pytest.raises(InputError, match=r"^corpus\.parquet: row 21: .*not UTF-8"):
        nlp.map_table(broken, file="corpus.parquet", first_row=20)
    found = nlp.map_table(broken, on_error="column").to_pylist()
    assert [row["words"] is None for row in found] == [False, True, False]
    assert [row["error"] for row in found] == [None, "1:4: byte 3 is not UTF-8", None]
    flat = nlp.map_table(broken, on_error="column", rows="word", columns=["form"]).to_pylist()
    assert [(row["id"], row["form"]) for row in flat] == [(7, "Lo"), (7, "petum"), (7, "."), (8, None), (9, "Kui")]
    assert [row["error"] is None for row in flat] == [True, True, True, False, True]
    assert nlp.map_table(broken, on_error="column", surrogates="replace")["error"].null_count == 3


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"text": "texts"}, "no column 'texts' of texts: it has .*did you mean"),
        ({"text": "id"}, "must hold texts, and holds int64"),
        ({"rows": "word"}, "a column 'id' already"),
        ({"into": "id"}, "a column 'id' already"),
        ({"rows": "sentence"}, "rows must be document or word"),
        ({"columns": ["form", "pos"]}, "no column 'pos'"),
        ({"columns": []}, "no column of words"),
        ({"columns": "form"}, "a list of names"),
        ({"on_error": "skip"}, "on_error must be"),
        ({"threads": 0}, "threads must be"),
    ],
)
def test_settings_that_cannot_work_are_refused(nlp: Pipeline, settings: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        nlp.map_table(table(), **settings)


def test_a_model_without_a_segmenter_says_so_once(nlp: Pipeline) -> None:
    with pytest.raises(ConfigError, match="no segmenter"):
        nlp.select("morphology").map_table(table(), on_error="column")


def test_portions_are_cut_by_rows_and_bytes_wherever_reading_began() -> None:
    texts = ["a" * (1 + 37 * (n % 50)) for n in range(3 * ROWS)]
    whole = arrow.record_batch({"text": texts})
    sizes = [part.num_rows for part in in_portions([whole], "text")]
    assert sum(sizes) == len(texts)
    assert max(sizes) <= ROWS
    later = [part.num_rows for part in in_portions([whole.slice(sizes[0])], "text")]
    assert later == sizes[1:]
