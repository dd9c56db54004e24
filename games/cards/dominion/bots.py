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
    DISCARD_FOR_MILITIA,
    DUCHY,
    ESTATE,
    GARDENS,
    GOLD,
    HAND,
    LABORATORY,
    LIBRARY,
    MARKET,
    MILITIA,
    MONEYLENDER,
    N_BASIC,
    N_KINDS,
    N_SLOTS,
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
    TREASURES,
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
#: What the first of these is worth more, the turn, from 0, from which on a second one is bought, and the cards of a deck for
#: each further one.
_FIRST: Final = 0.9
_THIRD: Final = 2
_CARDS_EACH: Final = 12
#: A card that wins at once is worth more than all others.
_WINS: Final = 30.0
#: The Golds that are bought before Provinces, and the turn, from 0, from which on these wait no longer.
_GOLDS: Final = 2
_WAITS: Final = 13
#: The most Provinces left, beside one for each turn until the shuffle, with which Duchies and Estates are bought, and those
#: with which an Estate is bought rather than a Gold.
_DUCHIES_FROM: Final = 3
_ESTATES_FROM: Final = 1
_ESTATES_FIRST: Final = 2
#: The most points behind with which the last Province but one is left to the others.
_CLOSE: Final = 4
#: The empty piles that end the game, and the coins that a card drawn is taken to give.
_PILES: Final = 3
_COINS_OF_CARD: Final = 1.2
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

    One of the others is bought before all but a Province, a second from the third turn on, and more of them in decks of
    twelve cards for each. Of two, the one that is higher in its list is bought. Provinces wait for two Golds, or for the
    fourteenth turn.

    A treasure is of use only after the next shuffle: the more turns the draw pile lasts, the earlier Duchies and Estates are
    bought. The bot ends the game if that wins, and not if it loses. A little behind, it leaves the last Province but one.
    Of a hand that a Militia makes smaller, it keeps the best cards.

    Source: our own, after articles on Big Money and its terminal actions in the Dominion Strategy Wiki, tuned in games
    against bots that buy Smithies, Militias and Markets.
    """

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        self._lead: i64 = 0
        #: The turns until the next shuffle, and the kind of the card to discard.
        self._pile_turns: i64 = 0
        self._discarded: i64 = -1

    def prepare(self, state: DominionState) -> None:
        """Look at the points of the others and at the own deck, and choose what to discard."""
        player = self.player
        self._lead = _lead_of(state, player)
        self._pile_turns = state.pile_count(player) // state.hand_size
        self._discarded = _first_to_discard(state, player) if state.phase == DISCARD_FOR_MILITIA else -1

    def worth(self, state: DominionState, action: AnyAction) -> float:
        """Play actions that give one back, then draw cards, then play the best other action; trash bad cards."""
        if isinstance(action, Play):
            card: i64 = action.card
            return 20.0 + float(COSTS[card]) if PLUS_ACTIONS[card] else _GOOD[card] + float(PLUS_CARDS[card])
        if isinstance(action, Trash):
            return _trash_order(state.phase, action.card)
        if isinstance(action, Discard) and self._discarded >= 0:
            return 1.0 if action.card == self._discarded else _NEVER
        return super().worth(state, action)

    def wish(self, state: DominionState, card: i64) -> float:
        """Want a card that wins at once, then points as the end comes near, then the actions of the lists."""
        points: i64 = POINTS[card] if card < N_BASIC else 0
        if _ends_game(state, card):
            margin = self._lead + points
            if margin > 0:
                return _WINS
            # Who has had more turns loses a tie.
            if margin < 0 or self.player < state.n_players - 1:
                return _NEVER
        if card in {ESTATE, DUCHY, PROVINCE}:
            return self._wish_for_points(state, card, points)
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
        if others == 0:
            return good + _FIRST
        is_soon = others == 1 and state.turns(self.player) >= _THIRD
        return good if is_soon or state.owned(self.player) >= _CARDS_EACH * (others + 1) else _NEVER

    def _wish_for_points(self, state: DominionState, card: i64, points: i64) -> float:
        """Return how much an Estate, a Duchy or a Province is to be bought."""
        left = state.in_supply(PROVINCE)
        buys_both = state.buys > 1 and state.coins >= COSTS[card] + COSTS[PROVINCE]
        if card == PROVINCE:
            if left == 2 and 0 < -self._lead <= _CLOSE and state.in_supply(DUCHY) and not buys_both:
                return _NEVER
            is_time = state.count(self.player, OWNED, GOLD) >= _GOLDS or state.turns(self.player) >= _WAITS
            return _WISHES[PROVINCE] if is_time else _NEVER
        if left == 1 and buys_both and self._lead + points + POINTS[PROVINCE] > 0:
            return _WINS
        if card == DUCHY:
            return _WISHES[DUCHY] if left <= _DUCHIES_FROM + self._pile_turns else _NEVER
        if left <= _ESTATES_FIRST:
            return _WISHES[GOLD] + 0.5
        return _WISHES[GOLD] - 0.05 if left <= _ESTATES_FROM + self._pile_turns else _NEVER


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


def _lead_of(state: DominionState, player: i64) -> i64:
    """Return by how many points a player is ahead of the best other one."""
    best: i64 = -1000
    for other in range(state.n_players):
        if other != player:
            points = state.points(other)
            if points > best:
                best = points
    return state.points(player) - best


def _first_to_discard(state: DominionState, player: i64) -> i64:
    """Return the kind of the card to discard now, so that the best ones are left.

    Cards are discarded in the order of their slots, so that the first of all that go is named.
    """
    hand = [state.count(player, HAND, slot) for slot in range(N_SLOTS)]
    best: i64 = -1
    spare_actions = False
    for slot in range(N_BASIC, N_SLOTS):
        kind: i64 = state.kinds[slot]
        if hand[slot]:
            if PLUS_ACTIONS[kind] > 1:
                spare_actions = True
            elif PLUS_ACTIONS[kind] == 0 and (best < 0 or _keep(kind) > _keep(state.kinds[best])):
                best = slot
    first: i64 = N_SLOTS
    for _card in range(state.left):
        worst: i64 = -1
        least = 0.0
        for slot in range(state.floor, N_SLOTS):
            if hand[slot] == 0:
                continue
            kind = state.kinds[slot]
            is_terminal = slot >= N_BASIC and PLUS_ACTIONS[kind] == 0
            is_useless = is_terminal and not spare_actions and (slot != best or hand[slot] > 1)
            value = 0.05 if is_useless else _keep(kind)
            if worst < 0 or value < least:
                worst, least = slot, value
        hand[worst] -= 1
        first = min(first, worst)
    return state.kinds[first]


def _keep(card: i64) -> float:
    """Return how many coins a card in hand is worth this turn, those of the cards that it draws included."""
    if card in {COPPER, SILVER, GOLD}:
        return float(TREASURES[card])
    if card < N_BASIC or card == GARDENS:
        return 0.0
    coins = float(PLUS_COINS[card]) + _COINS_OF_CARD * float(PLUS_CARDS[card])
    return max(coins, 0.5 * float(COSTS[card])) + 0.1


def _ends_game(state: DominionState, card: i64) -> bool:
    """Say whether the game ends if the card is gained."""
    if state.in_supply(state.slots[card]) != 1:
        return False
    return card == PROVINCE or state.empty_piles() >= _PILES - 1


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
