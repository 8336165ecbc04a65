"""Ordering of templates: a source of decisions and a strategy give an ordered template set."""

from __future__ import annotations

import textwrap
from collections.abc import Generator, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import laconic
from laconic.corpus import Doc
from laconic.errors import ConfigError, choices
from laconic.features import TemplateSet
from laconic.features.language import GROUP
from laconic.search.journal import Journal
from laconic.search.lasso import GroupLasso
from laconic.search.pursuit import Pursuit
from laconic.search.ranking import Ranking, SearchProgress, Strategy
from laconic.search.trainable import PooledTrainable, PoolSource
from laconic.search.trials import TrialRunner
from laconic.search.wrapper import Wrapper

STRATEGIES: dict[str, type[Wrapper] | type[GroupLasso] | type[Pursuit]] = {
    strategy.name: strategy for strategy in (Wrapper, GroupLasso, Pursuit)
}
LINE = 118


@dataclass(frozen=True)
class Order:
    """A learned order and where it came from."""

    templates: TemplateSet
    ranking: Ranking
    provenance: dict[str, Any]

    def text(self, title: str = "") -> str:
        """A template file. Its comments say how the order was made and why each template stands where it stands."""
        about = [title] if title else []
        about.append("Order is meaning: a decision reads templates from the top until it is sure. It was learned.")
        about += [f"{name}: {_plain(value)}" for name, value in self.provenance.items()]
        lines = comments(about)
        ends = set(self.templates.groups)
        for depth, (rank, template) in enumerate(zip(self.ranking, self.templates, strict=True)):
            lines += ["", GROUP] if depth in ends else []
            lines += ["", f"# {rank.reason}", str(template)]
        return "\n".join(lines) + "\n"

    def first(self, size: int) -> Order:
        """The best so many templates alone."""
        kept = {"kept": f"the first {size} of {len(self.templates)} templates"}
        return Order(self.templates[:size], self.ranking[:size], self.provenance | kept)

    def write(self, path: Path, title: str = "") -> None:
        path.write_text(self.text(title), encoding="utf-8", newline="\n")


def order(
    source: PoolSource,
    strategy: Strategy | str = "wrapper",
    *,
    journal: Path | None = None,
    processes: int = 2,
    start_method: str | None = None,
    command: str = "",
) -> Generator[SearchProgress, None, Order]:
    """Rank the templates of a pool. The generator yields how far it is and returns the order.

    With a ``journal`` everything computed is kept there, and a search that was killed goes on where it was and comes to
    the same end. The result depends on the source and the strategy alone, not on the number of processes.
    ``command`` is what the written file says it was made by.
    """
    chosen = _strategy(strategy)
    trainable = PooledTrainable(source)
    with TrialRunner.open(trainable, Journal(journal), processes, start_method) as runner:
        ranking = yield from chosen.rank(runner)
    pool = trainable.templates
    provenance: dict[str, Any] = {
        "strategy": f"{chosen.name} ({_plain(asdict(chosen))})",  # type: ignore[call-overload]
        "data and configuration": f"sha256 {trainable.digest}",
        "seed": trainable.settings.seed,
        "version": laconic.__version__,
    }
    if command:
        provenance["made by"] = command
    return Order(TemplateSet(pool.kind, tuple(pool[rank.template] for rank in ranking)), ranking, provenance)


def comments(facts: Iterable[str]) -> list[str]:
    """Facts as comments of a template file, in lines of bounded length."""
    return [
        f"# {part}"
        for fact in facts
        for part in textwrap.wrap(fact, LINE - 2, subsequent_indent="  ", break_on_hyphens=False)
    ]


def halves(doc: Doc) -> tuple[Doc, Doc]:
    """The sentences to search with, and those to report on."""
    middle = len(doc.sentences) // 2
    return doc.sentences[:middle], doc.sentences[middle:]


def _strategy(strategy: Strategy | str) -> Strategy:
    if not isinstance(strategy, str):
        return strategy
    if strategy not in STRATEGIES:
        raise ConfigError(f"no strategy {strategy!r}: there are {choices(strategy, STRATEGIES)}")
    return STRATEGIES[strategy]()


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(part)}" for name, part in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)
