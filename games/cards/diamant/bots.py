"""Bots of Diamant, which weigh what they carry against the risk of the next card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, Parameters, RuleBot, integer
from tag.games.cards.diamant.actions import LeaveCave
from tag.games.cards.diamant.state import DiamantState


@mypyc_attr(allow_interpreted_subclasses=True)
class Myopic(RuleBot[DiamantState]):
    """Leaves if the next card is expected to cost more than it brings.

    It costs what the player carries and could pick up on the way out, with the probability that the card ends the cave. It
    brings the mean share of a treasure otherwise.

    Source: our own; the one-stage look-ahead rule of optimal stopping, as in Y. S. Chow, H. Robbins and D. Siegmund, "Great
    Expectations", 1971.
    """

    def worth(self, state: DiamantState, action: AnyAction) -> float:
        """Compare both choices by the rubies that they are expected to bring."""
        mine = float(state.carried + state.part_of_path(state.n_inside()))
        if state.n_inside() == 1:
            mine += float(state.worth_of_relics(state.relics_on_path()))
        if isinstance(action, LeaveCave):
            return mine
        return (1.0 - state.risk()) * (mine + state.mean_share(state.n_inside()))


#: How far ahead cards are counted, and the rubies that leaving alone must bring beyond what the others may still find.
_CARDS: Final = 6
_LEAST_GAIN: Final = 1.0
_PAIR: Final = 2


@mypyc_attr(allow_interpreted_subclasses=True)
class Anticipating(RuleBot[DiamantState]):
    """Expects the others to leave by the rule of `Myopic`, and counts rubies relative to theirs.

    If they leave now, it goes on alone where that promises more than they take home. If they stay, it leaves where the way
    out and the relics, which it need not share, are worth more than what they may still find. In the last cave it leaves
    with the others if it leads, else it goes on; alone in that cave it leaves as soon as that wins.

    Source: our own; level-1 reasoning about the players of `Myopic`.
    """

    def worth(self, state: DiamantState, action: AnyAction) -> float:
        """Return the rubies gained beside the others; of going on, where leaving is worth nothing beside them, 0."""
        leaves = isinstance(action, LeaveCave)
        inside = state.n_inside()
        is_last = state.round + 1 == self.sim.model.max_rounds
        lead = float(state.chests[self.player] - _best_other(state, self.player))
        if inside == 1:
            mine = float(state.carried) + _way_out(state, 1)
            if is_last:
                return 1.0 if (mine + lead > 0.0) == leaves else 0.0
            return mine if leaves else _going_on(state, 1, mine)
        together = float(state.carried + state.part_of_path(inside))
        if together >= (1.0 - state.risk()) * (together + state.mean_share(inside)):
            if leaves:
                return 0.0
            if is_last and lead != 0.0:
                return -lead
            left = float(state.worth_of_relics(state.relics_on_path())) if inside > _PAIR else 0.0
            return _going_on(state, 1, float(state.carried) + left) - float(state.carried) - _way_out(state, inside - 1)
        if not leaves:
            return 0.0
        alone = float(state.carried) + _way_out(state, 1)
        return alone - _going_on(state, inside - 1, float(state.carried)) - _LEAST_GAIN


def _way_out(state: DiamantState, leavers: i64) -> float:
    """Return the rubies on the way for each of so many who leave together; relics are for one who leaves alone."""
    rubies = float(state.part_of_path(leavers))
    return rubies + float(state.worth_of_relics(state.relics_on_path())) if leavers == 1 else rubies


def _going_on(state: DiamantState, inside: i64, rubies: float) -> float:
    """Return the rubies of one of so many in the cave who leave after the best number of cards."""
    safe = 1.0 - state.risk()
    chance = 1.0
    best = 0.0
    for _card in range(_CARDS):
        chance *= safe
        rubies += state.mean_share(inside)
        best = max(best, chance * rubies)
    return best


def _best_other(state: DiamantState, player: i64) -> i64:
    """Return the rubies at home of the best of the others."""
    best: i64 = 0
    for other in range(state.n_players):
        if other != player:
            best = max(best, state.chests[other])
    return best


@dataclass
class ThresholdParameters(Parameters):
    """When to leave."""

    carried: int = integer(7, 1, 50, "rubies with which the player leaves the cave")


@mypyc_attr(allow_interpreted_subclasses=True)
class Threshold(RuleBot[DiamantState]):
    """Leaves with a fixed number of rubies, unless no hazard has been met yet.

    Source: our own; "hold at n", as players of push-your-luck games do.
    """

    parameters_class = ThresholdParameters

    def worth(self, state: DiamantState, action: AnyAction) -> float:
        """Prefer to leave with enough rubies."""
        most = cast("ThresholdParameters", self.parameters).carried
        leaves = state.risk() > 0.0 and state.carried + state.part_of_path(state.n_inside()) >= most
        return 1.0 if leaves == isinstance(action, LeaveCave) else 0.0
