"""The bot of Exploding Kittens."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.cards.exploding_kittens.actions import (
    Attack,
    Demand,
    Draw,
    Explode,
    Favor,
    FiveDifferent,
    Give,
    Lay,
    Nope,
    Pair,
    Reinsert,
    Retrieve,
    SeeTheFuture,
    Shuffle,
    Skip,
    Three,
)
from tag.games.cards.exploding_kittens.data import DEFUSE, EXPLODING_KITTEN, TACOCAT
from tag.games.cards.exploding_kittens.state import ExplodingKittensState

#: How much each kind of card is to be kept, kittens first.
_KEPT: Final = (0, 10, 5, 5, 3, 2, 4, 6, 1, 1, 1, 1, 1)
#: The greatest risk of drawing a kitten that is taken, with a Defuse and without.
_RISK_WITH_DEFUSE: Final = 0.28
_RISK: Final = 0.16
_NEVER: Final = -9.0


@mypyc_attr(allow_interpreted_subclasses=True)
class DefuseKeeper(RuleBot[ExplodingKittensState]):
    """Draws while the risk is small, else attacks, skips or looks; keeps Defuses and takes cards with Favors and cats.

    The risk is the share of kittens in the pile, or certain if the top card is known. Attacks, Favors and pairs of others
    against it are noped. The kitten goes back on top, or to the bottom if the player has to draw again.

    Source: our own, after the advice of the publisher's rules to use cards only against a likely kitten; the limits of risk
    were chosen by play of such a bot against MCTS.
    """

    def prepare(self, state: ExplodingKittensState) -> None:
        """Find the risk of the next draw."""
        pile: i64 = len(state.deck)
        self.top: i64 = state.seen_card(pile - 1, self.player) if pile else -1
        kittens = state.n_players - len(state.out) - 1
        risk = float(kittens) / float(max(pile, 1))
        if self.top >= 0:
            risk = 1.0 if self.top == EXPLODING_KITTEN else 0.0
        limit = _RISK_WITH_DEFUSE if state.count(self.player, DEFUSE) else _RISK
        self.is_risky = risk > limit

    def worth(self, state: ExplodingKittensState, action: AnyAction) -> float:
        """Weigh an action of a turn, or an answer."""
        if isinstance(action, Draw):
            return 0.0
        if isinstance(action, (Favor, Pair, Three)):
            return self._taking(state, action)
        if isinstance(action, (Attack, Skip, SeeTheFuture, Shuffle)):
            return self._escape(action)
        if isinstance(action, Nope):
            return 1.0 if self._is_hurt(state) else -1.0
        return self._answer(state, action)

    def _taking(self, state: ExplodingKittensState, action: Favor | Pair | Three) -> float:
        """Take from the player with the most cards, but never by pairs of other cards than cats."""
        if not isinstance(action, Favor) and action.kind < TACOCAT:
            return _NEVER
        return 1.0 + 0.01 * float(state.size(action.victim)) + (0.5 if isinstance(action, Three) else 0.0)

    def _escape(self, action: AnyAction) -> float:
        """Prefer, where drawing is risky, to end the turn, then to change or see what comes."""
        if not self.is_risky:
            return _NEVER
        if isinstance(action, Attack):
            return 5.0
        if isinstance(action, Skip):
            return 4.0
        if isinstance(action, Shuffle):
            return 3.0 if self.top == EXPLODING_KITTEN else _NEVER
        return 2.0 if self.top < 0 else _NEVER

    def _is_hurt(self, state: ExplodingKittensState) -> bool:
        """Say whether the play that can be noped is another player's, and against this one."""
        play = state.play
        if state.nopes % 2 or state.turn_player == self.player:
            return False
        if isinstance(play, Attack):
            return state.next_alive(state.turn_player) == self.player
        return isinstance(play, (Favor, Pair, Demand)) and play.victim == self.player

    def _answer(self, state: ExplodingKittensState, action: AnyAction) -> float:
        """Weigh the choice of a card or of a place; 0 for no Nope."""
        if isinstance(action, (Give, Lay)):
            return -float(_KEPT[action.kind])
        if isinstance(action, (Demand, Retrieve)):
            return float(_KEPT[action.kind])
        if isinstance(action, Reinsert):
            return float(action.depth if state.due > 1 else -action.depth)
        if isinstance(action, Explode):
            return -1000.0
        return _NEVER if isinstance(action, FiveDifferent) else 0.0
