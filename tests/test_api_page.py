"""docs/api.md names every public attribute, and none that does not exist."""

from __future__ import annotations

import ast
import dataclasses
import doctest
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import laconic
from laconic.corpus import Doc, EmptyNode, Entity, MultiwordToken, Sentence, Span, Token
from laconic.pipeline import Pipeline
from laconic.query import Match, Query

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "api.md").read_text("utf-8")
ROW = re.compile(r"^\| `(\w+)(?:\(([^`]*)\))?` \| [^|]+ \| .+ \|$")
CLASSES = (Doc, Sentence, Token, Span, Entity, Match, Query, MultiwordToken, EmptyNode, Pipeline)


def listed(heading: str) -> dict[str, str | None]:
    """The names in the table under a heading; of functions also what they are given."""
    _, _, rest = PAGE.partition(f"\n## {heading}\n")
    section, _, _ = rest.partition("\n## ")
    rows = [line for line in section.splitlines() if line.startswith("|")][2:]
    matches = [ROW.match(row) for row in rows]
    assert rows
    assert all(matches), [row for row, match in zip(rows, matches, strict=True) if not match]
    return {match[1]: match[2] for match in matches if match}


def public(kind: type) -> set[str]:
    names = {name for name in dir(kind) if not name.startswith("_")}
    if dataclasses.is_dataclass(kind):
        names |= {field.name for field in dataclasses.fields(kind)}
    if kind is Entity:
        names -= set(dir(Span))
    if kind is Query:
        names |= set(vars(Query("{}"))) - {"_core"}
    if kind is Pipeline:
        names |= {name for name in vars(Pipeline({}, {}, {})) if not name.startswith("_")}
    return names


def check_arguments(function: Any, arguments: str | None) -> None:
    """The page shows a function with what it is given, and nothing else so."""
    assert callable(function) == (arguments is not None)
    if arguments is None:
        return
    shown = ast.parse(f"def function({arguments.replace('…', '...')}): pass").body[0]
    assert isinstance(shown, ast.FunctionDef)
    given = shown.args
    names = [one.arg for one in (*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg) if one]
    parameters = [name for name in inspect.signature(function).parameters if name != "self"]
    assert names == parameters


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_public_attribute_is_listed_and_every_listed_one_exists(kind: type) -> None:
    rows = listed(kind.__name__)
    assert set(rows) == public(kind)
    for name, arguments in rows.items():
        if name in dir(kind):
            check_arguments(getattr(kind, name), arguments)
        else:
            assert arguments is None, name


def test_every_public_name_of_the_package_is_listed() -> None:
    rows = listed("The package")
    assert set(rows) == set(laconic.__all__)
    for name, arguments in rows.items():
        value = getattr(laconic, name)
        check_arguments(None if inspect.isclass(value) else value, arguments)


def test_every_public_name_of_distillation_is_listed() -> None:
    from laconic import distill

    rows = listed("Distillation")
    assert set(rows) == set(distill.__all__)
    for name, arguments in rows.items():
        value = getattr(distill, name)
        check_arguments(None if inspect.isclass(value) else value, arguments)


def test_the_page_is_linked_from_where_people_look() -> None:
    root = Path(__file__).resolve().parent.parent
    assert "](docs/api.md)" in (root / "README.md").read_text("utf-8")
    assert "](api.md)" in (root / "docs" / "guide.md").read_text("utf-8")


def test_the_page_about_reading_shows_every_attribute_and_its_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (Path(__file__).resolve().parent.parent / "docs" / "reading.md").read_text("utf-8")
    examples = doctest.DocTestParser().get_doctest(text, {}, "reading.md", "reading.md", 0)
    (file,) = re.findall(r"^```conllu\n(.*?)^```", text, re.S | re.M)
    (tmp_path / "harbour.conllu").write_text(file, "utf-8")
    monkeypatch.chdir(tmp_path)
    result = doctest.DocTestRunner().run(examples)
    assert (result.failed, result.attempted > 50) == (0, True)
    code = "\n".join(example.source for example in examples.examples)
    inherited = set(dir(tuple))  # index, count
    shown_elsewhere = {"concatenate", "columns", "set_codes", "documents", "comments", "svg"}
    for kind in (Doc, Sentence, Span, Entity, Token):
        for name in public(kind) - inherited - shown_elsewhere:
            if not name.startswith(("to_", "from_")) and not (
                kind is Doc and name in ("multiword_tokens", "empty_nodes")
            ):
                assert re.search(rf"\.{name}\b", code), f"{kind.__name__}.{name}"
