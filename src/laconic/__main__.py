"""``python -m laconic`` is the command ``laconic``."""

from __future__ import annotations

from laconic.cli import main

main()
