"""Ratings: what the games of a tournament say about its agents, each number with what is known about its error.

`RankedGames.of` takes the seats of a ledger; everything else is a function of arrays.
"""

from __future__ import annotations

from tournaments.ratings.alpha_rank import alpha_rank, alpha_rank_profiles
from tournaments.ratings.bootstrap import BootstrappedRatings, bootstrap_ratings
from tournaments.ratings.games import RankedGames
from tournaments.ratings.groups import groups
from tournaments.ratings.holm import holm
from tournaments.ratings.intransitivity import Intransitivity, cyclic_share, cyclic_triples, intransitivity
from tournaments.ratings.log_odds import log_odds
from tournaments.ratings.nash_average import NashAverage, nash_average
from tournaments.ratings.pairwise import PairwiseTable, pairwise
from tournaments.ratings.plackett_luce import Ratings, plackett_luce
from tournaments.ratings.within_block import WithinBlock, within_block, within_block_of_wins, within_blocks

__all__ = [
    "BootstrappedRatings",
    "Intransitivity",
    "NashAverage",
    "PairwiseTable",
    "RankedGames",
    "Ratings",
    "WithinBlock",
    "alpha_rank",
    "alpha_rank_profiles",
    "bootstrap_ratings",
    "cyclic_share",
    "cyclic_triples",
    "groups",
    "holm",
    "intransitivity",
    "log_odds",
    "nash_average",
    "pairwise",
    "plackett_luce",
    "within_block",
    "within_block_of_wins",
    "within_blocks",
]
