"""Recipes of docs/integrations.md and docs/scale.md run, where the packages that they use are installed."""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("integrations", "scale")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the packages that recipes use


def recipes() -> list[tuple[str, int, str]]:
    """Page, line and code of each."""
    found = []
    for page in PAGES:
        text = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
        for match in re.finditer(r"^```python\n(.*?)^```", text, re.S | re.M):
            found.append((page, text.count("\n", 0, match.start()) + 1, match[1]))
    return found


@pytest.mark.parametrize(("page", "line", "code"), recipes(), ids=lambda value: str(value)[:12].split()[0])
def test_recipes_run(page: str, line: int, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for node in ast.walk(ast.parse(code)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in {name.partition(".")[0] for name in names} - sys.stdlib_module_names:
            if find_spec(name) is None:
                pytest.skip(f"needs {name}")
            if name == "pyspark" and shutil.which("java") is None and "JAVA_HOME" not in os.environ:
                pytest.skip("Spark needs Java")
            if name == "pyspark":
                monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.chdir(tmp_path)
    # As many lines as before it in the page, so that a traceback has the line of the page.
    exec(compile("\n" * line + code, f"docs/{page}.md", "exec"), {"__name__": "recipe"})
