"""The index of experiments and benchmarks, and a short way to run them.

    python -m experiments list
    python -m experiments run NAME [OPTION ...]
    python -m experiments run --all [--again]

NAME is as in the list, for example ``chang2007.table1``. Without options the commands of the index are run, those that
made the committed results; otherwise the experiment itself, with these options. ``--all`` runs every command of the
index that makes something of a paper again, says first what that will take, and goes on where an earlier run was
stopped, unless it is to start ``--again``; what ended well is noted in build/experiments.jsonl.
"""

from __future__ import annotations

import argparse
import re
import runpy
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.common import ROOT
from laconic.cli.boundary import CLOSED_PIPE, discard_stdout
from laconic.search.journal import Journal, key

ROW = re.compile(r"\| \[[^]]+\]\(\.\./(?P<file>[\w/]+)\.py\) \| (?P<rest>.*) \|$")
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([^)#]+)")
DURATION = re.compile(r"(\d+)?([½])?(?: and more)?\s*(?:CPU )?(hours?|minutes?|seconds?|s)\b")
MINUTES = {"h": 60.0, "m": 1.0, "s": 1 / 60}
DONE = Path("build") / "experiments.jsonl"
PAPERS = "## Papers"
"""The part of the index that ``--all`` runs."""


@dataclass(frozen=True)
class Experiment:
    """A row of docs/experiments.md."""

    part: str
    module: str
    shows: str
    data: str
    commands: tuple[str, ...]
    time: str
    results: tuple[Path, ...]

    @property
    def name(self) -> str:
        return self.module.removeprefix("experiments.")

    @property
    def minutes(self) -> float:
        """What all its commands took together, as far as the index tells."""
        return sum(
            (float(whole or 0) + (0.5 if half else 0.0)) * MINUTES[unit[0]]
            for whole, half, unit in DURATION.findall(self.time)
            if whole or half
        )


def index() -> Iterator[Experiment]:
    part = ""
    for line in (ROOT / "docs" / "experiments.md").read_text("utf-8").splitlines():
        if line.startswith("## "):
            part = line
        elif found := ROW.match(line):
            shows, data, commands, taken, result = found["rest"].split(" | ")
            module = found["file"].replace("/", ".")
            # The first command of a row is whole; `…` at the beginning of others stands for its module.
            whole = tuple(re.sub("^…", f"python -m {module}", one) for one in CODE.findall(commands))
            results = tuple((ROOT / "docs" / one).resolve() for one in LINK.findall(result))
            yield Experiment(part, module, shows, data, whole, taken, results)


def run_commands(commands: Sequence[str]) -> None:
    """Run commands as the index has them, each in a process of its own; the first that fails ends it."""
    for command in commands:
        print(f"== {command}", file=sys.stderr, flush=True)
        arguments = shlex.split(command)[1:]
        if (code := subprocess.run([sys.executable, *arguments], cwd=ROOT, check=False).returncode) != 0:
            sys.exit(f"exit {code}: {command}")


def run_all(again: bool) -> None:
    """Every command that makes something of a paper again, but those that an earlier run has ended."""
    entries = [entry for entry in index() if entry.part.startswith(PAPERS)]
    done = ROOT / DONE
    if again:
        done.unlink(missing_ok=True)
    done.parent.mkdir(exist_ok=True)
    journal = Journal(done)
    left = {entry: [one for one in entry.commands if key(one) not in journal] for entry in entries}
    left = {entry: commands for entry, commands in left.items() if commands}
    known = sum(entry.minutes for entry in left)
    silent = sum(entry.minutes == 0 for entry in left)
    print(
        f"{sum(map(len, left.values()))} commands of {len(left)} experiments to run; "
        f"those of {len(left) - silent} took about {known / 60:.1f} hours, the index does not say it of {silent}",
        file=sys.stderr,
    )
    for commands in left.values():
        for command in commands:
            begin = time.monotonic()
            run_commands([command])
            journal.put(key(command), {"command": command, "seconds": round(time.monotonic() - begin)})


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m experiments", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("list", help="all, with data and run time")
    run = verbs.add_parser("run", help="run one, or all", add_help=False)
    run.add_argument("name", nargs="?")
    run.add_argument("--all", action="store_true", dest="everything")
    run.add_argument("--again", action="store_true")
    chosen, options = parser.parse_known_args()
    entries = {entry.name: entry for entry in index()}
    if chosen.verb == "list":
        if options:
            parser.error(f"list takes no arguments: {' '.join(options)}")
        width = max(map(len, entries))
        for entry in entries.values():
            print(f"{entry.name:{width}}  {entry.shows}\n{'':{width}}  data: {entry.data}; time: {entry.time}")
    elif chosen.everything:
        if chosen.name is not None or options:
            parser.error(f"run --all takes no other arguments: {' '.join(filter(None, (chosen.name, *options)))}")
        run_all(chosen.again)
    elif chosen.again:
        parser.error("--again goes with --all")
    elif chosen.name is None:
        parser.error("run takes the name of an experiment, or --all")
    elif chosen.name not in entries:
        sys.exit(f"no experiment {chosen.name!r}: see python -m experiments list")
    elif not options:
        run_commands(entries[chosen.name].commands)
    else:
        sys.argv[1:] = options
        runpy.run_module(entries[chosen.name].module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    try:
        main()
        sys.stdout.flush()  # here, because at the interpreter's end it is too late to be quiet
    except BrokenPipeError:  # as of ``python -m experiments list | head``
        discard_stdout()
        sys.exit(CLOSED_PIPE)
