"""Search for templates: trials of template sets, orders by forward selection, group lasso path and matching pursuit
(strubell2015, section 4.5), and discovery of feature sets (nilsson2010)."""

from __future__ import annotations

from laconic.search.column_source import ColumnSource, HashedSettings
from laconic.search.discover import DiscoveryProgress, DiscoverySettings, discover
from laconic.search.discovery import Discovery, Generation, Member
from laconic.search.forward import FixedWeightParser, ForwardSelection, forward_order
from laconic.search.hidden_source import HiddenParserTrainable, HiddenSource
from laconic.search.journal import Journal
from laconic.search.lasso import GroupLasso
from laconic.search.order import STRATEGIES, Order, halves, order
from laconic.search.parser_source import ParserSource
from laconic.search.parser_trainable import ParserTrainable
from laconic.search.pursuit import Pursuit
from laconic.search.ranking import Rank, Ranking, SearchProgress, Strategy
from laconic.search.source import DiscoverSource
from laconic.search.tagger_source import TaggerSource
from laconic.search.tagger_trainable import LemmatizerTrainable, TaggerTrainable
from laconic.search.trainable import (
    CorpusTrainable,
    Pool,
    PooledTrainable,
    PoolSource,
    Trainable,
    Trial,
    TrialResult,
)
from laconic.search.tree_trainable import GraphTrainable, LabelerTrainable, TensorLabelerTrainable
from laconic.search.trial_source import TrialShares, TrialSource
from laconic.search.trials import TrialRunner
from laconic.search.wrapper import Wrapper

__all__ = [
    "STRATEGIES",
    "ColumnSource",
    "CorpusTrainable",
    "DiscoverSource",
    "Discovery",
    "DiscoveryProgress",
    "DiscoverySettings",
    "FixedWeightParser",
    "ForwardSelection",
    "Generation",
    "GraphTrainable",
    "GroupLasso",
    "HashedSettings",
    "HiddenParserTrainable",
    "HiddenSource",
    "Journal",
    "LabelerTrainable",
    "LemmatizerTrainable",
    "Member",
    "Order",
    "ParserSource",
    "ParserTrainable",
    "Pool",
    "PoolSource",
    "PooledTrainable",
    "Pursuit",
    "Rank",
    "Ranking",
    "SearchProgress",
    "Strategy",
    "TaggerSource",
    "TaggerTrainable",
    "TensorLabelerTrainable",
    "Trainable",
    "Trial",
    "TrialResult",
    "TrialRunner",
    "TrialShares",
    "TrialSource",
    "Wrapper",
    "discover",
    "forward_order",
    "halves",
    "order",
]
