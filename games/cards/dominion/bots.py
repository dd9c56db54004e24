"""Bots of Dominion: three that buy money, and one that compares decks."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, Parameters, RuleBot
from tag.games.cards.dominion.actions import Buy, Discard, Gain, Play, PutBack, RevealMoat, Trash
from tag.games.cards.dominion.data import (
    BANDIT,
    BUREAUCRAT,
    CARDS_PER_GARDENS_POINT,
    COPPER,
    COSTS,
    COUNCIL_ROOM,
    CURSE,
    DUCHY,
    ESTATE,
    GARDENS,
    GOLD,
    LABORATORY,
    LIBRARY,
    MARKET,
    MILITIA,
    MONEYLENDER,
    N_BASIC,
    N_KINDS,
    OWNED,
    PLUS_ACTIONS,
    PLUS_CARDS,
    PLUS_COINS,
    POINTS,
    PROVINCE,
    SENTRY,
    SILVER,
    SMITHY,
    SPAN,
    TRASH_FOR_MINE,
    UNIT,
    WITCH,
    WORD,
)
from tag.games.cards.dominion.state import DominionState
from tag.games.cards.dominion.values import EFFECT, DominionHeuristic

_NEVER: Final = -1.0
#: What is bought rather than what: Provinces first, then points at the end of the game, then the best treasure.
_WISHES: Final[dict[int, float]] = {PROVINCE: 8.0, DUCHY: 7.0, GOLD: 6.0, ESTATE: 4.0, SILVER: 3.0}
#: The most Provinces left with which a Duchy, and an Estate, is bought.
_LATE: Final = 4
_LAST: Final = 2
_SMITHIES: Final = 2
#: The turn, from 0, from which on a second Smithy is bought.
_SECOND: Final = 5
#: Actions beside money, the best ones first: better than a Gold, or better than a Silver.
_BEST: Final = (WITCH, LABORATORY)
_BETTER: Final = (
    *(MARKET, MILITIA, COUNCIL_ROOM, SENTRY, BANDIT, LIBRARY),
    *(SMITHY, MONEYLENDER, BUREAUCRAT),
)
#: How much each card is to be bought beside those of `_WISHES`, 0 for the others.
_GOOD: Final[list[float]] = [
    7.0 - 0.1 * (_BEST.index(kind) + 1)
    if kind in _BEST
    else 6.0 - 0.1 * (_BETTER.index(kind) + 1)
    if kind in _BETTER
    else 0.0
    for kind in range(N_KINDS)
]
#: Of these, the cards that give no action back.
_TERMINALS: Final[list[int]] = [kind for kind in (*_BEST, *_BETTER) if not PLUS_ACTIONS[kind]]
#: The turn, from 0, from which on a second of these is bought, and the cards of a deck for each further one.
_THIRD: Final = 2
_CARDS_EACH: Final = 12
#: More points than anybody is behind.
_FAR_BEHIND: Final = 1e9


@mypyc_attr(allow_interpreted_subclasses=True)
class BigMoney(RuleBot[DominionState]):
    """Buys Provinces, and until then the best treasure; plays no action.

    A Duchy is bought once four Provinces or fewer are left, an Estate once two or fewer are.

    Source: "Big Money", the strategy that others are measured by in the Dominion Strategy Wiki.
    """

    def worth(self, state: DominionState, action: AnyAction) -> float:
        """Prefer the card to be bought; lose the cheapest card to attacks."""
        if isinstance(action, Buy):
            return self.wish(state, action.card)
        if isinstance(action, (Discard, PutBack, Trash)):
            return -_need(action.card)
        return _NEVER if isinstance(action, Play) else 0.0

    def wish(self, state: DominionState, card: i64) -> float:
        """Return how much a card is to be bought: more than 0, or `_NEVER`."""
        left = state.in_supply(PROVINCE)
        if (card == DUCHY and left > _LATE) or (card == ESTATE and left > _LAST):
            return _NEVER
        return _WISHES.get(card, _NEVER)


class BigMoneySmithy(BigMoney):
    """Big Money with one Smithy, and a second one from the sixth turn on; in kingdoms without Smithy, Big Money.

    Source: "Big Money", with one kind of terminal action added, in the Dominion Strategy Wiki.
    """

    def worth(self, state: DominionState, action: AnyAction) -> float:
        """Play a Smithy whenever possible."""
        if isinstance(action, Play):
            return 1.0 if action.card == SMITHY else _NEVER
        return super().worth(state, action)

    def wish(self, state: DominionState, card: i64) -> float:
        """Want a Smithy before a Silver."""
        if card != SMITHY:
            return super().wish(state, card)
        most = _SMITHIES if state.turns(self.player) >= _SECOND else 1
        return 4.0 if state.count(self.player, OWNED, state.slots[SMITHY]) < most else _NEVER


class BigMoneyPlus(BigMoney):
    """Big Money with the actions that go with it: any number that give an action back, and few others.

    One of the others is bought at once, a second from the third turn on, and more of them in decks of twelve cards for each.
    Of two, the one that is higher in its list is bought.

    Source: our own, after articles on Big Money and its terminal actions in the Dominion Strategy Wiki.
    """

    def worth(self, state: DominionState, action: AnyAction) -> float:
        """Play actions that give one back, then draw cards, then play the best other action; trash bad cards."""
        if isinstance(action, Play):
            card: i64 = action.card
            return 20.0 + float(COSTS[card]) if PLUS_ACTIONS[card] else _GOOD[card] + float(PLUS_CARDS[card])
        if isinstance(action, Trash):
            return _trash_order(state.phase, action.card)
        return super().worth(state, action)

    def wish(self, state: DominionState, card: i64) -> float:
        """Want the actions of the lists before a Silver."""
        good = _GOOD[card]
        if good == 0.0:
            return super().wish(state, card)
        if PLUS_ACTIONS[card]:
            return good if card != SENTRY or state.count(self.player, OWNED, state.slots[card]) == 0 else _NEVER
        others = 0
        for kind in _TERMINALS:
            slot: i64 = state.slots[kind]
            if slot >= 0:
                others += state.count(self.player, OWNED, slot)
        is_soon = others == 0 or (others == 1 and state.turns(self.player) >= _THIRD)
        return good if is_soon or state.owned(self.player) >= _CARDS_EACH * (others + 1) else _NEVER


@mypyc_attr(allow_interpreted_subclasses=True)
class DeckBuilder(RuleBot[DominionState]):
    """Gains the card that adds most to the lead that the game's heuristic expects of all decks, or none.

    It plays all actions, those first that give an action back, then the most cards and coins. It trashes Curses and Estates,
    and Coppers if that is all, but turns Silvers and Coppers into better ones with a Mine.

    Source: our own, with the deck model of `DominionHeuristic`.
    """

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        self._model = DominionHeuristic()
        #: The points of each player, and the power of the coins by which they share the Provinces.
        self._points: list[float] = []
        self._rates: list[float] = []
        self._rates_of_others = 0.0
        self._lead_now = 0.0

    def prepare(self, state: DominionState) -> None:
        """Estimate the decks of all."""
        self._points = [float(state.points(player)) for player in range(state.n_players)]
        self._rates = [self._model.coins_of(state, player) ** self._model.power for player in range(state.n_players)]
        self._rates_of_others = sum(self._rates) - self._rates[self.player]
        self._lead_now = self._lead(state.in_supply(PROVINCE), self._rates[self.player], 0.0)

    def worth(self, state: DominionState, action: AnyAction) -> float:
        """Weigh a card to gain, to play or to lose."""
        if isinstance(action, (Buy, Gain)):
            return self._gain(state, action.card)
        if isinstance(action, Play):
            return _play_order(action.card)
        if isinstance(action, (Discard, PutBack)):
            return -_need(action.card)
        if isinstance(action, Trash):
            return _trash_order(state.phase, action.card)
        return 0.5 if isinstance(action, RevealMoat) else 0.0

    def _gain(self, state: DominionState, card: i64) -> float:
        """Return the points that a card adds to the lead."""
        slot: i64 = state.slots[card]
        at = SPAN * self.player + OWNED
        cards = [state.cards[at], state.cards[at + 1]]
        cards[WORD[slot]] += UNIT[slot]
        rate = self._model.coins_of_cards(state, cards[0], cards[1]) ** self._model.power
        points = float(state.owned(self.player) // CARDS_PER_GARDENS_POINT) if card == GARDENS else 0.0
        if card < N_BASIC:
            points = float(POINTS[card])
        left = state.in_supply(PROVINCE) - (1 if card == PROVINCE else 0)
        return self._lead(left, rate, points) - self._lead_now

    def _lead(self, provinces: i64, rate: float, points: float) -> float:
        """Return the points by which the player expects to be ahead with a deck of this rate and so many more points."""
        left = self._model.province * float(provinces) / (self._rates_of_others + rate)
        best = -_FAR_BEHIND
        for player in range(len(self._rates)):
            if player != self.player:
                best = max(best, self._points[player] + left * self._rates[player])
        return self._points[self.player] + points + left * rate - best


def _play_order(card: i64) -> float:
    """Return how early an action is to be played: more than 0."""
    bonus = float(PLUS_CARDS[card] + PLUS_COINS[card]) + EFFECT[card]
    return bonus + (20.0 if PLUS_ACTIONS[card] else 1.0)


def _trash_order(phase: i64, card: i64) -> float:
    """Return how much a card is to be trashed: more than 0, or less if it is to be kept."""
    if phase == TRASH_FOR_MINE:
        return 1.0 + float(COSTS[card]) if card in {COPPER, SILVER} else 0.5
    if card in {CURSE, ESTATE}:
        return 2.0
    return 0.5 if card == COPPER else -1.0 - float(COSTS[card])


def _need(card: i64) -> float:
    """Return how much a card in hand is needed: points do nothing before the end."""
    return 0.0 if card in {ESTATE, DUCHY, PROVINCE} else 1.0 + float(COSTS[card])
