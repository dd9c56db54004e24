"""Rollouts: how far play goes on after the tree, and the policies that play.

The units and ends of rollouts are those of TAG (Gaina et al. 2020).
"""

from __future__ import annotations

from math import exp
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from tag.agents.search._simulated import SimulatedAgents
from tag.agents.search.mcts.parameters import (
    ACTIONS,
    BOLTZMANN,
    EXACT,
    MAST,
    OWN_END,
    OWN_START,
    ROUND_END,
    TURN_END,
    TURNS,
    MctsParameters,
)
from tag.agents.search.mcts.tree import Scale, TreeNode, drawn
from tag.catalogue.registry import make_heuristic
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, GameState
from tag.playing.agent import Simulator


@final
class RolloutLength(Copyable):
    """How far a rollout goes: for some actions, turns or rounds, and then, if asked for, to a moment that compares well.

    Attributes:
        is_zero: whether nothing is ever played.
        is_exact: whether a number of actions alone decides.
        most: the number of actions, turns or rounds.
    """

    __slots__ = (
        "_actor",
        "_end",
        "_first",
        "_played",
        "_player",
        "_round",
        "_turn",
        "_unit",
        "is_exact",
        "is_zero",
        "most",
    )

    def __init__(self, parameters: MctsParameters, player: i64, n_players: i64) -> None:
        """Take the parameters for a search of ``player``."""
        self._unit = parameters.rollout_unit
        self._end = parameters.rollout_end
        self._player: i64 = player
        self._actor: i64 = player
        self._played: i64 = 0
        self._first: i64 = 0
        self._turn: i64 = 0
        self._round: i64 = 0
        self.most: i64 = parameters.rollout_length * (n_players if parameters.rollout_per_player else 1)
        self.is_zero = self.most == 0 and self._end == EXACT
        self.is_exact = self._unit == ACTIONS and self._end == EXACT

    def begin(self, state: GameState, actor: i64) -> None:
        """Begin a rollout from ``state``, to which an action of ``actor`` has led."""
        self._actor = actor
        self._turn = state.turn
        self._round = state.round
        self._played = 0
        self._first = state.turn if self._unit == TURNS else state.round

    def count(self, state: GameState) -> None:
        """Count the action that is about to be played in ``state``."""
        self._actor = state.current_player
        self._turn = state.turn
        self._round = state.round
        self._played += 1

    def is_reached(self, state: GameState) -> bool:
        """Say whether the rollout may end in ``state``; comparisons are with the moment before the last action."""
        done = self._played
        if self._unit != ACTIONS:
            done = (state.turn if self._unit == TURNS else state.round) - self._first
        if done < self.most:
            return False
        end = self._end
        if end == TURN_END:
            return state.turn != self._turn
        if end == ROUND_END:
            return state.round != self._round
        if end == OWN_START:
            return self._actor != self._player and state.current_player == self._player
        if end == OWN_END:
            return self._actor == self._player and state.current_player != self._player
        return True


#: The value of an action never seen, on the scale from 0 to 1: it should be tried.
_UNSEEN: Final = 1.0


@mypyc_attr(allow_interpreted_subclasses=True)
class RolloutPolicy(Copyable):
    """Plays at random."""

    def __init__(self, sim: Simulator, length: RolloutLength) -> None:
        """Play with the rules, stream and budget of ``sim``, so far as ``length`` says."""
        self.sim = sim
        self.length = length

    def step(self, state: GameState) -> None:
        """Play one action in ``state``, in place."""
        sim = self.sim
        sim.next(state, sim.random_action(state))

    def play(self, state: GameState, actor: i64) -> None:
        """Play ``state``, to which an action of ``actor`` has led, on in place, while the budget allows calls."""
        if self.length.is_exact:
            self.sim.rollout(state, self.length.most)
        else:
            self.play_steps(state, actor)

    def play_steps(self, state: GameState, actor: i64) -> None:
        """Play ``state`` on step by step."""
        budget = self.sim.budget
        is_limited = budget.limits_steps
        length = self.length
        length.begin(state, actor)
        while not state.is_terminal and not length.is_reached(state) and not (is_limited and budget.is_spent()):
            length.count(state)
            self.step(state)

    def start_game(self, observation: GameState) -> None:
        """Prepare for a new game; nothing here."""

    def end_game(self, state: GameState) -> None:
        """Learn how the game ended; nothing here."""

    def begin_decision(self) -> None:
        """Prepare for a new decision; nothing here."""

    def learn(self, path: list[TreeNode], values: list[float]) -> None:
        """Learn from an iteration that took ``path`` in the tree and was worth ``values``; nothing here."""


@final
class ActionValue:
    """The values of the iterations in which a player took an action.

    Attributes:
        total: the sum of those of this decision.
        visits: their number.
        kept: the faded sum of those of earlier decisions, each on the scale of its decision.
        kept_visits: their faded number.
    """

    __slots__ = ("kept", "kept_visits", "total", "visits")
    total: float
    visits: float
    kept: float
    kept_visits: float

    def __init__(self) -> None:
        """Start without iterations."""
        self.total = 0.0
        self.visits = 0.0
        self.kept = 0.0
        self.kept_visits = 0.0

    def mean(self, origin: float, unit: float) -> float:
        """Return the mean value, on the scale from ``origin`` in steps of ``1 / unit``; it needs a visit."""
        return (self.kept + (self.total - self.visits * origin) * unit) / (self.kept_visits + self.visits)

    def fade(self, share: float, origin: float, unit: float) -> None:
        """End a decision whose values were on this scale, and keep ``share`` of all values."""
        self.kept = share * (self.kept + (self.total - self.visits * origin) * unit)
        self.kept_visits = share * (self.kept_visits + self.visits)
        self.total = 0.0
        self.visits = 0.0


class MastPolicy(RolloutPolicy):
    """The move-average sampling technique: actions that went well anywhere are played more often.

    Finnsson and Björnsson (2008): the probability of an action is proportional to ``exp(q / temperature)``, q its mean
    value over the tree and the rollouts. Each value is on the scale of the decision in whose search it was seen.
    """

    def __init__(
        self, sim: Simulator, length: RolloutLength, parameters: MctsParameters, scale: Scale, n_players: i64
    ) -> None:
        """Start with nothing learnt."""
        super().__init__(sim, length)
        self._gamma = parameters.mast_gamma
        self._temperature = parameters.mast_temperature
        self._scale = scale
        self._tables: list[dict[AnyAction, ActionValue]] = [{} for _player in range(n_players)]
        self._actions: list[AnyAction] = []
        self._players: list[i64] = []

    def begin_decision(self) -> None:
        """Let the learnt values fade; the scale must still be that of the decision before."""
        gamma = self._gamma
        for player in range(len(self._tables)):
            if gamma == 0.0:
                self._tables[player] = {}
            for entry in self._tables[player].values():
                entry.fade(gamma, self._scale.origin[player], self._scale.unit[player])

    def step(self, state: GameState) -> None:
        """Play one action and remember it."""
        player = state.current_player
        action = self.choose(state)
        self._actions.append(action)
        self._players.append(player)
        self.sim.next(state, action)

    def play(self, state: GameState, actor: i64) -> None:
        """Play by the action values."""
        self.play_steps(state, actor)

    def choose(self, state: GameState) -> AnyAction:
        """Draw an action from the Boltzmann distribution over the available ones."""
        actions = self.sim.available_actions(state)
        values = [self.value(state.current_player, action) for action in actions]
        best = max(values)
        return drawn(actions, [exp((value - best) / self._temperature) for value in values], self.sim.rng)

    def value(self, player: i64, action: AnyAction) -> float:
        """Return the mean value of ``action`` for ``player``, on the scale."""
        entry = self._tables[player].get(action)
        if entry is None or entry.visits + entry.kept_visits == 0.0:
            return _UNSEEN
        return entry.mean(self._scale.origin[player], self._scale.unit[player])

    def learn(self, path: list[TreeNode], values: list[float]) -> None:
        """Add ``values`` to every action of the iteration."""
        for node in path:
            self._add(node.actor, node.action, values)
        for index in range(len(self._actions)):
            self._add(self._players[index], self._actions[index], values)
        self._actions.clear()
        self._players.clear()

    def _add(self, player: i64, action: AnyAction, values: list[float]) -> None:
        table = self._tables[player]
        entry = table.get(action)
        if entry is None:
            entry = ActionValue()
            table[action] = entry
        entry.total += values[player]
        entry.visits += 1.0


@final
class BoltzmannPolicy(RolloutPolicy):
    """Draws actions by the values of the positions just after them, as TAG does with action heuristics.

    The probability of an action is proportional to ``exp(v / temperature)``, v the value for the player to move on the scale
    of the values that the search has seen. Each costs a call and a copy; where a budget of these does not pay for all, the
    action is drawn uniformly.
    """

    def __init__(self, sim: Simulator, length: RolloutLength, parameters: MctsParameters, scale: Scale) -> None:
        """Take the heuristic and the temperature."""
        super().__init__(sim, length)
        self._heuristic = make_heuristic(parameters.rollout_heuristic).of(sim.model)
        self._of_afterstates = self._heuristic.is_of_afterstates()
        self._temperature = parameters.rollout_temperature
        self._scale = scale

    def step(self, state: GameState) -> None:
        """Play one action."""
        sim = self.sim
        actions = sim.available_actions(state)
        if len(actions) == 1 or (sim.budget.limits_moves and sim.budget.left <= len(actions)):
            sim.next(state, actions[sim.rng.below(len(actions))])
            return
        values = [self.value(state, action) for action in actions]
        best = max(values)
        factor = self._scale.unit[state.current_player] / self._temperature
        sim.next(state, drawn(actions, [exp((value - best) * factor) for value in values], sim.rng))

    def play(self, state: GameState, actor: i64) -> None:
        """Play by the values."""
        self.play_steps(state, actor)

    def value(self, state: GameState, action: AnyAction) -> float:
        """Return the value of the position after ``action`` for the player to move, before chance if the heuristic asks."""
        sim = self.sim
        after = sim.afterstate(state, action) if self._of_afterstates else None
        if after is None:
            after = sim.copy(state)
            sim.next(after, action)
            sim.resolve(after, sim.rng)
        return self._heuristic.value(after, state.current_player)


@final
class AgentPolicy(RolloutPolicy):
    """Agents play for some players, or for all; another policy for the rest.

    As models of the others, they are what TAG calls opponent models. They are asked only where there is a choice.
    """

    def __init__(self, sim: Simulator, length: RolloutLength, specs: dict[int, str], rest: RolloutPolicy) -> None:
        """Take the agents' specs by player, and the policy of players without one."""
        super().__init__(sim, length)
        self._specs = specs
        self._agents = SimulatedAgents()
        self._rest = rest

    def start_game(self, observation: GameState) -> None:
        """Seat new agents."""
        self._agents.start_game(self.sim, self._specs, observation)

    def end_game(self, state: GameState) -> None:
        """Let the agents learn how the game ended."""
        self._agents.end_game(state)

    def step(self, state: GameState) -> None:
        """Let the agent of the player decide, if there is one."""
        if not self._agents.plays(state.current_player):
            self._rest.step(state)
            return
        sim = self.sim
        actions = sim.available_actions(state)
        sim.next(state, actions[0] if len(actions) == 1 else self._agents.act(state, actions))

    def play(self, state: GameState, actor: i64) -> None:
        """Play by the agents."""
        self.play_steps(state, actor)

    def begin_decision(self) -> None:
        """Prepare the other policy."""
        self._rest.begin_decision()

    def learn(self, path: list[TreeNode], values: list[float]) -> None:
        """Let the other policy learn."""
        self._rest.learn(path, values)


def rollout_policy(
    parameters: MctsParameters, sim: Simulator, length: RolloutLength, scale: Scale, player: i64, n_players: i64
) -> RolloutPolicy:
    """Return the policy that ``parameters`` name, for a search of ``player``."""
    policy = RolloutPolicy(sim, length)
    if parameters.rollout_policy == MAST:
        policy = MastPolicy(sim, length, parameters, scale, n_players)
    elif parameters.rollout_policy == BOLTZMANN:
        policy = BoltzmannPolicy(sim, length, parameters, scale)
    specs = parameters.simulated_agents(player, n_players)
    return AgentPolicy(sim, length, specs, policy) if specs else policy
