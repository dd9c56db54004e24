"""Counterfactual regret minimisation with external sampling, from the beginning of the game, for small games.

M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, "Monte Carlo sampling for regret minimization in extensive games", NeurIPS
2009. Later iterations have greater weight in the average, as in N. Brown, T. Sandholm, "Solving imperfect-information games
via discounted regret minimization", AAAI 2019.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Final, final

from mypy_extensions import i64

from tag.agents.search.mcts.tree import place_of, shares_of
from tag.catalogue.registry import make_heuristic
from tag.engine.parameters import integer
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, GameState
from tag.engine.values import StateHeuristic
from tag.playing.agent import Agent, SearchParameters
from tag.playing.garbage import CollectionPaused

#: A budget of iterations ends in the game that has cost so many calls: in large games, none would come to its end.
_MOST_CALLS: Final = 10_000


@dataclass
class MccfrParameters(SearchParameters):
    """Parameters of counterfactual regret minimisation."""

    depth: int = integer(100, 1, 300, "decisions from the beginning after which the heuristic values the position")


class Mccfr(Agent):
    """Plays the average of its policies in games against itself, each dealt anew from the beginning.

    In each of these games one player, in turn, tries all actions, while the others play by their regrets. The averages come
    near an equilibrium in games of two players with zero sum. All information sets that were met are kept until the end of
    the game, so later decisions improve on earlier ones. Where the position was not met, which is so in nearly all
    positions of large games, all actions are equally likely. There, one game would take longer than any decision: with a
    budget of iterations, a game that takes more than 10,000 forward-model calls ends the search.
    """

    parameters_class = MccfrParameters
    _heuristic: StateHeuristic

    def __init__(self, parameters: MccfrParameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        chosen = MccfrParameters() if parameters is None else parameters
        super().__init__(chosen)
        self._given_heuristic = make_heuristic(chosen.heuristic)
        self._depth: i64 = chosen.depth
        self._known: dict[Hashable, _Regrets] = {}
        self._games: i64 = 0
        self._is_cut = False
        self._most_calls: i64 = 0
        self._actions: list[AnyAction] = []
        self._policy: list[float] = []
        self._found = _Regrets(0)

    def use_heuristic(self, heuristic: StateHeuristic) -> None:
        """Value positions by ``heuristic`` from the next game on."""
        self._given_heuristic = heuristic

    def start_game(self, observation: GameState) -> None:
        """Forget the game before."""
        self._heuristic = self._given_heuristic.of(self.sim.model)
        self._known = {}
        self._games = 0

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Play games until the budget is spent, and draw one of ``actions`` by the average policy.

        >>> from tag import make_agent, make_game
        >>> from tag.playing.inspection import InspectedGame
        >>> game = InspectedGame(make_game("nim:heaps=2,size=2"), [make_agent("mccfr:budget=400")] * 2, seed=1)
        >>> decision = game.decide()
        >>> [round(action["probability"], 1) for action in decision.by_action]
        [0.2, 0.2, 0.2, 0.2]
        """
        sim = self.sim
        self._is_cut = False
        with CollectionPaused():
            self._play(observation.n_players)
        found = self._known.get((self.player, observation.knowledge(self.player)))
        self._actions = actions
        self._found = _Regrets(len(actions)) if found is None else found
        self._policy = self._found.average()
        return actions[place_of(self._policy, sim.rng.uniform())]

    def _play(self, n_players: i64) -> None:
        """Play games until the budget is spent."""
        sim = self.sim
        while not self._is_cut and not sim.budget.is_spent():
            self._most_calls = sim.budget.forward_model_calls + _MOST_CALLS
            start = sim.new_game(n_players)
            self._value(start, self._games % n_players, 0)
            self._games += 1
            sim.budget.iterations += 1

    def _value(self, state: GameState, traverser: i64, depth: i64) -> float:
        """Play ``state``, which is the caller's to change, to the end; return its value for ``traverser``."""
        sim = self.sim
        if state.is_terminal or depth >= self._depth:
            return self._heuristic.value(state, traverser)
        player = state.current_player
        actions = sim.available_actions(state)
        key = (player, state.knowledge(player))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = _Regrets(len(actions))
        policy = found.policy()
        if player != traverser:
            found.add(policy, float(self._games + 1))
            return self._value_after(state, actions[place_of(policy, sim.rng.uniform())], traverser, depth)
        last: i64 = len(actions) - 1
        values: list[float] = []
        for index in range(last + 1):
            if self._ends():
                return 0.0
            after = sim.copy(state) if index < last else state
            values.append(self._value_after(after, actions[index], traverser, depth))
        if self._is_cut:
            return 0.0
        return found.learn(policy, values)

    def _value_after(self, state: GameState, action: AnyAction, traverser: i64, depth: i64) -> float:
        if self._ends():
            return 0.0
        self.sim.next(state, action)
        return self._value(state, traverser, depth + 1)

    def _ends(self) -> bool:
        """Say whether the budget ends the game, which then teaches nothing more."""
        budget = self.sim.budget
        counts_games = not budget.limits_steps and not budget.limits_moves
        if budget.is_spent() or (counts_games and budget.forward_model_calls >= self._most_calls):
            self._is_cut = True
        return self._is_cut

    def statistics(self) -> Mapping[str, object]:
        """Return games, calls, copies and information sets, and the probability and mean value of each action.

        An action is tried in all ``visits`` of the position by its player.
        """
        budget = self.sim.budget
        found = self._found
        visits = int(found.visits)
        return {
            "games": int(self._games),
            "information_sets": len(self._known),
            "forward_model_calls": int(budget.forward_model_calls),
            "copies": int(budget.copies),
            "actions": [
                {
                    "action": str(action),
                    "value": found.totals[index] / visits if visits else None,
                    "visits": visits,
                    "probability": self._policy[index],
                }
                for index, action in enumerate(self._actions)
            ],
        }


@final
class _Regrets(Copyable):
    """The regrets of the actions of an information set, the sums of its policies by weight, and those of values."""

    __slots__ = ("regrets", "sums", "totals", "visits")

    def __init__(self, n: i64) -> None:
        self.regrets = [0.0] * n
        self.sums = [0.0] * n
        self.totals = [0.0] * n
        self.visits: i64 = 0

    def policy(self) -> list[float]:
        """Return probabilities in proportion to the regrets above zero; all are equal if none is."""
        return shares_of([max(regret, 0.0) for regret in self.regrets])

    def average(self) -> list[float]:
        """Return the average policy."""
        return shares_of(self.sums)

    def add(self, policy: list[float], weight: float) -> None:
        """Count a policy in the average."""
        for index in range(len(policy)):
            self.sums[index] += weight * policy[index]

    def learn(self, policy: list[float], values: list[float]) -> float:
        """Add the regret of each action against the policy, and return the value of the policy."""
        mean = 0.0
        for index in range(len(policy)):
            mean += policy[index] * values[index]
        for index in range(len(policy)):
            self.regrets[index] += values[index] - mean
            self.totals[index] += values[index]
        self.visits += 1
        return mean
