"""What a model says of itself, for people: language, licence, data, scores."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from laconic.errors import ModelError
from laconic.pipeline.modelfile import ModelFile

EffortScores = Mapping[str, Mapping[str, float]]
UNKNOWN = "not stated"


@dataclass(frozen=True)
class ModelCard:
    """The facts of a model file that a user asks for first. They stand in its provenance, or beside it."""

    name: str
    language: str = ""
    licence: str = ""
    treebank: str = ""
    digest: str = ""
    components: tuple[str, ...] = ()
    scores: EffortScores = field(default_factory=dict)
    """Of all components together at each effort, on the development data."""
    test_scores: EffortScores = field(default_factory=dict)
    """The same on test data, which nothing was chosen by."""
    data: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str, path: Path, **more: str) -> ModelCard:
        """Of a model file, by its header alone; ``more`` is what someone says beside it. ModelError for a file that is
        no model."""
        file = ModelFile.described(path)
        try:
            provenance = file.facts["provenance"]
            known = provenance.get("treebank", {})
            given = {key: more.get(key) or str(known.get(key, "")) for key in ("language", "licence")}
            return cls(
                name,
                treebank=str(known.get("name", "")),
                digest=file.digest,
                components=tuple(part["name"] for part in file.facts["components"]),
                scores=provenance.get("scores", {}),
                test_scores=provenance.get("test_scores", {}),
                data={part: provenance[part] for part in ("train", "dev", "test") if part in provenance},
                **given,
            )
        except (LookupError, TypeError, AttributeError) as error:
            raise ModelError(f"{path}: the model file lacks something it needs: {error}") from error

    def to_json(self) -> dict[str, Any]:
        return json.loads(json.dumps(asdict(self)))  # type: ignore[no-any-return]

    def to_markdown(self) -> str:
        """The card as a page. Equal models, equal bytes."""
        lines = [
            f"# {self.name}",
            "",
            f"A laconic model: {', '.join(self.components)}.",
            "",
            f"- Language: {self.language or UNKNOWN}",
            f"- Licence: {self.licence or UNKNOWN}",
            f"- Treebank: {self.treebank or UNKNOWN}",
            f"- Digest: {self.digest}",
        ]
        for part, facts in self.data.items():
            lines.append(
                f"- {part.capitalize()} data: {facts.get('file')}, {facts.get('sentences', 0):,} sentences, "
                f"{facts.get('words', 0):,} words, SHA-256 {facts.get('sha256')}"
            )
        for title, scores in (("development", self.scores), ("test", self.test_scores)):
            if scores:
                lines += ["", f"## Scores, {title} data", "", *score_table(scores)]
        return "\n".join(lines) + "\n"


def score_table(scores: EffortScores) -> list[str]:
    """Rows of Markdown: an effort each."""
    names = list(next(iter(scores.values())))
    rows = [["effort", *names], ["---"] * (len(names) + 1)]
    rows += [
        [effort, *(f"{figures.get(name, float('nan')):g}" for name in names)] for effort, figures in scores.items()
    ]
    return [f"| {' | '.join(row)} |" for row in rows]
