"""The actions of Catan: to build, to play development cards, to trade, to discard, and to move the robber."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag import Action, Actions, Event, Rng, Vocabulary
from tag.engine.state import EVERYBODY
from tag.games.boards.catan.data import (
    BIT,
    CARD_COST,
    CARD_NAMES,
    CITY_COST,
    KNIGHT,
    MAIN,
    MONOPOLY,
    N_CORNERS,
    N_HEXES,
    N_KINDS,
    N_PATHS,
    NO_PLAYER,
    NO_TRADE,
    OFFERS,
    ONE,
    PLENTY,
    RESOURCES,
    ROAD_COST,
    ROADS,
    SETTLEMENT_COST,
    TRADING,
    CatanParameters,
    kind_at,
    names_of,
    size_of,
)
from tag.games.boards.catan.state import CatanState

#: Cards that can be offered for one.
MOST_OFFERED: Final = 2


def _pay(state: CatanState, player: i64, cost: i64) -> None:
    """Pay the cost of a piece or card."""
    state.pay(player, cost)
    if state.recording:
        items = names_of(cost)
        state.announce(
            Event("paid for", player, 0.0, items, (f"hand of {player}", "bank"), words="{player} pays {items}")
        )


def _announce_places(state: CatanState, *places: str) -> None:
    """Announce the places that look different after a piece was placed."""
    if state.recording:
        seats = range(state.n_players)
        lengths = tuple([f"road of {seat}" for seat in seats])
        points = tuple([f"points of {seat}" for seat in seats])
        state.announce(Event("placed", state.current_player, places=(*places, *lengths, *points)))


class PlaceRoad(Action[CatanState]):
    """Build a road on a path: for its cost, or free in the set-up and by a card."""

    def __init__(self, path: i64) -> None:
        """Take the number of the path."""
        self.path = path

    def execute(self, state: CatanState, rng: Rng) -> None:
        player = state.current_player
        if state.phase == MAIN:
            _pay(state, player, ROAD_COST)
        _announce_places(state, "roads")
        state.build_road(player, self.path)

    def __str__(self) -> str:
        return f"road on p{self.path + 1}"


class PlaceSettlement(Action[CatanState]):
    """Build a settlement on a corner: for its cost, or free in the set-up."""

    def __init__(self, corner: i64) -> None:
        """Take the number of the corner."""
        self.corner = corner

    def execute(self, state: CatanState, rng: Rng) -> None:
        player = state.current_player
        if state.phase == MAIN:
            _pay(state, player, SETTLEMENT_COST)
        _announce_places(state, "corners")
        state.settle(player, self.corner)
        state.last_corner = self.corner

    def __str__(self) -> str:
        return f"settlement on c{self.corner + 1}"


class PlaceCity(Action[CatanState]):
    """Replace an own settlement by a city."""

    def __init__(self, corner: i64) -> None:
        """Take the number of the corner."""
        self.corner = corner

    def execute(self, state: CatanState, rng: Rng) -> None:
        player = state.current_player
        _pay(state, player, CITY_COST)
        _announce_places(state, "corners")
        bit: i64 = BIT[self.corner]
        state.settlements[player] = int(state.settlements[player] & ~bit)
        state.cities[player] = int(state.cities[player] | bit)

    def __str__(self) -> str:
        return f"city on c{self.corner + 1}"


class BuyDevelopment(Action[CatanState]):
    """Buy a development card, which can be played from the next turn on."""

    def execute(self, state: CatanState, rng: Rng) -> None:
        player = state.current_player
        _pay(state, player, CARD_COST)
        kind = kind_at(state.deck, rng.source("deck").below(size_of(state.deck)))
        card: i64 = ONE[kind]
        state.deck -= card
        state.cards[player] = int(state.cards[player] + card)
        state.fresh += card
        if state.recording:
            places = ("deck", f"cards of {player}")
            state.announce(Event("drawn", player, 0.0, (CARD_NAMES[kind],), places, seen_by=1 << player))

    def __str__(self) -> str:
        return "buy a development card"


class RollDice(Action[CatanState]):
    """Roll the dice rather than play a card before."""

    def execute(self, state: CatanState, rng: Rng) -> None:
        """Change nothing: the rules roll."""

    def __str__(self) -> str:
        return "roll"


class FinishTurn(Action[CatanState]):
    """End the turn."""

    def execute(self, state: CatanState, rng: Rng) -> None:
        """Change nothing: the rules give the turn to the next player."""

    def __str__(self) -> str:
        return "end turn"


def _play(state: CatanState, kind: i64) -> None:
    """Lay a development card down."""
    player = state.current_player
    state.cards[player] = int(state.cards[player] - ONE[kind])
    state.has_played = True
    if state.recording:
        places = (f"cards of {player}", "played", f"knights of {player}")
        state.announce(Event("played", player, 0.0, (CARD_NAMES[kind],), places))


class PlayKnight(Action[CatanState]):
    """Play a knight, and move the robber."""

    def execute(self, state: CatanState, rng: Rng) -> None:
        player = state.current_player
        _play(state, KNIGHT)
        state.knights[player] += 1
        state.award_army(player)

    def __str__(self) -> str:
        return "play knight"


class PlayRoadBuilding(Action[CatanState]):
    """Play road building: two free roads, or one if there is place or a road for one only."""

    def execute(self, state: CatanState, rng: Rng) -> None:
        _play(state, ROADS)
        state.left = min(2, state.roads_left(state.current_player))

    def __str__(self) -> str:
        return "play road building"


class PlayYearOfPlenty(Action[CatanState]):
    """Play year of plenty: take two cards from the bank, or one if there is but one."""

    def __init__(self, first: i64, second: i64) -> None:
        """Take the resources, the first one not after the second; -1 as second for none."""
        self.first = first
        self.second = second

    def cards(self) -> i64:
        """Return the cards to take."""
        found: i64 = ONE[self.first]
        return found + ONE[self.second] if self.second >= 0 else found

    def execute(self, state: CatanState, rng: Rng) -> None:
        player = state.current_player
        _play(state, PLENTY)
        state.gain(player, self.cards())
        if state.recording:
            places = (f"hand of {player}", "bank")
            words = "{player} takes {items}"
            state.announce(Event("taken", player, 0.0, names_of(self.cards()), places, words=words))

    def __str__(self) -> str:
        second = f" and {RESOURCES[self.second]}" if self.second >= 0 else ""
        return f"play year of plenty for {RESOURCES[self.first]}{second}"


class PlayMonopoly(Action[CatanState]):
    """Play monopoly: all others give all their cards of a resource."""

    def __init__(self, kind: i64) -> None:
        """Take the resource."""
        self.kind = kind

    def execute(self, state: CatanState, rng: Rng) -> None:
        player = state.current_player
        _play(state, MONOPOLY)
        number = state.monopolise(player, self.kind)
        if state.recording:
            hands = tuple([f"hand of {seat}" for seat in range(state.n_players)])
            words = "{player} gets {value} " + RESOURCES[self.kind]
            state.announce(Event("monopoly", player, float(number), (), hands, words=words))

    def __str__(self) -> str:
        return f"play monopoly for {RESOURCES[self.kind]}"


class MoveRobber(Action[CatanState]):
    """Move the robber to another hex, and steal a random card from a player there."""

    def __init__(self, place: i64, victim: i64) -> None:
        """Take the hex, and the player, or -1 if no other player there has a card."""
        self.place = place
        self.victim = victim

    def execute(self, state: CatanState, rng: Rng) -> None:
        player = state.current_player
        state.robber = self.place
        if state.recording:
            state.announce(Event("placed", player, places=("robber",)))
        if self.victim == NO_PLAYER:
            return
        kind = state.steal(player, self.victim, rng.source("steals"))
        if state.recording:
            places = (f"hand of {player}", f"hand of {self.victim}")
            words = "{player} steals {items} from " + f"player {self.victim}"
            seen = EVERYBODY if state.was_seen else 1 << player | 1 << self.victim
            state.announce(Event("stolen", player, 0.0, (RESOURCES[kind],), places, words=words, seen_by=seen))

    def __str__(self) -> str:
        return f"robber to h{self.place + 1}" + (f", steal from player {self.victim}" if self.victim >= 0 else "")


class DiscardResource(Action[CatanState]):
    """Discard a card, one of as many as a seven asks for."""

    def __init__(self, kind: i64) -> None:
        """Take the resource."""
        self.kind = kind

    def execute(self, state: CatanState, rng: Rng) -> None:
        player = state.current_player
        state.pay(player, ONE[self.kind])
        state.left -= 1
        if state.recording:
            places = (f"hand of {player}", "bank")
            state.announce(Event("discarded", player, 0.0, (RESOURCES[self.kind],), places))

    def __str__(self) -> str:
        return f"discard {RESOURCES[self.kind]}"


class TradeWithBank(Action[CatanState]):
    """Give cards of a resource, as many as the harbours ask for, for one of another."""

    def __init__(self, gives: i64, gets: i64) -> None:
        """Take both resources."""
        self.gives = gives
        self.gets = gets

    def execute(self, state: CatanState, rng: Rng) -> None:
        player = state.current_player
        rate = state.rate(player, self.gives)
        state.pay(player, rate * ONE[self.gives])
        state.gain(player, ONE[self.gets])
        if state.recording:
            places = (f"hand of {player}", "bank")
            words = f"{{player}} gives {rate} {RESOURCES[self.gives]} for 1 {RESOURCES[self.gets]}"
            state.announce(Event("traded", player, float(rate), (RESOURCES[self.gets],), places, words=words))

    def __str__(self) -> str:
        return f"trade {RESOURCES[self.gives]} for {RESOURCES[self.gets]} with the bank"


class OfferTrade(Action[CatanState]):
    """Offer one or two cards of a resource to all other players for one of another."""

    def __init__(self, gives: i64, number: i64, gets: i64) -> None:
        """Take the resource offered, how many cards of it, and the resource asked for."""
        self.gives = gives
        self.number = number
        self.gets = gets

    def execute(self, state: CatanState, rng: Rng) -> None:
        state.gives, state.number, state.gets = self.gives, self.number, self.gets
        state.offers += 1
        state.accepted = 0
        state.show(state.current_player, self.number * ONE[self.gives])

    def __str__(self) -> str:
        return f"offer {self.number} {RESOURCES[self.gives]} for 1 {RESOURCES[self.gets]}"


class AcceptOffer(Action[CatanState]):
    """Accept an offer, which shows that one has the card; the player whose turn it is chooses among those who accept."""

    def execute(self, state: CatanState, rng: Rng) -> None:
        player = state.current_player
        state.accepted |= 1 << player
        state.show(player, ONE[state.gets])

    def __str__(self) -> str:
        return "accept"


class DeclineOffer(Action[CatanState]):
    """Decline an offer."""

    def execute(self, state: CatanState, rng: Rng) -> None:
        """Change nothing."""

    def __str__(self) -> str:
        return "decline"


class TradeWithPlayer(Action[CatanState]):
    """Trade with a player who accepts the offer."""

    def __init__(self, player: i64) -> None:
        """Take the player."""
        self.player = player

    def execute(self, state: CatanState, rng: Rng) -> None:
        player = state.current_player
        state.give(player, self.player, state.number * ONE[state.gives])
        state.give(self.player, player, ONE[state.gets])
        if state.recording:
            places = (f"hand of {player}", f"hand of {self.player}")
            given = f"{state.number} {RESOURCES[state.gives]}"
            words = f"{{player}} gives {given} to player {self.player} for 1 {RESOURCES[state.gets]}"
            state.announce(Event("traded", player, float(state.number), (RESOURCES[state.gets],), places, words=words))

    def __str__(self) -> str:
        return f"trade with player {self.player}"


class WithdrawOffer(Action[CatanState]):
    """Trade with none of those who accept."""

    def execute(self, state: CatanState, rng: Rng) -> None:
        """Change nothing."""

    def __str__(self) -> str:
        return "withdraw the offer"


def vocabulary(rules: CatanParameters, n_players: i64) -> Vocabulary:
    """Return all actions of a game, those of trade as far as there is any."""
    kinds, seats = range(N_KINDS), range(int(n_players))
    trading = TRADING.index(rules.trading)
    found = [
        Actions(PlaceRoad, path=range(N_PATHS)),
        Actions(PlaceSettlement, corner=range(N_CORNERS)),
        Actions(PlaceCity, corner=range(N_CORNERS)),
        *[Actions(kind) for kind in (BuyDevelopment, RollDice, FinishTurn, PlayKnight, PlayRoadBuilding)],
        Actions(PlayYearOfPlenty, first=kinds, second=range(NO_PLAYER, N_KINDS)),
        Actions(PlayMonopoly, kind=kinds),
        Actions(MoveRobber, place=range(N_HEXES), victim=range(NO_PLAYER, int(n_players))),
        Actions(DiscardResource, kind=kinds),
    ]
    if trading != NO_TRADE:
        found.append(Actions(TradeWithBank, gives=kinds, gets=kinds))
    if trading == OFFERS:
        found.append(Actions(OfferTrade, gives=kinds, number=range(1, MOST_OFFERED + 1), gets=kinds))
        found += [Actions(AcceptOffer), Actions(DeclineOffer), Actions(WithdrawOffer)]
        found.append(Actions(TradeWithPlayer, player=seats))
    return Vocabulary(*found)
