"""The parameters of Monte Carlo tree search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag.catalogue.presets import PresetParameters
from tag.engine.forward_model import SIMULTANEOUS, GameType
from tag.engine.parameters import MoreThan, OtherThan, choice, flag, integer, real, spec_of
from tag.errors import ParameterError

AUTO: Final = "auto"
INFORMATION_SET: Final = "information_set"
OPEN_LOOP: Final = "open_loop"
CLOSED_LOOP: Final = "closed_loop"
CHANCE_NODES: Final = "chance_nodes"

UCB1: Final = "ucb1"
UCB_TUNED: Final = "ucb_tuned"
PUCT: Final = "puct"
EXP3: Final = "exp3"
REGRET_MATCHING: Final = "regret_matching"
UNIFORM: Final = "uniform"
GREEDY: Final = "greedy"

PROBABILITY: Final = "probability"
ONE: Final = "one"

ACTIONS: Final = "actions"
TURNS: Final = "turns"
ROUNDS: Final = "rounds"

EXACT: Final = "exact"
TURN_END: Final = "turn_end"
ROUND_END: Final = "round_end"
OWN_START: Final = "own_start"
OWN_END: Final = "own_end"

MEAN: Final = "mean"
MAX_MC: Final = "max_mc"
LAMBDA: Final = "lambda"
MAX_LAMBDA: Final = "max_lambda"

NO_BELIEFS: Final = "none"

SHARED: Final = "shared"
BY_PLAYER: Final = "by_player"

MAX_N: Final = "max_n"
PARANOID: Final = "paranoid"
SELF_ONLY: Final = "self_only"
#: Agents play for the others in the tree and after it, or for all after it, or advise the final choice.
AGENT: Final = "agent"

RANDOM: Final = "random"
MAST: Final = "mast"
BOLTZMANN: Final = "boltzmann"

TREE: Final = "tree"
HALVING: Final = "halving"

VISITS: Final = "visits"
VALUE: Final = "value"
AVERAGE_POLICY: Final = "average_policy"

#: The heuristic that tells no position from another, so that all priors are alike.
NO_PRIORS: Final = "null"

#: The greatest first-play urgency: untried actions always come first.
ALWAYS_FIRST: Final = 1000.0


@dataclass
class MctsParameters(PresetParameters):
    """The parameters of `tag.agents.search.mcts.Mcts`; values are on the scale from 0 to 1 where they are normalised."""

    tree_policy: str = choice(
        UCB1,
        (UCB1, UCB_TUNED, PUCT, EXP3, REGRET_MATCHING, GREEDY, UNIFORM),
        "choice of actions in the tree: by upper confidence bounds, which may know variances (ucb_tuned) or priors (puct), "
        "at random by a mixed policy (exp3, regret_matching), by the mean value but for a share of random ones (greedy), "
        "or each as likely (uniform)",
    )
    k: float = real(
        1.0,
        0.001,
        100.0,
        "weight of exploration in the bounds",
        log=True,
        active_if=("tree_policy", (UCB1, UCB_TUNED, PUCT)),
    )
    exploration: float = real(
        0.1,
        0.001,
        1.0,
        "share of actions that a mixed or greedy policy draws uniformly; EXP3 also learns at this rate",
        log=True,
        active_if=("tree_policy", (EXP3, REGRET_MATCHING, GREEDY)),
    )
    root_policy: str = choice(
        TREE,
        (TREE, HALVING),
        "choice of actions at the root: as elsewhere in the tree, or by sequential halving, which visits all alike and "
        "drops the worse half in each of several rounds of equal cost",
        active_if=("tree_policy", (UCB1, UCB_TUNED, PUCT, GREEDY, UNIFORM)),
    )
    common_random_numbers: bool = flag(
        False,
        "give the visits of all actions at the root the same deals and random numbers, one after the other",
        active_if=("root_policy", (HALVING,)),
    )
    priors: str = spec_of(
        "heuristic",
        NO_PRIORS,
        "values the position after each action, for prior probabilities; each costs a call and a copy; null makes all alike",
        active_if=("tree_policy", (PUCT,)),
    )
    prior_temperature: float = real(
        1.0,
        0.01,
        10.0,
        "softmax temperature of the priors, on the scale of the values seen",
        log=True,
        active_if=("priors", OtherThan(NO_PRIORS)),
    )
    prior_visits: float = real(
        1.0,
        0.0,
        100.0,
        "visits as which the value just after an action counts in its mean",
        active_if=("priors", OtherThan(NO_PRIORS)),
    )
    prior_weight: str = choice(
        PROBABILITY,
        (PROBABILITY, ONE),
        "weight of an action in the exploration of puct: its prior probability, or 1 for each, as without any priors in TAG",
        active_if=("tree_policy", (PUCT,)),
    )
    information: str = choice(
        AUTO,
        (AUTO, INFORMATION_SET, OPEN_LOOP, CLOSED_LOOP, CHANCE_NODES),
        "deals of hidden cards: again in each iteration, once, or once with a state kept in every node (closed_loop), also "
        "after every outcome of chance (chance_nodes); auto is closed_loop for games without hidden information and chance, "
        "else information_set",
    )
    deals: int = integer(
        1,
        1,
        1000,
        "deals that are searched, each in a tree of its own; visits and values of the first actions are summed; without "
        "effect where the game has nothing to deal",
        log=True,
        active_if=("information", (OPEN_LOOP, CLOSED_LOOP)),
    )
    trees: str = choice(
        SHARED,
        (SHARED, BY_PLAYER),
        "one tree for the actions of all players, or one for each player, in which nodes stand for what the player knows; "
        "where players choose at the same time, information sets always have one for each",
    )
    beliefs: str = choice(
        NO_BELIEFS,
        (NO_BELIEFS, GREEDY),
        "deals of hidden cards: all that fit are as likely, or in proportion to how well they explain what others did, who "
        "are taken to prefer what looks best one step ahead; without effect unless each iteration deals again",
        active_if=("information", (AUTO, INFORMATION_SET)),
    )
    belief_deals: int = integer(30, 5, 1_000, "deals that beliefs weigh", log=True, active_if=("beliefs", (GREEDY,)))
    belief_temperature: float = real(
        0.3,
        0.01,
        10.0,
        "softmax temperature of others' choices, in beliefs, on the scale of the values of their actions",
        log=True,
        active_if=("beliefs", (GREEDY,)),
    )
    solver: bool = flag(
        False,
        "prove wins, draws and losses; without effect where information is hidden, or chance has no nodes",
        active_if=("information", (AUTO, CLOSED_LOOP, CHANCE_NODES)),
    )
    opponents: str = choice(
        MAX_N,
        (MAX_N, PARANOID, SELF_ONLY, AGENT),
        "model of the others: they maximise their own value, minimise the searcher's, follow the rollout policy, or play as "
        "an agent does, in the tree and after it",
    )
    opponent_agent: str = spec_of(
        "agent",
        RANDOM,
        "agent that plays for the others; it uses this agent's budget",
        active_if=("opponents", (AGENT,)),
    )
    rollout_length: int = integer(
        10,
        0,
        1_000_000,
        "actions played after the tree before a position is valued; the maximum means until the end",
        log=True,
    )
    rollout_unit: str = choice(
        ACTIONS,
        (ACTIONS, TURNS, ROUNDS),
        "unit of the rollout's length; turns and rounds are counted from the end of the tree",
        active_if=("rollout_length", MoreThan(0)),
    )
    rollout_per_player: bool = flag(
        False, "multiply the rollout's length by the number of players", active_if=("rollout_length", MoreThan(0))
    )
    rollout_end: str = choice(
        EXACT,
        (EXACT, TURN_END, ROUND_END, OWN_START, OWN_END),
        "where a rollout ends once it has its length: at once, or with the action that ends a turn or a round, or after "
        "which the searcher decides again (own_start) or no longer (own_end)",
    )
    rollout_share: float = real(
        1.0,
        0.0,
        1.0,
        "share of the position after the rollout in the value of a leaf; the rest is the value of the leaf itself",
        active_if=("rollout_length", MoreThan(0)),
    )
    rollout_policy: str = choice(
        RANDOM,
        (RANDOM, MAST, BOLTZMANN, AGENT),
        "policy that plays after the tree: at random, by the values that actions had anywhere (mast), by those of the "
        "positions just after them (boltzmann), or as an agent does",
    )
    rollout_heuristic: str = spec_of(
        "heuristic",
        "game",
        "values the position after each action of a rollout; each costs a call and a copy",
        active_if=("rollout_policy", (BOLTZMANN,)),
    )
    rollout_temperature: float = real(
        0.1,
        0.01,
        10.0,
        "softmax temperature of these values, on the scale of the values seen",
        log=True,
        active_if=("rollout_policy", (BOLTZMANN,)),
    )
    rollout_agent: str = spec_of(
        "agent",
        RANDOM,
        "agent that plays after the tree for all players; it uses this agent's budget",
        active_if=("rollout_policy", (AGENT,)),
    )
    mast_gamma: float = real(
        0.5,
        0.0,
        1.0,
        "share of the action values kept from decision to decision",
        active_if=("rollout_policy", (MAST,)),
    )
    mast_temperature: float = real(
        0.1, 0.01, 10.0, "Boltzmann temperature of the action values", log=True, active_if=("rollout_policy", (MAST,))
    )
    backup: str = choice(
        MEAN,
        (MEAN, MAX_MC, LAMBDA, MAX_LAMBDA),
        "what a node passes on to the one above: the value of the iteration, or this mixed with the mean value of the best "
        "action where another was taken (max_mc), of the action taken (lambda) or of the best (max_lambda)",
        active_if=("tree_policy", (UCB1, UCB_TUNED, PUCT, GREEDY, UNIFORM)),
    )
    backup_threshold: int = integer(
        5,
        0,
        1_000_000,
        "visits of a node from which on the best action counts; of n visits (n - threshold) / n is its share",
        active_if=("backup", (MAX_MC,)),
    )
    backup_lambda: float = real(
        0.9, 0.0, 1.0, "share of the iteration's value in what is passed on", active_if=("backup", (LAMBDA, MAX_LAMBDA))
    )
    implicit_minimax: float = real(
        0.0,
        0.0,
        1.0,
        "share of the minimax value of the heuristic in the value of an action; without effect where chance has nodes",
        active_if=("tree_policy", (UCB1, UCB_TUNED, PUCT, GREEDY)),
    )
    max_tree_depth: int = integer(1000, 1, 1000, "actions from the root to the deepest node", log=True)
    fpu: float = real(
        ALWAYS_FIRST,
        0.01,
        ALWAYS_FIRST,
        "first-play urgency: the UCB value of an untried action; with the maximum it always comes first",
        log=True,
        active_if=("tree_policy", (UCB1, UCB_TUNED)),
    )
    widening: bool = flag(
        False,
        "limit the actions tried in a node to a number that grows with its visits",
        active_if=("tree_policy", (UCB1, UCB_TUNED)),
    )
    widening_constant: float = real(
        2.0, 0.1, 32.0, "actions tried after the first visit", log=True, active_if=("widening", (True,))
    )
    widening_exponent: float = real(
        0.5, 0.0, 1.0, "growth of the number of actions tried with the visits", active_if=("widening", (True,))
    )
    progressive_bias: float = real(
        0.0,
        0.0,
        100.0,
        "weight of the heuristic just after an action, divided by the visits and one",
        active_if=("tree_policy", (UCB1, UCB_TUNED)),
    )
    normalise: bool = flag(True, "scale the observed values to the range from 0 to 1, so that k fits any heuristic")
    selection: str = choice(
        VISITS,
        (VISITS, VALUE, AVERAGE_POLICY, AGENT),
        "final choice: the action with the most visits, with the greatest value, or a draw from the average tree policy; or "
        "an agent's, unless another action has several times its visits",
    )
    selection_agent: str = spec_of(
        "agent",
        RANDOM,
        "agent that proposes the final choice; it uses this agent's budget",
        active_if=("selection", (AGENT,)),
    )
    selection_factor: float = real(
        3.0,
        1.0,
        1000.0,
        "how many times the visits of the agent's choice, each plus one, those of another action must exceed to replace it; "
        "without effect with sequential halving",
        log=True,
        active_if=("selection", (AGENT,)),
    )
    selection_errors: float = real(
        2.0,
        0.0,
        100.0,
        "with sequential halving: by how many standard errors of their difference another action's mean value must exceed "
        "that of the agent's choice to replace it",
        active_if=("selection", (AGENT,)),
    )
    reuse_tree: bool = flag(
        False, "keep the part of the tree that the game has reached, unless it mixes what dice and drawn cards may show"
    )

    def information_in(self, kind: GameType) -> str:
        """Return the treatment of hidden information in a game of ``kind``, with `AUTO` resolved."""
        if self.information != AUTO:
            return self.information
        is_open = not kind.hidden_information and not kind.chance
        keeps_states = self.searches_for_all() and self.trees == SHARED
        return CLOSED_LOOP if is_open and keeps_states else INFORMATION_SET

    def trees_in(self, kind: GameType) -> i64:
        """Return the number of deals with a tree of their own in a game of ``kind``; where nothing is dealt, 1."""
        information = self.information_in(kind)
        may_differ = kind.hidden_information or (kind.chance and information == CLOSED_LOOP)
        return self.deals if may_differ and information in (OPEN_LOOP, CLOSED_LOOP) else 1

    def searches_for_all(self) -> bool:
        """Say whether the tree has the decisions of all players; else others' are played while the tree is passed."""
        return self.opponents not in (SELF_ONLY, AGENT)

    def simulated_agents(self, player: i64, n_players: i64) -> dict[int, str]:
        """Return the specs of the agents that play in a search of ``player``, by the player whom they play for."""
        specs: dict[int, str] = {}
        for seat in range(int(n_players)):
            if self.opponents == AGENT and seat != player:
                specs[seat] = self.opponent_agent
            elif self.rollout_policy == AGENT:
                specs[seat] = self.rollout_agent
        return specs

    def backs_up_means(self) -> bool:
        """Say whether nodes pass on the value of the iteration alone; under mixed policies always."""
        return self.backup == MEAN or self.tree_policy in (EXP3, REGRET_MATCHING)

    def halves(self) -> bool:
        """Say whether actions at the root are chosen by sequential halving; under mixed policies never."""
        return self.root_policy == HALVING and self.tree_policy not in (EXP3, REGRET_MATCHING)

    def uses_minimax(self, kind: GameType) -> bool:
        """Say whether minimax values of the heuristic count in a game of ``kind``."""
        has_chance_nodes = kind.chance and self.information_in(kind) == CHANCE_NODES
        has_values = self.tree_policy not in (EXP3, REGRET_MATCHING, UNIFORM)
        return self.implicit_minimax > 0.0 and has_values and not has_chance_nodes

    def has_beliefs(self, kind: GameType) -> bool:
        """Say whether deals are weighed in a game of ``kind``."""
        return self.beliefs != NO_BELIEFS and kind.hidden_information and self.information_in(kind) == INFORMATION_SET

    def has_trees_by_player(self, kind: GameType) -> bool:
        """Say whether each player has a tree in a game of ``kind``.

        In a shared one, those asked later know the simultaneous choice of who is asked first.
        """
        is_simultaneous = SIMULTANEOUS in kind.mechanics and self.information_in(kind) == INFORMATION_SET
        return self.trees == BY_PLAYER or is_simultaneous

    def solves(self, kind: GameType) -> bool:
        """Say whether results are proven in a game of ``kind``."""
        information = self.information_in(kind)
        has_all_states = information == CHANCE_NODES or (information == CLOSED_LOOP and not kind.chance)
        return self.solver and has_all_states and not kind.hidden_information

    def check(self) -> None:
        """Refuse kept states where the others' replies would be frozen, or where nodes stand for knowledge."""
        if self.information not in (CLOSED_LOOP, CHANCE_NODES):
            return
        if not self.searches_for_all():
            raise ParameterError(
                f"information cannot be {self.information!r} with opponents {self.opponents!r}, whose replies would be "
                "drawn only once; 'open_loop' is the nearest"
            )
        if self.trees == BY_PLAYER:
            raise ParameterError(
                f"information cannot be {self.information!r} with trees 'by_player', whose nodes keep no states; "
                "'open_loop' is the nearest"
            )
