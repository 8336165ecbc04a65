"""docs/templates.md says what the registry says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from laconic.errors import InputError
from laconic.features import KINDS, kind, parse_set, parse_template

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "templates.md").read_text(encoding="utf-8")
QUOTED = re.findall(r"`([^`\n]+)`", TEXT)


@pytest.mark.parametrize("name", list(KINDS))
def test_the_documentation_names_every_word_of_a_kind(name: str) -> None:
    chosen = KINDS[name]
    said = {re.match(r"[A-Za-z]*[0-9]?", word)[0] for word in QUOTED}  # type: ignore[index]
    assert chosen.name in said
    assert {step for step in chosen.steps if step not in said} == set()
    for word in [*chosen.attributes, *chosen.nodes]:
        assert any(quoted.startswith(word) for quoted in QUOTED), word


def test_every_term_in_the_documentation_can_be_parsed() -> None:
    terms = [word for word in QUOTED if re.fullmatch(r"[A-Z]+\S*\([^.]+\)", word) and word != "ATTRIBUTE(NODE path)"]
    assert len(terms) >= 6
    for term in terms:
        assert any(accepted(term, name) for name in KINDS), term


def accepted(term: str, name: str) -> bool:
    try:
        return str(parse_template(term, kind(name))) == term
    except InputError:
        return False


def test_the_example_in_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.templates").write_text("LEX(TOKEN)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    example = TEXT.split("```python\n")[1].split("```")[0]
    names: dict[str, object] = {}
    exec(example, names)
    assert len(names["pairs"]) == 3  # type: ignore[arg-type]


def test_the_error_in_the_documentation_is_the_one_that_comes() -> None:
    with pytest.raises(InputError) as caught:
        parse_set("LEX(TOKEN)\nSUFIX3(TOKEN)\n", kind("token"), "mine.templates")
    shown = TEXT.split("mine.templates:2:1")[1].split("```")[0]
    first, _, rest = shown.partition(", ...")
    assert str(caught.value).startswith("mine.templates:2:1" + first)
    assert str(caught.value).endswith(rest.rstrip())
