"""Forward models: the rules of games, as functions that change a state, and the descriptions of the games."""

from __future__ import annotations

from tag.engine.forward_model.forward_model import ForwardModel
from tag.engine.forward_model.game_type import SIMULTANEOUS, GameType, players_text
from tag.engine.forward_model.outcomes import Outcomes

__all__ = ["SIMULTANEOUS", "ForwardModel", "GameType", "Outcomes", "players_text"]
