"""Monte Carlo tree search: UCT for any number of players, with hidden information determinised."""

from __future__ import annotations

from collections.abc import Mapping

from mypy_extensions import i64

from agents.search._explicit_search import ExplicitSearch
from agents.search._mcts_parameters import (
    AVERAGE_POLICY,
    BY_PLAYER,
    CHANCE_NODES,
    CLOSED_LOOP,
    VISITS,
    MctsParameters,
)
from agents.search._tree import drawn, most_valued, most_visited
from agents.search._tree_search import ClosedLoopSearch, OpenLoopSearch, PlayerTreesSearch, TreeSearch
from tag.catalogue.registry import make_heuristic
from tag.engine.action import AnyAction
from tag.engine.heuristics import StateHeuristic
from tag.engine.state import GameState
from tag.playing.agent import Agent, Simulator

__all__ = ["Mcts", "MctsParameters"]


class Mcts(Agent):
    """Searches a tree by UCB1 or another policy, and plays the most visited action, or as `selection` says.

    Kocsis and Szepesvári (2006), with the variants surveyed by Browne et al. (2012); see `MctsParameters`, and
    docs/background/search.md for what each is worth.

    A budget in forward-model calls, iterations or copies is never exceeded, and the search is then a function of the
    stream; with less than one unit the choice is random. With `solver`, a search ends early when its result is proven.

    The mixed policies `exp3` and `regret_matching` are meant for games with hidden choices, together with `trees=by_player`.
    Their average policy may be mixed: `selection=average_policy` draws from it. With `visits` its likeliest action is
    played, as a rule, which suits games in which pure strategies are best.
    """

    parameters_class = MctsParameters
    _search: TreeSearch

    def __init__(self, parameters: MctsParameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        chosen = MctsParameters() if parameters is None else parameters
        super().__init__(chosen)
        self._settings = chosen
        self._heuristic = make_heuristic(chosen.heuristic)
        self._actions: list[AnyAction] = []

    def use_heuristic(self, heuristic: StateHeuristic) -> None:
        """Value positions by ``heuristic`` from the next game on."""
        self._heuristic = heuristic

    def start_game(self, observation: GameState) -> None:
        """Forget trees and action values of earlier games."""
        self._search = new_search(self._settings, self.sim, self._heuristic, self.player, observation.n_players)

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Search until the budget is spent and return the best of ``actions``."""
        search = self._search
        search.run(observation)
        self._actions = actions
        rng = self.sim.rng
        candidates = search.candidates(actions)
        if self._settings.selection == AVERAGE_POLICY:
            return drawn(candidates, [self._share(action) for action in candidates], rng)
        best = most_visited if self._settings.selection == VISITS else most_valued
        return best(search.root, candidates, rng)

    def _share(self, action: AnyAction) -> float:
        """Return what the probability of ``action`` in the average tree policy is proportional to."""
        child = self._search.root.child(action)
        return 0.0 if child is None else self._search.tree_policy.share(child)

    def statistics(self) -> Mapping[str, object]:
        """Return the figures of the last decision.

        ``iterations``, ``depth_max`` and ``depth_mean`` (actions in the tree), ``nodes``, ``forward_model_calls`` and
        ``copies``; ``is_proven``, whether the result of perfect play is known; ``reused_visits``, those of the root before
        the decision; ``actions``, with the mean ``value`` and the ``visits`` of each.
        """
        search = self._search
        budget = self.sim.budget
        return {
            "iterations": int(search.iterations),
            "depth_max": int(search.depth_max),
            "depth_mean": float(search.depth_sum) / float(max(search.iterations, 1)),
            "nodes": int(search.nodes),
            "forward_model_calls": int(budget.forward_model_calls),
            "copies": int(budget.copies),
            "is_proven": search.is_proven,
            "reused_visits": int(search.root.visits - search.iterations),
            "actions": [self._figures(action) for action in self._actions],
        }

    def _figures(self, action: AnyAction) -> dict[str, object]:
        child = self._search.root.child(action)
        if child is None or child.visits == 0:
            return {"action": str(action), "value": None, "visits": 0}
        return {"action": str(action), "value": child.mean, "visits": int(child.visits)}


def new_search(
    parameters: MctsParameters, sim: Simulator, heuristic: StateHeuristic, player: i64, n_players: i64
) -> TreeSearch:
    """Return the search that ``parameters`` ask for."""
    kind = sim.model.game_type
    information = parameters.information_in(kind)
    if information == CHANCE_NODES or parameters.solves(kind):
        return ExplicitSearch(parameters, sim, heuristic, player, n_players)
    if information == CLOSED_LOOP:
        return ClosedLoopSearch(parameters, sim, heuristic, player, n_players)
    if parameters.trees == BY_PLAYER:
        return PlayerTreesSearch(parameters, sim, heuristic, player, n_players)
    return OpenLoopSearch(parameters, sim, heuristic, player, n_players)
