"""The bot of Love Letter."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.cards.love_letter.actions import NO_TARGET, Baron, Guard, King, Play, Priest, Prince
from tag.games.cards.love_letter.data import HANDMAID, N_KINDS, NO_CARD, PRINCESS
from tag.games.cards.love_letter.state import LoveLetterState

_SURE: Final = 20.0
_NEVER: Final = -50.0


@mypyc_attr(allow_interpreted_subclasses=True)
class PriestAndBaron(RuleBot[LoveLetterState]):
    """Plays the lower card, and with Guards, Priests and Barons what is known and what is likely.

    A Guard names a card that is known, else the one of which most are unseen. A Baron is played if more unseen cards are
    lower than the card kept than higher, a Prince at others, a King only for a better card; a hand known to lose to it is
    struck at once. Of several rivals it aims at the one with the most tokens.

    Source: our own, after the advice of players to count cards and to use Priest and Baron together.
    """

    def prepare(self, state: LoveLetterState) -> None:
        """Count the cards that the player has not seen."""
        self.unseen = _unseen(state, self.player)

    def worth(self, state: LoveLetterState, action: AnyAction) -> float:
        """Weigh a card and its target; low cards are worth more to play."""
        if not isinstance(action, Play):
            return 0.0
        card = action.card
        kept = state.hands[self.player] + state.drawn - card
        if card == PRINCESS:
            return _NEVER
        low = float(N_KINDS - card)
        if action.target == NO_TARGET:
            return low + (1.0 if card == HANDMAID else 0.0)
        return low + self._effect(state, action, kept) + 0.01 * float(state.tokens[action.target])

    def _effect(self, state: LoveLetterState, action: Play, kept: i64) -> float:
        """Return the worth of the effect on a target."""
        target = action.target
        known: i64 = state.hands[target] if state.knows(self.player, target) else NO_CARD
        if isinstance(action, Guard):
            if known != NO_CARD:
                return _SURE if known == action.guess else -3.0
            return 4.0 * self._share(action.guess, action.guess)
        if isinstance(action, Priest):
            return -2.0 if known != NO_CARD else 0.5
        if isinstance(action, Baron):
            return self._duel(kept, known)
        if isinstance(action, Prince):
            if target == self.player:
                return _NEVER if kept == PRINCESS else -float(kept)
            return _SURE if known == PRINCESS else 0.4 * float(known)
        if isinstance(action, King):
            return float(known - kept) if known != NO_CARD else -2.0
        return 0.0

    def _duel(self, kept: i64, known: i64) -> float:
        """Return the worth of a Baron to a player who keeps ``kept``."""
        if known != NO_CARD:
            return _SURE if known < kept else -_SURE if known > kept else -3.0
        chance = self._share(1, kept - 1) - self._share(kept + 1, N_KINDS)
        return 6.0 * chance if chance > 0.0 else -6.0

    def _share(self, low: i64, high: i64) -> float:
        """Return the share of the unseen cards from ``low`` to ``high``."""
        return float(sum(self.unseen[low : high + 1])) / float(max(sum(self.unseen), 1))


def _unseen(state: LoveLetterState, player: i64) -> list[int]:
    """Return how many cards of each kind ``player`` has not seen, by value."""
    cards = [*state.deck, int(state.removed)]
    cards += [state.hands[holder] for holder in range(state.n_players) if not state.knows(player, holder)]
    return [0 if card == NO_CARD else cards.count(card) for card in range(N_KINDS + 1)]
