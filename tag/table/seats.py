"""Agents at a table with people: those with seats are asked at their own decisions only, others advise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tag.catalogue.registry import make_agent
from tag.engine.forward_model import ForwardModel
from tag.orders import with_game_budget
from tag.playing.agent import Agent
from tag.playing.inspection import InspectedDecision, InspectedGame
from tag.table.game import Adviser, Start, is_human


class SeatedAgents:
    """The agents of a game with people.

    An agent is asked at each of its seat's decisions from a position on, as in a game that begins there. So its choices
    follow from the line of actions and that position; from the set-up on, they are those of a game without people in
    which the same actions are played.
    """

    def __init__(self, start: Start, seats: Sequence[str]) -> None:
        """Take the definition of the game, and a spec for each seat, ``human`` for a person."""
        self._start = start
        self._seats = seats
        self._model: ForwardModel[Any] = start.model()
        self._game: InspectedGame | None = None
        self._line: tuple[int, ...] = ()
        self._since = 0
        self._asked_after = -1

    def decision(self, line: tuple[int, ...], since: int) -> InspectedDecision:
        """Return the decision of the agent to move after the actions with these numbers.

        Args:
            line: the numbers.
            since: the number of actions after which the agents begin. Decisions after these that they have not made yet are
                made first, so that they know what they would know.
        """
        game = self._game
        goes_on = since == self._since and line[: len(self._line)] == self._line and self._asked_after < len(line)
        if game is None or not goes_on:
            game = self._new_game()
            self._line, self._since, self._asked_after = (), since, -1
        self._game = None  # if this is interrupted, the agents begin again
        for number in line[len(self._line) :]:
            if self._asked_after < len(self._line) >= since and not is_human(self._seats[game.state.current_player]):
                game.decide()
            game.take(number)
            self._line = (*self._line, number)
        decision = game.decide()
        self._asked_after = len(line)
        self._game = game
        return decision

    def _new_game(self) -> InspectedGame:
        agents = [
            Agent() if is_human(spec) else make_agent(with_game_budget(spec, self._start.game)) for spec in self._seats
        ]
        return InspectedGame(self._model, agents, self._start.seed)


class Thinkers:
    """All agents at a table: those with seats, and those that advise people."""

    def __init__(self, start: Start, seats: Sequence[str]) -> None:
        """Take the definition of the game, and a spec for each seat, ``human`` for a person."""
        self._start = start
        self._seated = SeatedAgents(start, seats)

    def choose(self, line: tuple[int, ...], since: int) -> InspectedDecision:
        """Return the decision of the agent to move (`SeatedAgents.decision`)."""
        return self._seated.decision(line, since)

    def advise(self, spec: str, line: tuple[int, ...]) -> InspectedDecision:
        """Return the decision of an agent in place of the person to move, first asked there."""
        return Adviser(self._start, spec, len(line)).decision(line)
