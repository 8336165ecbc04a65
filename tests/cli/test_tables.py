"""``laconic parse`` of tables: Parquet, Arrow, CSV and JSON Lines, in files and in shards that resume."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cli.command import COMMAND, PLAIN, laconic
from synthetic import conllu

from laconic.corpus import Doc, read
from laconic.errors import InputError
from laconic.pipeline import Pipeline
from laconic.pipeline.table_files import TableFile

arrow = pytest.importorskip("pyarrow")
FORMATS = ("parquet", "arrow", "csv", "jsonl")


def parse(*arguments: str | Path) -> Any:
    done = laconic("parse", *arguments)
    assert done.code == 0, done.err
    return done


@cache
def sentences() -> list[str]:
    return [sentence.text for sentence in Doc.from_conllu(conllu(50, seed=3)).sentences]


def table(rows: int = 40) -> Any:
    known = sentences()
    texts = [f"{known[n % 50]}  {known[n * 7 % 50]}" + ("\n\nKui, «la»?" if n % 7 == 0 else "") for n in range(rows)]
    return arrow.table({"id": [f"d{n:03}" for n in range(rows)], "body": texts, "year": list(range(rows))})


def written(path: Path, data: Any) -> Path:
    kind = path.suffix[1:]
    if kind == "parquet":
        arrow.parquet.write_table(data, path, row_group_size=7)
    elif kind == "arrow":
        with arrow.ipc.new_file(path, data.schema) as file:
            file.write_table(data, 9)
    elif kind == "csv":
        arrow.csv.write_csv(data, path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in data.to_pylist()), "utf-8")
    return path


def rows_of(place: Path) -> list[dict[str, Any]]:
    files = sorted(place.glob("part-*")) if place.is_dir() else [place]
    found: list[dict[str, Any]] = []
    for file in files:
        for batch in TableFile(str(file), {".jsonl": "jsonl"}.get(file.suffix, file.suffix[1:])).batches():
            found += batch.to_pylist()
    return found


@pytest.fixture(scope="module", autouse=True)
def _modules() -> None:
    import pyarrow.csv
    import pyarrow.parquet  # noqa: F401


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_goes_in_and_out_and_keeps_its_columns(small_model: Path, tmp_path: Path, kind: str) -> None:
    nlp = Pipeline.load(small_model)
    source = written(tmp_path / f"corpus.{kind}", table())
    flat = ("--rows", "word", "--prefix", "word_", "--columns", "form,upos,sentence") if kind == "csv" else ()
    parse(source, "-m", small_model, "--text-column", "body", "-o", tmp_path / f"out.{kind}", *flat)
    found = rows_of(tmp_path / f"out.{kind}")
    if kind == "csv":
        expected = nlp.map_table(table(), "body", rows="word", prefix="word_", columns=["form", "upos", "sentence"])
        assert found == [{name: str(value) for name, value in row.items()} for row in expected.to_pylist()]
        return
    assert [(row["id"], row["body"], row["year"]) for row in found] == [tuple(r.values()) for r in table().to_pylist()]
    for row in found:
        words = arrow.Table.from_pylist(row["words"])
        assert Doc.from_arrow(words) == nlp(row["body"])


def test_tables_become_conllu_with_the_ids_of_their_rows(small_model: Path, tmp_path: Path) -> None:
    source = written(tmp_path / "corpus.parquet", table(5))
    parse(source, "-m", small_model, "--text-column", "body", "--id-column", "id", "-o", tmp_path / "out.conllu")
    doc = read(tmp_path / "out.conllu")
    documents = list(doc.documents())
    assert [one.comments[0][0] for one in documents] == [f"# newdoc id = d{n:03}" for n in range(5)]
    assert [one.text for one in documents] == [text.rstrip() for text in table(5)["body"].to_pylist()]
    assert doc.sentences[1].sent_id == "d000-2"


@pytest.mark.parametrize("kind", FORMATS)
def test_a_job_that_was_killed_leaves_the_bytes_of_one_that_was_not(
    small_model: Path, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("laconic.pipeline.tables.ROWS", 3)
    source = written(tmp_path / f"corpus.{kind}", table())
    flat = ("--rows", "word", "--prefix", "word_", "--columns", "form,upos") if kind == "csv" else ()
    options = ("-m", small_model, "--text-column", "body", "--shard", "100", *flat)
    parse(source, *options, "-o", f"{tmp_path}/whole/")
    shards = sorted(path.name for path in (tmp_path / "whole").glob("part-*"))
    assert len(shards) > 3

    class Killed(Exception):
        pass

    for stop in (1, 4, 9):
        place = tmp_path / f"stopped-{stop}"
        with monkeypatch.context() as broken:
            from laconic.pipeline import table_job

            done, real = 0, table_job.parsed_rows

            def count(*arguments: Any, **named: Any) -> Any:
                nonlocal done
                done += 1
                if done > stop:  # noqa: B023  # called in this round only
                    raise Killed
                return real(*arguments, **named)  # noqa: B023

            broken.setattr(table_job, "parsed_rows", count)
            with pytest.raises(Killed):
                laconic("parse", source, *options, "-o", f"{place}/")
        again = laconic("parse", source, *options, "-o", f"{place}/")
        assert (again.code, "resume it" in again.err) == (1, True)
        parse(source, *options, "-o", f"{place}/", "--resume")
        assert sorted(path.name for path in place.glob("part-*")) == shards
        for name in shards:
            assert (place / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_process_that_is_killed_can_be_resumed(small_model: Path, tmp_path: Path) -> None:
    source = written(tmp_path / "corpus.parquet", table(3000))
    options = ["-m", str(small_model), "--text-column", "body", "--shard", "2000"]
    command = [*COMMAND, "parse", str(source), *options, "-o", f"{tmp_path}/job/"]
    process = subprocess.Popen(command, env={**os.environ, **PLAIN})
    until = time.monotonic() + 60
    while not list((tmp_path / "job").glob("part-*")) and time.monotonic() < until and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert list((tmp_path / "job").glob("part-*"))
    parse(source, *options, "-o", f"{tmp_path}/job/", "--resume")
    parse(source, *options, "-o", f"{tmp_path}/whole/")
    assert rows_of(tmp_path / "job") == rows_of(tmp_path / "whole")
    assert len(rows_of(tmp_path / "job")) == 3000


def test_an_edit_of_the_input_or_another_setting_is_noticed(small_model: Path, tmp_path: Path) -> None:
    source = written(tmp_path / "corpus.jsonl", table())
    options = ("-m", small_model, "--text-column", "body", "-o", f"{tmp_path}/job/")
    parse(source, *options)
    for change, name in ((("--columns", "form"), "table"), (("--id-column", "id"), "id_column")):
        done = laconic("parse", source, *options, "--resume", *change)
        assert (done.code, f"another job: {name} differ" in done.err) == (1, True), done.err
    source.write_text(source.read_text("utf-8").replace("d003", "d004"), "utf-8")
    done = laconic("parse", source, *options, "--resume")
    assert (done.code, "another job: inputs differ" in done.err) == (1, True)


def test_texts_stay_texts_and_quoted_lines_one_row(small_model: Path, tmp_path: Path) -> None:
    (tmp_path / "corpus.csv").write_text('id,text\n007,42\n008,"two\nlines"\n009,\n010,""\n', "utf-8")
    done = parse(tmp_path / "corpus.csv", "-m", small_model, "--id-column", "id", "--columns", "form")
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert [row["id"] for row in rows] == ["007", "008", "009", "010"]
    assert [row["text"] for row in rows] == ["42", "two\nlines", None, ""]
    assert [row["words"] is None for row in rows] == [False, False, True, False]


def test_several_files_of_the_same_columns_are_one_job(small_model: Path, tmp_path: Path) -> None:
    first, second = (written(tmp_path / f"{name}.parquet", table(5)) for name in "ab")
    parse(first, second, "-m", small_model, "--text-column", "body", "-o", tmp_path / "out.parquet")
    assert [row["id"] for row in rows_of(tmp_path / "out.parquet")] == 2 * table(5)["id"].to_pylist()
    written(second, table(5).drop_columns("year"))
    done = laconic("parse", first, second, "-m", small_model, "--text-column", "body", "-o", tmp_path / "out.parquet")
    assert (done.code, "has other columns" in done.err) == (2, True)


def test_rows_that_cannot_be_read_are_named(small_model: Path, tmp_path: Path) -> None:
    broken = arrow.table({"id": ["a", "b"], "text": arrow.array([b"Lo", b"\xff"])})
    source = written(tmp_path / "corpus.parquet", broken)
    done = laconic("parse", source, "-m", small_model, "--id-column", "id", "-o", tmp_path / "out.parquet")
    assert done.code == 1
    assert "corpus.parquet: row 1 (id b): 1:1: byte 0 is not UTF-8" in done.err
    assert not (tmp_path / "out.parquet").exists()
    parse(source, "-m", small_model, "--on-error", "column", "-o", tmp_path / "out.parquet")
    assert [row["error"] is None for row in rows_of(tmp_path / "out.parquet")] == [True, False]
    parse(source, "-m", small_model, "--replace", "-o", tmp_path / "out.parquet")


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_rows_of_text_files_that_are_not_utf8_are_named_too(small_model: Path, tmp_path: Path, kind: str) -> None:
    source = tmp_path / f"corpus.{kind}"
    rows = {"csv": b"id,text\na,Lo\nb,L\xffo\n", "jsonl": b'{"id":"a","text":"Lo"}\n{"id":"b","text":"L\xffo"}\n'}
    source.write_bytes(rows[kind])
    done = laconic("parse", source, "-m", small_model, "--id-column", "id")
    assert (done.code, f"corpus.{kind}: row 1 (id b): 1:2: byte 1 is not UTF-8" in done.err) == (1, True), done.err
    for options in (("--on-error", "column"), ("--replace",)):
        out = parse(source, "-m", small_model, "--columns", "form", *options).out
        assert [json.loads(line)["text"] for line in out.splitlines()] == ["Lo", "L\ufffdo"]


def test_other_columns_that_are_not_utf8_are_named(small_model: Path, tmp_path: Path) -> None:
    source = tmp_path / "corpus.csv"
    source.write_bytes(b"note,text\na,Lo\nb\xff,Lo\n")
    done = laconic("parse", source, "-m", small_model)
    assert (done.code, "corpus.csv: row 1: the column 'note'" in done.err) == (1, True), done.err
    source.write_bytes(b"n\xff,text\na,Lo\n")
    done = laconic("parse", source, "-m", small_model)
    assert (done.code, "corpus.csv: cannot be read as a table" in done.err) == (1, True), done.err


def test_words_that_others_read_as_nulls_are_texts(small_model: Path, tmp_path: Path) -> None:
    (tmp_path / "corpus.csv").write_text("country,text\nNA,NA\nDE,null\n,nan\n", "utf-8")
    out = parse(tmp_path / "corpus.csv", "-m", small_model, "--columns", "form").out
    rows = [json.loads(line) for line in out.splitlines()]
    assert [(row["country"], row["text"]) for row in rows] == [("NA", "NA"), ("DE", "null"), (None, "nan")]
    assert all(row["words"] for row in rows)


def test_other_columns_stay_as_they_are_written(small_model: Path, tmp_path: Path) -> None:
    lines = ['"zip","price","day","text"', '"00123","1.10","2020-01-01","Lo"', '"12345678901234567890","x","",""']
    source, out = tmp_path / "corpus.csv", tmp_path / "out.csv"
    source.write_text("\n".join(lines) + "\n", "utf-8")
    parse(source, "-m", small_model, "--rows", "word", "--columns", "form", "--on-error", "column", "-o", out)
    assert out.read_text("utf-8").splitlines() == [
        '"zip","price","day","form","error"',
        '"00123","1.10","2020-01-01","Lo",',
    ]
    given = {"id": 7, "text": "Lo", "day": "2020-01-01", "more": {"at": ["2020-01-01 10:00:00"]}, "year": 3, "no": None}
    source = tmp_path / "corpus.jsonl"
    source.write_text(json.dumps({**given, "text": None}) + "\n" + json.dumps(given) + "\n", "utf-8")
    rows = parse(
        source, "-m", small_model, "--id-column", "id", "--columns", "form", "--into", "found"
    ).out.splitlines()
    assert json.loads(rows[0]) == given | {"text": None, "found": None}
    assert json.loads(rows[1]) == given | {"found": [{"form": "Lo"}]}


@pytest.mark.parametrize("kind", FORMATS)
def test_columns_that_are_not_there_or_twice_are_told_in_every_format(
    small_model: Path, tmp_path: Path, kind: str
) -> None:
    source = written(tmp_path / f"corpus.{kind}", table(3))
    for options, message in (
        (("--text-column", "no"), "no column 'no' of texts"),
        (("--text-column", "body", "--id-column", "no"), "no column 'no' of ids"),
    ):
        done = laconic("parse", source, "-m", small_model, *options)
        assert (done.code, message in done.err) == (2, True), done.err
    if kind != "jsonl":  # which pyarrow refuses itself
        twice = arrow.table([table(3)["body"], table(3)["id"], table(3)["year"]], ["body", "id", "id"])
        done = laconic("parse", written(source, twice), "-m", small_model, "--text-column", "body")
        assert (done.code, "has 2 columns 'id'" in done.err) == (2, True), done.err


@pytest.mark.parametrize(
    ("name", "rows", "message"),
    [
        ("corpus.csv", 'text,n\n"a\nb",1\n' + 30 * "a,1\n" + "a\n", "row 31: CSV parse error: Expected 2 columns"),
        ("corpus.jsonl", 20 * '{"text":"a"}\n' + '{"text":"b"\n', "row 20: JSON parse error: Missing a comma"),
        ("corpus.jsonl", '{"text":"a"}\n{"text":1}\n', "row 1: JSON parse error: Column(/text) changed"),
        ("corpus.jsonl", '{"text":"a"}\n{"text":"' + 99 * "ab " + '"}\n', "a row, from row 1 on, is longer than"),
        (
            "corpus.jsonl",
            20 * '{"text":"a"}\n' + '{"text":"b","n":1}\n',
            "there is a field that no row has in the first",
        ),
    ],
)
def test_rows_that_are_none_are_named_wherever_they_stand(
    tmp_path: Path, name: str, rows: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("laconic.pipeline.table_files.BLOCK", 100)
    (tmp_path / name).write_text(rows, "utf-8")
    file = TableFile(str(tmp_path / name), name.partition(".")[2], "text")
    with pytest.raises(InputError) as told:
        for _ in file.batches():
            pass
    assert name in str(told.value)
    assert message in str(told.value)


@pytest.mark.parametrize("kind", FORMATS)
def test_files_that_are_no_tables_are_refused(small_model: Path, tmp_path: Path, kind: str) -> None:
    source = tmp_path / f"corpus.{kind}"
    source.write_bytes(b"\x00\xff\x00 no table" * 20)
    done = laconic("parse", source, "-m", small_model)
    assert done.code in (1, 2)
    assert "corpus" in done.err or "column" in done.err
    source.write_bytes(b"")
    done = laconic("parse", source, "-m", small_model)
    assert (done.code, "Traceback" in done.err) in ((1, False), (2, False))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--text-column", "no"), "no column 'no' of texts"),
        (("--text-column", "body", "--id-column", "no"), "no column 'no' of ids"),
        (("--text-column", "body", "--to", "svg"), "not written as svg"),
        (("--text-column", "body", "--to", "csv"), "CSV cannot hold"),
        (("--text-column", "body", "--into", "year"), "has a column 'year' already"),
        (("--text-column", "body", "--rows", "word"), "has a column 'id' already"),
        (("--text-column", "body", "--rows", "line"), "rows must be"),
        (("--text-column", "body", "--columns", "pos"), "no column 'pos'"),
        (("--text-column", "body", "--keep", "upos"), "not for tables"),
        (("--text-column", "body", "-o", "x.xml"), "not written as .xml"),
        (("--text-column", "body", "--components", "morphology"), "no segmenter"),
    ],
)
def test_wrong_usage_is_told(
    small_model: Path, tmp_path: Path, options: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source = written(tmp_path / "corpus.parquet", table(3))
    done = laconic("parse", source, "-m", small_model, *options)
    assert (done.code, message in done.err) in ((2, True), (1, True)), done.err


def test_options_of_tables_are_for_tables_and_inputs_are_not_mixed(small_model: Path, tmp_path: Path) -> None:
    done = laconic("parse", "Lo petum.", "-m", small_model, "--rows", "word")
    assert (done.code, "is for tables" in done.err) == (2, True)
    source = written(tmp_path / "corpus.parquet", table(3))
    (tmp_path / "notes.txt").write_text("Lo petum.", "utf-8")
    done = laconic("parse", source, tmp_path / "notes.txt", "-m", small_model)
    assert (done.code, "parse them apart" in done.err) == (2, True)
    done = laconic("parse", tmp_path / "missing.parquet", "-m", small_model)
    assert (done.code, "No such file" in done.err) == (1, True)


def test_the_command_knows_the_tables_that_can_be_read() -> None:
    from laconic.cli import tables
    from laconic.pipeline.table_files import FORMATS, SUFFIXES

    assert (FORMATS, tuple(SUFFIXES)) == (tables.READ, tables.ENDINGS)


def test_an_engine_is_given_every_option_of_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    monkeypatch.setattr("laconic.scale.ray.parse_files", lambda *_, **settings: given.update(settings) or 1)
    source = written(tmp_path / "corpus.parquet", table(3))
    options = ("--lines", "hard", "--no-mwt", "--replace", "--text-column", "body", "--columns", "form, upos")
    parse(source, "--engine", "ray", "-o", f"{tmp_path}/out/", *options)
    expected = {"line_ends": "hard", "mwt": False, "surrogates": "replace", "text": "body", "columns": ["form", "upos"]}
    assert given.items() >= expected.items()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--threads", "2"), "as many workers as their cluster has cores"),
        (("--threads", "1"), "as many workers as their cluster has cores"),
        (("--resume",), "begins anew, in an empty directory"),
        (("--shard", "5"), "cut their output themselves"),
        (("--components", "segmenter"), "is not for engines"),
        (("--to", "csv"), "CSV cannot hold the column 'words'"),
        (("--text-column", "no"), "no column 'no' of texts"),
        (("--id-column", "no"), "no column 'no' of ids"),
    ],
)
def test_what_engines_decide_themselves_is_refused(tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    source = written(tmp_path / "corpus.parquet", table())
    done = laconic("parse", source, "--text-column", "body", "--engine", "ray", "-o", f"{tmp_path}/out/", *options)
    assert (done.code, message in " ".join(done.err.replace("│", " ").split())) == (2, True), done.err
    assert not (tmp_path / "out").exists()
