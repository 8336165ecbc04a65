"""The three methods that tables 1 to 3 tune and compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from laconic.learn import Settings

METHODS = {"full": "baseline", "truncated": "dynamic (paper)", "ours": "ours"}
"""With the names that they have in tables."""
SHARES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)
"""Of the margin of training: what the paper's model is run with."""


def settings_rows(tuned: Mapping[str, Settings]) -> Sequence[str]:
    """What tuning found for each method."""
    return [
        f"- {METHODS[method]}: margin {one.margin:.3g}, rate {one.rate:.2g}, l2 {one.l2:.1e}, "
        f"{'averaged' if one.average else 'not averaged'}"
        + (f", trained {'at every exit' if one.mode == 'every-exit' else 'in full'}" if method == "ours" else "")
        for method, one in tuned.items()
    ]
