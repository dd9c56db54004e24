"""Follow a tournament in schedule order.

Games may arrive in any order. A block is released once it and all before it are whole: first to the design, if that
learns, then to the stopping rule. Both therefore do the same with one worker or many, and after an interruption.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from tag.orders import GameRecord
from tag.tournaments.designs.stopping.rules import StoppingRule
from tag.tournaments.statistics.repeats import key_of
from tag.tournaments.statistics.stopping.outcomes import Outcome, outcomes_of_ledger
from tag.tournaments.statistics.stopping.release import InOrderRelease

if TYPE_CHECKING:
    from tag.tournaments.designs.games import Pairing
    from tag.tournaments.designs.schedule import Schedule


class InOrderStopping:
    """Passes the blocks of a tournament in order to its design and stopping rule; add games only if it `is_needed`.

    Attributes:
        rule: the rule that may end the tournament; None if there is none.
        is_needed: whether there is a rule, or a design that learns.
        blocks: how many blocks the rule has looked at, void ones included; the tournament ends with these, once
            decided.
    """

    def __init__(self, schedule: Schedule, rule: StoppingRule | None) -> None:
        """Start before the first block."""
        self.rule = rule
        self.is_needed = rule is not None or schedule.design.learns
        self.blocks = 0
        self._schedule = schedule
        self._release = InOrderRelease[Outcome](schedule.n_games)

    @property
    def is_decided(self) -> bool:
        """True if the rule has ended the tournament."""
        return self.rule is not None and self.rule.is_decided

    @property
    def n_games(self) -> int:
        """The games of the whole tournament, as far as it is known by now."""
        return len(self._schedule)

    @property
    def open_games(self) -> int:
        """The games of all known blocks that have not been released."""
        if not self.is_needed:  # nothing is released
            return self.n_games
        released = self._release.blocks
        return (self._schedule.known - released) * self._schedule.n_games(released)

    def add(self, pairing: Pairing, record: GameRecord, game: str) -> None:
        """Take a game of the spec ``game``, in any order."""
        outcome = Outcome.of(pairing.agents, record, key_of(game, record, pairing.agents, pairing.seating))
        self._take(pairing.block, pairing.matchup, pairing.seating, outcome)

    def add_ledger(self, games: pd.DataFrame, seats: pd.DataFrame) -> None:
        """Take the games of a ledger, by the frames of `tag.tournaments.ledger.games.compared_frames`."""
        for block, matchup, seating, game in outcomes_of_ledger(games, seats):
            self._take(block, matchup, seating, game)

    def _take(self, block: int, matchup: int, seating: int, game: Outcome) -> None:
        number = matchup * self._schedule.design.n_seatings + seating
        if number >= self._schedule.n_games(block):
            return  # a lost shard was played again and ended otherwise, so that other tables play now
        for games in self._release.add(block, number, game):
            was_decided = self.is_decided
            self._schedule.learn(games)
            if self.rule is not None and not was_decided:
                self.blocks += 1
                self.rule.look(games)
