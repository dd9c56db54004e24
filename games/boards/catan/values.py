"""The features, the heuristic and the metric of Catan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, cast

from mypy_extensions import i64

from tag import Agent, AnyAction, Event, Features, GameState, JointHeuristic, Metric, Parameters, bit_count, real
from tag.engine.values import best_other, best_two
from tag.games.boards.catan.actions import AcceptOffer, FinishTurn, OfferTrade, RollDice, TradeWithBank, TradeWithPlayer
from tag.games.boards.catan.data import (
    ANY,
    CARD_NAMES,
    CORNER_HEXES,
    MASK,
    N_CORNERS,
    N_KINDS,
    PHASE_TEXTS,
    PIPS,
    RESOURCES,
    ROW,
    counts_of,
    size_of,
)
from tag.games.boards.catan.state import CatanState
from tag.playing.metrics import share

#: Ways to roll two dice.
_ROLLS: Final = 36.0
#: The cards of a settlement and of a city by kind.
SETTLEMENT: Final[list[int]] = [1, 1, 1, 1, 0]
CITY: Final[list[int]] = [0, 0, 0, 2, 3]


def corner_pips(table: CatanState, corner: i64) -> i64:
    """Return the ways of 36 in which a settlement on a corner is due a card, wherever the robber is."""
    found: i64 = 0
    for place in CORNER_HEXES[corner]:
        found += PIPS[table.discs[place]]
    return found


def best_site(table: CatanState, player: i64) -> i64:
    """Return the most pips of a corner at own roads on which a settlement can be built, 0 without any."""
    free: i64 = table.reach[player] & ~table.taken
    best: i64 = 0
    if free:
        for corner in range(N_CORNERS):
            if free >> corner & 1:
                best = max(best, corner_pips(table, corner))
    return best


def progress(hand: i64, cost: list[int]) -> float:
    """Return the share of the cards for a piece that a hand has."""
    found: i64 = 0
    needed: i64 = 0
    for kind in range(N_KINDS):
        needed += cost[kind]
        found += min(cost[kind], hand >> ROW * kind & MASK)
    return float(found) / float(needed)


class CatanFeatures(Features):
    """The own cards, the bank, and of each player points, pieces, production, harbours, road and army."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names; of players 0 is oneself, 1 the next seat, and so on."""
        found = ["my_turn", "has_rolled", "has_played", "offers", "left", "dice"]
        found += [f"phase_{phase}" for phase in range(len(PHASE_TEXTS) - 1)]
        found += [f"hand_{name}" for name in RESOURCES] + [f"card_{name.replace(' ', '_')}" for name in CARD_NAMES]
        found += [f"bank_{name}" for name in RESOURCES] + ["deck", "offer_gives", "offer_gets"]
        for offset in range(n_players):
            what = ["points", "settlements", "cities", "road", "longest", "knights", "army", "hand", "cards", "site"]
            what += [f"pips_{name}" for name in RESOURCES] + [f"harbour_{name}" for name in (*RESOURCES, "any")]
            found += [f"{name}_{offset}" for name in what]
        return tuple(found)

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features; those of other players' cards are their numbers."""
        table = cast("CatanState", state)
        is_turn = table.turn_player == player
        dice = table.first_die + table.second_die
        found = [float(is_turn), float(table.has_rolled), float(table.has_played), float(table.offers)]
        found += [float(table.left), float(dice)]
        found += [float(table.phase == phase) for phase in range(len(PHASE_TEXTS) - 1)]
        for cards in (table.hands[player], table.cards[player], table.bank):
            found += [float(number) for number in counts_of(cards)]
        found += [float(size_of(table.deck)), float(table.gives), float(table.gets)]
        for offset in range(table.n_players):
            seat = (player + offset) % table.n_players
            found += [float(table.open_points(seat)), float(bit_count(table.settlements[seat]))]
            found += [
                float(bit_count(table.cities[seat])),
                float(table.lengths[seat]),
                float(table.road_holder == seat),
            ]
            found += [float(table.knights[seat]), float(table.army_holder == seat), float(size_of(table.hands[seat]))]
            found += [float(size_of(table.cards[seat])), float(best_site(table, seat))]
            found += [float(table.pips(seat, kind)) for kind in range(N_KINDS)]
            found += [float(table.rates[seat] >> kind & 1) for kind in range(ANY + 1)]
        return found


@dataclass
class CatanHeuristicParameters(Parameters):
    """The weights of `CatanHeuristic`."""

    points: float = real(1.0, 0.0, 3.0, "weight of the points, as a share of those that win")
    production: float = real(0.6, 0.0, 3.0, "weight of the cards that a roll yields on average")
    variety: float = real(0.05, 0.0, 0.3, "weight of each resource that is produced")
    harbours: float = real(0.02, 0.0, 0.2, "weight of each harbour; those for a produced resource count by its pips")
    site: float = real(0.05, 0.0, 0.5, "weight of the best corner for a settlement within reach, as a share of 15 pips")
    hand: float = real(0.006, 0.0, 0.1, "weight of each resource card, up to the limit")
    ready: float = real(
        0.06, 0.0, 0.5, "weight of the cards in hand for a city and a settlement, as shares of their costs"
    )
    cards: float = real(0.03, 0.0, 0.2, "weight of each development card in hand")
    road: float = real(0.006, 0.0, 0.1, "weight of the length of the longest road")
    army: float = real(0.015, 0.0, 0.2, "weight of each knight played")
    others: float = real(0.5, 0.0, 1.0, "share of the best other player's value that is subtracted")


class CatanHeuristic(JointHeuristic):
    """Points, production and means to build: sites, harbours, cards, road and army; less that of the best other."""

    parameters_class = CatanHeuristicParameters

    def __init__(self, parameters: CatanHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("CatanHeuristicParameters", self.parameters)
        self.points = weights.points
        self.production = weights.production
        self.variety = weights.variety
        self.harbours = weights.harbours
        self.site = weights.site
        self.hand = weights.hand
        self.ready = weights.ready
        self.cards = weights.cards
        self.road = weights.road
        self.army = weights.army
        self.others = weights.others

    def _value_players(self, state: GameState, values: list[float]) -> None:
        table = cast("CatanState", state)
        for player in range(table.n_players):
            values[player] = self._worth(table, player)
        two = best_two(values)
        for player in range(table.n_players):
            values[player] -= self.others * best_other(values[player], two)

    def _worth(self, table: CatanState, player: i64) -> float:
        """Return the worth of a player's own position."""
        worth = self.points * float(table.points(player)) / float(table.rules.points)
        rates: i64 = table.rates[player]
        for kind in range(N_KINDS):
            pips = float(table.pips(player, kind))
            if pips > 0.0:
                worth += self.variety + self.production * pips / _ROLLS
                if rates >> kind & 1:
                    worth += self.harbours * pips / 5.0
        if rates >> ANY & 1:
            worth += self.harbours
        worth += self.site * float(best_site(table, player)) / 15.0
        hand: i64 = table.hands[player]
        size = size_of(hand)
        limit: i64 = table.rules.hand_limit
        worth += self.hand * float(min(size, limit))
        if size > limit:
            worth -= self.hand * float(size - limit)
        worth += self.ready * (progress(hand, SETTLEMENT) + progress(hand, CITY))
        worth += self.cards * float(size_of(table.cards[player]))
        return worth + self.road * float(table.lengths[player]) + self.army * float(table.knights[player])


class CatanMetric(Metric):
    """Measures pieces, trades, rolls and the length of games."""

    measures: ClassVar[dict[str, str]] = {
        "winner_points": "points of the first player at the end",
        "points": "points of a player at the end, mean",
        "settlements": "settlements of a player at the end, mean",
        "cities": "cities of a player at the end, mean",
        "roads": "roads of a player at the end, mean",
        "knights": "knights that a player has played, mean",
        "longest_road": "share of games at whose end a player has the longest road",
        "largest_army": "share of games at whose end a player has the largest army",
        "bank_trades": "trades with the bank in a turn",
        "offers": "offers in a turn",
        "accepted": "share of answers to offers that accept",
        "trades": "trades between players in a turn",
        "decisions_to_end": "share of decisions that end a turn",
        "sevens": "share of rolls that are seven",
        "limited": "share of games that end by the limit of rounds",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the decisions by kind."""
        counts = self.counts
        counts["decisions"] += 1
        counts["ends"] += isinstance(action, FinishTurn)
        counts["bank trades"] += isinstance(action, TradeWithBank)
        counts["offers"] += isinstance(action, OfferTrade)
        counts["accepted"] += isinstance(action, AcceptOffer)
        counts["trades"] += isinstance(action, TradeWithPlayer)
        counts["asked rolls"] += isinstance(action, RollDice)
        counts["answers"] += str(action) in ("accept", "decline")

    def on_game_event(self, state: GameState, event: Event) -> None:
        if event.name == "rolled":
            self.counts["rolls"] += 1
            first, second = event.items
            self.counts["sevens"] += int(first or 0) + int(second or 0) == 7

    def on_end(self, state: GameState) -> None:
        """Look at the pieces on the island."""
        table = cast("CatanState", state)
        self.final: list[list[float]] = []
        for player in range(table.n_players):
            roads = len([owner for owner in table.roads if owner == player])
            pieces = (
                bit_count(table.settlements[player]),
                bit_count(table.cities[player]),
                roads,
                table.knights[player],
            )
            self.final.append([float(table.points(player)), *[float(number) for number in pieces]])
        self.counts["road"] = int(table.road_holder >= 0)
        self.counts["army"] = int(table.army_holder >= 0)
        self.counts["limited"] = int(max(row[0] for row in self.final) < table.rules.points)

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        turns = counts["ends"] + 1
        means = [sum([row[column] for row in self.final]) / len(self.final) for column in range(5)]
        return {
            "winner_points": [max([row[0] for row in self.final])],
            "points": [means[0]],
            "settlements": [means[1]],
            "cities": [means[2]],
            "roads": [means[3]],
            "knights": [means[4]],
            "longest_road": [float(counts["road"])],
            "largest_army": [float(counts["army"])],
            "bank_trades": share(counts["bank trades"], turns),
            "offers": share(counts["offers"], turns),
            "accepted": share(counts["accepted"], counts["answers"]),
            "trades": share(counts["trades"], turns),
            "decisions_to_end": share(counts["ends"], counts["decisions"]),
            "sevens": share(counts["sevens"], counts["rolls"]),
            "limited": [float(counts["limited"])],
        }
