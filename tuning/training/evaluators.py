"""Evaluators of learned values: opponents in every seat, the score of one team, and comparison with perfect play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import Any, Final

import numpy as np

from tag.catalogue.registry import canonical, check_game
from tag.cluster.batches import Task
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters, Spec, integer, parse_spec
from tag.engine.rng import derive_seed
from tag.errors import ParameterError, TagError, UnknownNameError
from tag.orders import GameOrder, GameRecord, Opening
from tag.orders.set_up import first_position, is_one_team
from tag.tournaments.definition import canonical_agent
from tag.tournaments.statistics.clustered_means import ClusteredMean
from tag.tournaments.statistics.intervals import Interval
from tag.tournaments.statistics.stopping.outcomes import points_of

SCORE: Final = "score"
AGREEMENT: Final = "agreement"
VALUE_ERROR: Final = "value_error"
_POSITIONS: Final = (AGREEMENT, VALUE_ERROR)
_NAMES: Final = (SCORE, *_POSITIONS)
#: The greatest error of a value.
_WORST_ERROR: Final = 2.0


@dataclass
class PositionParameters(Parameters):
    """Parameters of the comparison with perfect play."""

    positions: int = integer(50, 1, 100_000, "positions that are drawn, of which those that are solved count", log=True)
    budget: int = integer(2000, 1, 1_000_000_000, "forward-model calls to solve the position after an action", log=True)


@dataclass(frozen=True)
class EvaluatedSeat:
    """The result of an evaluation in one seat.

    Attributes:
        seat: its number from 1; 0 for all seats.
        points: the mean: points of games against opponents, the score, the agreement or the error; nan without cases.
        error: its standard error.
        games: the games, or the solved positions, without void ones.
    """

    seat: int
    points: float
    error: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class Evaluator:
    """An evaluator.

    Attributes:
        text: its spec.
        opponent: the spec of the agent in all other seats; empty where there is none.
    """

    text: str
    opponent: str

    @property
    def name(self) -> str:
        """The evaluator's name without parameters."""
        return parse_spec(self.text).name

    @property
    def is_of_positions(self) -> bool:
        """True if the evaluator solves positions; otherwise it plays games."""
        return self.name in _POSITIONS

    @property
    def is_better_if_less(self) -> bool:
        """True if smaller values are better."""
        return self.name == VALUE_ERROR

    def check(self, model: ForwardModel[Any], players: int) -> None:
        """Raise `TagError` if it is not for this game with so many players."""
        kind = model.game_type
        if self.opponent:
            if players == 1:
                raise ParameterError(
                    f"evaluate cannot be {self.text!r} in a game for 1 player, as there is no other seat; take {SCORE}"
                )
            check_game(self.opponent, model, players)
        elif self.name == SCORE and not is_one_team(first_position(model, players, 1)):
            raise ParameterError(
                f"evaluate cannot be {SCORE} in {kind.title}, where players are opponents; name one, such as random"
            )
        elif self.is_of_positions and (players != 2 or kind.chance or kind.hidden_information):
            raise ParameterError(
                f"evaluate cannot be {self.text!r} in {kind.title} with {players} players; it is for 2 players, without "
                "chance or hidden information"
            )

    def orders(self, model_file: str, game: str, players: int, games: int, openings: int) -> list[GameOrder]:
        """Return all games, seat by seat; the games of a number have the same seed and opening in every seat.

        For the score, the learned values play in all seats at once, as where all players are one team.

        The seeds depend on nothing else, so that checkpoints and learners are compared in the same games.
        """
        learned = str(Spec("learned", {"file": model_file}))
        found = []
        for seat in range(self._seatings(players)):
            agents = tuple(self.opponent if self.opponent and place != seat else learned for place in range(players))
            for number in range(games):
                seed = derive_seed(number, "evaluation")
                opening = Opening(openings, seed) if openings else None
                found.append(GameOrder(f"s{seat}-g{number}", game, agents, seed, opening=opening))
        return found

    def of_games(self, records: Sequence[GameRecord], players: int) -> list[EvaluatedSeat]:
        """Return the result of each seat from the games of `orders`; of all seats together for the score of a team."""
        if self.name == SCORE:
            scores = [one.scores[0] for one in records if not one.void]
            return [_mean(0 if players > 1 else 1, scores, -inf, inf)]
        per_seat = len(records) // players
        found = []
        for seat in range(players):
            played = [one for one in records[seat * per_seat : (seat + 1) * per_seat] if not one.void]
            found.append(_mean(seat + 1, [points_of(one.results)[seat] for one in played], 0.0, 1.0))
        return found

    def _seatings(self, players: int) -> int:
        """Return in how many ways the learned values are seated."""
        return 1 if self.name == SCORE else players

    def task(self, model_file: str, game: str, players: int) -> Task:
        """Return the comparison with perfect play."""
        chosen = _position_parameters(parse_spec(self.text))
        arguments = (model_file, game, players, chosen.positions, chosen.budget)
        return Task(f"evaluation by {self.text}", "tag.tuning.training.positions:measure_positions", arguments)

    def of_positions(self, measured: Sequence[tuple[float, float]]) -> list[EvaluatedSeat]:
        """Return the result from the value of the `task`."""
        if self.name == AGREEMENT:
            return [_mean(0, [right for right, _error in measured], 0.0, 1.0)]
        return [_mean(0, [error for _right, error in measured], 0.0, _WORST_ERROR)]


def make_evaluator(text: str) -> Evaluator:
    """Return the evaluator that a spec describes.

    Raises:
        TagError: there is no such evaluator or agent, or a parameter is wrong.
    """
    spec = parse_spec(text)
    if spec.name == SCORE and not spec.values:
        return Evaluator(SCORE, "")
    if spec.name in _POSITIONS:
        _position_parameters(spec)
        return Evaluator(canonical(spec, PositionParameters), "")
    try:
        agent = canonical_agent(text)
    except UnknownNameError as error:
        if "no agent named" not in str(error):
            raise
        raise UnknownNameError(f"{error}; or evaluate by {', '.join(_NAMES)}") from None
    return Evaluator(agent, agent)


def usual_evaluators(model: ForwardModel[Any], players: int) -> tuple[str, ...]:
    """Return the evaluators of a game with so many players: the score where all are one team, else opponents."""
    if is_one_team(first_position(model, players, 1)):
        return (SCORE,)
    return ("random", "max_n:budget=1000") if players == 2 else ("random", "osla")


def _position_parameters(spec: Spec) -> PositionParameters:
    try:
        return PositionParameters.from_values(spec.values)
    except TagError as error:
        raise type(error)(f"{spec.name}: {error}") from None


def _mean(seat: int, values: list[float], low: float, high: float) -> EvaluatedSeat:
    """Return the mean of independent values between ``low`` and ``high``."""
    if not values:
        return EvaluatedSeat(seat, nan, nan, low, high, 0)
    found = ClusteredMean.of(np.array(values, dtype=np.float64), np.ones(len(values)))
    interval: Interval = found.proportion_interval() if (low, high) == (0.0, 1.0) else found.interval(low, high)
    return EvaluatedSeat(seat, found.mean, found.error(interval), interval.low, interval.high, len(values))
