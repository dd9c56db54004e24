"""The actions of Blackjack: bets, insurance, and what can be done with a hand."""

from __future__ import annotations

from mypy_extensions import i64

from tag import Action, Event, Rng
from tag.games.cards.blackjack.data import DONE, DOUBLED, SURRENDERED, UNIT
from tag.games.cards.blackjack.state import BlackjackState


class Deal(Action[BlackjackState]):
    """Ask for the cards: all bets are one unit.

    Without this action a game could be over before its first choice: the dealer has a blackjack in 4.8 % of the rounds.
    """

    def execute(self, state: BlackjackState, rng: Rng) -> None:
        """Change nothing; the cards are dealt after it."""

    def __str__(self) -> str:
        return "deal"


class Bet(Action[BlackjackState]):
    """Bet on the next hand."""

    def __init__(self, units: i64) -> None:
        """Take the bet in units."""
        self.units = units

    def execute(self, state: BlackjackState, rng: Rng) -> None:
        bets = list(state.bets)
        bets[state.current_player] = int(self.units * UNIT)
        state.bets = tuple(bets)

    def __str__(self) -> str:
        return f"bet {self.units}"


class Insure(Action[BlackjackState]):
    """Bet half as much again that the dealer has a blackjack."""

    def execute(self, state: BlackjackState, rng: Rng) -> None:
        state.insured |= 1 << int(state.current_player)

    def __str__(self) -> str:
        return "insure"


class Decline(Action[BlackjackState]):
    """Take no insurance."""

    def execute(self, state: BlackjackState, rng: Rng) -> None:
        """Change nothing."""

    def __str__(self) -> str:
        return "no insurance"


class Stand(Action[BlackjackState]):
    """Take no more cards."""

    def execute(self, state: BlackjackState, rng: Rng) -> None:
        state.hands[state.at] |= DONE

    def __str__(self) -> str:
        return "stand"


class Hit(Action[BlackjackState]):
    """Take a card."""

    def execute(self, state: BlackjackState, rng: Rng) -> None:
        state.take_card(rng)

    def __str__(self) -> str:
        return "hit"


class DoubleDown(Action[BlackjackState]):
    """Double the bet and take one card, the last one."""

    def execute(self, state: BlackjackState, rng: Rng) -> None:
        state.hands[state.at] |= DOUBLED | DONE
        if state.recording:
            words = f"{{player}} bets {2 * state.bets[state.current_player] / UNIT:g}"
            state.announce(Event("double", state.current_player, words=words))
        state.take_card(rng)

    def __str__(self) -> str:
        return "double down"


class SplitPair(Action[BlackjackState]):
    """Make two hands of a pair, with a bet on each."""

    def execute(self, state: BlackjackState, rng: Rng) -> None:
        """Part the cards; each gets its second one when it is played."""
        state.split_pair()
        if state.recording:
            places = tuple([f"hand {number}" for number in range(len(state.hands))])
            words = f"{{player}} has two hands, with a bet of {state.bets[state.current_player] / UNIT:g} on each"
            state.announce(Event("split", state.current_player, places=places, words=words))

    def __str__(self) -> str:
        return "split"


class Surrender(Action[BlackjackState]):
    """Give up the hand for half of the bet."""

    def execute(self, state: BlackjackState, rng: Rng) -> None:
        state.hands[state.at] |= SURRENDERED | DONE
        if state.recording:
            words = "{player} loses half of the bet"
            state.announce(Event("surrender", state.current_player, words=words))

    def __str__(self) -> str:
        return "surrender"
