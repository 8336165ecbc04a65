"""docs/papers.md: every table and figure of the papers has a row, and every row a command with a committed result."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from experiments.__main__ import PAPERS, Experiment, index

ROOT = Path(__file__).resolve().parent.parent
ITEMS = {
    "Strubell et al. 2015": ["table 1", "table 2", "table 3", "figure 1", "figure 2"],
    "Nilsson & Nugues 2010": [*(f"table {number}" for number in range(1, 8)), "figure 1"],
    "Chang, Do & Roth 2007": [*(f"table {number}" for number in range(1, 9)), "figure 1", "figure 2", "figure 3"],
    "He, Daumé & Eisner 2013": ["table 1", *(f"figure {number}" for number in range(1, 6))],
    "Shen, Lei & Barzilay 2016": [f"table {number}" for number in range(1, 5)],
}
"""All that the papers have, by the headings of the page."""
VERDICTS = ("reproduced", "in part", "not reproduced", "defines", "cites")


def rows(paper: str) -> list[list[str]]:
    text = (ROOT / "docs" / "papers.md").read_text("utf-8")
    _, _, section = text.partition(f"\n## {paper}\n")
    table = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in table[2:]]


@pytest.mark.parametrize("paper", ITEMS)
def test_every_table_and_figure_of_a_paper_has_a_row(paper: str) -> None:
    said = [row[0].partition(":")[0] for row in rows(paper)]
    assert not [item for item in ITEMS[paper] if item not in said]


@pytest.mark.parametrize("paper", ITEMS)
def test_every_row_says_what_the_paper_has_what_is_here_and_a_verdict(paper: str) -> None:
    for what, theirs, ours, verdict, _ in rows(paper):
        assert what.strip()
        assert theirs.strip()
        assert ours.strip()
        assert verdict.startswith(VERDICTS), what


@pytest.mark.parametrize("paper", ITEMS)
def test_every_row_has_a_command_whose_result_is_kept(paper: str) -> None:
    experiments = {entry.name: entry for entry in index()}
    for what, *_, commands in rows(paper):
        found = re.findall("`([^`]+)`", commands)
        assert found, what
        for command in found:
            tool, _, name = command.rpartition(" ")
            if tool == "pytest":
                assert (ROOT / name).exists(), command
            else:
                assert tool == "python -m experiments run"
                entry = experiments[name]
                assert entry.commands
                assert entry.results
                assert all(path.is_file() for path in entry.results), command


@pytest.mark.parametrize(
    "entry", [entry for entry in index() if entry.part.startswith(PAPERS)], ids=lambda entry: entry.name
)
def test_every_command_of_the_index_has_a_result_that_names_it(entry: Experiment) -> None:
    """A result that another command has written is not that of the row."""
    texts = [path.read_text("utf-8") for path in entry.results if path.suffix in (".md", ".templates")]
    assert entry.commands
    for command in entry.commands:
        names = re.compile(rf"Written by `{re.escape(command)}`|made by: {re.escape(command)}\n")
        assert any(map(names.search, texts)), command
