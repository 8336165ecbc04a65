"""Options that several verbs share, so that they are called and behave the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.errors import ConfigError

if TYPE_CHECKING:
    from laconic.pipeline import Pipeline, TrainConfig


def known_format(name: str | None) -> str | None:
    """Wrong usage if there is no such format."""
    from laconic.corpus.formats import find

    if name is not None:
        try:
            find(name)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None
    return name


From = Annotated[
    str | None,
    typer.Option("--from", "-f", metavar="FORMAT", callback=known_format, help="Format of the input; else guessed."),
]
Lenient = Annotated[bool, typer.Option("--lenient", help="Skip broken sentences and say so.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


def settings_of(pairs: list[str]) -> dict[str, str]:
    """What ``--set KEY=VALUE`` says, given as often as wanted."""
    changes = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"expected KEY=VALUE, not {pair!r}", param_hint="--set")
        changes[key.strip()] = value.strip()
    return changes


def component_settings(component: str, train: str, pairs: list[str], given: dict[str, str]) -> TrainConfig:
    """A configuration for work on one component: what is given, and what ``--set`` says. ConfigError for a setting of
    anything else, which would change nothing."""
    from laconic.errors import ConfigError
    from laconic.pipeline import TrainConfig, check_asked, with_settings

    changes = settings_of(pairs)
    config = with_settings(TrainConfig(train=Path(train)), given | changes)
    check_asked(changes, (component,), config)
    for key in changes:
        if key.partition(".")[0] != component:
            raise ConfigError(f"{key} would change nothing: settings here are those of {component}")
    return config


def effort_of(given: str) -> str | float:
    """The name of an effort, or the share of decisions that may differ from the full model's."""
    try:
        return float(given)
    except ValueError:
        return given


def loaded(model: str, effort: str | None, components: list[str] | None = None) -> Pipeline:
    """A model at the effort that is asked for, or at its own; wrong usage where it has no such effort or component."""
    from laconic.pipeline import load

    try:
        pipeline = load(model, components)
        if effort is not None:
            pipeline.effort = effort_of(effort)
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from None
    return pipeline
