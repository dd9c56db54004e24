"""Recordings: games by the actions that were taken, from which they are played again without their agents.

Each choice of an agent is stored as the action's number among those available; all else follows from the rules and the
seed. So a game is replayed exactly even if its agents, for instance with budgets of time, would not play it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mypy_extensions import i64

from tag.engine.forward_model import ForwardModel
from tag.engine.state import AnyAction, GameState
from tag.errors import DataError, VoidGameError
from tag.playing.agent import Agent
from tag.playing.game import Game, Seat
from tag.playing.listener import Listener


@dataclass
class Recording:
    """A game that has been played.

    Attributes:
        game_id: the name of the game in its ledger.
        game: the spec of the game type.
        players: the number of seats.
        seed: decides all chance.
        choices: of each action, in order, its number among those that were available, from 0; also where there was one only.
        forfeits: the players whose faults ended the game after the last action, in order, with the results they got for it
            (constants of `tag.engine.results`).
        void: whether a fault voided the game after the last action.
        chance_seeds: sources of chance with seeds of their own (`Game`).
        opening: how many of the choices are those of the opening.
        opening_seed: random seed of the deal and of all chance in the opening (`Game`); -1 for ``seed``.
    """

    game_id: str
    game: str
    players: int
    seed: int
    choices: Sequence[int]
    forfeits: Sequence[tuple[int, int]] = ()
    void: bool = False
    chance_seeds: Sequence[tuple[str, int]] = ()
    opening: int = 0
    opening_seed: int = -1


class Recorder(Listener):
    """Writes down the number of each action among those that were available.

    Examples:
        >>> from tag import Game, make_agent, make_game
        >>> recorder = Recorder()
        >>> agents = [make_agent("random"), make_agent("random")]
        >>> state = Game(make_game("nim"), agents, seed=1, listeners=[recorder]).play()
        >>> recorder.choices
        [0, 8, 0, 2, 4]

    Attributes:
        choices: the numbers so far.
    """

    def __init__(self) -> None:
        """Start with nothing written."""
        self.choices: list[int] = []

    def hears_events(self) -> bool:
        """Need no events."""
        return False

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Write the number down."""
        number = 0
        while actions[number] is not action:
            number += 1
        self.choices.append(number)


class RecordedGame(Game):
    """A game played from its recording; no agent is asked, and listeners get placeholder agents."""

    def __init__(self, model: ForwardModel[Any], recording: Recording, listeners: Sequence[Listener] = ()) -> None:
        """Set the game up.

        Raises:
            PlayersError: the game cannot seat so many.
            ParameterError: it has no such source of chance.
        """
        agents = [_Nobody() for _player in range(recording.players)]
        models = [model] * recording.players  # no agent looks ahead
        seeds = dict(recording.chance_seeds)
        super().__init__(
            model,
            agents,
            recording.seed,
            listeners=listeners,
            chance_seeds=seeds,
            search_models=models,
            opening=recording.choices[: recording.opening],
            opening_seed=recording.opening_seed,
        )
        self._recording = recording
        self._taken = 0

    def step(self) -> None:
        """Take the next action, or end the game as it was ended.

        Raises:
            VoidGameError: a fault voided the game here.
            DataError: the recording is of another game, or of other rules.
        """
        recording = self._recording
        if self._taken < len(recording.choices):
            self._taken += 1
            super().step()
            self._check_goes_on()
        elif recording.void:
            raise VoidGameError(f"game {recording.game_id} was voided after {self._taken} actions")
        elif recording.forfeits:
            for player, result in recording.forfeits:
                self._forfeit(player, result)
        else:
            raise DataError(f"{self._name()} has {self._taken} actions, after which the game is not over")

    def _ask(self, seat: Seat, player: i64, actions: list[AnyAction]) -> AnyAction | None:
        """Return the recorded action."""
        choice = self._recording.choices[self._taken - 1]
        if not 0 <= choice < len(actions):
            raise DataError(
                f"action {self._taken} of {self._name()} cannot be number {choice}; there are 0 to {len(actions) - 1}"
            )
        return actions[choice]

    def _check_goes_on(self) -> None:
        left = len(self._recording.choices) - self._taken
        if left and self.state.is_terminal:
            raise DataError(f"action {self._taken} of {self._name()} ends the game, and there are {left} more")

    def _name(self) -> str:
        return f"the recording of {self._recording.game_id}"


class _Nobody(Agent):
    """Placeholder for an agent that played the recorded game."""

    wants_single_actions = True  # so that those are checked as well
