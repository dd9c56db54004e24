"""Temporal-difference learning by self-play, with any function that values positions.

The algorithm is that of the TD agents in GBG (Konen and Bagheri 2020: *Final adaptation reinforcement learning for n-player
games*): each player learns the values of the positions after their own moves. At the end of a game, all players learn what
the end brought them; without this final adaptation, players who did not make the last move never see a loss. Sarsa and
Q-learning learn the values of actions instead (Sutton and Barto 2018).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from mypy_extensions import i64, mypyc_attr

from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import MoreThan, Parameters, choice, flag, integer, real
from tag.engine.rng import Greatest, Rng
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, GameState
from tag.errors import DataError, ParameterError
from tag.playing.learning import Knowledge, LearnedValues, Learner

RESULT: Final = "result"
SCORE: Final = "score"

AFTERSTATES: Final = "afterstates"
STATES: Final = "states"
SARSA: Final = "sarsa"
Q: Final = "q"

#: The form of what is stored. In the first one symmetries moved actions by the map of the cells in place of its inverse, the
#: end of a game was passed on to earlier positions as a value of 0, and lessons of Q-learning had one action.
FORMAT: Final = 2

#: Errors that reach back with a smaller share than this are left out.
_LEAST_SHARE: Final = 0.001


def needs(parameters: Parameters, name: str, has_effect: bool, condition: str) -> None:
    """Raise `ParameterError` if a parameter is not at its default, and has no effect without a ``condition``."""
    changes = parameters.changes()
    if not has_effect and name in changes:
        default = next(one.default for one in parameters.dimensions() if one.name == name)
        raise ParameterError(
            f"{name} cannot be {changes[name]!r} here, as it has an effect only with {condition}; the nearest is {default!r}"
        )


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass
class TdParameters(Parameters):
    """Parameters of learning by temporal differences."""

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
    horizon: int = integer(
        10, 2, 100, "positions that an error reaches back to at most; needs a trace", active_if=("trace", MoreThan(0.0))
    )
    resets: bool = flag(
        True,
        "forget the positions before a random move, so that errors do not reach back over it; needs a trace",
        active_if=("trace", MoreThan(0.0)),
    )
    learns_from_random: bool = flag(True, "learn from what follows a random move, too; needs random moves")
    final_adaptation: bool = flag(True, "all players learn from the end of the game")
    random_start: float = real(0.0, 0.0, 1.0, "share of games that begin with a random move")
    reward: str = choice(RESULT, (RESULT, SCORE), "what is learned: the result, from -1 to 1, or the points")
    replay: int = integer(0, 0, 1_000_000, "lessons that are kept, to be learned again; 0 for none", log=True)
    replay_batch: int = integer(
        10,
        1,
        1000,
        "kept lessons that are learned again after each game; needs replay",
        log=True,
        active_if=("replay", MoreThan(0)),
    )

    def check(self) -> None:
        """Refuse settings that change nothing beside others."""
        explores = max(self.epsilon, self.epsilon_final) > 0.0
        needs(self, "horizon", self.trace > 0.0, "trace above 0")
        needs(self, "resets", self.trace > 0.0 and explores, "trace and epsilon above 0")
        needs(self, "learns_from_random", explores, "epsilon above 0")
        needs(self, "replay_batch", self.replay > 0, "replay above 0")


@mypyc_attr(allow_interpreted_subclasses=True)
class Approximator(Copyable):
    """A function that values positions, or actions, and learns."""

    def look(self, state: GameState, player: i64) -> Any:
        """Return the input of the function for the value of ``state`` for ``player``."""
        raise NotImplementedError

    def look_at_actions(self, state: GameState, player: i64, actions: list[AnyAction]) -> Any:
        """Return the input of a function of actions for the values of ``actions`` of ``player`` in ``state``."""
        raise NotImplementedError

    def value(self, player: i64, seen: Any) -> float:
        """Return the value of what was seen by `look`, or the greatest of the actions seen by `look_at_actions`."""
        raise NotImplementedError

    def learn(self, player: i64, seen: Any, error: float, rate: float) -> None:
        """Move the value of a position, or of one action, by about ``rate * error``."""
        raise NotImplementedError

    def is_for_all_states(self) -> bool:
        """Say whether the function values positions at any time, not only after a player's own move."""
        raise NotImplementedError

    def knowledge(self, to_go_on: bool) -> Knowledge:
        """Return the knowledge of the function, and all that learning needs `to_go_on`."""
        raise NotImplementedError

    def restore(self, knowledge: Knowledge) -> None:
        """Take over the knowledge of another function; raise `DataError` if it does not fit."""
        raise NotImplementedError


class TdValues(LearnedValues):
    """Values of positions by what an `Approximator` has learned."""

    def __init__(self, function: Approximator, is_score: bool, variant: str, model: ForwardModel[Any]) -> None:
        """Take the function, whether it learned points or results, and of what."""
        super().__init__()
        self._function = function
        self._is_score = is_score
        self._model = model
        self._is_for_all_states = function.is_for_all_states()
        self._of_actions = variant in (SARSA, Q)
        self._of_afterstates = variant == AFTERSTATES

    def is_of_afterstates(self) -> bool:
        """Return whether positions before chance were learned."""
        return self._of_afterstates

    def is_of_actions(self) -> bool:
        """Return whether actions were learned."""
        return self._of_actions

    def value(self, state: GameState, player: i64) -> float:
        """Return the value of a position at any time.

        Functions of positions after a player's own move value a game for two by the player who has just moved, and take the
        opposite for the other one.
        """
        if state.is_terminal:
            return self._earned(state, player)
        if self._of_actions:
            return self._best(state, player)
        if self._is_for_all_states or state.n_players != 2 or self._is_score or player != state.current_player:
            return self.after(state, player)
        if state.team(0) == state.team(1):
            return self.after(state, player)
        return -self.after(state, 1 - player)

    def after(self, state: GameState, player: i64) -> float:
        """Return the value of a position for ``player``, who has just moved."""
        if state.is_terminal:
            return self._earned(state, player)
        value = self._function.value(player, self._function.look(state, player))
        return state.score(player) + value if self._is_score else value

    def action_value(self, state: GameState, player: i64, action: AnyAction) -> float:
        """Return the value of an action."""
        return self._best_of(state, player, [action])

    def _best_of(self, state: GameState, player: i64, actions: list[AnyAction]) -> float:
        function = self._function
        value = function.value(player, function.look_at_actions(state, player, actions))
        return state.score(player) + value if self._is_score else value

    def _best(self, state: GameState, player: i64) -> float:
        """Return the value of the best action of the player to move, for ``player``."""
        mover = state.current_player
        best = self._best_of(state, mover, self._model.available_actions(state))
        return best if mover == player or state.team(mover) == state.team(player) else -best

    def _earned(self, state: GameState, player: i64) -> float:
        return state.score(player) if self._is_score else state.result_value(player)


@mypyc_attr(allow_interpreted_subclasses=True)
class TdLearner(Learner):
    """Plays games against itself and learns by temporal differences."""

    def __init__(
        self, model: ForwardModel[Any], n_players: i64, parameters: TdParameters, n_episodes: i64, seed: i64
    ) -> None:
        """Start untrained."""
        super().__init__(model, n_players, parameters, n_episodes, seed)
        kind = model.game_type
        self.function: Approximator = self.new_function(Rng(seed, 1))
        self._settings = parameters
        self._variant = self.variant()
        self._of_actions = self._variant in (SARSA, Q)
        #: Whether moves are compared by the positions before their chance.
        self._of_afterstates = self._variant == AFTERSTATES and not kind.hidden_information
        self._rng = Rng(seed, 2)
        self._hides = kind.hidden_information
        self._alpha = parameters.alpha
        self._epsilon = parameters.epsilon
        self._gamma = parameters.gamma
        self._trace = parameters.trace
        self._horizon: i64 = parameters.horizon
        self._learns_from_random = parameters.learns_from_random
        self._is_score = parameters.reward == SCORE
        self._keeps: i64 = parameters.replay
        #: For each player: what was seen of their last moves, the latest first, and the reward up to then.
        self._path: list[list[Any]] = []
        self._earned: list[float] = []
        #: Of the move that is being made: what is seen of it, what the player has earned with it, the value beyond that, and
        #: what has this value: of Q-learning, all actions.
        self._seen: Any = None
        self._reward = 0.0
        self._beyond = 0.0
        self._following: Any = None
        self._is_before_chance = False
        #: Kept lessons: player, what was seen, the reward after it, and what was seen next (None at the end).
        self._lessons: list[tuple[int, Any, float, Any]] = []
        self._next_lesson: i64 = 0

    def new_function(self, rng: Rng) -> Approximator:
        """Return an untrained function for this game."""
        raise NotImplementedError

    def variant(self) -> str:
        """Return the kind of values learned: `AFTERSTATES`, `STATES`, or actions by `SARSA` or `Q`."""
        return AFTERSTATES

    def values(self) -> LearnedValues:
        """Return the values learned so far."""
        return TdValues(self.function, self._is_score, self._variant, self.model)

    def play_episode(self) -> None:
        """Play one game and learn from it."""
        settings = self._settings
        done = float(self.episodes) / float(max(self.n_episodes - 1, 1))
        self._alpha = settings.alpha * (settings.alpha_final / settings.alpha) ** done
        self._epsilon = settings.epsilon + (settings.epsilon_final - settings.epsilon) * done
        rng = self._rng
        model = self.model
        state: GameState = model.setup(self.n_players, rng)
        self._path = [[] for _player in range(self.n_players)]
        self._earned = [0.0] * self.n_players
        if settings.random_start > 0.0 and rng.uniform() < settings.random_start and not state.is_terminal:
            model.next(state, model.random_action(state, rng), rng)
        mover: i64 = -1
        while not state.is_terminal:
            mover = state.current_player
            state = self._moved(state)
        for player in range(self.n_players):
            learns = settings.final_adaptation or (self._of_actions and player == mover)
            if learns and len(self._path[player]) > 0:
                self._learn(player, self._earned_in(state, player) - self._earned[player], None, 0.0)
        self._learn_again()
        self.episodes += 1

    def _moved(self, state: GameState) -> GameState:
        """Choose a move for the player, learn from its value, and return the next position."""
        rng = self._rng
        player = state.current_player
        is_random = self._epsilon > 0.0 and rng.uniform() < self._epsilon
        after = self._act(state, player, is_random) if self._of_actions else self._move(state, player, is_random)
        self.moves += 1
        is_end = after.is_terminal and not self._of_actions
        path = self._path[player]
        if len(path) > 0 and (self._learns_from_random or not is_random):
            following = None if is_end else self._following
            self._learn(player, self._reward - self._earned[player], following, self._beyond)
        # the value 0 of a finished game says nothing about the positions before it
        if is_end or (is_random and self._settings.resets):
            path.clear()
        path.insert(0, self._seen)
        if len(path) > self._horizon:
            path.pop()
        self._earned[player] = self._reward
        if self._is_before_chance:
            self.model.resolve_chance(after, rng)
        return after

    def _move(self, state: GameState, player: i64, is_random: bool) -> GameState:
        """Return the position after a move, random or the best one by the values after it, and before any chance.

        Where the game does not tell chance from a move, or hides something, moves are compared in a world that the player
        may imagine, and the chance is that of the game in the end.
        """
        model = self.model
        rng = self._rng
        if self._of_afterstates:
            after = self._random_after(state, player) if is_random else self._best_after(state, player)
            if after is not None:
                self._is_before_chance = True
                return after
            self._of_afterstates = False
        self._is_before_chance = False
        world = state.observation(player, rng) if self._hides else state
        action = model.random_action(world, rng) if is_random else self._best_imagined(world, player)
        model.next(state, action, rng)
        self._look_at(state, player)
        return state

    def _random_after(self, state: GameState, player: i64) -> GameState | None:
        """Return the position after a random move; None without afterstates."""
        after: GameState | None = self.model.afterstate(state, self.model.random_action(state, self._rng))
        if after is not None:
            self._look_at(after, player)
        return after

    def _best_after(self, state: GameState, player: i64) -> GameState | None:
        """Return the position after the move with the greatest reward and value, ties drawn; None without afterstates."""
        best: GameState | None = None
        best_seen: Any = None
        best_reward = best_beyond = 0.0
        greatest = Greatest(self._rng)
        for action in self.model.available_actions(state):
            after = self.model.afterstate(state, action)
            if after is None:
                return None
            self._look_at(after, player)
            if greatest.takes(self._reward + self._beyond):
                best = after
                best_seen = self._seen
                best_reward = self._reward
                best_beyond = self._beyond
        self._seen = self._following = best_seen
        self._reward = best_reward
        self._beyond = best_beyond
        return best

    def _best_imagined(self, world: GameState, player: i64) -> AnyAction:
        """Return the best action by the values after it, with chance drawn in ``world``; ties are drawn."""
        actions = self.model.available_actions(world)
        best = actions[0]
        if len(actions) == 1:
            return best
        greatest = Greatest(self._rng)
        for action in actions:
            after = world.copy()
            self.model.next(after, action, self._rng)
            self._look_at(after, player)
            if greatest.takes(self._reward + self._beyond):
                best = action
        return best

    def _act(self, state: GameState, player: i64, is_random: bool) -> GameState:
        """Make a move, random or the best one by the values of actions, and return the next position."""
        model = self.model
        function = self.function
        rng = self._rng
        actions = model.available_actions(state)
        best = actions[0]
        best_seen: Any = None
        greatest = Greatest(rng)
        for action in actions:
            seen = function.look_at_actions(state, player, [action])
            if greatest.takes(function.value(player, seen)):
                best = action
                best_seen = seen
        value = greatest.value
        if is_random:
            best = actions[rng.below(len(actions))]
            best_seen = function.look_at_actions(state, player, [best])
            value = function.value(player, best_seen)
        self._reward = self._earned_in(state, player)
        self._seen = self._following = best_seen
        if self._variant == Q:
            value = greatest.value
            if self._keeps > 0:
                self._following = function.look_at_actions(state, player, actions)
        self._beyond = self._gamma * value
        model.next(state, best, rng)
        return state

    def _look_at(self, after: GameState, player: i64) -> None:
        """Note the function's input at a position, its reward and its value for the player who has just moved."""
        self._seen = self._following = self.function.look(after, player)
        self._reward = self._earned_in(after, player)
        self._beyond = 0.0 if after.is_terminal else self._gamma * self.function.value(player, self._seen)

    def _earned_in(self, state: GameState, player: i64) -> float:
        """Return the rewards of ``player`` up to ``state``."""
        if self._is_score:
            return state.score(player)
        return state.result_value(player) if state.is_terminal else 0.0

    def _learn(self, player: i64, reward: float, following: Any, beyond: float) -> None:
        """Move the values of the player's last positions towards a reward and the value beyond it, the earlier ones less."""
        path = self._path[player]
        function = self.function
        error = reward + beyond - function.value(player, path[0])
        if self._keeps > 0:
            self._keep(int(player), path[0], reward, following)
        share = 1.0
        for seen in path:
            function.learn(player, seen, error * share, self._alpha)
            share *= self._trace * self._gamma
            if share < _LEAST_SHARE:
                break

    def _keep(self, player: int, seen: Any, reward: float, following: Any) -> None:
        lesson = (player, seen, reward, following)
        if len(self._lessons) < self._keeps:
            self._lessons.append(lesson)
        else:
            self._lessons[self._next_lesson] = lesson
        self._next_lesson = (self._next_lesson + 1) % self._keeps

    def _learn_again(self) -> None:
        """Learn some of the kept lessons again, with the values of today."""
        if len(self._lessons) == 0:
            return
        function = self.function
        for _lesson in range(self._settings.replay_batch):
            player, seen, reward, following = self._lessons[self._rng.below(len(self._lessons))]
            target = reward
            if following is not None:
                target += self._gamma * function.value(player, following)
            function.learn(player, seen, target - function.value(player, seen), self._alpha)

    def knowledge(self, to_go_on: bool) -> Knowledge:
        """Return the learned knowledge; `to_go_on` also the position of the random stream."""
        found = self.function.knowledge(to_go_on)
        found.facts["format"] = FORMAT
        if to_go_on:
            found.facts["episodes"] = int(self.episodes)
            found.facts["moves"] = int(self.moves)
            found.facts["stream"] = list(self._rng.snapshot())
            found.facts["next_lesson"] = int(self._next_lesson)
            found.facts["lessons"] = [
                [player, self._plain(seen), reward, self._plain(following)]
                for player, seen, reward, following in self._lessons
            ]
        return found

    def restore(self, knowledge: Knowledge) -> None:
        """Take over learned knowledge, and go on from there where that is possible."""
        facts = knowledge.facts
        form = facts.get("format", 1)
        if form not in (1, FORMAT):
            raise DataError(f"the model has the format {form}, which is not of this version of tag; upgrade tag")
        self.function.restore(knowledge)
        if "stream" not in facts:
            return
        if form != FORMAT and (self._of_actions or self._trace > 0.0):
            raise DataError(
                "the checkpoint is of an earlier version of tag, which learned actions and with a trace in another way; "
                "begin the training anew, in a new folder"
            )
        try:
            self.episodes = int(facts["episodes"])
            self.moves = int(facts["moves"])
            self._next_lesson = int(facts["next_lesson"])
            self._lessons = [
                (int(player), self._seen_in(seen), float(reward), self._seen_in(following))
                for player, seen, reward, following in facts["lessons"]
            ]
            self._rng.restore(tuple([int(number) for number in facts["stream"]]))
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"the checkpoint does not fit its learner: {error}") from None

    def _plain(self, seen: Any) -> Any:
        """Return an input of the function as plain data."""
        if isinstance(seen, bytes):
            return seen.hex()
        if isinstance(seen, tuple):
            return [seen[0].hex(), *seen[1:]]
        return seen

    def _seen_in(self, plain: Any) -> Any:
        """Return the input that `_plain` made plain."""
        if isinstance(plain, str):
            return bytes.fromhex(plain)
        if isinstance(plain, list) and len(plain) > 0 and isinstance(plain[0], str):
            return (bytes.fromhex(plain[0]), *[int(number) for number in plain[1:]])
        return plain


def has_afterstates(model: ForwardModel[Any], n_players: i64) -> bool:
    """Say whether a game tells chance from the player's part of a move, or has no chance."""
    rng = Rng(0)
    state: GameState = model.setup(n_players, rng)
    return state.is_terminal or model.afterstate(state, model.random_action(state, rng)) is not None
