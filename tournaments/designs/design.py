"""The base of all designs: the games of each block, as a function of the definition and of what has been learnt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from tag.engine.parameters import Parameters
from tag.errors import PlayersError
from tag.tournaments.designs.games import Seats
from tag.tournaments.statistics.stopping.outcomes import Outcome

#: Version of the rules by which designs that learn set their tables. In version 1, Swiss tables were set one by one, ties
#: in a knockout were broken by the list of agents, and `best_agent` took drawn games for uncertain ones. A ledger of
#: another version is not gone on with: its later blocks would have other tables.
TABLES_VERSION: Final = 2


class Design:
    """The games of each block: match-ups, each in a balanced set of seatings.

    A design is a function of the constructor's arguments alone, and of the games given to `learn` if it learns. So a
    resumed tournament has the same one. All match-ups have equally many seatings.

    Attributes:
        about: the purpose of the design, in one line.
        parameters_class: the parameters of its spec; the constructor takes them by name.
        learns: whether match-ups depend on earlier games.
        in_rounds: whether it learns after each of several rounds. All blocks of a round then have the same tables, and
            ``block`` here means the number of the stage: of a round, or of a further block of its level tables.
        is_fixed: whether all blocks have the same tables.
        n_matchups: the match-ups of each block, in designs with rounds those of the latest.
        n_seatings: the games of each match-up in a block.
    """

    about: ClassVar[str] = ""
    parameters_class: ClassVar[type[Parameters]] = Parameters
    learns: ClassVar[bool] = False
    in_rounds: ClassVar[bool] = False
    is_fixed: ClassVar[bool] = False

    def __init__(self, n_agents: int, n_players: int, seed: int) -> None:
        """Plan for so many agents and seats; random designs use ``seed``.

        Raises:
            PlayersError: the design cannot seat so many.
        """
        if n_players < 1:
            raise PlayersError(f"a game needs at least 1 player, not {n_players}")
        self.n_agents = n_agents
        self.n_players = n_players
        self.n_rounds = 1
        self.n_matchups = 0
        self.n_seatings = 0

    def agents(self, block: int, matchup: int, seating: int) -> Seats:
        """Return the number of the agent in each seat."""
        raise NotImplementedError

    def matchups_in(self, block: int) -> int:
        """Return how many match-ups a block has."""
        return self.n_matchups

    def continues(self, shorter: Design) -> bool:
        """Say whether the games of the same design for fewer agents are among its games, under the same numbers."""
        return False

    @property
    def known(self) -> int:
        """The number of blocks known so far; for designs that learn."""
        raise NotImplementedError

    def learn(self, games: Sequence[Outcome]) -> None:
        """Learn from the games of the next block in schedule order, and plan further; for designs that learn."""
        raise NotImplementedError
