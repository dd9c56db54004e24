"""Tree search: iterations that go down the tree, add a node, roll out by a policy, and back the values up.

The search with chance nodes and proofs is in `tag.agents.search.mcts.explicit_search`.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import exp
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag.agents._simultaneous import SimultaneousChoices
from tag.agents.search.mcts.backups import Backup, PathDecision, back_up_minimax
from tag.agents.search.mcts.beliefs import Beliefs
from tag.agents.search.mcts.parameters import (
    AGENT,
    INFORMATION_SET,
    MAX_N,
    NO_PRIORS,
    PARANOID,
    PUCT,
    MctsParameters,
)
from tag.agents.search.mcts.rollouts import RolloutLength, rollout_policy
from tag.agents.search.mcts.root_policies import SequentialHalving
from tag.agents.search.mcts.tree import Scale, TreeNode, new_root
from tag.agents.search.mcts.tree_policies import new_tree_policy
from tag.catalogue.registry import make_heuristic
from tag.engine.forward_model import SIMULTANEOUS
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, GameState
from tag.engine.values import StateHeuristic
from tag.playing.agent import Simulator
from tag.playing.garbage import CollectionPaused

#: What a player knows at a node whose visits were to different positions; equal to no knowledge.
_VARIES: Final = object()
#: The weight of the best prior among those of the available actions: e to the power of 0.
_BEST_WEIGHT: Final = 1.0
#: The greatest exponent of a prior's weight: not reached by those of available actions.
_LARGEST_EXPONENT: Final = 700.0


@mypyc_attr(allow_interpreted_subclasses=True)
class TreeSearch(Copyable):
    """A search for one player in one game; a subclass defines how an iteration reaches its leaf.

    Values are backed up as a vector, one per player. In max^n each player's is the heuristic's for that player; a paranoid
    searcher takes its own and gives its enemies the negative of it.

    Attributes:
        root: the tree.
        deals_again: whether each iteration deals hidden information again.
        beliefs: what weighs these deals; None if all are as likely.
        is_proven: whether the result of perfect play is known, so that the search is over.
        iterations: iterations of this decision.
        depth_sum: the sum of their depths in the tree.
        depth_max: the greatest of their depths.
        nodes: the nodes of the tree that were visited.
        seen: with `reuse_tree`, the nodes at which the player decides next, with what the player knows there: `_VARIES` if
            not the same in all visits, so that the statistics mix what cards and dice can do.
    """

    def __init__(
        self, parameters: MctsParameters, sim: Simulator, heuristic: StateHeuristic, player: i64, n_players: i64
    ) -> None:
        """Prepare for decisions of ``player``."""
        self.sim = sim
        self.player = player
        self.n_players = n_players
        self.heuristic = heuristic
        self.scale = Scale(n_players, parameters.normalise)
        self.deals_again = parameters.information_in(sim.model.game_type) == INFORMATION_SET
        by_availability = self.deals_again and not parameters.has_trees_by_player(sim.model.game_type)
        self.tree_policy = new_tree_policy(parameters, self.scale, sim.rng, by_availability)
        if parameters.halves():
            common, errors = parameters.common_random_numbers, parameters.selection_errors
            is_advised = parameters.selection == AGENT
            self.tree_policy = SequentialHalving(self.tree_policy, sim, common, is_advised, errors)
        self.beliefs: Beliefs | None = None
        if parameters.has_beliefs(sim.model.game_type):
            self.beliefs = Beliefs(parameters.belief_deals, parameters.belief_temperature, sim, heuristic, player)
        self.learns = self.tree_policy.learns
        self.backup = Backup(parameters, self.tree_policy)
        self.uses_minimax = parameters.uses_minimax(sim.model.game_type)
        self.notes_decisions = self.uses_minimax or not self.backup.is_mean
        self.rollout_length = RolloutLength(parameters, player, n_players)
        self.values_afterstates = heuristic.is_of_afterstates() and self.rollout_length.is_zero
        self.has_priors = parameters.tree_policy == PUCT and parameters.priors != NO_PRIORS
        self.priors = make_heuristic(parameters.priors).of(sim.model)
        self.prior_scale = Scale(n_players, parameters.normalise)
        self.prior_temperature = parameters.prior_temperature
        self.rollouts = rollout_policy(parameters, sim, self.rollout_length, self.scale, player, n_players)
        self.rollout_share = parameters.rollout_share if parameters.rollout_length > 0 else 1.0
        self.leaf_values = [0.0] * n_players
        self.has_leaf_values = False
        self.is_simultaneous = SIMULTANEOUS in sim.model.game_type.mechanics
        self.others = SimultaneousChoices(sim)
        self.max_depth: i64 = parameters.max_tree_depth
        self.is_max_n = parameters.opponents == MAX_N
        self.is_paranoid = parameters.opponents == PARANOID
        self.plays_others = not parameters.searches_for_all()
        self.models_choices = self.is_simultaneous and parameters.opponents == AGENT
        self.is_biased = parameters.progressive_bias > 0.0 and not self.has_priors
        self.reuses = parameters.reuse_tree
        self.is_limited = False
        self.is_proven = False
        self.root = new_root(player)
        self.path: list[TreeNode] = []
        self.decisions: list[PathDecision] = []
        self.values = [0.0] * n_players
        self.seen: dict[TreeNode, Hashable] = {}
        self.iterations: i64 = 0
        self.depth_sum: i64 = 0
        self.depth_max: i64 = 0
        self.nodes: i64 = 1

    # --- a game -----------------------------------------------------------------------------------------------------

    def start_game(self, observation: GameState) -> None:
        """Prepare for a new game, which begins with ``observation``."""
        self.rollouts.start_game(observation)

    def end_game(self, state: GameState) -> None:
        """Learn how the game ended."""
        self.rollouts.end_game(state)

    # --- a decision -------------------------------------------------------------------------------------------------

    def advise(self, action: AnyAction) -> None:
        """Take the choice of an adviser for the next decision."""
        self.tree_policy.advise(action)

    def watch(self, watched: list[GameState], observation: GameState) -> None:
        """Learn from what was ``watched`` between the last decision and that of ``observation``."""
        if self.beliefs is not None:
            self.beliefs.update(watched, observation)

    def run(self, observation: GameState) -> None:
        """Search from ``observation`` until the budget is spent.

        A pass that needs neither a forward-model call nor a copy, because all its states are kept in the tree, is charged
        one of each: otherwise such a budget would never end.
        """
        self.begin(observation)
        with CollectionPaused():
            self.iterate()

    def iterate(self) -> None:
        """Make iterations until the budget is spent or the result is proven."""
        budget = self.sim.budget
        while not self.is_proven and not budget.is_spent():
            calls = budget.forward_model_calls
            self.iterate_once()
            budget.iterations += 1
            self.iterations += 1
            if budget.forward_model_calls == calls and not budget.is_spent():
                budget.forward_model_calls += 1
                budget.copies += 1

    def iterate_once(self) -> None:
        """Go down the tree and back up."""
        self.tree_policy.begin_iteration()
        self.others.deal_again()
        self.back_up(self.descend())

    def begin(self, observation: GameState) -> None:
        """Plant a new tree for ``observation``, or reuse the subtree of the last one."""
        self.rollouts.begin_decision()
        root = self.reached(observation.knowledge(self.player)) if self.seen else None
        self.seen = {}
        if root is None:
            self.root = new_root(self.player)
            self.nodes = 1
            self.scale.forget()
            self.prior_scale.forget()
        else:
            root.detach()
            self.root = root
            self.nodes = root.size()
        self.tree_policy.begin_decision(self.root)
        self.is_limited = self.sim.budget.limits_steps
        self.iterations = 0
        self.depth_sum = 0
        self.depth_max = 0

    def reached(self, key: Hashable) -> TreeNode | None:
        """Return the node with most visits of those in all of whose visits the player knew ``key``, None without one."""
        best: TreeNode | None = None
        for node, known in self.seen.items():
            if known == key and (best is None or node.visits > best.visits):
                best = node
        return None if best is None else best.decided_by(self.player)

    def descend(self) -> GameState:
        """Note the nodes of one iteration in ``path`` and return the position that gives its value."""
        raise NotImplementedError

    def is_cut_short(self) -> bool:
        """Say whether the budget ends in the middle of the iteration, before the next forward-model call."""
        return self.is_limited and self.sim.budget.is_spent()

    # --- parts of all iterations ------------------------------------------------------------------------------------

    def note_decision(self, node: TreeNode, actions: list[AnyAction]) -> None:
        """Note that the iteration decides at ``node`` among ``actions``, where that is needed to back values up."""
        if self.notes_decisions:
            self.decisions.append(PathDecision(node, actions))

    def enter(self, child: TreeNode, state: GameState) -> bool:
        """Note that the iteration is at ``child``, which stands for ``state``; say whether the child is new."""
        self.path.append(child)
        if self.reuses and state.current_player == self.player and not state.is_terminal:
            self.remember(child, state)
        if child.visits > 0:
            return False
        self.nodes += 1
        if self.is_biased:
            child.bias = self.value_for(self.heuristic, state, child.actor)
        if self.uses_minimax:
            self.evaluate(state)
            child.minimax = list(self.values)
        return True

    def set_priors(self, node: TreeNode, state: GameState, actions: list[AnyAction]) -> bool:
        """Add children of ``node`` for all of ``actions``, with priors; say whether the budget lasts.

        Each new child costs a call and a copy. With new children, or another best one available, all are weighed again.
        """
        sim = self.sim
        player = node.decider
        n_weighed = node.n_children
        available: list[TreeNode] = []
        before: TreeNode | None = None
        for action in actions:
            child = node.child(action)
            if child is None:
                if sim.budget.is_spent():
                    break
                child = TreeNode(action, player)
                after = self.position_after(state, action, self.priors.is_of_afterstates())
                self.keep_state(child, after)
                child.bias = self.value_for(self.priors, after, player)
                self.prior_scale.see_one(player, child.bias)
                node.adopt(child, before)
            available.append(child)
            before = child
        if available and (n_weighed < node.n_children or max([child.weight for child in available]) != _BEST_WEIGHT):
            self.weigh(node, available)
        return len(available) == len(actions) and not self.is_cut_short()

    def weigh(self, node: TreeNode, available: list[TreeNode]) -> None:
        """Set the weights of the priors of all children: powers of e, `_BEST_WEIGHT` for the best of the ``available`` ones.

        So these have a sum that is a number and not 0, at any temperature. Siblings are compared on one scale: that of the
        values seen when two of them first differed. It stays, as later ones are of other positions, and wider.
        """
        children = node.children()
        if node.prior_unit == 0.0 and any([child.bias != available[0].bias for child in children]):
            node.prior_unit = self.prior_scale.unit[node.decider]
        best = max([child.bias for child in available])
        factor = node.prior_unit / self.prior_temperature
        for child in children:
            child.weight = exp(min((child.bias - best) * factor, _LARGEST_EXPONENT))

    def position_after(self, state: GameState, action: AnyAction, before_chance: bool) -> GameState:
        """Return the position after ``action``, the afterstate if asked for and the game tells it: one call and one copy."""
        following: GameState | None = None
        if before_chance:
            following = self.sim.afterstate(state, action)
        if following is None:
            following = self.sim.copy(state)
            self.sim.next(following, action)
        if self.is_simultaneous:
            self.others.resolve(following, -1)
        return following

    def keep_state(self, child: TreeNode, state: GameState) -> None:
        """Keep the position that was made for a prior; only closed loops do."""

    def remember(self, node: TreeNode, state: GameState) -> None:
        """Note the node from which the search would go on, if the player's next decision were in ``state``."""
        if not self.is_next_decision():
            return
        key = state.knowledge(self.player)
        known = self.seen.get(node)
        if known is None:
            self.seen[node] = key
        elif known != key:
            self.seen[node] = _VARIES

    def is_next_decision(self) -> bool:
        """Say whether the player decided nothing on the path since the root's decision."""
        return not any([node.actor == self.player for node in self.path[1:]])

    def back_up(self, state: GameState) -> None:
        """Add the values of ``state`` to all nodes of the path."""
        self.evaluate(state)
        path = self.path
        values = self.values
        if self.has_leaf_values:
            self.mix_in_leaf()
        self.scale.see(values)
        self.root.visits += 1
        if self.uses_minimax:
            back_up_minimax(path, self.decisions)
        if self.backup.is_mean:
            if self.learns:
                self.tree_policy.learn(path, values)
            for node in path:
                node.add(values[node.actor])
        else:
            self.backup.add(path, self.decisions, values)
        if self.notes_decisions:
            self.decisions.clear()
        depth: i64 = len(path)
        self.depth_sum += depth
        if depth > self.depth_max:
            self.depth_max = depth
        self.rollouts.learn(path, values)
        path.clear()

    def roll_out(self, state: GameState) -> None:
        """Play on from the leaf ``state``, in place; where the leaf itself counts, note its value first.

        Choices that others make at the same time happen before, as positions tell their values only then.
        """
        if self.is_simultaneous:
            self.sim.resolve(state, self.sim.rng)
        if self.rollout_length.is_zero or state.is_terminal:
            return
        if self.rollout_share < 1.0:
            self.evaluate(state)
            self.leaf_values[:] = self.values
            self.has_leaf_values = True
        self.rollouts.play(state, self.path[-1].actor if self.path else self.player)
        if self.is_simultaneous:
            self.sim.resolve(state, self.sim.rng)

    def mix_in_leaf(self) -> None:
        """Make `values` the weighted means of those after the rollout and those of the leaf (Silver et al. 2016)."""
        self.has_leaf_values = False
        share = self.rollout_share
        for player in range(self.n_players):
            self.values[player] = share * self.values[player] + (1.0 - share) * self.leaf_values[player]

    def evaluate(self, state: GameState) -> None:
        """Set the value of ``state`` for every player."""
        values = self.values
        if self.is_max_n:
            self.heuristic.value_all(state, values)
            return
        mine = self.heuristic.value(state, self.player)
        team = state.team(self.player)
        for player in range(self.n_players):
            values[player] = mine if state.team(player) == team else -mine

    def value_for(self, heuristic: StateHeuristic, state: GameState, player: i64) -> float:
        """Return the value of ``state`` for ``player`` by ``heuristic``, as the tree has it."""
        if self.is_max_n or state.team(player) == state.team(self.player):
            return heuristic.value(state, player if self.is_max_n else self.player)
        return -heuristic.value(state, self.player)

    def candidates(self, actions: list[AnyAction]) -> list[AnyAction]:
        """Return the ``actions`` among which the final choice is: all, unless some are proven better."""
        return self.tree_policy.finalists(actions)

    # --- for explanations -------------------------------------------------------------------------------------------

    def result_for(self, end: GameState, player: i64) -> float:
        """Return 1 for a win of ``player`` at the ``end``, 0 for a draw and -1 for a loss, as the tree has it."""
        if self.is_max_n:
            return end.result_value(player)
        result = end.result_value(self.player)
        return result if end.team(player) == end.team(self.player) else -result

    def position_of(self, node: TreeNode) -> GameState | None:
        """Return the position after the action of a node that was visited; None where the search keeps none."""
        return None


class OpenLoopSearch(TreeSearch):
    """Nodes stand for sequences of actions, which are applied again in each iteration; states are not kept.

    In information-set search (Cowling, Powley and Whitehouse 2012) each iteration determinises the root, and considers the
    actions available in that deal. Otherwise one deal serves the whole decision.

    Attributes:
        start: the position of the root, set by `begin`.
    """

    start: GameState

    def begin(self, observation: GameState) -> None:
        """Keep the position in which every iteration starts."""
        super().begin(observation)
        self.start = observation

    def descend(self) -> GameState:
        """Apply the actions of the path to a copy of the start."""
        sim = self.sim
        tree_policy = self.tree_policy
        max_depth = self.max_depth
        state = self.new_start()
        node = self.root
        depth: i64 = 0
        while depth < max_depth and not state.is_terminal and not self.is_cut_short():
            decision = node.decided_by(state.current_player)
            if decision is not node:
                node = decision
                node.visits += 1
            actions = sim.available_actions(state)
            if self.has_priors and not self.set_priors(node, state, actions):
                break
            child = tree_policy.choose(node, actions)
            self.note_decision(node, actions)
            is_leaf = child.visits == 0 or depth + 1 == max_depth
            if self.values_afterstates and is_leaf and not sim.budget.is_spent():
                state = self.position_after(state, child.action, True)
                self.enter(child, state)
                break
            sim.next(state, child.action)
            depth += 1
            if self.plays_others:
                self.skip_others(state)
            if self.enter(child, state):
                break
            node = child
        self.roll_out(state)
        return state

    def new_start(self) -> GameState:
        """Return a copy of the start, dealt again for information sets."""
        if self.beliefs is not None:
            return self.beliefs.deal(self.start)
        return self.sim.observation(self.start, self.player) if self.deals_again else self.sim.copy(self.start)

    def skip_others(self, state: GameState) -> None:
        """Let the rollout policy play until the player decides again."""
        while state.current_player != self.player and not state.is_terminal and not self.is_cut_short():
            self.rollouts.step(state)


class ClosedLoopSearch(TreeSearch):
    """Every node keeps its state; the search takes the first chance outcome in a state as certain.

    Where the heuristic is of afterstates, a leaf is one, and its node gets a state with the second visit.
    """

    def __init__(
        self, parameters: MctsParameters, sim: Simulator, heuristic: StateHeuristic, player: i64, n_players: i64
    ) -> None:
        """Prepare for decisions of ``player``."""
        super().__init__(parameters, sim, heuristic, player, n_players)
        self.has_chance = sim.model.game_type.chance
        self.has_afterstates = self.has_chance and self.values_afterstates
        self.keeps_priors = self.has_priors and not (self.has_chance and self.priors.is_of_afterstates())

    def begin(self, observation: GameState) -> None:
        """Keep the position of the root."""
        super().begin(observation)
        self.root.state = observation

    def descend(self) -> GameState:
        """Follow the states in the tree, and add one."""
        node = self.root
        depth: i64 = 0
        state = node.state
        while depth < self.max_depth and not state.is_terminal and not self.is_cut_short():
            actions = node.actions
            if actions is None:
                actions = self.sim.available_actions(state)
                node.actions = actions
                node.decider = state.current_player
            self.note_decision(node, actions)
            if node.n_children < len(actions):
                if self.has_priors and not self.set_priors(node, state, actions):
                    break
                node = self.tree_policy.choose(node, actions)
            else:
                node = self.tree_policy.best_child(node)
            depth += 1
            before = state
            if not self.keeps_priors and node.visits == (1 if self.has_afterstates else 0):
                node.state = self.sim.copy(state)
                self.sim.next(node.state, node.action)
            is_leaf = node.visits == 0 or depth == self.max_depth
            if self.has_afterstates and is_leaf:
                if not self.sim.budget.is_spent():
                    state = self.position_after(before, node.action, True)
                    self.enter(node, state)
                    break
                if node.visits == 0 and not self.keeps_priors:
                    break
            state = node.state
            if self.enter(node, state):
                break
        return self.rolled_out(state)

    def keep_state(self, child: TreeNode, state: GameState) -> None:
        """Keep the position of the child, which then costs no other call; one before chance is none."""
        if self.keeps_priors:
            child.state = state

    def position_of(self, node: TreeNode) -> GameState | None:
        """Return the position that is kept."""
        return None if self.has_afterstates and node.visits < 2 and not self.keeps_priors else node.state

    def rolled_out(self, state: GameState) -> GameState:
        """Return the end of a rollout from ``state``, which stays as it is."""
        if self.rollout_length.is_zero or state.is_terminal or self.sim.budget.is_spent():
            return state
        end = self.sim.copy(state)
        self.roll_out(end)
        return end


class PlayerTreesSearch(OpenLoopSearch):
    """A tree for each player, whose nodes stand for what the player knows.

    After Cowling, Powley and Whitehouse (2012, multiple observers): in a single tree, the others choose after actions that
    they cannot see. Nodes are kept by `GameState.knowledge`, so that different ways to the same knowledge lead to one node.
    In an iteration each player adds one action to the own tree, and plays by the rollout policy from then on. The rollout
    proper begins when the searcher has added one, and all who choose at the same time have chosen. What others choose at the
    same time as the searcher decides is drawn, at no cost, as the observation draws what those have chosen who were asked
    before. Where agents play for the others, they make these choices instead.

    Attributes:
        trees: for each player the nodes by what the player knows there.
        has_added: for each player, whether the own tree has grown in this iteration.
    """

    def __init__(
        self, parameters: MctsParameters, sim: Simulator, heuristic: StateHeuristic, player: i64, n_players: i64
    ) -> None:
        """Prepare for decisions of ``player``."""
        super().__init__(parameters, sim, heuristic, player, n_players)
        self.trees: list[dict[Hashable, TreeNode]] = [{} for _player in range(n_players)]
        self.has_added = [False] * n_players
        #: The next node to be added.
        self.spare = new_root(player)
        #: What was seen before those chose who choose at the same time and were asked before, for agents that play them.
        self.before: GameState | None = None

    def watch(self, watched: list[GameState], observation: GameState) -> None:
        """Find the position before the choices that are hidden now."""
        super().watch(watched, observation)
        self.before = None
        if self.models_choices and observation.is_unresolved():
            for position in watched:
                if not position.is_unresolved():
                    self.before = position

    def new_start(self) -> GameState:
        """Return a deal of the start, in which agents have made the choices of others who were asked before."""
        if self.before is None:
            return super().new_start()
        state = self.sim.observation(self.before, self.player)
        self.skip_others(state)
        return state

    def finish_choices(self, state: GameState) -> None:
        """Let the others choose, in place, who choose at the same time as the searcher and are asked later."""
        sim = self.sim
        if self.models_choices:
            while state.is_unresolved() and state.current_player != self.player and not self.is_cut_short():
                self.rollouts.step(state)
        sim.resolve(state, sim.rng, self.player)

    def begin(self, observation: GameState) -> None:
        """Plant new trees, or go on with those of the decision before where they have the position."""
        key = observation.knowledge(self.player)
        root = self.trees[self.player].get(key) if self.reuses else None
        if root is None:
            self.trees = [{} for _player in range(self.n_players)]
        else:
            self.seen = {root: key}
        super().begin(observation)
        if root is not None:
            self.nodes = sum([node.size() for tree in self.trees for node in tree.values()])
        self.trees[self.player][key] = self.root

    def descend(self) -> GameState:
        """Play from the start, each player by the own tree."""
        sim = self.sim
        tree_policy = self.tree_policy
        has_added = self.has_added
        for player in range(self.n_players):
            has_added[player] = self.plays_others and player != self.player
        state = self.new_start()
        depth: i64 = 0
        while depth < self.max_depth and not state.is_terminal and not self.is_cut_short():
            if has_added[self.player] and not (self.is_simultaneous and state.is_unresolved()):
                break
            mover = state.current_player
            depth += 1
            if has_added[mover]:
                self.rollouts.step(state)
                continue
            node = self.node_of(state, depth == 1)
            actions = sim.available_actions(state)
            if self.has_priors and not self.set_priors(node, state, actions):
                break
            child = tree_policy.choose(node, actions)
            self.note_decision(node, actions)
            is_leaf = (child.visits == 0 and mover == self.player) or depth == self.max_depth
            if self.values_afterstates and is_leaf and not sim.budget.is_spent():
                state = self.position_after(state, child.action, True)
                self.enter(child, state)
                break
            sim.next(state, child.action)
            if depth == 1 and self.is_simultaneous:
                self.finish_choices(state)
            if self.enter(child, state):
                has_added[mover] = True
        self.roll_out(state)
        return state

    def node_of(self, state: GameState, is_root: bool) -> TreeNode:
        """Return the node of the player to move, in the own tree; a new one if the player never knew just this."""
        if is_root:
            return self.root
        player = state.current_player
        spare = self.spare
        spare.actor = spare.decider = player
        node = self.trees[player].setdefault(state.knowledge(player), spare)  # the key is hashed once only
        if node is spare:
            self.spare = new_root(player)
            self.nodes += 1
        node.visits += 1
        return node

    def remember(self, node: TreeNode, state: GameState) -> None:
        """Note nothing: the trees are kept by knowledge anyway."""
