"""docs/extending.md says how a transition system is added: this follows it."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMPILER = shutil.which("c++")
# Follows the oracle of the system argv[1] once for each line of heads, and prints the heads that it built.
MAIN = """
#include <cstdio>
#include <iostream>
#include <sstream>
#include "transition/oracle.hpp"
#include "transition/systems.hpp"
int main(int, char** arguments) {
    using namespace laconic::transition;
    const auto system = make_system(arguments[1], {});
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::vector<std::int32_t> heads;
        for (std::int32_t head; words >> head;) heads.push_back(head);
        State state;
        state.start(heads.size());
        Gold gold;
        gold.set(heads, {}, false);
        while (!system->done(state)) {
            const Moves best = cheapest(system->costs(state, gold), system->valid(state));
            system->apply(state, static_cast<Move>(std::countr_zero(best)), 0);
        }
        system->finish(state, 0, 0);
        for (const auto head : state.heads()) std::printf("%d ", static_cast<int>(head));
        std::puts("");
    }
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if COMPILER is None:
        pytest.skip("there is no C++ compiler")
    folder = tmp_path_factory.mktemp("core")
    for room in ("base", "corpus", "transition"):
        shutil.copytree(ROOT / "core" / room, folder / room)
    page = (ROOT / "docs" / "extending.md").read_text("utf-8")
    found = re.search(r"```cpp\n(.*?)```", page, re.S)
    assert found is not None
    (folder / "transition" / "chain.hpp").write_text(textwrap.dedent(found[1]), "utf-8")
    systems = folder / "transition" / "systems.cpp"
    text = systems.read_text("utf-8")
    include = '#include "transition/arc_eager.hpp"\n'
    changed = text.replace(include, f'{include}#include "transition/chain.hpp"\n')
    changed, count = re.subn(r"(entries<[^<>]*)>\(\);", r"\1, Chain>();", changed)
    assert count == 1
    assert len(changed.splitlines()) == len(text.splitlines()) + 1  # an include, and a name in a list
    systems.write_text(changed, "utf-8")
    (folder / "main.cpp").write_text(MAIN, "utf-8")
    made = folder / "program"
    sources = [systems, folder / "corpus" / "tree.cpp", folder / "main.cpp"]
    command = [COMPILER, "-std=c++20", "-I", folder, *sources, "-o", made]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return made


def rebuilt(program: Path, system: str, trees: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    lines = "".join(f"{' '.join(map(str, heads))}\n" for heads in trees)
    done = subprocess.run([str(program), system], input=lines, capture_output=True, text=True, check=True)
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]


def test_a_system_is_added_by_the_steps_of_the_page(program: Path) -> None:
    chains = [
        heads
        for size in range(1, 6)
        for heads in itertools.product(*[(0, word + 1) if word < size else (0,) for word in range(1, size + 1)])
    ]
    assert rebuilt(program, "chain", chains) == chains


def test_an_arc_that_the_system_cannot_make_is_lost_and_no_other(program: Path) -> None:
    assert rebuilt(program, "chain", [(2, 0, 2, 5, 2)]) == [(2, 0, 0, 5, 0)]


def test_the_systems_that_were_there_are_as_before(program: Path) -> None:
    tree = (2, 3, 0, 5, 3)
    for system in ("arc-eager", "arc-hybrid", "arc-standard", "swap", "step-back"):
        assert rebuilt(program, system, [tree]) == [tree]
