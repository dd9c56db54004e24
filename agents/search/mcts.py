"""Monte Carlo tree search: UCT for any number of players, with hidden information determinised."""

from __future__ import annotations

from collections.abc import Mapping

from agents.search._mcts_parameters import VISITS, MctsParameters
from agents.search._tree import most_valued, most_visited
from agents.search._tree_search import TreeSearch, new_search
from tag.catalogue.registry import make_heuristic
from tag.engine.action import AnyAction
from tag.engine.state import GameState
from tag.playing.agent import Agent

__all__ = ["Mcts", "MctsParameters"]


class Mcts(Agent):
    """Searches a tree by UCB1 and plays the most visited action, or the one with the greatest value.

    Kocsis and Szepesvári (2006), with the variants surveyed by Browne et al. (2012); see `MctsParameters`.

    A budget in forward-model calls, iterations or copies is never exceeded, and the search is then a function of the
    stream; with less than one unit the choice is random.
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

    def start_game(self, observation: GameState) -> None:
        """Forget trees and action values of earlier games."""
        self._search = new_search(self._settings, self.sim, self._heuristic, self.player, observation.n_players)

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Search until the budget is spent and return the best of ``actions``."""
        search = self._search
        search.run(observation)
        self._actions = actions
        best = most_visited if self._settings.selection == VISITS else most_valued
        return best(search.root, actions, self.sim.rng)

    def statistics(self) -> Mapping[str, object]:
        """Return the figures of the last decision.

        ``iterations``, ``depth_max`` and ``depth_mean`` (actions in the tree), ``nodes``, ``forward_model_calls`` and
        ``copies``; ``reused_visits``, those of the root before the decision; ``actions``, with the mean ``value`` and the
        ``visits`` of each.
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
            "reused_visits": int(search.root.visits - search.iterations),
            "actions": [self._figures(action) for action in self._actions],
        }

    def _figures(self, action: AnyAction) -> dict[str, object]:
        child = self._search.root.child(action)
        if child is None or child.visits == 0:
            return {"action": str(action), "value": None, "visits": 0}
        return {"action": str(action), "value": child.mean, "visits": int(child.visits)}
