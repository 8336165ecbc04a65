"""The index of experiments and benchmarks, and a short way to run one.

    python -m experiments list
    python -m experiments run NAME [OPTION ...]

NAME is as in the list, for example ``chang2007.table1``; options are those of the experiment.
"""

from __future__ import annotations

import argparse
import re
import runpy
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from experiments.common import ROOT
from laconic.cli.boundary import CLOSED_PIPE, discard_stdout

ROW = re.compile(r"\| \[[^]]+\]\(\.\./(?P<file>[\w/]+)\.py\) \| (?P<rest>.*) \|$")


@dataclass(frozen=True)
class Experiment:
    """A row of docs/experiments.md."""

    module: str
    shows: str
    data: str
    time: str

    @property
    def name(self) -> str:
        return self.module.removeprefix("experiments.")


def index() -> Iterator[Experiment]:
    for line in (ROOT / "docs" / "experiments.md").read_text("utf-8").splitlines():
        if found := ROW.match(line):
            shows, data, _, time, *_ = found["rest"].split(" | ")
            yield Experiment(found["file"].replace("/", "."), shows, data, time)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m experiments", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("list", help="all, with data and run time")
    run = verbs.add_parser("run", help="run one", add_help=False)
    run.add_argument("name")
    chosen, options = parser.parse_known_args()
    entries = {entry.name: entry for entry in index()}
    if chosen.verb == "list":
        if options:
            parser.error(f"list takes no arguments: {' '.join(options)}")
        width = max(map(len, entries))
        for entry in entries.values():
            print(f"{entry.name:{width}}  {entry.shows}\n{'':{width}}  data: {entry.data}; time: {entry.time}")
    elif chosen.name not in entries:
        sys.exit(f"no experiment {chosen.name!r}: see python -m experiments list")
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
