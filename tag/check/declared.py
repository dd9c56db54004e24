"""Checks of what a game type says of its information and chance; agents search differently by it."""

from __future__ import annotations

from tag.check.game_check import GameCheck, Position
from tag.check.leaves import difference
from tag.errors import ContractError


class InformationDeclared(GameCheck):
    """Where nothing is hidden, search does without redeterminisation."""

    name = "information_declared"
    text = "a game type that declares no hidden information has exact observations"

    def at(self, position: Position) -> None:
        """Compare observations with the position."""
        if position.model.game_type.hidden_information:
            return
        state = position.state
        for player in range(state.n_players):
            found = difference(state, state.observation(player, position.rng("declared")))
            if found:
                raise ContractError(f"hidden_information is declared False, but in an observation {found}")


class ChanceDeclared(GameCheck):
    """Where nothing is left to chance, search keeps the states that it has reached."""

    name = "chance_declared"
    text = "a game type that declares no chance draws no random number in next"

    def at(self, position: Position) -> None:
        """Apply each available action and see whether the stream has moved."""
        if position.model.game_type.chance:
            return
        for action in position.model.available_actions(position.state):
            rng = position.rng("declared")
            before = rng.snapshot()
            position.model.next(position.state.copy(), action, rng)
            if rng.snapshot() != before:
                raise ContractError(f"chance is declared False, but {action} draws random numbers")
