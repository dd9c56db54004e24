"""TAG for Python: a framework for tabletop games, and for agents that play them.

Games and agents can import all they need from here; the rest of the package is by module.
"""

from __future__ import annotations

from tag.action import DO_NOTHING, Action, AnyAction, interned
from tag.agent import Agent, SearchParameters
from tag.budget import Budget, Clock
from tag.dimensions import choice, flag, free_text, integer, real, spec_of
from tag.errors import ParameterError, TagError
from tag.event import Event
from tag.forward_model import ForwardModel
from tag.game import Game
from tag.game_type import GameType
from tag.heuristics import StateHeuristic
from tag.listener import Listener
from tag.metrics import Metric
from tag.parameters import Parameters
from tag.registry import make_agent, make_game, make_heuristic
from tag.results import DISQUALIFIED, DRAW, LOSE, ONGOING, TIMEOUT, WIN
from tag.rng import Rng, derive_seed
from tag.sequence import ExtendedSequence
from tag.simulator import Simulator
from tag.state import GameState

__all__ = [
    "DISQUALIFIED",
    "DO_NOTHING",
    "DRAW",
    "LOSE",
    "ONGOING",
    "TIMEOUT",
    "WIN",
    "Action",
    "Agent",
    "AnyAction",
    "Budget",
    "Clock",
    "Event",
    "ExtendedSequence",
    "ForwardModel",
    "Game",
    "GameState",
    "GameType",
    "Listener",
    "Metric",
    "ParameterError",
    "Parameters",
    "Rng",
    "SearchParameters",
    "Simulator",
    "StateHeuristic",
    "TagError",
    "choice",
    "derive_seed",
    "flag",
    "free_text",
    "integer",
    "interned",
    "make_agent",
    "make_game",
    "make_heuristic",
    "real",
    "spec_of",
]
