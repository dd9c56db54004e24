"""Monte Carlo tree search: UCT for any number of players, with hidden information determinised."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from typing import Final, final

from mypy_extensions import i64

from tag.agents.search._simulated import SimulatedAgents, check_simulated
from tag.agents.search.mcts.explicit_search import ExplicitSearch
from tag.agents.search.mcts.forest import Forest
from tag.agents.search.mcts.parameters import (
    AGENT,
    AVERAGE_POLICY,
    CHANCE_NODES,
    CLOSED_LOOP,
    VALUE,
    VISITS,
    MctsParameters,
)
from tag.agents.search.mcts.tree import TreeNode, drawn, most_valued, most_visited
from tag.agents.search.mcts.tree_search import ClosedLoopSearch, OpenLoopSearch, PlayerTreesSearch, TreeSearch
from tag.catalogue.registry import make_heuristic
from tag.engine.state import DO_NOTHING, AnyAction, GameState
from tag.engine.values import StateHeuristic
from tag.playing.agent import Agent, Simulator
from tag.playing.search_tree import CHANCE, SearchNode


class Mcts(Agent):
    """Searches a tree by UCB1 or another policy, and plays the most visited action, or as `selection` says.

    Kocsis and Szepesvári (2006), with the variants surveyed by Browne et al. (2012); see `MctsParameters`, and
    docs/background/search.md for what each is worth.

    A budget in forward-model calls, iterations or copies is never exceeded, and the search is then a function of the
    stream; with less than one unit the choice is random. With `solver`, a search ends early when its result is proven.

    The mixed policies `exp3` and `regret_matching` are meant for games with hidden choices, together with `trees=by_player`;
    private cards of the searcher are known in the others' trees, which prevents an equilibrium.
    Their average policy may be mixed: `selection=average_policy` draws from it. With `visits` its likeliest action is
    played, as a rule, which suits games in which pure strategies are best.
    """

    parameters_class = MctsParameters
    _search: TreeSearch

    def __init__(self, parameters: MctsParameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        chosen = MctsParameters() if parameters is None else parameters
        super().__init__(chosen)
        self._given = chosen
        #: The parameters with which the game is played.
        self._settings = chosen
        self._heuristic = make_heuristic(chosen.heuristic)
        if chosen.rollout_policy == AGENT:
            check_simulated("rollout_agent", chosen.rollout_agent, chosen.budget_type)
        if chosen.opponents == AGENT:
            check_simulated("opponent_agent", chosen.opponent_agent, chosen.budget_type)
        if chosen.selection == AGENT:
            check_simulated("selection_agent", chosen.selection_agent, chosen.budget_type)
        self._adviser = SimulatedAgents()
        self._advice: AnyAction | None = None
        self._actions: list[AnyAction] = []
        self._choice: AnyAction | None = None
        self._teams: list[i64] = []

    def watches(self) -> bool:
        """Say whether deals are weighed by what others do, or agents make choices of others at the same time again."""
        return self._search.beliefs is not None or self._search.models_choices

    def use_heuristic(self, heuristic: StateHeuristic) -> None:
        """Value positions by ``heuristic`` from the next game on."""
        self._heuristic = heuristic

    def start_game(self, observation: GameState) -> None:
        """Forget trees and action values of earlier games."""
        self._settings = self._given.in_game(self.sim.model)
        heuristic = self._heuristic.of(self.sim.model)
        self._search = new_search(self._settings, self.sim, heuristic, self.player, observation.n_players)
        self._search.start_game(observation)
        if self._settings.selection == AGENT:
            self._adviser.start_game(self.sim, {int(self.player): self._settings.selection_agent}, observation)
        self._teams = [observation.known_team(player, self.player) for player in range(observation.n_players)]
        self._choice = None

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Search until the budget is spent and return the best of ``actions``.

        >>> from tag import make_agent, make_game
        >>> from tag.playing.inspection import InspectedGame
        >>> agents = [make_agent("mcts:budget=200,rollout_length=0"), make_agent("random")]
        >>> game = InspectedGame(make_game("connect_four"), agents, seed=1)
        >>> decision = game.decide()
        >>> [int(action["visits"]) for action in decision.by_action]
        [22, 25, 32, 46, 26, 27, 22]
        """
        self._search.watch(self.watched, observation)
        if self._settings.selection == AGENT:
            self._advice = self._adviser.act(observation, actions)
            self._search.advise(self._advice)
        self._search.run(observation)
        self._actions = actions
        choice = self._best_of(self._search.candidates(actions))
        self._choice = choice
        return choice

    def end_game(self, state: GameState) -> None:
        """Let agents that play in the search learn how the game ended."""
        self._search.end_game(state)
        self._adviser.end_game(state)

    def _best_of(self, candidates: list[AnyAction]) -> AnyAction:
        """Return the final choice."""
        rng = self.sim.rng
        if self._settings.selection == AVERAGE_POLICY:
            return drawn(candidates, [self._share(action) for action in candidates], rng)
        if self._settings.selection == VALUE:
            return most_valued(self._search.root, candidates, rng)
        most = most_visited(self._search.root, candidates, rng)
        advice = self._advice
        if self._settings.selection != AGENT or advice is None or advice not in candidates:
            return most
        needed = self._settings.selection_factor * self._visits(advice)
        return most if self._visits(most) > needed else advice

    def _visits(self, action: AnyAction) -> float:
        """Return the visits of ``action`` and one."""
        child = self._search.root.child(action)
        return 1.0 if child is None else float(child.visits) + 1.0

    def _share(self, action: AnyAction) -> float:
        """Return the weight of ``action`` in the average tree policy."""
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

    def search_tree(self, least_visits: int = 1, most_nodes: int = 2000) -> SearchNode | None:
        """Return the tree of the last decision; with a tree for each player, the first actions of the player's own.

        In max^n a node of the search has the mean value for the player who took the action. For other players the value is
        the mean over those visits that went on to an action of theirs, or to a final position that is kept. The values of
        outcomes of chance are such means for all players.
        """
        choice = self._choice
        if choice is None:
            return None
        reader = _TreeReader(self._search, self._settings.selection, self._teams, choice)
        return reader.read(self._actions, least_visits, most_nodes)


# --- search trees for people ------------------------------------------------------------------------------------------


#: The order of the choice, before all that `_TreeReader` computes.
_FIRST: Final = (2.0, 0.0, 0.0)


@final
class _Entry:
    """A node of the search that is shown, with those shown below it.

    Attributes:
        node: the node of the search.
        is_outcome: whether it is an outcome of chance.
        shown: what is shown of it.
        order: greater for what is shown first.
        below: the entries below it.
    """

    __slots__ = ("below", "is_outcome", "node", "order", "shown")

    def __init__(self, node: TreeNode, is_outcome: bool, shown: SearchNode, order: tuple[float, float, float]) -> None:
        """Start without entries below."""
        self.node = node
        self.is_outcome = is_outcome
        self.shown = shown
        self.order = order
        self.below: list[_Entry] = []


@final
class _TreeReader:
    """Makes a `SearchNode` of each of the most visited nodes of a search, which stays as it is."""

    def __init__(self, search: TreeSearch, selection: str, teams: list[i64], choice: AnyAction) -> None:
        """Read the tree of ``search``, whose players have these teams, as its agent knows them; it chose ``choice``."""
        self._search = search
        self._selection = selection
        self._choice = choice
        self._has_outcomes = isinstance(search, ExplicitSearch)
        self._sides = [1.0 if team == teams[search.player] else -1.0 for team in teams]
        #: Nodes that could be shown, the entry above each, and whether it is an outcome.
        self._found: list[tuple[TreeNode, _Entry, bool]] = []
        #: Minus the visits and the number of those that are not shown yet, the most visited first.
        self._waiting: list[tuple[int, int]] = []
        #: The values for each player in the visits of a node, and the number of these visits.
        self._totals: list[float] = []
        self._counts: list[float] = []

    def read(self, actions: list[AnyAction], least_visits: i64, most_nodes: i64) -> SearchNode:
        """Return the root, with a child for each of ``actions``."""
        player = self._search.player
        root = self._entry(self._search.root, False)
        entries = [root]
        for action in actions:
            entry = self._entry(self._search.root.child(action) or TreeNode(action, player), False)
            if action is self._choice:
                entry.order = _FIRST
            root.below.append(entry)
            entries.append(entry)
        for entry in root.below:
            self._add_followers(entry, least_visits)
        while self._waiting and len(entries) < most_nodes:
            _visits, number = heappop(self._waiting)
            node, above, is_outcome = self._found[number]
            entry = self._entry(node, is_outcome)
            above.below.append(entry)
            entries.append(entry)
            self._add_followers(entry, least_visits)
        for entry in entries:
            entry.below.sort(key=lambda below: below.order, reverse=True)
            entry.shown.children = [below.shown for below in entry.below]
        return root.shown

    def _add_followers(self, entry: _Entry, least_visits: i64) -> None:
        """Have the nodes below ``entry`` wait."""
        is_outcome = self._has_outcomes and entry.node.others is not None
        for node in self._followers(entry.node):
            if node.visits >= least_visits:
                heappush(self._waiting, (-int(node.visits), len(self._found)))
                self._found.append((node, entry, is_outcome))

    def _followers(self, node: TreeNode) -> list[TreeNode]:
        """Return the visited nodes of what can follow: actions of any player, or outcomes of chance."""
        others = node.others
        if others is None:
            found = node.children()
        elif self._has_outcomes:
            found = others
        else:
            found = node.children()
            for other in others:
                found += other.children()
        return [one for one in found if one.visits > 0]

    def _entry(self, node: TreeNode, is_outcome: bool) -> _Entry:
        search = self._search
        player = search.player
        values = self._values(node, is_outcome)
        end = node.end
        shown = SearchNode(
            DO_NOTHING if is_outcome else node.action,
            CHANCE if is_outcome else int(node.actor),
            int(node.visits),
            values[player],
            values,
            proven=None if end is None else search.result_for(end, player),
            probability=node.weight if is_outcome else None,
        )
        return _Entry(node, is_outcome, shown, self._order(node, is_outcome))

    def _order(self, node: TreeNode, is_outcome: bool) -> tuple[float, float, float]:
        """Return the key of the final choice: proofs, then visits or values."""
        visits = float(node.visits)
        if is_outcome:
            return (0.0, visits, node.weight)
        end = node.end
        proof = 0.0 if end is None else self._search.result_for(end, node.actor)
        if self._selection == VALUE and node.visits > 0:
            return (proof, node.mean, visits)
        return (
            proof,
            visits if self._selection in (VISITS, AGENT) else self._search.tree_policy.share(node),
            node.mean,
        )

    # --- values -----------------------------------------------------------------------------------------------------

    def _values(self, node: TreeNode, is_outcome: bool) -> tuple[float | None, ...]:
        """Return the mean value of a node for each player, None where the search has none."""
        n = len(self._sides)
        self._totals = [0.0] * n
        self._counts = [0.0] * n
        self._collect(node, is_outcome, list(range(n)), 2 * n)
        return tuple([self._totals[p] / self._counts[p] if self._counts[p] > 0.0 else None for p in range(n)])

    def _collect(self, node: TreeNode, is_outcome: bool, players: list[int], levels: i64) -> None:
        """Add the values for ``players`` in the visits of ``node``, by its own total or those of so many levels below."""
        search = self._search
        left = players
        is_root = node is search.root
        if not is_root and not is_outcome and node.visits > 0:
            left = self._add_total(node, players)
        if not left or levels == 0 or node.visits == 0:
            return
        state = node.state if is_outcome else None if is_root else search.position_of(node)
        if state is not None and state.is_terminal:
            search.evaluate(state)
            for player in left:
                self._totals[player] += search.values[player] * float(node.visits)
                self._counts[player] += float(node.visits)
            return
        are_outcomes = self._has_outcomes and node.others is not None
        for follower in self._followers(node):
            self._collect(follower, are_outcomes, left, levels - 1)

    def _add_total(self, node: TreeNode, players: list[int]) -> list[int]:
        """Add the node's own total for those it tells about, and return the other players."""
        actor = node.actor
        if self._search.is_max_n:
            if actor not in players:
                return players
            self._totals[actor] += node.total
            self._counts[actor] += float(node.visits)
            return [player for player in players if player != actor]
        for player in players:
            self._totals[player] += node.total * self._sides[player] * self._sides[actor]
            self._counts[player] += float(node.visits)
        return []


def new_search(
    parameters: MctsParameters, sim: Simulator, heuristic: StateHeuristic, player: i64, n_players: i64
) -> TreeSearch:
    """Return the search that ``parameters`` ask for."""
    n_trees = parameters.trees_in(sim.model.game_type)
    if n_trees == 1:
        return _search_of_one(parameters, sim, heuristic, player, n_players)
    searches = [_search_of_one(parameters, sim, heuristic, player, n_players) for _tree in range(n_trees)]
    return Forest(searches, parameters, sim, heuristic, player, n_players)


def _search_of_one(
    parameters: MctsParameters, sim: Simulator, heuristic: StateHeuristic, player: i64, n_players: i64
) -> TreeSearch:
    """Return a search with one tree, or one for each player."""
    kind = sim.model.game_type
    information = parameters.information_in(kind)
    if information == CHANCE_NODES or parameters.solves(kind):
        return ExplicitSearch(parameters, sim, heuristic, player, n_players)
    if information == CLOSED_LOOP:
        return ClosedLoopSearch(parameters, sim, heuristic, player, n_players)
    if parameters.has_trees_by_player(kind):
        return PlayerTreesSearch(parameters, sim, heuristic, player, n_players)
    return OpenLoopSearch(parameters, sim, heuristic, player, n_players)
