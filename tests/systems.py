"""Transition systems and the variants of those that have options, as tests go through them."""

from __future__ import annotations

from typing import Any

from laconic._core.transition import system_facts, system_names

ARC_SYSTEMS = [name for name in system_names() if not system_facts(name).has_focus]
"""Those that compare the stack with the queue."""
FOCUSES = ("step-back", "stay", "start-over")
VARIANTS = [*ARC_SYSTEMS, *(f"step-back/{focus}" for focus in FOCUSES)]
"""Of each system one, and of the step-back system one for each focus."""


def options(variant: str) -> dict[str, Any]:
    """``arc-eager``, ``step-back/stay`` or ``step-back/stay/both`` as arguments."""
    return dict(zip(("system", "focus", "waits"), variant.split("/"), strict=False))
