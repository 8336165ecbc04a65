"""Instructions a word of each component, counted by callgrind: the same number on a busy machine and on a quiet one.

    python -m benchmarks.instructions            print them
    python -m benchmarks.instructions --check    compare them with benchmarks/instructions.json, as .ci/run does
    python -m benchmarks.instructions --update   write them there

The model `en` works on the bundled text at the effort balanced, with the portable kernels: the same instructions on
every x86-64 machine. Counted is what the compiled core itself executes, not the C library, whose functions depend on
the processor, nor Python. What is computed once for each word of the lexicon is there before. Other compilers make
other instructions: a figure is compared only where compiler and processor are those it was counted with.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FIGURES = Path(__file__).with_suffix(".json")
TOLERANCE = 0.03
MARK = "getpriority"
"""A function of the C library that nothing else here calls: a dump is written whenever it is."""
CORE = "_core."


def counted(effort: str = "balanced", instructions: str = "portable") -> dict[str, float]:
    """Instructions a word by component."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "out"
        worker = [sys.executable, "-m", "benchmarks.instructions", "--work", effort, instructions]
        command = ["valgrind", "--tool=callgrind", f"--dump-before={MARK}", f"--callgrind-out-file={out}", *worker]
        environment = os.environ | {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode:
            sys.exit(f"callgrind failed:\n{done.stderr[-2000:]}")
        names = json.loads(done.stdout)
        # A dump holds what came before a mark: that of a component is written at the mark behind it.
        dumps = sorted(Path(place).glob("out.*"), key=lambda path: int(path.suffix[1:]))[-len(names["components"]) :]
        return {
            name: _of_the_core(dump) / names["words"] for name, dump in zip(names["components"], dumps, strict=True)
        }


def _of_the_core(dump: Path) -> int:
    """Of a profile in callgrind's format: what functions of the core executed themselves. Names stand once beside
    their number, which stands for them from there on."""
    names: dict[str, str] = {}
    total, inside, is_call = 0, False, False
    for line in dump.read_text("utf-8").splitlines():
        if found := re.match(r"(c?)ob=\((\d+)\)(?: (.*))?$", line):
            called, number, name = found.groups()
            if name:
                names[number] = name
            if not called:
                inside = CORE in Path(names[number]).name
        elif line.startswith("calls="):
            is_call = True  # the next line says what the call cost, which counts where it was spent
        elif line[:1] in "+-*0123456789" and line:
            if inside and not is_call:
                total += int(line.split()[1])
            is_call = False
    return total


def work(effort: str, instructions: str) -> None:
    """What runs under callgrind."""
    import laconic
    from laconic._core.learn import use_instruction_set
    from laconic.pipeline.costs import bench_text

    def mark() -> None:
        os.getpriority(os.PRIO_PROCESS, 0)

    use_instruction_set(instructions)
    nlp, text = laconic.load("en").at(effort), bench_text()
    nlp(text)
    names, doc = [], None
    mark()
    for name, component in nlp.components.items():
        if doc is None:
            doc = nlp.segmenter.predict(text)[0]
        else:
            component.apply(doc)
        names.append(name)
        mark()
    assert doc is not None
    doc.columns.to_conllu()
    names.append("writing CoNLL-U")
    mark()
    print(json.dumps({"components": names, "words": len(doc)}))


def system() -> dict[str, str]:
    """What a figure depends on beside the source."""
    import platform

    from laconic._core.learn import compiler

    return {"compiler": compiler(), "processor": platform.machine()}


def compare(kept: dict[str, Any], found: dict[str, float]) -> list[str]:
    """What has grown, in words."""
    wrong = []
    for name, figure in found.items():
        before = kept["instructions"].get(name)
        if before is None:
            wrong.append(f"{name}: {figure:,.0f} instructions a word, and no figure is kept")
        elif figure > before * (1 + TOLERANCE):
            wrong.append(
                f"{name}: {figure:,.0f} instructions a word, {figure / before - 1:+.1%} of the {before:,.0f} kept"
            )
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(*options.work)
        return
    if shutil.which("valgrind") is None:
        print("instructions are not counted: valgrind is not installed", file=sys.stderr)
        return
    here = system()
    kept = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {"system": here, "instructions": {}}
    if options.check and kept["system"] != here:
        print(f"instructions are not compared: kept with {kept['system']}, this is {here}", file=sys.stderr)
        return
    found = counted()
    for name, figure in found.items():
        print(f"{name:20} {figure:8,.0f} instructions a word")
    if options.update:
        figures = {name: round(figure, 1) for name, figure in found.items()}
        FIGURES.write_text(json.dumps({"system": here, "instructions": figures}, indent=2) + "\n", "utf-8")
    elif options.check and (wrong := compare(kept, found)):
        sys.exit(
            "\n".join(("components execute more instructions than is kept:", *wrong))
            + "\nIf that is meant: python -m benchmarks.instructions --update, and say why in the commit."
        )


if __name__ == "__main__":
    main()
