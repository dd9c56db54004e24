"""The features, the heuristic and the metric of Dominion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, cast

from mypy_extensions import i64

from tag import (
    Agent,
    AnyAction,
    Event,
    Features,
    GameState,
    JointHeuristic,
    Parameters,
    best_other,
    best_two,
    real,
)
from tag.games.cards.dominion.actions import Buy, Play
from tag.games.cards.dominion.data import (
    ALL_TREASURES,
    ARTISAN,
    BANDIT,
    BITS,
    BUREAUCRAT,
    CELLAR,
    CHAPEL,
    DISCARDS,
    GARDENS,
    HAND,
    HARBINGER,
    KNOWN,
    LIBRARY,
    MASK,
    MERCHANT,
    MILITIA,
    MINE,
    MONEYLENDER,
    N_BASIC,
    N_KINDS,
    OWNED,
    PLUS_ACTIONS,
    PLUS_CARDS,
    PLUS_COINS,
    PROVINCE,
    REMODEL,
    SENTRY,
    SPAN,
    THRONE_ROOM,
    WITCH,
    WORKSHOP,
    key_of,
    money_in,
    size,
)
from tag.games.cards.dominion.state import DominionState
from tag.playing.metrics import Metric, share


class DominionFeatures(Features):
    """Supply and turn, the own cards by kind, and what all know of each player."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
        keys = [key_of(kind) for kind in range(N_KINDS)]
        found = ["turn", "phase", "own_turn", "actions", "buys", "coins", "merchants", "empty_piles"]
        found += [f"supply_{key}" for key in keys]
        found += [f"hand_{key}" for key in keys]
        found += [f"discards_{key}" for key in keys]
        for offset in range(n_players):
            found += [
                f"points_{offset}",
                f"cards_{offset}",
                f"money_{offset}",
                f"hand_size_{offset}",
                f"known_in_hand_{offset}",
            ]
            found += [f"on_top_{offset}", f"deck_size_{offset}", *[f"owned_{key}_{offset}" for key in keys]]
        return tuple(found)

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features; cards that are not in the game count 0."""
        table = cast("DominionState", state)
        n = table.n_players
        found = [
            float(table.turn),
            float(table.phase),
            1.0 if table.turn_player == player else 0.0,
            float(table.actions),
            float(table.buys),
            float(table.coins),
            float(table.merchants),
            float(table.empty_piles()),
        ]
        slots = table.slots
        for kind in range(N_KINDS):
            slot: i64 = slots[kind]
            found.append(float(table.in_supply(slot)) if slot >= 0 else 0.0)
        _add_cards(found, table, player, HAND)
        _add_cards(found, table, player, DISCARDS)
        for offset in range(n):
            seat = (player + offset) % n
            at = SPAN * seat
            found.append(float(table.points(seat)))
            found.append(float(table.owned(seat)))
            found.append(float(table.money(seat)))
            found.append(float(table.hand_count(seat)))
            found.append(float(size(table.cards[at + KNOWN]) + size(table.cards[at + KNOWN + 1])))
            found.append(float(len(table.tops[seat])))
            found.append(float(table.pile_count(seat)))
            _add_cards(found, table, seat, OWNED)
        return found


def _add_cards(found: list[float], state: DominionState, player: i64, zone: i64) -> None:
    """Add the number of cards of each kind in a set of ``player``."""
    for kind in range(N_KINDS):
        slot: i64 = state.slots[kind]
        found.append(float(state.count(player, zone, slot)) if slot >= 0 else 0.0)


#: What the text of a card beyond its bonuses is worth, in coins.
_EFFECTS: Final[dict[int, float]] = {
    CELLAR: 0.3,
    CHAPEL: 0.5,
    HARBINGER: 0.2,
    MERCHANT: 0.5,
    WORKSHOP: 1.0,
    BUREAUCRAT: 1.5,
    MILITIA: 0.7,
    MONEYLENDER: 1.0,
    REMODEL: 0.7,
    THRONE_ROOM: 1.0,
    BANDIT: 1.5,
    LIBRARY: 1.5,
    MINE: 1.0,
    SENTRY: 0.8,
    WITCH: 2.0,
    ARTISAN: 2.0,
}
EFFECT: Final[list[float]] = [_EFFECTS.get(kind, 0.0) for kind in range(N_KINDS)]
_HAND_SIZE: Final = 5.0
#: Coins beyond these add no Province.
_MOST_COINS: Final = 12.0
_LEAST_COINS: Final = 0.5
_FEWEST_CARDS: Final = 5.0


@dataclass
class DominionHeuristicParameters(Parameters):
    """The weights of `DominionHeuristic`, tuned over random kingdoms (``examples/heuristics/dominion.toml``)."""

    province: float = real(8.0, 0.0, 12.0, "points that a Province left is worth to all players together")
    power: float = real(1.333, 0.0, 4.0, "power of a deck's coins by which the Provinces left are shared")
    effects: float = real(1.667, 0.0, 3.0, "weight of what actions do beside +cards, +actions, +buys and +coins")
    draws: float = real(0.1111, 0.0, 1.0, "weight of the cards that actions draw")
    coins: float = real(0.02, 0.0, 1.0, "points that a coin of the current turn is worth")
    scale: float = real(15.0, 1.0, 100.0, "points ahead that are worth half as much as a win", log=True)


class DominionHeuristic(JointHeuristic):
    """The points of a player, and the expected part of the Provinces left, less those of the best rival.

    Provinces left are shared in proportion to a power of the coins that each deck gives in a turn. These are estimated from
    its treasures, from what its actions add, as far as they can be played, and from the cards drawn. The coins of the
    current turn count a little, so that agents that look one action ahead play actions. MCTS of 200 calls wins 0.78 (0.71
    to 0.83) of 200 games of two with it against the score.
    """

    parameters_class = DominionHeuristicParameters

    def __init__(self, parameters: DominionHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("DominionHeuristicParameters", self.parameters)
        self.weights = weights
        self.province = weights.province
        self.power = weights.power
        self.effects = weights.effects
        self.draws = weights.draws
        self.coins = weights.coins
        self.scale = weights.scale

    def _value_players(self, state: GameState, values: list[float]) -> None:
        table = cast("DominionState", state)
        players = table.n_players
        total = 0.0
        for player in range(players):
            rate = self.coins_of(table, player) ** self.power
            values[player] = rate
            total += rate
        left = self.province * float(table.supply_basic >> BITS * PROVINCE & MASK)
        for player in range(players):
            points = float(table.points(player)) + left * values[player] / total
            if player == table.turn_player:
                points += self.coins * float(_coins_at_hand(table))
            values[player] = points
        two = best_two(values)
        for player in range(players):
            points = values[player]
            lead = (points - best_other(points, two)) / self.scale
            values[player] = lead / (1.0 + abs(lead))

    def coins_of(self, table: DominionState, player: i64) -> float:
        """Return an estimate of the coins that the deck of ``player`` gives in a turn."""
        at = SPAN * player + OWNED
        return self.coins_of_cards(table, table.cards[at], table.cards[at + 1])

    def coins_of_cards(self, table: DominionState, basic: i64, kingdom: i64) -> float:
        """Return an estimate of the coins that a deck of the cards in a set gives in a turn."""
        money = float(money_in(basic))
        cards = float(size(basic) + size(kingdom))
        if kingdom == 0:
            return max(_LEAST_COINS, _HAND_SIZE * money / max(_FEWEST_CARDS, cards))
        terminals = 0.0
        spare = 0.0
        added = 0.0
        drawn = 0.0
        sure = 0.0
        sure_drawn = 0.0
        slot: i64 = N_BASIC
        while kingdom:
            number = float(kingdom & MASK)
            kind: i64 = table.kinds[slot]
            if number and kind != GARDENS:
                coins = number * (float(PLUS_COINS[kind]) + self.effects * EFFECT[kind])
                if PLUS_ACTIONS[kind] == 0:
                    terminals += number
                    added += coins
                    drawn += number * float(PLUS_CARDS[kind])
                else:
                    spare += number * float(PLUS_ACTIONS[kind] - 1)
                    sure += coins
                    sure_drawn += number * float(PLUS_CARDS[kind])
            kingdom >>= BITS
            slot += 1
        crowd = max(0.0, terminals - spare) * _HAND_SIZE / max(_FEWEST_CARDS, cards)
        playable = 1.0 / (1.0 + 0.5 * crowd)
        seen = cards - self.draws * (sure_drawn + drawn * playable)
        found = _HAND_SIZE * (money + sure + added * playable) / max(_FEWEST_CARDS, seen)
        return max(_LEAST_COINS, min(_MOST_COINS, found))


def _coins_at_hand(table: DominionState) -> i64:
    """Return the coins of the current turn, with the treasures in hand, which are still to be played in the action phase."""
    return table.coins + money_in(table.cards[SPAN * table.turn_player + HAND])


class DominionMetric(Metric):
    """Measures decks, what players buy and play, attacks, and the end of the game."""

    measures: ClassVar[dict[str, str]] = {
        "turns_each": "turns of a player in a game, the mean of all players",
        "provinces": "Provinces of a player at the end, the mean of all players",
        "deck": "cards of a player at the end, the mean of all players",
        "treasures": "share of treasures in all decks at the end",
        "kingdom_buys": "share of the cards bought in a game that were kingdom cards",
        "plays": "actions that a player chose to play in a turn, the mean of a game",
        "trashed": "cards trashed in a game, per player",
        "attacks": "attacks on a player in a game, the mean of all players",
        "blocked": "share of a game's attacks on players that a Moat blocked",
        "ends_by_piles": "share of games that end with Provinces left",
        "margin": "points that the player with the most has more than the next one, at the end",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the cards bought and played."""
        if isinstance(action, Buy):
            self.counts["buys"] += 1
            self.counts["kingdom buys"] += 1 if action.card >= N_BASIC else 0
        elif isinstance(action, Play):
            self.counts["plays"] += 1

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Count the attacks on players, and those blocked."""
        if event.name == "attack":
            self.counts["attacks"] += 1
            self.counts["blocked"] += int(event.value)

    def on_end(self, state: GameState) -> None:
        table = cast("DominionState", state)
        counts = self.counts
        counts["players"] = int(table.n_players)
        counts["turns"] = int(table.turn)
        counts["trashed"] = int(size(table.trash_basic) + size(table.trash_kingdom))
        counts["provinces left"] = int(table.supply_basic >> BITS * PROVINCE & MASK)
        for player in range(table.n_players):
            basic: i64 = table.cards[SPAN * player + OWNED]
            counts["provinces"] += int(basic >> BITS * PROVINCE & MASK)
            counts["treasures"] += int(size(basic & ALL_TREASURES))
            counts["cards"] += int(table.owned(player))
        points = sorted([int(table.points(player)) for player in range(table.n_players)])
        counts["margin"] = points[-1] - points[-2]

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        players = counts["players"]
        return {
            "turns_each": share(counts["turns"], players),
            "provinces": share(counts["provinces"], players),
            "deck": share(counts["cards"], players),
            "treasures": share(counts["treasures"], counts["cards"]),
            "kingdom_buys": share(counts["kingdom buys"], counts["buys"]),
            "plays": share(counts["plays"], counts["turns"]),
            "trashed": share(counts["trashed"], players),
            "attacks": share(counts["attacks"], players),
            "blocked": share(counts["blocked"], counts["attacks"]),
            "ends_by_piles": [1.0 if counts["provinces left"] else 0.0],
            "margin": [float(counts["margin"])],
        }
