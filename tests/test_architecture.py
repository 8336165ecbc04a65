"""docs/architecture.md, checked: which room may use which, and which packages are loaded when."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "laconic"
CORE = ROOT / "core"

# What a room uses directly; it may also use what those use. docs/architecture.md gives the reasons.
USES: dict[str, set[str]] = {
    "base": set(),
    "corpus": {"base"},
    "query": {"corpus"},
    "features": {"corpus"},
    "learn": {"features", "evaluate"},
    "evaluate": {"corpus"},
    "text": {"learn", "evaluate"},
    "tag": {"learn", "evaluate"},
    "transition": {"learn", "evaluate"},
    "graph": {"learn", "evaluate"},
    "ensemble": {"transition", "graph"},
    "label": {"learn", "evaluate"},
    "search": {"text", "tag", "transition", "graph", "label"},
    "pipeline": {"text", "tag", "transition", "graph", "ensemble", "label", "search", "interop"},
    "interop": {"evaluate"},
    "serve": {"pipeline"},
    "distill": {"pipeline"},
    "scale": {"pipeline"},
    "integrations": {"pipeline"},
    "cli": {"pipeline", "interop", "query", "serve", "distill", "scale"},
}
# A document's methods point at its views, from inside functions: asking for a view brings its room along, and nothing
# else does.
POINTS_AT = {"corpus/doc.py": {"interop", "query"}}
# Not rooms: what everyone may use, and the package itself, which only imports names from rooms.
COMMON = {"", "errors", "exports", "jsonlines", "progress", "_core", "data", "__main__"}
LOADED_AT_IMPORT = {"numpy", "safetensors"}
# The command line, and the server, which nothing but its verb of the command line loads. Only the network of a teacher,
# whose classes are those of torch, imports torch with its file, and is itself imported within functions.
LOADED_AT_IMPORT_BY = {"cli": {"typer", "rich"}, "serve": {"starlette", "uvicorn", "h11"}, "distill": {"torch"}}


def allowed(room: str) -> set[str]:
    rooms = {room}
    for used in USES[room]:
        rooms |= allowed(used)
    return rooms


def python_files() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def core_files() -> list[Path]:
    return sorted(
        path for path in CORE.rglob("*") if path.suffix in (".hpp", ".cpp") and path.parent.name != "bindings"
    )


def room_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py").replace("__init__", "")


def imports(node: ast.AST, package: list[str]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = package[: len(package) - node.level + 1] if node.level else []
        module = ".".join([*base, *([node.module] if node.module else [])])
        yield module
        if module == "laconic":
            yield from (f"laconic.{alias.name}" for alias in node.names)


def package_of(path: Path) -> list[str]:
    return ["laconic", *path.relative_to(PACKAGE).parts[:-1]]


def top_level(tree: ast.Module) -> Iterator[ast.AST]:
    """What runs when the module is imported: everything but bodies of functions and of `if TYPE_CHECKING`."""
    pending: list[ast.AST] = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        yield node
        pending.extend(ast.iter_child_nodes(node))


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_python_rooms_use_only_rooms_below_them(path: Path) -> None:
    room = room_of(path)
    if room in COMMON:
        return
    names = {name for node in ast.walk(ast.parse(path.read_text("utf-8"))) for name in imports(node, package_of(path))}
    used = {name.split(".")[1] for name in names if name.startswith("laconic.")} - COMMON
    assert used - POINTS_AT.get(path.relative_to(PACKAGE).as_posix(), set()) <= allowed(room)


@pytest.mark.parametrize(("file", "rooms"), POINTS_AT.items())
def test_what_is_only_pointed_at_is_not_loaded_at_import(file: str, rooms: set[str]) -> None:
    path = PACKAGE / file
    tree = ast.parse(path.read_text("utf-8"))
    loaded = {name.split(".")[1] for node in top_level(tree) for name in imports(node, package_of(path)) if "." in name}
    assert not loaded & rooms


@pytest.mark.parametrize("path", core_files(), ids=lambda path: str(path.relative_to(CORE)))
def test_core_rooms_include_only_rooms_below_them(path: Path) -> None:
    included = re.findall(r'^#include "([^/"]+)/', path.read_text("utf-8"), re.M)
    assert set(included) <= allowed(path.relative_to(CORE).parts[0])


@pytest.mark.parametrize("path", core_files(), ids=lambda path: str(path.relative_to(CORE)))
def test_core_rooms_know_nothing_of_python(path: Path) -> None:
    assert not re.search(r"#include [<\"](Python\.h|nanobind)", path.read_text("utf-8"))


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_optional_packages_are_imported_where_they_are_used_and_not_before(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    names = {name.split(".")[0] for node in top_level(tree) for name in imports(node, package_of(path))}
    foreign = names - sys.stdlib_module_names - {"laconic"}
    assert foreign <= LOADED_AT_IMPORT | LOADED_AT_IMPORT_BY.get(room_of(path), set())


@pytest.mark.parametrize("room", ["pipeline", "cli", "serve"])
def test_components_are_asked_and_their_types_never_looked_at(room: str) -> None:
    from laconic.pipeline.components import COMPONENTS

    kinds = {kind.__name__ for kind in COMPONENTS.values()}
    for path in sorted((PACKAGE / room).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass", "type"):
                named = {name.id for part in node.args for name in ast.walk(part) if isinstance(name, ast.Name)}
                assert not named & kinds, f"{path.name}:{node.lineno}: {ast.unparse(node)}"


def test_a_name_stands_for_one_type() -> None:
    found: dict[str, list[str]] = {}
    for folder in (PACKAGE, ROOT / "experiments", ROOT / "benchmarks"):
        for path in sorted(folder.rglob("*.py")):
            for node in ast.parse(path.read_text("utf-8")).body:
                name = node.name if isinstance(node, ast.ClassDef) else alias(node)
                if name:
                    found.setdefault(name, []).append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert {name: where for name, where in found.items() if len(where) > 1} == {}


def alias(node: ast.stmt) -> str | None:
    """The name that a statement gives to a type; type variables mean something in their own file only."""
    target = (
        node.target if isinstance(node, ast.AnnAssign) else node.targets[0] if isinstance(node, ast.Assign) else None
    )
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
    if not isinstance(target, ast.Name) or (isinstance(value, ast.Call) and ast.unparse(value.func) == "TypeVar"):
        return None
    return target.id if re.fullmatch("[A-Z][A-Za-z]*[a-z][A-Za-z]*", target.id) else None


def test_the_rooms_of_the_core_are_rooms_of_the_package() -> None:
    rooms = {path.name for path in CORE.iterdir() if path.is_dir()} - {"bindings", "base"}
    assert rooms <= USES.keys()


def test_the_build_links_every_room_of_the_core_with_the_rooms_it_uses() -> None:
    rooms = dict(re.findall(r"^room\((\w+) ?([\w ]*)\)$", (ROOT / "core" / "CMakeLists.txt").read_text("utf-8"), re.M))
    assert rooms.keys() == {path.name for path in CORE.iterdir() if path.is_dir()} - {"bindings"}
    for room, used in rooms.items():
        assert set(used.split()) <= allowed(room), room
    included = {
        path.relative_to(CORE).parts[0]: set(re.findall(r'^#include "([^/"]+)/', path.read_text("utf-8"), re.M))
        for path in core_files()
    }

    def linked(room: str) -> set[str]:
        return {room}.union(*map(linked, rooms[room].split()))

    for room, others in included.items():
        assert others <= linked(room), room


def test_tracked_files_name_no_place_of_the_machine_they_were_written_on() -> None:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listing.returncode:
        pytest.skip("not a git working copy")
    # Put together here, so that this file does not find itself.
    places = re.compile("(?<![\\w.~-])/(?:" + "|".join(("work", "home", "root", "Users", "tmp", "mnt")) + ")/[A-Za-z]")
    for name in filter(None, listing.stdout.decode().split("\0")):
        path = ROOT / name
        if path.suffix in (".png", ".gz") or not path.is_file():
            continue
        found = places.search(path.read_text("utf-8", errors="replace"))
        assert found is None, f"{name}: {found.group()}"
