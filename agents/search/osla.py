"""One step look ahead: plays the action after which the position is best.

Source: Gaina et al.: TAG: a tabletop games framework (2020), section 6.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag.agents._simultaneous import NO_SEED, SimultaneousChoices
from tag.catalogue.presets import PresetParameters
from tag.catalogue.registry import make_heuristic
from tag.engine.parameters import integer
from tag.engine.rng import Greatest, Rng
from tag.engine.state import AnyAction, GameState
from tag.engine.values import StateHeuristic
from tag.playing.agent import Agent
from tag.playing.search_tree import SearchNode, valued_actions

#: Forced steps that are followed at most; a longer chain is valued where it stands.
_LONGEST_CHAIN: Final = 100


@dataclass
class OslaParameters(PresetParameters):
    """Parameters of one step look ahead."""

    samples: int = integer(
        1, 1, 1000, "deals of the hidden information, each with outcomes of chance, to average over", log=True
    )


class Osla(Agent):
    """Values the position after each action and plays the best, with ties drawn at random.

    After the action all forced steps are taken as well: while the player to move has a single action, up to the next real
    choice. Others who choose at the same time do so at random, so that the position is valued after all choices have
    happened. Each deal of the hidden information, and of these choices, serves all actions, and with several samples the
    random numbers of chance do as well, so that the actions are compared under the same luck. A budget that ends during the
    first sample leaves some actions out, starting from a random one; one that ends later drops the unfinished sample.
    There is one sample where nothing is left to chance.

    With a heuristic of afterstates it is the position before chance that counts, without forced steps, where the game can
    tell it.
    """

    parameters_class = OslaParameters
    _others: SimultaneousChoices
    _heuristic: StateHeuristic

    def __init__(self, parameters: OslaParameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        chosen = OslaParameters() if parameters is None else parameters
        super().__init__(chosen)
        self._given_heuristic = make_heuristic(chosen.heuristic)
        self._given = chosen
        #: How many of them the game needs.
        self._needed: i64 = 1
        self._of_afterstates = False
        self._finished: i64 = 0
        self._evaluations: i64 = 0
        self._best_value = 0.0
        self._ordered: list[AnyAction] = []
        self._choice: AnyAction | None = None
        self._totals: list[float] = []

    def use_heuristic(self, heuristic: StateHeuristic) -> None:
        """Value positions by ``heuristic`` from the next game on."""
        self._given_heuristic = heuristic

    def start_game(self, observation: GameState) -> None:
        """Prepare for a new game."""
        self._others = SimultaneousChoices(self.sim)
        self._heuristic = self._given_heuristic.of(self.sim.model)
        kind = self.sim.model.game_type
        self._of_afterstates = self._heuristic.is_of_afterstates() and kind.chance
        samples = self._given.in_game(self.sim.model).samples
        self._needed = samples if kind.chance or kind.hidden_information else 1

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Value every action and return the best.

        >>> from tag import Game, make_agent, make_game
        >>> game = Game(make_game("nim:heaps=1"), [make_agent("osla"), make_agent("random")], seed=1)
        >>> print(game.play())
        0
        >>> game.decisions
        [1, 0]
        """
        self._evaluations = 0
        self._finished = 0
        start = self.sim.rng.below(len(actions))
        ordered = actions[start:] + actions[:start]
        values = self._values(observation, ordered)
        self._ordered = ordered
        self._totals = values
        self._choice = ordered[0]
        if len(values) == 0:
            return ordered[0]
        while 0 < self._finished < self._needed and not self.sim.budget.is_spent():
            more = self._values(self.sim.observation(observation, self.player), ordered)
            if len(more) < len(ordered):
                break
            values = [values[index] + more[index] for index in range(len(ordered))]
        self._totals = values
        choice = ordered[self._best(values)]
        self._choice = choice
        return choice

    def _values(self, world: GameState, actions: list[AnyAction]) -> list[float]:
        """Return the value of each of ``actions`` in ``world``, or of the first ones if the budget ends."""
        sim = self.sim
        values: list[float] = []
        own_stream = sim.rng
        is_shared = self._needed > 1
        seed = own_stream.next32() if is_shared else NO_SEED
        self._others.deal_again(own_stream.next32() if is_shared else NO_SEED)
        for action in actions:
            if sim.budget.is_spent():
                return values
            if is_shared:
                sim.rng = Rng(seed)
            state = self._position_after(world, action)
            sim.rng = own_stream
            values.append(self._heuristic.value(state, self.player))
            sim.budget.iterations += 1
            self._evaluations += 1
        self._finished += 1
        return values

    def _position_after(self, world: GameState, action: AnyAction) -> GameState:
        """Return the position by which ``action`` is valued: one call and one copy, and a call for each step after it."""
        sim = self.sim
        if self._of_afterstates:
            after = sim.afterstate(world, action)
            if after is not None:
                return after
        state = sim.copy(world)
        sim.next(state, action)
        self._take_forced_steps(state)
        return state

    def _take_forced_steps(self, state: GameState) -> None:
        """Play ``state`` on, in place, to the next real choice, the end, or the end of the budget."""
        sim = self.sim
        budget = sim.budget
        for _i in range(_LONGEST_CHAIN):
            self._others.resolve(state, self.player)
            actions = sim.available_actions(state)
            if len(actions) != 1 or (budget.limits_steps and budget.is_spent()):
                return
            sim.next(state, actions[0])

    def _best(self, values: list[float]) -> i64:
        """Return the place of the greatest value, each of several as likely."""
        best: i64 = 0
        greatest = Greatest(self.sim.rng)
        for index in range(len(values)):
            if greatest.takes(values[index]):
                best = index
        self._best_value = greatest.value / float(max(self._finished, 1))
        return best

    def statistics(self) -> Mapping[str, object]:
        """Return figures of the last decision: samples, cost, the value of the action played, and that of each action."""
        budget = self.sim.budget
        return {
            "evaluations": int(self._evaluations),
            "samples": int(self._finished),
            "forward_model_calls": int(budget.forward_model_calls),
            "copies": int(budget.copies),
            "best_value": self._best_value,
            "actions": [
                {"action": str(action), "value": value}
                for action, value in zip(self._ordered, self._mean_values(), strict=True)
            ],
        }

    def _mean_values(self) -> list[float | None]:
        """Return the mean value of each action over the samples, None where the budget ended before."""
        totals = self._totals
        samples = float(max(self._finished, 1))
        return [totals[index] / samples if index < len(totals) else None for index in range(len(self._ordered))]

    def search_tree(self, least_visits: int = 1, most_nodes: int = 2000) -> SearchNode | None:
        """Return the actions of the last decision, with their values."""
        if self._choice is None:
            return None
        uncounted: list[int | None] = [None] * len(self._ordered)
        return valued_actions(self.player, self._choice, self._ordered, self._mean_values(), uncounted)
