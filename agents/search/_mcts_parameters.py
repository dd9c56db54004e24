"""The parameters of Monte Carlo tree search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tag.engine.forward_model import GameType
from tag.engine.parameters import choice, flag, integer, real
from tag.errors import ParameterError
from tag.playing.agent import SearchParameters

AUTO: Final = "auto"
INFORMATION_SET: Final = "information_set"
OPEN_LOOP: Final = "open_loop"
CLOSED_LOOP: Final = "closed_loop"

MAX_N: Final = "max_n"
PARANOID: Final = "paranoid"
SELF_ONLY: Final = "self_only"

RANDOM: Final = "random"
MAST: Final = "mast"

VISITS: Final = "visits"
VALUE: Final = "value"

#: The greatest first-play urgency: untried actions always come first.
ALWAYS_FIRST: Final = 1000.0


@dataclass
class MctsParameters(SearchParameters):
    """The parameters of `agents.search.mcts.Mcts`; values are on the scale from 0 to 1 where they are normalised."""

    k: float = real(1.0, 0.001, 100.0, "weight of exploration in UCB", log=True)
    information: str = choice(
        AUTO,
        (AUTO, INFORMATION_SET, OPEN_LOOP, CLOSED_LOOP),
        "deals of hidden cards: again in each iteration, once, or once with a state kept in every node; auto is the last "
        "for games without hidden information and chance, else the first",
    )
    opponents: str = choice(
        MAX_N,
        (MAX_N, PARANOID, SELF_ONLY),
        "model of the others: they maximise their own value, minimise the searcher's, or follow the rollout policy",
    )
    rollout_length: int = integer(
        10,
        0,
        1_000_000,
        "actions played after the tree before a position is valued; the maximum means until the end",
        log=True,
    )
    rollout_policy: str = choice(RANDOM, (RANDOM, MAST), "policy that plays after the tree")
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
    max_tree_depth: int = integer(1000, 1, 1000, "actions from the root to the deepest node", log=True)
    fpu: float = real(
        ALWAYS_FIRST,
        0.01,
        ALWAYS_FIRST,
        "first-play urgency: the UCB value of an untried action; with the maximum it always comes first",
        log=True,
    )
    widening: bool = flag(False, "limit the actions tried in a node to a number that grows with its visits")
    widening_constant: float = real(
        2.0, 0.1, 32.0, "actions tried after the first visit", log=True, active_if=("widening", (True,))
    )
    widening_exponent: float = real(
        0.5, 0.0, 1.0, "growth of the number of actions tried with the visits", active_if=("widening", (True,))
    )
    progressive_bias: float = real(
        0.0, 0.0, 100.0, "weight of the heuristic just after an action, divided by the visits and one"
    )
    normalise: bool = flag(True, "scale the observed values to the range from 0 to 1, so that k fits any heuristic")
    selection: str = choice(
        VISITS, (VISITS, VALUE), "criterion of the final choice: the action with the most visits, or the greatest value"
    )
    reuse_tree: bool = flag(False, "keep the part of the tree that the game has reached")

    def information_in(self, kind: GameType) -> str:
        """Return the treatment of hidden information in a game of ``kind``, with `AUTO` resolved."""
        if self.information != AUTO:
            return self.information
        is_open = not kind.hidden_information and not kind.chance
        return CLOSED_LOOP if is_open and self.opponents != SELF_ONLY else INFORMATION_SET

    def check(self) -> None:
        """Refuse a closed loop in which the others' replies would be frozen."""
        if self.information == CLOSED_LOOP and self.opponents == SELF_ONLY:
            raise ParameterError(
                "information cannot be 'closed_loop' with opponents 'self_only', whose replies would be drawn only once; "
                "'open_loop' is the nearest"
            )
