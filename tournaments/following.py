"""Following a tournament in schedule order, whatever the order in which its games come in.

A block is released once it and all before it are whole, first to the design, if that learns who is to play next, then
to the stopping rule. Both therefore do the same with one worker or many, and after an interruption.
"""

from __future__ import annotations

import pandas as pd

from tag.playing import GameRecord
from tournaments.outcomes import Outcome, outcomes_of_ledger
from tournaments.schedule import Pairing, Schedule
from tournaments.stopping.release import InOrderRelease
from tournaments.stopping_rule import StoppingRule


class Follower:
    """Shows the blocks of a tournament in order to whoever has to see them; show it games only if it `is_needed`.

    Attributes:
        rule: what may end the tournament; None where nothing does.
        is_needed: whether there is a rule, or a design that learns.
        blocks: how many blocks the rule has looked at, void ones included; with these it ends, once it is decided.
    """

    def __init__(self, schedule: Schedule, rule: StoppingRule | None) -> None:
        """Begin before the first block."""
        self.rule = rule
        self.is_needed = rule is not None or schedule.design.learns
        self.blocks = 0
        self._schedule = schedule
        self._release = InOrderRelease[Outcome](schedule.n_games)

    @property
    def is_decided(self) -> bool:
        """Whether the rule has ended the tournament."""
        return self.rule is not None and self.rule.is_decided

    @property
    def open_games(self) -> int:
        """The games of all blocks that can be asked for by now and have not been released."""
        released = self._release.blocks
        return (self._schedule.known - released) * self._schedule.n_games(released)

    def add(self, pairing: Pairing, record: GameRecord) -> None:
        """Take a game, in any order."""
        self._take(pairing.block, pairing.matchup, pairing.seating, Outcome.of(pairing.agents, record))

    def add_ledger(self, games: pd.DataFrame, seats: pd.DataFrame) -> None:
        """Take the games of a ledger, by the frames of `tournaments.read_ledger`."""
        for block, matchup, seating, game in outcomes_of_ledger(games, seats):
            self._take(block, matchup, seating, game)

    def _take(self, block: int, matchup: int, seating: int, game: Outcome) -> None:
        number = matchup * self._schedule.design.n_seatings + seating
        for games in self._release.add(block, number, game):
            was_decided = self.is_decided
            self._schedule.learn(games)
            if self.rule is not None and not was_decided:
                self.blocks += 1
                self.rule.look(games)
