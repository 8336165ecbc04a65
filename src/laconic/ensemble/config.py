"""Which parsers an ensemble has, and how they are trained."""

from __future__ import annotations

from dataclasses import dataclass, field

from laconic.errors import ConfigError
from laconic.graph import GraphConfig
from laconic.transition import ParserConfig


@dataclass(frozen=True)
class EnsembleConfig:
    """Three parsers that vote at the effort ``best``. At all other efforts ``forward`` works alone."""

    forward: ParserConfig = field(default_factory=ParserConfig)
    """A transition parser, as the component ``parser`` is one."""
    backward: ParserConfig = field(default_factory=lambda: ParserConfig(direction="right-to-left"))
    """Another, which makes other mistakes."""
    graph: GraphConfig = field(default_factory=GraphConfig)
    """The graph parser."""
    tolerance: float = 0.002
    """At ``best``: the share of the decisions of the transition parsers that may differ from their full models'."""
    graph_tolerance: float = 0.02
    """The same for the graph parser."""

    def __post_init__(self) -> None:
        for name in ("tolerance", "graph_tolerance"):
            if not 0 <= getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 0 and below 1, not {getattr(self, name)}")
        if (self.forward.labels == "none") != (self.backward.labels == "none"):
            raise ConfigError("forward and backward must both have labels, or neither")
