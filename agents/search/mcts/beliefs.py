"""Beliefs: deals of hidden information, in proportion to how well they explain what others have done."""

from __future__ import annotations

from math import exp, inf
from typing import Final, final

from mypy_extensions import i64

from tag.engine.forward_model import SIMULTANEOUS
from tag.engine.rng import float_sum
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, GameState
from tag.engine.values import StateHeuristic
from tag.playing.agent import Simulator

#: The share of a decision's budget that beliefs may cost.
_SHARE: Final = 0.25
#: The share of others' choices that are taken to be random: no deal that fits is ruled out by one choice.
_NOISE: Final = 0.1
#: The share of the search's deals for which all that fit are as likely: the model of the others may be wrong.
_DOUBT: Final = 0.1
#: Fewer deals than this that fit tell too little: beliefs begin anew.
_FEWEST: Final = 5


@final
class Beliefs(Copyable):
    """A particle filter over the positions that fit all that a player has seen.

    Source: Gordon, Salmond and Smith: Novel approach to nonlinear/non-Gaussian Bayesian state estimation (1993); for play
    with hidden information as Silver and Veness: Monte-Carlo planning in large POMDPs (2010), with weights.

    The player has seen each position on the way (`Agent.watched`). A deal is played on from one of them to the next by every
    action of who is to move, and those actions fit after which the player knows what was then seen (`GameState.knowledge`).
    So hidden parts of actions stay hidden, and no game has to say which are public. The deal's weight is the probability of
    the actions that fit, by the softmax of the mover's one-step values; these are taken in another deal that fits what the
    mover knows. Where hardly any deal fits, as chance has shown something else (`GameState.match_chance`), beliefs begin
    anew with deals of the present that are all as likely.

    All play is counted against the budget, a deal as an iteration, and takes a quarter of it at most: there
    are as many deals as that pays for. A budget of time only tells when it is over: that decision has no beliefs, and later
    ones have half as many deals.
    """

    def __init__(
        self, n_deals: i64, temperature: float, sim: Simulator, heuristic: StateHeuristic, player: i64
    ) -> None:
        """Weigh ``n_deals`` deals for ``player``, whose rivals choose by ``heuristic`` at this ``temperature``."""
        self._most = n_deals
        self._temperature = temperature
        self._sim = sim
        self._heuristic = heuristic
        self._player = player
        self._is_simultaneous = SIMULTANEOUS in sim.model.game_type.mechanics
        self._deals: list[GameState] = []
        self._last: GameState | None = None
        self._left: float = 0.0
        self._seconds_left = 0.0

    @property
    def has_deals(self) -> bool:
        """Say whether anything was learned, so that not all deals are as likely."""
        return len(self._deals) > 0

    def deal(self, observation: GameState) -> GameState:
        """Return a position that fits ``observation``, for which `update` was called; it costs a copy."""
        rng = self._sim.rng
        if not self._deals or rng.uniform() < _DOUBT:
            return self._sim.observation(observation, self._player)
        return self._sim.copy(self._deals[rng.below(len(self._deals))])

    def update(self, watched: list[GameState], observation: GameState) -> None:
        """Learn from what was ``watched`` between the last decision and that of ``observation``."""
        budget = self._sim.budget
        self._left = (1.0 - _SHARE) * float(budget.left)
        self._seconds_left = (1.0 - _SHARE) * budget.seconds_left
        positions = [*watched, observation] if self._last is None else [self._last, *watched, observation]
        self._last = observation
        n_deals = self._affordable(positions)
        if n_deals < _FEWEST:
            self._deals = []
            return
        if len(positions) > 1:
            budget.iterations += n_deals
        for index in range(1, len(positions)):
            before, after = positions[index - 1], positions[index]
            if after.tick > before.tick and not self._follow(before, after, n_deals):
                self._deals = []
                self._most = max(n_deals // 2, _FEWEST)
                return

    def _affordable(self, positions: list[GameState]) -> i64:
        """Return how many deals can be played on through ``positions`` for the share of a budget that is counted."""
        budget = self._sim.budget
        cost: i64 = 0
        for index in range(len(positions) - 1):
            n_actions: i64 = len(self._sim.available_actions(positions[index]))
            cost += 2 * n_actions + 2
        allowed: i64 = int(_SHARE * float(budget.left))
        if budget.limits_moves:
            allowed //= max(cost, 1)
        return self._most if budget.seconds_left < inf else min(self._most, allowed)

    def _follow(self, before: GameState, after: GameState, n_deals: i64) -> bool:
        """Play ``n_deals`` deals of ``before`` on to ``after``; say whether the budget allowed it."""
        sim = self._sim
        if not self._deals and before.current_player == self._player:
            return True  # there is nothing to learn from the own choice
        found: list[GameState] = []
        weights: list[float] = []
        key = after.knowledge(self._player)
        for number in range(n_deals):
            if not self._can_pay(1):
                return False
            deal = self._deals[number] if number < len(self._deals) else sim.observation(before, self._player)
            actions = sim.available_actions(deal)
            if not self._can_pay(2 * len(actions) + 1):
                return False
            following: list[GameState] = []
            shares: list[float] = []
            policy: list[float] = []
            for index in range(len(actions)):
                other = sim.copy(deal)
                sim.next(other, actions[index])
                likelihood = other.match_chance(after, self._player)
                if likelihood > 0.0 and other.knowledge(self._player) == key:
                    if not policy:
                        policy = self._policy(deal, actions)
                    following.append(other)
                    shares.append(policy[index] * likelihood)
            if following:
                found.append(following[self._drawn(shares)])
                weights.append(float_sum(shares))
        self._deals = _resampled(found, weights, n_deals, sim.rng.uniform()) if len(found) >= _FEWEST else []
        return True

    def _can_pay(self, moves: i64) -> bool:
        """Say whether so many calls and copies leave the search its share of the budget."""
        budget = self._sim.budget
        cost: i64 = moves if budget.limits_moves else 0
        return float(budget.left - cost) >= self._left and budget.seconds_left >= self._seconds_left

    def _policy(self, deal: GameState, actions: list[AnyAction]) -> list[float]:
        """Return the probability of each of ``actions``; the player's own are no evidence, and as likely."""
        sim = self._sim
        mover = deal.current_player
        if mover == self._player or len(actions) == 1:
            return [1.0] * len(actions)
        known = sim.observation(deal, mover)
        values: list[float] = []
        for action in actions:
            other = sim.copy(known)
            sim.next(other, action)
            if self._is_simultaneous:
                sim.resolve(other, sim.rng)
            values.append(self._heuristic.value(other, mover))
        best, worst = max(values), min(values)
        factor = 1.0 / (self._temperature * (best - worst)) if best > worst else 0.0
        weights = [exp((value - best) * factor) for value in values]
        total = float_sum(weights)
        return [(1.0 - _NOISE) * weight / total + _NOISE / float(len(actions)) for weight in weights]

    def _drawn(self, weights: list[float]) -> i64:
        """Return a place in ``weights``, each with a probability in proportion to its weight."""
        left = self._sim.rng.uniform() * float_sum(weights)
        for index in range(len(weights) - 1):
            left -= weights[index]
            if left < 0.0:
                return index
        return len(weights) - 1


def _resampled(deals: list[GameState], weights: list[float], n: i64, offset: float) -> list[GameState]:
    """Return ``n`` of ``deals``, each as often as its weight says (systematic resampling, by a number from 0 to 1)."""
    step = float_sum(weights) / float(n)
    chosen: list[GameState] = []
    reached = 0.0
    for index in range(len(deals)):
        reached += weights[index]
        while len(chosen) < n and (float(len(chosen)) + offset) * step < reached:
            chosen.append(deals[index])
    return chosen
