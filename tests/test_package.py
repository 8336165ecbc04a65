"""What `import laconic` costs, and what is installed."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest

import laconic

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "laconic"
STUBS = PACKAGE / "_core"
HEAVY = {
    "sklearn",
    "scipy",
    "pyarrow",
    "matplotlib",
    "rich",
    "typer",
    "click",
    "networkx",
    "safetensors",
    "multiprocessing",
}


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def modules_after(statement: str) -> list[str]:
    """What is loaded, in the order in which loading began."""
    loaded: list[str] = json.loads(run(f"import sys\n{statement}\nimport json\nprint(json.dumps(list(sys.modules)))"))
    return loaded


def calls_of(statement: str) -> int:
    """Function calls while the statement runs: what it costs, without the noise of a clock."""
    counting = "count = 0\ndef see(frame, event, arg):\n    global count\n    count += event in ('call', 'c_call')\n"
    code = f"import sys\n{counting}sys.setprofile(see)\n{statement}\nsys.setprofile(None)\nprint(count)"
    run(code)  # once before, so that everything is compiled
    return int(run(code))


def test_importing_the_package_loads_nothing_heavy() -> None:
    loaded = {name.split(".")[0] for name in modules_after("import laconic")}
    assert not loaded & (HEAVY | {"numpy"})


def test_using_the_corpus_loads_numpy_and_nothing_else_heavy() -> None:
    loaded = {name.split(".")[0] for name in modules_after("import laconic\nlaconic.read\nlaconic.Doc")}
    assert "numpy" in loaded
    assert not loaded & HEAVY


@pytest.mark.parametrize("statement", ["import laconic", "import laconic\nlaconic.read"])
def test_importing_costs_at_most_a_tenth_more_than_what_it_needs(statement: str) -> None:
    always = set(modules_after(""))
    loaded = [name for name in modules_after(statement) if name not in always]
    needed = ["laconic._core", *(name for name in loaded if name.split(".")[0] != "laconic")]
    if "numpy" not in needed:
        needed.append("numpy")
    assert calls_of(statement) <= 1.1 * calls_of("\n".join(f"import {name}" for name in needed))


def test_loading_a_model_loads_the_rooms_of_its_components_and_nothing_for_training_or_writing() -> None:
    loaded = {name for name in modules_after("import laconic\nlaconic.load('en')") if name.startswith("laconic.")}
    rooms = {name.split(".")[1] for name in loaded}
    assert {"text", "tag", "transition", "pipeline"} <= rooms
    assert not rooms & {"cli", "ensemble", "evaluate", "graph", "label", "search", "serve"}
    training = {"learn.training", "learn.folding", "transition.training", "pipeline.training", "pipeline.config"}
    assert not loaded & {f"laconic.{name}" for name in (*training, "interop.writers", "corpus.reading")}


@pytest.mark.parametrize(
    "package",
    sorted(path.parent for path in PACKAGE.glob("*/__init__.py") if "on_first_use" in path.read_text("utf-8")),
    ids=lambda package: package.name,
)
def test_no_name_that_is_loaded_on_first_use_is_that_of_a_module_beside_it(package: Path) -> None:
    """A module takes the place of the name once it is loaded, whoever loads it."""
    names = import_module(f"laconic.{package.name}").__all__
    assert not set(names) & {path.stem for path in package.glob("*.py")}


def test_every_public_name_of_a_room_can_be_had_and_is_listed() -> None:
    for package in PACKAGE.glob("*/__init__.py"):
        room = import_module(f"laconic.{package.parent.name}")
        for name in getattr(room, "__all__", []):
            assert getattr(room, name) is not None
            assert name in dir(room)
        with pytest.raises(AttributeError, match="no_such_name"):
            _ = room.no_such_name


def test_every_public_name_can_be_had() -> None:
    for name in laconic.__all__:
        assert getattr(laconic, name) is not None
        assert name in dir(laconic)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = laconic.no_such_name


@pytest.mark.parametrize("room", sorted(path.parent.name for path in STUBS.parent.glob("[a-z]*/__init__.py")))
def test_every_room_can_be_had_without_importing_it(room: str) -> None:
    assert run(f"import laconic\nprint(laconic.{room}.__name__, {room!r} in dir(laconic))") == f"laconic.{room} True\n"


def test_type_marker_stubs_and_data_are_installed() -> None:
    for name in ("py.typed", "data/sample.conllu", "data/bench.txt", "_core/__init__.pyi"):
        assert files("laconic").joinpath(name).is_file(), name


@pytest.mark.parametrize("stub", sorted(STUBS.glob("*.pyi")), ids=lambda path: path.stem)
def test_stubs_name_what_the_compiled_module_has(stub: Path) -> None:
    """Independent of the stub generator: a binding added without its stub is found wherever the tests run."""
    module = import_module("laconic._core" if stub.stem == "__init__" else f"laconic._core.{stub.stem}")
    described: set[str] = set()
    for node in ast.parse(stub.read_text("utf-8")).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            described.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            described.add(node.target.id)
        elif isinstance(node, ast.ImportFrom) and node.module == "laconic._core" and stub.stem == "__init__":
            described.update(alias.name for alias in node.names)
    assert {name for name in vars(module) if not name.startswith("_")} == {
        n for n in described if not n.startswith("_")
    }
