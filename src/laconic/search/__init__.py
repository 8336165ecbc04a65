"""Learned template orders: forward selection, group lasso path, matching pursuit (strubell2015, section 4.5)."""

from __future__ import annotations

from laconic.search.journal import Journal
from laconic.search.lasso import GroupLasso
from laconic.search.order import STRATEGIES, Order, halves, order
from laconic.search.parsing import ParserTrainable
from laconic.search.pursuit import Pursuit
from laconic.search.ranking import Progress, Rank, Ranking, Strategy
from laconic.search.tagging import LemmatizerTrainable, TaggerTrainable
from laconic.search.trainable import Pool, Trainable
from laconic.search.trials import Bench, Trial, Verdict
from laconic.search.wrapper import Wrapper

__all__ = [
    "STRATEGIES",
    "Bench",
    "GroupLasso",
    "Journal",
    "LemmatizerTrainable",
    "Order",
    "ParserTrainable",
    "Pool",
    "Progress",
    "Pursuit",
    "Rank",
    "Ranking",
    "Strategy",
    "TaggerTrainable",
    "Trainable",
    "Trial",
    "Verdict",
    "Wrapper",
    "halves",
    "order",
]
