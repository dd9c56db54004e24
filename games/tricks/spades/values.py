"""The features, the heuristic and the metric of Spades."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, cast

from mypy_extensions import i64

from tag import Event, Features, GameState, Metric, Parameters, PlayerHeuristic, bit_count, real
from tag.engine.rules.tricks import CARD_NAMES, N_RANKS, N_SUITS, SPADES, SUIT, SUIT_NAMES, card_of, cards_in, taker
from tag.games.tricks.spades.data import BIDDING, BLIND, N_PLAYERS, N_SIDES, NO_BID, SpadesParameters, tricks_in
from tag.games.tricks.spades.state import SpadesState
from tag.playing.metrics import share

#: The value of the points that end the game.
_GOAL_VALUE: Final = 1.5


class SpadesFeatures(Features):
    """The own hand, the cards that are out, the trick, bids and tricks, and the suits that players cannot hold."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on; of sides 0 is the own."""
        deck = cards_in(cast("SpadesParameters", self.parameters).deck())
        found = [
            "bidding",
            "tricks",
            "broken",
            "best_rank",
            "best_is_trump",
            "best_is_own",
            "to_follow",
            "likely_tricks",
        ]
        found += [f"led_{suit}" for suit in SUIT_NAMES]
        for offset in range(n_players):
            found += [
                f"bid_{offset}",
                f"nil_{offset}",
                f"won_{offset}",
                *[f"no_{suit}_{offset}" for suit in SUIT_NAMES],
            ]
        for side in range(N_SIDES):
            found += [f"points_{side}", f"bags_{side}", f"needed_{side}"]
        found += [f"hand_{CARD_NAMES[card]}" for card in deck]
        return (*found, *[f"out_{CARD_NAMES[card]}" for card in deck])

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features; cards are out that others hold. A bid that has not been made is -1."""
        table = cast("SpadesState", state)
        best = taker(table.trick, table.led, SPADES) if table.trick else 0
        partner: i64 = table.played[(player + 2) % N_PLAYERS]
        out = out_of(table, player)
        found = [float(table.phase == BIDDING), float(table.tricks), float(table.broken)]
        found.append(float(card_of(best) % N_RANKS + 1) if best else 0.0)
        found += [float(best & SUIT[SPADES] != 0), float(partner & best != 0)]
        found += [float(N_PLAYERS - bit_count(table.trick)), tricks_in(table.hands[player], out)]
        for suit in range(N_SUITS):
            found.append(float(table.led == suit))
        for offset in range(N_PLAYERS):
            seat = (player + offset) % N_PLAYERS
            found += [float(table.bids[seat]), float(table.bids[seat] == 0), float(table.won[seat])]
            found += [float(is_void) for is_void in table.voids(seat)]
        for offset in range(N_SIDES):
            side = (player + offset) % N_SIDES
            found += [float(table.points[side]), float(table.bags[side])]
            found.append(float(contract_of(table, side) - won_by(table, side)))
        return found + table.flags(table.hands[player]) + table.flags(out)


def out_of(table: SpadesState, player: i64) -> i64:
    """Return the cards that others hold, as far as ``player`` can tell; none before the deal."""
    return 0 if table.phase == BLIND else table.unseen(player)


def contract_of(table: SpadesState, side: i64) -> i64:
    """Return the tricks that a side has bid so far."""
    first: i64 = table.bids[side]
    second: i64 = table.bids[side + 2]
    return max(first, 0) + max(second, 0)


def won_by(table: SpadesState, side: i64) -> i64:
    """Return the tricks that a side has taken."""
    first: i64 = table.won[side]
    second: i64 = table.won[side + 2]
    return first + second


@dataclass
class SpadesHeuristicParameters(Parameters):
    """The weights of `SpadesHeuristic`."""

    contract: float = real(1.0, 0.0, 2.0, "weight of the points of bids that are likely to be made or lost")
    slack: float = real(1.5, 0.5, 5.0, "tricks by which a bid that is short of them is likely to be lost")
    bag: float = real(6.0, 0.0, 20.0, "points that a trick beyond the bid costs")
    nil: float = real(0.8, 0.0, 2.0, "weight of the points of a nil that still holds")
    risk: float = real(0.4, 0.0, 1.0, "part of these that each likely trick of the player takes away")


class SpadesHeuristic(PlayerHeuristic):
    """The points that a side is ahead, and those that the bids of both sides are likely to bring.

    Tricks to come are shared by what the own hand is likely to take, and what the partner has still to take of its bid.
    """

    parameters_class = SpadesHeuristicParameters

    def __init__(self, parameters: SpadesHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("SpadesHeuristicParameters", self.parameters)
        self.contract = weights.contract
        self.slack = weights.slack
        self.bag = weights.bag
        self.nil = weights.nil
        self.risk = weights.risk

    def _value_player(self, state: GameState, player: i64) -> float:
        table = cast("SpadesState", state)
        side = player % N_SIDES
        other = 1 - side
        ahead = float(table.points[side] - table.points[other])
        ahead -= self.bag * float(table.bags[side] - table.bags[other])
        if table.phase != BLIND:
            own = tricks_in(table.hands[player], out_of(table, player))
            left = float(table.rules.ranks - table.tricks)
            partner = (player + 2) % N_PLAYERS
            bid: i64 = table.bids[partner]
            missing = bid - table.won[partner]
            theirs = (left - own) / 3.0 if bid == NO_BID else float(max(missing, 0))
            more = min(own + theirs, left)
            ahead += self.likely(table, side, float(won_by(table, side)) + more)
            ahead -= self.likely(table, other, float(won_by(table, other)) + left - more)
            for seat in range(N_PLAYERS):
                if table.bids[seat] == 0 and table.won[seat] == 0:
                    holds = max(0.0, 1.0 - self.risk * own) if seat == player else 1.0
                    worth = self.nil * holds * float(table.rules.nil)
                    ahead += worth if seat % N_SIDES == side else -worth
        return _GOAL_VALUE * ahead / float(table.rules.goal)

    def likely(self, table: SpadesState, side: i64, tricks: float) -> float:
        """Return the points that a side's bids are likely to bring if it takes so many tricks."""
        bid = float(contract_of(table, side))
        if tricks >= bid:
            return self.contract * 10.0 * bid - self.bag * (tricks - bid)
        return self.contract * 10.0 * bid * max(-1.0, 1.0 - 2.0 * (bid - tricks) / self.slack)


class SpadesMetric(Metric):
    """Measures hands, bids that are made, nils, and bags."""

    measures: ClassVar[dict[str, str]] = {
        "hands": "hands of a game",
        "made": "share of bids above nil that the player alone takes",
        "nils": "share of bids that are nil",
        "nils_made": "share of nils that succeed",
        "beyond": "mean tricks above the bid of players who make it",
    }

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Count bids at the end of a hand."""
        if event.name == "nil":
            self.counts["nils"] += 1
            self.counts["nils made"] += event.value == 0.0
        elif event.name == "contract":
            self.counts["bids"] += 1
            self.counts["made"] += event.value >= 0.0
            self.counts["beyond"] += max(int(event.value), 0)

    def on_end(self, state: GameState) -> None:
        self.counts["hands"] = int(state.round)

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        return {
            "hands": [float(counts["hands"])],
            "made": share(counts["made"], counts["bids"]),
            "nils": share(counts["nils"], counts["nils"] + counts["bids"]),
            "nils_made": share(counts["nils made"], counts["nils"]),
            "beyond": share(counts["beyond"], counts["made"]),
        }
