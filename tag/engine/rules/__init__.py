"""Rules that many games share: graphs of rules, turn orders, reactions and simultaneous choices.

Rules of tricks are in `tag.engine.rules.tricks`, deals of unseen cards in `tag.engine.rules.hidden_deals`.
"""

from __future__ import annotations

from tag.engine.rules.graph import RuleGraph
from tag.engine.rules.graph_model import MAX_RULES, RuleGraphForwardModel
from tag.engine.rules.nodes import Branch, Condition, EndRound, EndTurn, GameOverCondition, Node, PlayerAction, Rule
from tag.engine.rules.reactions import QueueSequence, ReactionSequence
from tag.engine.rules.simultaneous import Commit, SimultaneousSequence
from tag.engine.rules.turn_order import ReversibleState, is_in_game, next_in_game, players_in_game

__all__ = [
    "MAX_RULES",
    "Branch",
    "Commit",
    "Condition",
    "EndRound",
    "EndTurn",
    "GameOverCondition",
    "Node",
    "PlayerAction",
    "QueueSequence",
    "ReactionSequence",
    "ReversibleState",
    "Rule",
    "RuleGraph",
    "RuleGraphForwardModel",
    "SimultaneousSequence",
    "is_in_game",
    "next_in_game",
    "players_in_game",
]
