"""Perfect-information Monte Carlo: a tree for each of several deals."""

from __future__ import annotations

from mypy_extensions import i64

from tag.agents.search.mcts.parameters import MctsParameters
from tag.agents.search.mcts.tree import TreeNode, new_root
from tag.agents.search.mcts.tree_search import TreeSearch
from tag.engine.state import GameState
from tag.engine.values import StateHeuristic
from tag.playing.agent import Simulator


class Forest(TreeSearch):
    """Searches several deals, each in a tree of its own, and sums visits and values of the first actions.

    Determinised search as Cowling, Powley and Whitehouse (2012) compare it with information sets. Iterations go to the trees
    in turn. The first has the observation of the decision, the others a deal each, which is drawn when it is first searched.
    A searcher of one deal knows all cards in it, so the forest takes no action to learn or to hide something (strategy
    fusion).

    Attributes:
        searches: a search for each deal.
        observation: the position of the root, set by `begin`.
    """

    observation: GameState

    def __init__(
        self,
        searches: list[TreeSearch],
        parameters: MctsParameters,
        sim: Simulator,
        heuristic: StateHeuristic,
        player: i64,
        n_players: i64,
    ) -> None:
        """Share the budget of ``sim`` among ``searches``."""
        super().__init__(parameters, sim, heuristic, player, n_players)
        self.searches = searches
        self.n_begun: i64 = 0

    def start_game(self, observation: GameState) -> None:
        """Prepare each search."""
        for search in self.searches:
            search.start_game(observation)

    def end_game(self, state: GameState) -> None:
        """Let each search learn how the game ended."""
        for search in self.searches:
            search.end_game(state)

    def begin(self, observation: GameState) -> None:
        """Keep the position of the root."""
        self.observation = observation
        self.n_begun = 0
        self.iterations = 0

    def iterate(self) -> None:
        """Make iterations in all trees in turn until the budget is spent, and sum what they have found."""
        super().iterate()
        self.merge()

    def iterate_once(self) -> None:
        """Make an iteration in the tree whose turn it is; the first time, deal for it."""
        turn = self.iterations % len(self.searches)
        search = self.searches[turn]
        if turn == self.n_begun:
            search.begin(self.observation if turn == 0 else self.sim.observation(self.observation, self.player))
            self.n_begun += 1
        if not self.sim.budget.is_spent():
            search.iterate_once()
            search.iterations += 1

    def merge(self) -> None:
        """Make a root whose children have the visits and values of those of all trees, with the trees below."""
        self.root = new_root(self.player)
        self.nodes = 1
        self.iterations = 0
        self.depth_sum = 0
        self.depth_max = 0
        for search in self.searches[: self.n_begun]:
            self.root.visits += search.root.visits
            self.iterations += search.iterations
            self.nodes += search.nodes - 1
            self.depth_sum += search.depth_sum
            self.depth_max = max(self.depth_max, search.depth_max)
            for node in search.root.children():
                child = self.root.child(node.action)
                if child is None:
                    child = TreeNode(node.action, self.player)
                    self.root.adopt(child, None)
                child.absorb(node)
