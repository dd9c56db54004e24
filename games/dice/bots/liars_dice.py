"""Bots of Liar's Dice, which know probabilities and do not bluff on purpose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, Parameters, RuleBot, real
from tag.games.dice.liars_dice import FACE, FACE_BITS, BidDice, Challenge, LiarsDiceState


@mypyc_attr(allow_interpreted_subclasses=True)
class Safest(RuleBot[LiarsDiceState]):
    """Takes the action most likely to be right by its own dice: a higher bid, a challenge, or spot on.

    Of equally likely bids it makes the lowest.

    Source: our own; the probabilities are those of the binomial distribution, as in Wikipedia's article on the game.
    """

    def worth(self, state: LiarsDiceState, action: AnyAction) -> float:
        """Return how likely the action is right."""
        player = state.current_player
        if isinstance(action, BidDice):
            return state.chance(player, action.bid)
        if isinstance(action, Challenge):
            return 1.0 - state.chance(player, state.last_bid())
        return state.chance(player, state.last_bid(), True)


@dataclass
class ExpectedParameters(Parameters):
    """When to challenge."""

    doubt: float = real(1.0, -2.0, 5.0, "dice by which a bid must exceed those expected to be challenged")


@mypyc_attr(allow_interpreted_subclasses=True)
class Expected(RuleBot[LiarsDiceState]):
    """Bids as many dice of a face as it expects: its own, and of the others' a third with wild ones; doubts far higher bids.

    Of the bids that are not above the expected number it makes the one of most dice, and if all are above, the one that is
    least so. It challenges if the last bid, or each higher one, exceeds the expected number by more than ``doubt``.

    Source: our own; the rule of a third for each hidden die is common advice for players.
    """

    parameters_class = ExpectedParameters

    def worth(self, state: LiarsDiceState, action: AnyAction) -> float:
        """Compare the number of dice with the one expected; bids above it are worth less than 0."""
        doubt = cast("ExpectedParameters", self.parameters).doubt
        if isinstance(action, BidDice):
            above = _above(state, action.bid)
            return -above if above > 0.0 else float(action.number)
        if isinstance(action, Challenge):
            return 1000.0 if _above(state, state.last_bid()) > doubt else -doubt
        return -1000.0


def _above(state: LiarsDiceState, bid: i64) -> float:
    """Return by how much a bid exceeds the number of dice that the current player expects."""
    player = state.current_player
    face = bid & FACE
    others = float(state.in_play() - state.dice[player])
    hits = 2.0 if state.wild and face != state.wild else 1.0
    return float(bid >> FACE_BITS) - float(state.shows(player, face)) - others * hits / float(state.faces)
