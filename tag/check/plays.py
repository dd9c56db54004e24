"""The check that the game can be played at all; the others look on."""

from __future__ import annotations

from tag.check.game_check import GameCheck, GameSubject
from tag.check.traces import LONGEST
from tag.errors import ContractError, PlayersError
from tag.rng import Rng


class Plays(GameCheck):
    """Random games with every number of players come to an end; what goes wrong in them is noted here."""

    name = "plays"
    text = f"random games with every number of players end, within {LONGEST} actions"

    def finish(self, subject: GameSubject) -> None:
        """Try numbers of players that the game does not seat."""
        kind = subject.model.game_type
        for n_players in (kind.min_players - 1, kind.max_players + 1):
            try:
                subject.model.setup(n_players, Rng(subject.seed))
            except PlayersError:
                continue
            raise ContractError(f"{kind.min_players} to {kind.max_players} play, but {n_players} get a game as well")
