"""TAG for Python: a framework for tabletop games, and for agents that play them.

Games and agents can import all they need from here; the rest of the package is by module.

Examples:
    >>> from tag import Game, make_agent, make_game
    >>> game = Game(make_game("tic_tac_toe"), [make_agent("mcts:budget=200"), make_agent("random")], seed=1)
    >>> print(game.play())
    . X O
    X X X
    O . O
"""

from __future__ import annotations

from pathlib import Path

from tag.adapters.java import spec_in_file as _spec_in_file
from tag.catalogue.registry import make_agent, make_game, make_heuristic
from tag.engine.bits import bit_count, bit_place, packed_size
from tag.engine.encoding import Actions, Cells, Vocabulary
from tag.engine.forward_model import ForwardModel, GameType
from tag.engine.parameters import (
    MoreThan,
    OtherThan,
    Parameters,
    choice,
    file_name,
    flag,
    free_text,
    integer,
    real,
    spec_of,
)
from tag.engine.parameters import add_file_reader as _add_file_reader
from tag.engine.results import DISQUALIFIED, DRAW, LOSE, ONGOING, TIMEOUT, WIN
from tag.engine.rng import Rng, derive_seed
from tag.engine.state import DO_NOTHING, Action, AnyAction, Event, ExtendedSequence, GameState, interned
from tag.engine.values import Features, JointHeuristic, PlayerHeuristic, StateHeuristic, best_other, best_two
from tag.errors import ParameterError, TagError
from tag.playing.agent import Agent, Budget, Clock, RuleBot, SearchParameters, Simulator
from tag.playing.game import Game
from tag.playing.learning import Knowledge, LearnedValues, Learner
from tag.playing.listener import Listener
from tag.playing.metrics import Metric
from tag.playing.search_tree import SearchNode

if not Path(__file__).with_name("games").is_dir():
    raise ImportError(
        "tag/games is no folder, as this copy of the sources was made without symbolic links; 'make links' mends that, "
        "as does 'git clone -c core.symlinks=true'"
    )

_add_file_reader(_spec_in_file)

__all__ = [
    "DISQUALIFIED",
    "DO_NOTHING",
    "DRAW",
    "LOSE",
    "ONGOING",
    "TIMEOUT",
    "WIN",
    "Action",
    "Actions",
    "Agent",
    "AnyAction",
    "Budget",
    "Cells",
    "Clock",
    "Event",
    "ExtendedSequence",
    "Features",
    "ForwardModel",
    "Game",
    "GameState",
    "GameType",
    "JointHeuristic",
    "Knowledge",
    "LearnedValues",
    "Learner",
    "Listener",
    "Metric",
    "MoreThan",
    "OtherThan",
    "ParameterError",
    "Parameters",
    "PlayerHeuristic",
    "Rng",
    "RuleBot",
    "SearchNode",
    "SearchParameters",
    "Simulator",
    "StateHeuristic",
    "TagError",
    "Vocabulary",
    "best_other",
    "best_two",
    "bit_count",
    "bit_place",
    "choice",
    "derive_seed",
    "file_name",
    "flag",
    "free_text",
    "integer",
    "interned",
    "make_agent",
    "make_game",
    "make_heuristic",
    "packed_size",
    "real",
    "spec_of",
]
