"""Bots of Catan: a builder that goes by production, and one that maximises a weighted value of the next position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, Parameters, Rng, RuleBot, bit_count, real
from tag.games.boards.catan.actions import (
    AcceptOffer,
    BuyDevelopment,
    DiscardResource,
    FinishTurn,
    MoveRobber,
    OfferTrade,
    PlaceCity,
    PlaceRoad,
    PlaceSettlement,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    TradeWithBank,
    TradeWithPlayer,
)
from tag.games.boards.catan.data import (
    BIT,
    CITY_COST,
    CORNER_HEXES,
    CORNER_PATHS,
    ENDS,
    HEX_SETS,
    MASK,
    N_CORNERS,
    N_HEXES,
    N_KINDS,
    N_SETTLEMENTS,
    ONE,
    PIPS,
    ROAD_COST,
    ROW,
    SETTLEMENT_COST,
    STARTS,
    has,
    size_of,
)
from tag.games.boards.catan.state import CatanState
from tag.games.boards.catan.values import CITY, SETTLEMENT, best_site, corner_pips, progress

#: Pips that a resource is worth which a player does not produce yet.
_VARIETY: Final = 2.0
#: Pips that a harbour is worth.
_HARBOUR: Final = 1.0


def site_worth(table: CatanState, player: i64, corner: i64) -> float:
    """Return the pips of a corner, with those that new resources and a harbour are worth."""
    worth = float(corner_pips(table, corner))
    for place in CORNER_HEXES[corner]:
        kind: i64 = table.terrain[place]
        if kind < N_KINDS and table.pips(player, kind) == 0:
            worth += _VARIETY
    return worth + (_HARBOUR if table.has_harbour(corner) else 0.0)


def road_worth(table: CatanState, player: i64, path: i64) -> float:
    """Return the worth of the best site at the end of a road, or for less a road further."""
    best = 0.0
    for corner in (STARTS[path], ENDS[path]):
        if table.reach[player] >> corner & 1:
            continue
        if table.taken >> corner & 1 == 0:
            best = max(best, site_worth(table, player, corner))
        if table.blocked(player) >> corner & 1:
            continue
        for further in CORNER_PATHS[corner]:
            end: i64 = STARTS[further] + ENDS[further] - corner
            if table.roads[further] < 0 and table.taken >> end & 1 == 0:
                best = max(best, 0.7 * site_worth(table, player, end))
    return best


def robber_worth(table: CatanState, player: i64, action: MoveRobber) -> float:
    """Return how much a move of the robber harms the others, those with more points more, without harm for oneself."""
    pips = float(PIPS[table.discs[action.place]])
    there: i64 = HEX_SETS[action.place]
    worth = 0.0
    for other in range(table.n_players):
        number = bit_count(there & table.settlements[other]) + 2 * bit_count(there & table.cities[other])
        if other == player:
            worth -= 10.0 * float(number) * pips
        else:
            worth += float(number) * pips * (1.0 + float(table.open_points(other)))
    if action.victim >= 0:
        worth += 2.0 * float(table.open_points(action.victim)) + 0.1 * float(size_of(table.hands[action.victim]))
    return worth


@mypyc_attr(allow_interpreted_subclasses=True)
class Builder(RuleBot[CatanState]):
    """Builds where most is produced: cities, then settlements, roads towards the best site, and else development cards.

    It settles by pips, with two more for each resource that it does not produce yet and one for a harbour. It trades, with
    the bank or others, where a card brings a city or a settlement nearer and the cards given do not. It plays knights
    while the robber stands at an own building, other cards at once, and robs the leader.

    Source: our own; to count pips, to want all resources, and cities before settlements before cards, is what guides for
    beginners advise.
    """

    def prepare(self, state: CatanState) -> None:
        """Choose the piece to save for."""
        player = self.player
        self.hand: i64 = state.hands[player]
        has_site = best_site(state, player) > 0 and bit_count(state.settlements[player]) < N_SETTLEMENTS
        wants_city = state.settlements[player] != 0 and bit_count(state.cities[player]) < 4
        city = progress(self.hand, CITY) if wants_city else -1.0
        settlement = progress(self.hand, SETTLEMENT) if has_site else -1.0
        self.has_site = has_site
        self.goal: i64 = CITY_COST if city >= settlement else SETTLEMENT_COST
        if city < 0.0 and settlement < 0.0:
            self.goal = ROAD_COST

    def worth(self, state: CatanState, action: AnyAction) -> float:
        """Weigh pieces, cards and trades; to end the turn is worth 0."""
        if isinstance(action, (PlaceSettlement, PlaceCity, PlaceRoad)):
            return self._piece(state, action)
        if isinstance(action, (OfferTrade, TradeWithBank, AcceptOffer, TradeWithPlayer)):
            return self._trade(state, action)
        if isinstance(action, MoveRobber):
            return robber_worth(state, self.player, action)
        if isinstance(action, DiscardResource):
            number = self.hand >> ROW * action.kind & MASK
            return float(number - (self.goal >> ROW * action.kind & MASK))
        if isinstance(action, PlayKnight):
            is_robbed = HEX_SETS[state.robber] & state.built(self.player) != 0
            return 50.0 if is_robbed or state.has_rolled else -1.0
        if isinstance(action, PlayYearOfPlenty):
            return 10.0 * float(self._gain(action.cards(), 0)) + 1.0
        if isinstance(action, PlayMonopoly):
            return float(self._others(state, action.kind)) - 2.5
        if isinstance(action, PlayRoadBuilding):
            return 40.0
        if isinstance(action, BuyDevelopment):
            return 5.0 if not has(self.hand, self.goal) else -1.0
        return 0.0

    def _piece(self, state: CatanState, action: AnyAction) -> float:
        """Prefer cities to settlements to roads, of each by pips; roads lead towards a site, while none is near."""
        player = self.player
        if isinstance(action, PlaceCity):
            return 300.0 + float(corner_pips(state, action.corner))
        if isinstance(action, PlaceSettlement):
            return 200.0 + site_worth(state, player, action.corner)
        worth = road_worth(state, player, cast("PlaceRoad", action).path)
        if state.has_rolled and self.has_site and not state.left:
            return -1.0
        return 100.0 + worth if worth > 0.0 else (0.5 if state.left else -1.0)

    def _trade(self, state: CatanState, action: AnyAction) -> float:
        """Trade spare cards for missing ones; an offer is worth more than a trade with the bank."""
        if isinstance(action, TradeWithPlayer):
            return 10.0 - float(state.open_points(action.player))
        if isinstance(action, AcceptOffer):
            return float(self._gain(state.number * ONE[state.gives], ONE[state.gets]))
        if isinstance(action, TradeWithBank):
            return 20.0 * float(self._gain(ONE[action.gets], state.rate(self.player, action.gives) * ONE[action.gives]))
        offer = cast("OfferTrade", action)
        gain = self._gain(ONE[offer.gets], offer.number * ONE[offer.gives])
        return 30.0 * float(gain) - float(offer.number)

    def _gain(self, gets: i64, gives: i64) -> i64:
        """Return how many cards of the goal are gained, less those lost; of worth only if more are."""
        found: i64 = 0
        for kind in range(N_KINDS):
            needed = self.goal >> ROW * kind & MASK
            before = self.hand >> ROW * kind & MASK
            after = before + (gets >> ROW * kind & MASK) - (gives >> ROW * kind & MASK)
            found += min(needed, after) - min(needed, before)
        return found if found > 0 else -1

    def _others(self, state: CatanState, kind: i64) -> i64:
        """Return how many cards of a kind the others certainly hold."""
        found: i64 = 0
        for other in range(state.n_players):
            if other != self.player:
                found += state.least_of(other) >> ROW * kind & MASK
        return found


@dataclass
class ValueParameters(Parameters):
    """The weights of the bot, each for a unit."""

    points: float = real(1e10, 1e8, 1e12, "weight of a point", log=True)
    production: float = real(1e8, 1e6, 1e10, "weight of a card that a roll yields on average", log=True)
    others: float = real(1e8, 1e6, 1e10, "weight of a card that a roll yields the strongest other player", log=True)
    reach: float = real(1e4, 1e2, 1e6, "weight of the production of corners a road away", log=True)
    sites: float = real(1e3, 1e1, 1e5, "weight of a corner where a settlement can be built", log=True)
    synergy: float = real(
        1e2, 1.0, 1e4, "weight of how near the hand is to a city and a settlement, from 0 to 1", log=True
    )


@mypyc_attr(allow_interpreted_subclasses=True)
class Value(RuleBot[CatanState]):
    """Takes the action after which the position has most value: a weighted sum in which each part outweighs all later ones.

    The parts are points; own production, in which a new resource counts as four pips, less that of the strongest other
    player; the production of free corners a road away; corners to settle; how near the hand is to a city and a settlement;
    and beside them cards in hand, hexes touched, development cards, knights and the longest road, and more than seven cards
    count against the hand. Chance is not looked at. An offer is worth what the trade would be, less a little.

    Source: the value function of catanatron (B. Collazo), whose parts and default weights these are; described anew in words
    and written from that. It counts one other player, here the strongest one, and does not trade with players.
    """

    parameters_class = ValueParameters

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("ValueParameters", self.parameters)
        self.points = weights.points
        self.production = weights.production
        self.others = weights.others
        self.reach = weights.reach
        self.sites = weights.sites
        self.synergy = weights.synergy
        self.before = 0.0

    def prepare(self, state: CatanState) -> None:
        """Value the position as it is."""
        self.before = self.value_of(state)

    def worth(self, state: CatanState, action: AnyAction) -> float:
        """Play the action, or the trade that it is about, and value the position."""
        player = self.player
        if isinstance(action, FinishTurn):
            return 0.0
        after = state.copy()
        if isinstance(action, OfferTrade):
            self._swap(after, action.gives, action.number, action.gets)
            return self.value_of(after) - self.before - 0.5
        if isinstance(action, AcceptOffer):
            self._swap(after, state.gets, 1, state.gives)
            after.hands[player] = int(after.hands[player] + (state.number - 1) * ONE[state.gives])
            return self.value_of(after) - self.before
        if isinstance(action, TradeWithPlayer):
            return 1.0 + 10.0 - float(state.open_points(action.player))
        action.execute(after, Rng(0))
        if isinstance(action, MoveRobber) and action.victim >= 0:
            return self.value_of(after) - self.before + float(size_of(state.hands[action.victim]))
        return self.value_of(after) - self.before

    def _swap(self, table: CatanState, gives: i64, number: i64, gets: i64) -> None:
        """Change the own hand by a trade."""
        table.hands[self.player] = int(table.hands[self.player] - number * ONE[gives] + ONE[gets])

    def value_of(self, table: CatanState) -> float:
        """Return the weighted sum."""
        player = self.player
        strongest = 0.0
        for other in range(table.n_players):
            if other != player:
                strongest = max(strongest, produced(table, other, 0.0))
        value = self.points * float(table.open_points(player))
        value += self.production * produced(table, player, 4.0) - self.others * strongest
        free: i64 = table.reach[player] & ~table.taken
        sites = bit_count(free)
        value += self.reach * float(self._near(table)) / 36.0 + self.sites * float(sites)
        hand: i64 = table.hands[player]
        value += self.synergy * (progress(hand, CITY) + progress(hand, SETTLEMENT)) / 2.0
        size = size_of(hand)
        value += float(size) - (5.0 if size > table.rules.hand_limit else 0.0)
        value += 10.0 * float(size_of(table.cards[player])) + 10.1 * float(table.knights[player])
        value += (0.1 if sites else 10.0) * float(table.lengths[player])
        built = table.built(player)
        for place in range(N_HEXES):
            if HEX_SETS[place] & built:
                value += 1.0
        return value

    def _near(self, table: CatanState) -> i64:
        """Return the pips of free corners at own roads, or a road away."""
        player = self.player
        near: i64 = table.reach[player]
        for path in table.road_paths(player):
            near |= BIT[STARTS[path]] | BIT[ENDS[path]]
        near &= ~table.taken
        found: i64 = 0
        for corner in range(N_CORNERS):
            if near >> corner & 1:
                found += corner_pips(table, corner)
        return found


def produced(table: CatanState, player: i64, variety: float) -> float:
    """Return the cards that a roll yields on average, and for each resource produced ``variety`` ways of 36 more."""
    pips = 0.0
    for kind in range(N_KINDS):
        number = table.pips(player, kind)
        if number:
            pips += float(number) + variety
    return pips / 36.0
