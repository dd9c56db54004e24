"""Closed-loop search in which the outcomes of chance are nodes, and results are proven."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag.agents.search.mcts.parameters import MctsParameters
from tag.agents.search.mcts.tree import TreeNode, place_of
from tag.agents.search.mcts.tree_search import ClosedLoopSearch
from tag.engine.state import AnyAction, GameState
from tag.engine.values import StateHeuristic
from tag.playing.agent import Simulator

_WON: Final = 1.0
_LOST: Final = -1.0


class ExplicitSearch(ClosedLoopSearch):
    """A closed loop in which the outcomes of chance are nodes, and results are proven.

    An action's first visit takes one call: it values the afterstate, if the game can tell it and no rollout follows, else
    the position after one outcome. The second visit lists the outcomes with their probabilities (`Simulator.outcomes`), and
    all visits from then on draw one of them.

    A node is proven when it is final; when its outcomes of chance are all proven, with the same results; when an action
    of the player to move is proven to win; or when all of them are proven. Then the best counts (Winands, Björnsson and
    Saito 2008). Outcomes that are only a sample prove nothing. If one side wins, all others have lost; where several best
    actions lead to different results for others, nothing is proven. Actions that are proven lost are not chosen again, and a
    proven root ends the search.

    Attributes:
        arrived: the nodes of the decisions of this iteration, from the root to the leaf: one more than `path`, as a rule.
    """

    def __init__(
        self, parameters: MctsParameters, sim: Simulator, heuristic: StateHeuristic, player: i64, n_players: i64
    ) -> None:
        """Prepare for decisions of ``player``."""
        super().__init__(parameters, sim, heuristic, player, n_players)
        self.solves = parameters.solves(sim.model.game_type)
        self.arrived: list[TreeNode] = []

    def begin(self, observation: GameState) -> None:
        """Keep the position of the root, whose result may be proven already."""
        super().begin(observation)
        self.is_proven = self.root.end is not None

    # --- an iteration -----------------------------------------------------------------------------------------------

    def descend(self) -> GameState:
        """Follow the positions in the tree, and add one."""
        budget = self.sim.budget
        node = self.root
        state = node.state
        depth: i64 = 0
        self.arrived = [node]
        while depth < self.max_depth and not state.is_terminal and not budget.is_spent():
            actions = self.actions_of(node, state)
            if self.has_priors and node.n_children != len(actions):
                self.set_priors(node, state, actions)
                if budget.is_spent():
                    break
            child = self.tree_policy.choose(node, actions)
            self.note_decision(node, actions)
            depth += 1
            end = child.end
            if end is not None:
                self.path.append(child)
                return end
            if self.has_chance and (child.visits == 0 or (self.values_afterstates and depth == self.max_depth)):
                state = self.position_after(state, child.action, self.values_afterstates)
                self.enter(child, state)
                break
            following = self.following(child, state)
            if following is None:
                break
            node = following
            state = node.state
            self.arrived.append(node)
            if self.enter(child, state):
                break
        return self.rolled_out(state)

    def actions_of(self, node: TreeNode, state: GameState) -> list[AnyAction]:
        """Return the available actions, without those that are proven lost while others are left."""
        actions = node.actions
        if actions is None:
            actions = self.sim.available_actions(state)
            node.actions = actions
            node.decider = state.current_player
        return actions

    def following(self, child: TreeNode, state: GameState) -> TreeNode | None:
        """Return the node after the action of ``child`` and chance, drawn; None where the budget ends before."""
        sim = self.sim
        if not self.has_chance:
            if child.visits == 0 and not self.has_priors:
                child.state = sim.copy(state)
                sim.next(child.state, child.action)
            return child
        nodes = child.others
        if nodes is None:
            nodes = []
            for probability, outcome in sim.outcomes(state, child.action):
                node = TreeNode(child.action, child.actor)
                node.state = outcome
                node.weight = probability
                nodes.append(node)
            if len(nodes) == 0:
                return None
            child.others = nodes
            child.is_sample = sim.has_sampled
        drawn = nodes[place_of([node.weight for node in nodes], sim.rng.uniform())]
        if drawn.visits == 0:
            self.nodes += 1
        drawn.visits += 1
        return drawn

    def keep_state(self, child: TreeNode, state: GameState) -> None:
        """Keep the position of the child where chance makes no difference."""
        if not self.has_chance:
            child.state = state

    def position_of(self, node: TreeNode) -> GameState | None:
        """Return the position that is kept; nodes have none before chance, while its outcomes have one."""
        return None if self.has_chance else node.state

    def remember(self, node: TreeNode, state: GameState) -> None:
        """Note the node of the decision in ``state``, if the tree has it."""
        if len(self.arrived) > len(self.path):
            super().remember(self.arrived[-1], state)

    # --- proofs -----------------------------------------------------------------------------------------------------

    def back_up(self, state: GameState) -> None:
        """Prove results that follow from ``state``, and add its values, or those of the end that is proven, to the path."""
        is_decision = len(self.arrived) > len(self.path)
        if self.solves and state.is_terminal and is_decision and state is self.arrived[-1].state:
            state = self.prove(state)
        super().back_up(state)

    def prove(self, end: GameState) -> GameState:
        """Note that the leaf is final, and what follows from that upwards; return the end proven for the highest node."""
        self.arrived[-1].end = end
        for index in range(len(self.path) - 1, -1, -1):
            child = self.path[index]
            node = self.arrived[index]
            if self.has_chance and not self.is_certain(child, end):
                break
            child.end = end
            if not self.is_settled(node, child, end):
                break
            best = node.end
            if best is not None:
                end = best
        self.is_proven = self.root.end is not None
        return end

    def is_certain(self, child: TreeNode, end: GameState) -> bool:
        """Say whether all outcomes of chance after ``child`` are known and proven, with the results of ``end``."""
        nodes = child.others
        if nodes is None or child.is_sample:
            return False
        for node in nodes:
            other = node.end
            if other is None or other.results != end.results:
                return False
        return True

    def is_settled(self, node: TreeNode, child: TreeNode, end: GameState) -> bool:
        """Prove ``node``, if the proof of its ``child`` is enough for it, and say so; else leave out a lost action."""
        mover = node.decider
        result = self.result_for(end, mover)
        if result == _WON and self.is_alone(end, mover):
            node.end = end
            return True
        actions = self.actions_of(node, node.state)
        best: GameState | None = end
        best_result = result
        for action in actions:
            other = node.child(action)
            known = other.end if other is not None else None
            if known is None:
                best = None
                break
            if self.result_for(known, mover) > best_result:
                best = known
                best_result = self.result_for(known, mover)
        if best is None:
            if result == _LOST:
                actions.remove(child.action)
            return False
        if not self.is_paranoid and not self.is_agreed(node, best):
            return False
        node.end = best
        return True

    def is_agreed(self, node: TreeNode, best: GameState) -> bool:
        """Say whether all actions that are as good as ``best`` for the player to move have the same results for all."""
        result = self.result_for(best, node.decider)
        for child in node.children():
            end = child.end
            if end is not None and self.result_for(end, node.decider) == result and end.results != best.results:
                return False
        return True

    def is_alone(self, end: GameState, player: i64) -> bool:
        """Say whether all but the team of ``player`` lost at the ``end``; a paranoid searcher need not know."""
        if self.is_paranoid:
            return True
        team = end.team(player)
        rivals = [other for other in range(self.n_players) if end.team(other) != team]
        return all([end.result_value(rival) < 0.0 for rival in rivals])

    def candidates(self, actions: list[AnyAction]) -> list[AnyAction]:
        """Return the actions with the proven result; without one, those that are not proven lost."""
        end = self.root.end
        found: list[AnyAction] = []
        for action in actions:
            child = self.root.child(action)
            known = child.end if child is not None else None
            if end is None:
                if known is None or self.result_for(known, self.player) > _LOST:
                    found.append(action)
            elif known is not None and self.result_for(known, self.player) == self.result_for(end, self.player):
                found.append(action)
        return self.tree_policy.finalists(found or actions) if end is None else found or actions
