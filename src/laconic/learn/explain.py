"""Why a decision was taken: what each template added to each candidate, and where it was sure enough to stop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from laconic._core.learn import NEVER, Trace


@dataclass(frozen=True, slots=True)
class Step:
    """One template, in the order of computation."""

    template: str
    features: int
    """Looked up: 0 where the word gives it nothing to look at, several for sets of nodes."""
    found: int
    """Of these, known from training."""
    contributions: tuple[float, ...]
    """Added to the score of each candidate."""


@dataclass(frozen=True, slots=True)
class Check:
    """One exit: after ``depth`` templates ``best`` led by ``margin``; ``needed`` (None: at the end) would do."""

    depth: int
    best: str
    margin: float
    needed: float | None


@dataclass(frozen=True)
class Explanation:
    """One decision. Scores are real numbers; ``start`` and all contributions of a candidate add up to its score."""

    component: str
    question: str
    """What was decided: the name of a column, or what the component calls it."""
    word: int
    """Its index in the document."""
    form: str
    label: str
    candidates: tuple[str, ...]
    """The label first, then the others, best first."""
    scores: tuple[float, ...]
    start: tuple[float, ...]
    """Scores before the first template: 0 for linear rows."""
    steps: tuple[Step, ...]
    checks: tuple[Check, ...]
    templates: int
    """As many as there are; ``len(steps)`` were computed."""
    unit: str = "templates"
    """What the steps are, in the plural: templates, or groups or stages of several."""
    effect: str = ""
    """What the decision did, in words, where the label alone does not tell."""

    @property
    def runner_up(self) -> str | None:
        return self.candidates[1] if len(self.candidates) > 1 else None

    @property
    def margin(self) -> float | None:
        """Lead of the label over the runner-up; None without one. Below zero where a search took a label that was not
        the best here."""
        return self.scores[0] - self.scores[1] if self.scores else None

    @property
    def reason(self) -> str:
        """Where it stopped and why, in words."""
        if len(self.candidates) == 1:
            return "one candidate: nothing to compute"
        if self.margin is not None and self.margin < 0:
            done = f"{len(self.steps)} of {self.templates} {self.unit}"
            return f"{done}: {self.runner_up} leads here, but not in what follows"
        last = self.checks[-1] if self.checks else None
        if last is None or last.needed is None:
            return f"all {self.templates} {self.unit}"
        return (
            f"sure after {len(self.steps)} of {self.templates} {self.unit}: "
            f"leads by {last.margin:.2f}, {last.needed:.2f} needed"
        )

    def strongest(self, count: int = 3) -> list[Step]:
        """The templates that moved the label and the runner-up apart most, either way."""
        if self.runner_up is None:
            return []
        return sorted(self.steps, key=lambda step: -abs(step.contributions[0] - step.contributions[1]))[:count]

    def to_json(self) -> dict[str, Any]:
        facts = asdict(self)
        return facts | {"runner_up": self.runner_up, "margin": self.margin, "reason": self.reason}


def explained(
    traces: Iterable[Trace],
    words: Iterable[tuple[int, str]],
    *,
    component: str,
    question: str,
    templates: Sequence[str],
    name: Callable[[int, str], str],
    scale: float,
) -> list[Explanation]:
    """Traces of the core in words. ``words`` are index and form of each; ``name`` names a label of a form."""
    return [
        _explained(trace, word, form, component, question, templates, name, scale)
        for trace, (word, form) in zip(traces, words, strict=True)
    ]


def _explained(
    trace: Trace,
    word: int,
    form: str,
    component: str,
    question: str,
    templates: Sequence[str],
    name: Callable[[int, str], str],
    scale: float,
) -> Explanation:
    labels = trace.candidates
    prefix = (trace.scores() / scale).tolist()
    final = prefix[-1] if prefix else []
    # The label that was taken first, which a search may have preferred to the best; of equal scores the smaller number
    # wins, as in the decision.
    order = sorted(range(len(labels)), key=lambda i: (labels[i] != trace.label, -final[i], labels[i])) if final else [0]
    steps = tuple(
        Step(templates[number], asked, found, tuple(after[i] - before[i] for i in order))
        for number, ((asked, found), before, after) in enumerate(zip(trace.looks, prefix[:-1], prefix[1:], strict=True))
    )
    checks = tuple(
        Check(depth, name(best, form), margin / scale, None if needed == NEVER else needed / scale)
        for depth, best, margin, needed in trace.checks
    )
    return Explanation(
        component=component,
        question=question,
        word=word,
        form=form,
        label=name(trace.label, form),
        candidates=tuple(name(labels[i], form) for i in order),
        scores=tuple(final[i] for i in order) if final else (),
        start=tuple(prefix[0][i] for i in order) if final else (),
        steps=steps,
        checks=checks,
        templates=len(templates),
    )
