"""What a discovery found: the best set of every generation, how sure that is, and a template file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from laconic.errors import ConfigError
from laconic.features import Kind, TemplateSet
from laconic.features.language import print_term
from laconic.search.order import comments
from laconic.search.source import DEVELOP, Features, SetResult, singles
from laconic.search.trainable import TrialResult


@dataclass(frozen=True)
class Member:
    """A set that was trained in full."""

    features: Features
    templates: TemplateSet
    results: SetResult
    metric: str
    parent: Features = ()
    cost: float | None = None
    """Nanoseconds a word by the cost model of the search, if there was one."""

    @property
    def score(self) -> float:
        """On the development document, a share of its words; 0 of a set that was not trained."""
        return self.results[DEVELOP][self.metric].score if self.results else 0.0

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(print_term(one, self.templates.kind) for one in self.features)

    @property
    def text(self) -> str:
        return "\n".join(self.names)


@dataclass(frozen=True)
class Audited:
    """What was foretold of a set that was trained in full, and what came out."""

    predicted: float
    """Development loss by screening; infinite where nothing was screened."""
    heat: float | None
    """How good it was in the heat; None if it took part in none."""
    score: float
    rejected: bool
    """Screening had rejected the set; it was drawn to check that."""


@dataclass(frozen=True)
class Generation:
    """The best set of a generation, and what it was chosen from."""

    candidates: int
    beam: tuple[Member, ...]
    """The survivors, the best first."""
    audits: tuple[Audited, ...]

    def with_results(self, results: SetResult) -> Generation:
        """The same with more results of the best set."""
        return replace(self, beam=(replace(self.beam[0], results=results), *self.beam[1:]))

    @property
    def features(self) -> Features:
        return self.beam[0].features

    @property
    def parent(self) -> Features:
        return self.beam[0].parent

    @property
    def results(self) -> SetResult:
        return self.beam[0].results

    @property
    def missed(self) -> int:
        """How many of the sets that screening rejected turned out to belong into the beam."""
        least = self.beam[-1].score
        return sum(one.rejected and one.score >= least for one in self.audits)


@dataclass(frozen=True)
class Discovery:
    """The generations of a search and where they came from."""

    kind: Kind
    metric: str
    generations: tuple[Generation, ...]
    provenance: dict[str, Any]
    points: tuple[Member, ...] = ()
    """Every set that was trained in full and has a cost."""

    def result(self, number: int, document: str = DEVELOP) -> TrialResult:
        """Of the best set of a generation, counted from 1."""
        return self.generations[number - 1].results[document][self.metric]

    @property
    def best(self) -> int:
        """The generation with the best score on the development document; of equals the first."""
        scores = [self.result(number).score for number in range(1, len(self.generations) + 1)]
        return 1 + int(np.argmax(scores))

    @property
    def chosen(self) -> int:
        """The first generation whose set is within one standard error of the best: the best of many looks better than
        it is, and what the last features gained is often that."""
        best = self.result(self.best)
        for number in range(1, self.best):
            gain, error = best.gain(self.result(number))
            if gain <= error:
                return number
        return self.best

    @property
    def front(self) -> list[Member]:
        """The sets that no cheaper one beats: by rising cost, and so by rising score."""
        priced = [one for one in self.points if one.cost is not None]
        return [priced[i] for i in pareto([(one.cost or 0.0, one.score) for one in priced])]

    def within(self, nanoseconds: float) -> Member:
        """The best set that costs no more. ConfigError if there is none."""
        affordable = [one for one in self.front if one.cost is not None and one.cost <= nanoseconds]
        if not affordable:
            least = min((one.cost for one in self.points if one.cost is not None), default=None)
            said = "none was priced" if least is None else f"the cheapest costs {least:.0f}"
            raise ConfigError(f"no set costs {nanoseconds:g} ns a word or less: {said}")
        return affordable[-1]

    def features(self, number: int | None = None) -> TemplateSet:
        """Single features of the set of a generation, in the order of their discovery; by default of the chosen one."""
        return singles(self.member(number).features, self.kind)

    def templates(self, number: int | None = None) -> TemplateSet:
        """What was trained with these features: for linear rows all their pairs too."""
        return self.member(number).templates

    def member(self, number: int | None = None) -> Member:
        """The best set of a generation; by default of the chosen one."""
        return self.generations[(number or self.chosen) - 1].beam[0]

    def ancestors(self, member: Member) -> list[Member]:
        """The sets that a set grew from, one feature at a time, the first one first, and itself. They need not be the
        best of their generations."""
        line = [member]
        while line[0].parent:
            before = self.generations[len(line[0].parent) - 1].beam
            line.insert(0, next(one for one in before if one.features == line[0].parent))
        return line

    def text(self, title: str = "", made_of: Member | None = None, templates: TemplateSet | None = None) -> str:
        """A template file whose comments say how it was made: settings, what the set that it was ``made_of`` (by
        default the chosen one) and its ancestors scored, and what the best of every generation did."""
        about = [title] if title else []
        about.append("Found by discovery (nilsson2010): features in the order in which they were found.")
        about += [f"{name}: {value}" for name, value in self.provenance.items()]
        member = made_of or self.member()
        kept = len(member.features)
        about.append(f"generation {kept} of {len(self.generations)}; the best on development data was {self.best}")
        best = " ".join(f"{100 * self.result(number).score:.2f}" for number in range(1, len(self.generations) + 1))
        about.append(f"best set of each generation, {DEVELOP} {self.metric}: {best}")
        for place, one in enumerate(self.ancestors(member), 1):
            scores = ", ".join(
                f"{document} {measure} {100 * result.score:.2f}"
                for document, measures in sorted(one.results.items())
                for measure, result in sorted(measures.items(), reverse=True)
            )
            about.append(f"feature {place}: + {one.names[-1]}: {scores}")
        chosen = member.templates if templates is None else templates
        return "\n".join([*comments(about), "", str(chosen)])

    def write(self, path: Path, title: str = "") -> None:
        path.write_text(self.text(title), encoding="utf-8", newline="\n")

    def correlations(self) -> dict[str, float]:
        """Rank correlation, within generations and averaged over them, of what screening and heats foretold with the
        scores of finals; NaN where there is nothing to compare."""
        found: dict[str, list[float]] = {"screen": [], "heat": []}
        for one in self.generations:
            for name, pairs in (
                ("screen", [(-a.predicted, a.score) for a in one.audits if np.isfinite(a.predicted)]),
                ("heat", [(a.heat, a.score) for a in one.audits if a.heat is not None]),
            ):
                if len(pairs) > 2:
                    found[name].append(rank_correlation(*zip(*pairs, strict=True)))
        return {name: float(np.nanmean(some)) if some else float("nan") for name, some in found.items()}

    @property
    def audited(self) -> tuple[int, int]:
        """How many sets that screening had rejected were trained in full, and how many of these it should have kept."""
        drawn = sum(audit.rejected for one in self.generations for audit in one.audits)
        return drawn, sum(one.missed for one in self.generations)


def pareto(points: Sequence[tuple[float, float]]) -> list[int]:
    """Which of the points (cost, score) no other beats: by rising cost, and so by rising score."""
    best = -np.inf
    front = []
    for number in sorted(range(len(points)), key=lambda i: (points[i][0], -points[i][1], i)):
        if points[number][1] > best:
            best = points[number][1]
            front.append(number)
    return front


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Spearman's; equal values share the mean of their ranks. NaN where one of both is constant."""
    one, two = (_ranks(np.asarray(some, np.float64)) for some in (first, second))
    one, two = one - one.mean(), two - two.mean()
    lengths = np.sqrt((one**2).sum() * (two**2).sum())
    return float((one * two).sum() / lengths) if lengths > 0 else float("nan")


def _ranks(values: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2.0)[inverse], np.float64)
