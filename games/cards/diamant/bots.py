"""Bots of Diamant, which weigh what they carry against the risk of the next card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from mypy_extensions import mypyc_attr

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
