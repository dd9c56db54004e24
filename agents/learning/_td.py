"""Temporal-difference learning of afterstate values by self-play.

The algorithm is that of TD-n-tuple agents in GBG (Konen and Bagheri 2020: *Final adaptation reinforcement learning for
n-player games*): each player learns the values of the positions after their own moves. At the end of a game, all players
learn what the end brought them; without this final adaptation, players who did not make the last move never see a loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from mypy_extensions import i64

from agents.learning._network import COHERENCE, CONSTANT, EXPONENTIAL_COHERENCE, Network, random_points, random_walks
from tag.engine.action import AnyAction
from tag.engine.encoding import Cells
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters, choice, flag, free_text, integer, real
from tag.engine.rng import Rng
from tag.engine.state import GameState
from tag.errors import ParameterError

RESULT: Final = "result"
SCORE: Final = "score"

WALK: Final = "walk"
POINTS: Final = "points"


@dataclass
class TdParameters(Parameters):
    """Parameters of learning by temporal differences."""

    tuples: str = free_text(WALK, f"the n-tuples: {WALK}, {POINTS} (drawn), or the name of a set of the game's")
    n_tuples: int = integer(70, 1, 1000, "tuples that are drawn", log=True)
    length: int = integer(8, 1, 16, "cells of a tuple that is drawn")
    n_values: int = integer(0, 0, 255, "values of a cell that are told apart; 0 for all of them")
    rates: str = choice(
        EXPONENTIAL_COHERENCE,
        (CONSTANT, COHERENCE, EXPONENTIAL_COHERENCE),
        "rate of each weight: constant, or by temporal coherence",
    )
    alpha: float = real(1.0, 1e-6, 100.0, "learning rate at the start", log=True)
    alpha_final: float = real(
        1.0, 1e-6, 100.0, "learning rate at the end; each game changes it by the same factor", log=True
    )
    epsilon: float = real(0.1, 0.0, 1.0, "share of random moves at the start")
    epsilon_final: float = real(
        0.0, 0.0, 1.0, "share of random moves at the end; each game changes it by the same amount"
    )
    gamma: float = real(1.0, 0.0, 1.0, "discount of later rewards")
    trace: float = real(0.0, 0.0, 1.0, "lambda, the share of an error that the position before learns, too")
    horizon: int = integer(10, 1, 100, "positions that an error reaches back to at most")
    resets: bool = flag(True, "forget the positions before a random move")
    learns_from_random: bool = flag(True, "learn from what follows a random move, too")
    final_adaptation: bool = flag(True, "all players learn from the end of the game")
    random_start: float = real(0.0, 0.0, 1.0, "share of games that begin with a random move")
    reward: str = choice(RESULT, (RESULT, SCORE), "what is learned: the result, from -1 to 1, or the points")

    def network(self, cells: Cells, n_players: int, rng: Rng) -> Network:
        """Return an untrained network for a game with these ``cells``.

        Raises:
            ParameterError: the game has no such set of tuples.
        """
        length = min(self.length, cells.number)
        if self.tuples == WALK:
            chosen = random_walks(cells, self.n_tuples, length, rng)
        elif self.tuples == POINTS:
            chosen = random_points(cells, self.n_tuples, length, rng)
        elif self.tuples in cells.tuples:
            chosen = list(cells.tuples[self.tuples])
        else:
            names = ", ".join([WALK, POINTS, *cells.tuples])
            raise ParameterError(f"tuples cannot be {self.tuples!r}; the game has {names}")
        return Network(cells, chosen, n_players, self.rates, self.reward == RESULT, self.n_values)


class Learner:
    """Plays games against itself and learns the values of afterstates.

    Attributes:
        network: the values learned so far.
        episodes: the games played so far.
        moves: the moves of these games.
    """

    def __init__(
        self, model: ForwardModel[Any], n_players: int, parameters: TdParameters, episodes: int, seed: int
    ) -> None:
        """Start untrained.

        Args:
            model: the rules; the game declares cells, and afterstates if it has chance.
            n_players: the number of players.
            parameters: how to learn.
            episodes: the games to be played in all, over which the rates change.
            seed: decides everything.

        Raises:
            ParameterError: the game declares no cells, or the parameters do not fit it.
        """
        cells = model.cells(n_players)
        if cells is None:
            raise ParameterError(f"{model.game_type.title} declares no cells, so that n-tuples cannot learn it")
        self.model = model
        self.n_players: i64 = n_players
        self.network = parameters.network(cells, n_players, Rng(seed, 1))
        self.episodes: i64 = 0
        self.moves: i64 = 0
        self._rng = Rng(seed, 2)
        self._n_episodes: i64 = episodes
        self._parameters = parameters
        self._alpha = parameters.alpha
        self._epsilon = parameters.epsilon
        self._gamma = parameters.gamma
        self._trace = parameters.trace
        self._horizon: i64 = parameters.horizon
        self._learns_from_random = parameters.learns_from_random
        self._is_score = parameters.reward == SCORE
        #: For each player: the cells after their last moves, the latest first, and the reward up to then.
        self._path: list[list[bytes]] = []
        self._earned: list[float] = []
        #: Of the move that is being made: the cells after it, what the player has earned then, and the value beyond that.
        self._cells = b""
        self._reward = 0.0
        self._beyond = 0.0

    def play_episode(self) -> None:
        """Play one game and learn from it."""
        parameters = self._parameters
        done = float(self.episodes) / float(max(self._n_episodes - 1, 1))
        self._alpha = parameters.alpha * (parameters.alpha_final / parameters.alpha) ** done
        self._epsilon = parameters.epsilon + (parameters.epsilon_final - parameters.epsilon) * done
        rng = self._rng
        model = self.model
        state: GameState = model.setup(self.n_players, rng)
        self._path = [[] for _player in range(self.n_players)]
        self._earned = [0.0] * self.n_players
        if parameters.random_start > 0.0 and rng.uniform() < parameters.random_start and not state.is_terminal:
            model.next(state, model.random_action(state, rng), rng)
        while not state.is_terminal:
            state = self._moved(state)
        if parameters.final_adaptation:
            for player in range(self.n_players):
                if len(self._path[player]) > 0:
                    self._learn(player, self._earned_in(state, player) - self._earned[player])
        self.episodes += 1

    def _moved(self, state: GameState) -> GameState:
        """Choose a move for the player, learn from its value, and return the next position."""
        model = self.model
        rng = self._rng
        player = state.current_player
        is_random = self._epsilon > 0.0 and rng.uniform() < self._epsilon
        after = self._after(state, model.random_action(state, rng)) if is_random else self._best(state, player)
        if is_random:
            self._look_at(after, player)
        self.moves += 1
        path = self._path[player]
        if len(path) > 0 and (self._learns_from_random or not is_random):
            self._learn(player, self._reward - self._earned[player] + self._beyond)
        if is_random and self._parameters.resets:
            path.clear()
        path.insert(0, self._cells)
        if len(path) > self._horizon:
            path.pop()
        self._earned[player] = self._reward
        model.resolve_chance(after, rng)
        return after

    def _after(self, state: GameState, action: AnyAction) -> GameState:
        after: GameState | None = self.model.afterstate(state, action)
        if after is None:
            raise ParameterError(
                f"{self.model.game_type.title} has chance and does not tell it from the player's part of a move (afterstate)"
            )
        return after

    def _best(self, state: GameState, player: i64) -> GameState:
        """Return the position after the move with the greatest reward and value; ties are drawn."""
        best = state
        best_cells = b""
        best_reward = best_beyond = 0.0
        ties: i64 = 0
        for action in self.model.available_actions(state):
            after = self._after(state, action)
            self._look_at(after, player)
            value = self._reward + self._beyond
            best_value = best_reward + best_beyond
            if ties == 0 or value > best_value:
                ties = 1
            elif value == best_value:
                ties += 1
                if self._rng.below(ties) > 0:
                    continue
            else:
                continue
            best = after
            best_cells = self._cells
            best_reward = self._reward
            best_beyond = self._beyond
        self._cells = best_cells
        self._reward = best_reward
        self._beyond = best_beyond
        return best

    def _look_at(self, after: GameState, player: i64) -> None:
        """Note the cells, reward and value of a position for the player who has just moved."""
        self._cells = after.cell_values()
        self._reward = self._earned_in(after, player)
        self._beyond = 0.0 if after.is_terminal else self._gamma * self.network.value(player, self._cells)

    def _earned_in(self, state: GameState, player: i64) -> float:
        """Return what ``player`` has earned up to ``state``."""
        if self._is_score:
            return state.score(player)
        return state.result_value(player) if state.is_terminal else 0.0

    def _learn(self, player: i64, target: float) -> None:
        """Move the values of the player's last positions towards ``target``, the earlier ones less."""
        path = self._path[player]
        network = self.network
        error = target - network.value(player, path[0])
        share = 1.0
        for cells in path:
            network.learn(player, cells, error * share, self._alpha)
            share *= self._trace * self._gamma
            if share < 0.001:
                break
