"""People at the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters, free_text
from tag.engine.state import AnyAction, GameState
from tag.errors import ParameterError
from tag.playing.agent import Agent

_REFUSAL: Final = "human can only be played in tag play and tag table; elsewhere no person can be asked"


@dataclass
class HumanParameters(Parameters):
    """The person."""

    name: str = free_text("", "the person's name, in the game and in results")


class Human(Agent):
    """A person who decides in `tag play` and `tag table`; all other commands refuse it.

    These two ask the person themselves, and never this object.
    """

    parameters_class = HumanParameters

    def check_game(self, model: ForwardModel[Any], n_players: int) -> None:
        """Refuse every game."""
        raise ParameterError(_REFUSAL)

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Refuse to decide.

        Raises:
            ParameterError: always.
        """
        raise ParameterError(_REFUSAL)
