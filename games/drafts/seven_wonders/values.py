"""The features, the heuristic and the metric of 7 Wonders."""

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
    bit_count,
    real,
)
from tag.engine.results import WIN
from tag.games.drafts.seven_wonders.actions import Build, BuildStage
from tag.games.drafts.seven_wonders.data import (
    BITS,
    CARAVANSERY,
    CATEGORIES,
    COLOUR_OF,
    COLOURS,
    EARLY_OF,
    FORUM,
    GOODS,
    GREEN,
    N_STAGES,
    PLACES,
    RAW,
    RAW_BITS,
    RESOURCES,
    SYMBOLS,
    kinds_in,
)
from tag.games.drafts.seven_wonders.state import SevenWondersState
from tag.playing.metrics import Metric, share

_NIBBLE: Final = 15
#: The place of all four raw materials among the subsets, in bits.
_ALL_RAW: Final = 56
_N_GOODS: Final = 3
_OLYMPIA: Final = 3
_EARLY_GREEN: Final = EARLY_OF[GREEN]


class SevenWondersFeatures(Features):
    """Each city, its points and resources, and the own hand by colour."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features; of players 0 is oneself, 1 the left neighbour, and so on."""
        found = ["age", "cards", *[f"hand_{colour}" for colour in COLOURS]]
        for offset in range(n_players):
            names = ["points", "coins", "stages", "stages_left", "shields", "victories", "defeats", "free_symbols"]
            names += [*COLOURS, *SYMBOLS, *RESOURCES, "choices"]
            found += [f"{name}_{offset}" for name in names]
        return tuple(found)

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features; ``choices`` counts cards that make one of several raw materials."""
        table = cast("SevenWondersState", state)
        found = [float(table.age), float(table.cards)]
        held = [0.0] * len(COLOURS)
        for kind in kinds_in(table.age, table.hands[player]):
            held[COLOUR_OF[kind]] += 1.0
        found += held
        for offset in range(table.n_players):
            seat = (player + offset) % table.n_players
            stages: i64 = table.stages[seat]
            found += [table.score(seat), float(table.coins[seat]), float(stages)]
            found += [float(N_STAGES[table.wonders[seat]] - stages), float(table.shields(seat))]
            found += [float(table.victories[seat]), float(table.defeats[seat]), float(table.free_symbols(seat))]
            for colour in range(len(COLOURS)):
                found.append(float(table.structures(seat, colour)))
            for symbol in range(len(SYMBOLS)):
                found.append(float(table.symbols(seat, symbol)))
            made: i64 = table.made[seat]
            for resource in range(len(RESOURCES)):
                found.append(float(made >> BITS * resource & _NIBBLE))
            touched: i64 = table.touched[seat]
            found.append(float(touched >> _ALL_RAW))
        return found


@dataclass
class SevenWondersHeuristicParameters(Parameters):
    """The weights of `SevenWondersHeuristic`, in points unless they say otherwise."""

    raw: float = real(3.5, 0.0, 8.0, "each of the four raw materials that a city makes at least once, in Age I")
    raw_more: float = real(1.5, 0.0, 8.0, "each further card or unit of raw materials, in Age I")
    goods: float = real(3.2, 0.0, 8.0, "each of the three manufactured goods that a city makes, in Age I")
    coin: float = real(0.45, 0.0, 2.0, "a coin beyond what it is worth at the end, in Age I")
    symbol: float = real(2.8, 0.0, 6.0, "each symbol of science for those to come, in Age I")
    conflict: float = real(0.5, 0.0, 1.5, "weight of conflicts to come, as shields are now")
    chain: float = real(2.5, 0.0, 4.0, "each green structure, which makes others free, in Ages I and II")
    rivals: float = real(0.6, 0.0, 2.0, "weight of the best rival's points")
    scale: float = real(25.0, 1.0, 200.0, "points ahead that are worth half as much as a win")


class SevenWondersHeuristic(JointHeuristic):
    """Points if the game ended now, conflicts to come, and resources, coins and science, which count less and less.

    The difference to the best rival is pressed into -1 to 1.
    """

    parameters_class = SevenWondersHeuristicParameters

    def __init__(self, parameters: SevenWondersHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        self.weights = cast("SevenWondersHeuristicParameters", self.parameters)

    def _value_players(self, state: GameState, values: list[float]) -> None:
        table = cast("SevenWondersState", state)
        weights = self.weights
        rules = table.rules
        turns = float(rules.ages * (rules.hand - 1))
        gone = float(table.age * (rules.hand - 1) + rules.hand - table.cards)
        ahead = max(0.0, 1.0 - gone / turns)
        victories = rules.victories()
        won = 0.0
        for age in range(table.age, rules.ages):
            won += float(victories[age]) / float(1 + age - table.age)
        armies = [int(table.shields(seat)) for seat in range(table.n_players)]
        for seat in range(table.n_players):
            value = table.score(seat) + ahead * self._prospects(table, seat)
            own: i64 = armies[seat]
            for other in (armies[table.left_of(seat)], armies[table.right_of(seat)]):
                if own > other:
                    value += weights.conflict * won
                elif own < other:
                    value -= weights.conflict * float(rules.defeat)
            values[seat] = value
        two = best_two(values)
        for seat in range(table.n_players):
            lead = (values[seat] - weights.rivals * best_other(values[seat], two)) / weights.scale
            values[seat] = lead / (1.0 + abs(lead))

    def _prospects(self, table: SevenWondersState, seat: i64) -> float:
        """Return the worth of resources, coins and science at the start of the game."""
        weights = self.weights
        made: i64 = table.made[seat]
        touched: i64 = table.touched[seat]
        powers = table.powers(seat)
        early: i64 = table.early[seat]
        wild = (early >> CARAVANSERY & 1) + (1 if powers & RAW else 0)
        kinds: i64 = 0
        units: i64 = 0
        for resource in range(4):
            number = made >> BITS * resource & _NIBBLE
            units += number
            if number:
                kinds += 1
        choices = (touched >> _ALL_RAW) + wild
        units += choices
        covered = min(4, kinds + choices)
        value = weights.raw * float(covered) + weights.raw_more * float(units - covered)
        goods = (early >> FORUM & 1) + (1 if powers & GOODS else 0)
        for place in range(_N_GOODS):
            if made >> (RAW_BITS + BITS * place) & _NIBBLE:
                goods += 1
        value += weights.goods * float(min(_N_GOODS, goods)) + weights.coin * float(table.coins[seat])
        symbols = table.symbols(seat, 0) + table.symbols(seat, 1) + table.symbols(seat, 2)
        return value + weights.symbol * float(symbols) + weights.chain * float(bit_count(early & _EARLY_GREEN))


class SevenWondersMetric(Metric):
    """Measures where points come from, how cards are used, trade, and which wonders win."""

    measures: ClassVar[dict[str, str]] = {
        **{f"{name}_points": f"points of {name}, per player" for name in CATEGORIES},
        "winning_points": "points of the winner",
        "stages": "stages of wonders built, of all that there are",
        "discards": "share of choices that discard the card for coins",
        "bought": "coins paid to neighbours, per player",
        "free": "share of built structures that others or Olympia made free",
        "splits": "share of choices with a payment other than the cheapest",
        **{f"{place.lower()}_wins": f"share of games with {place} that it wins" for place in PLACES},
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the uses of cards."""
        table = cast("SevenWondersState", state)
        if isinstance(action, Build):
            self.counts["built"] += 1
            is_free = action.way == _OLYMPIA or table.is_free_by_chain(player, action.card)
            self.counts["free"] += 1 if is_free else 0
            self.counts["split"] += 1 if 0 < action.way < _OLYMPIA else 0
        elif isinstance(action, BuildStage):
            self.counts["stages"] += 1
            self.counts["split"] += 1 if action.way else 0
        else:
            self.counts["sold"] += 1
        self.counts["choices"] += 1

    def on_game_event(self, state: GameState, event: Event) -> None:
        if event.name == "bought" or event.name in CATEGORIES:
            self.counts[event.name] += int(event.value)

    def on_end(self, state: GameState) -> None:
        table = cast("SevenWondersState", state)
        self.counts["players"] = int(table.n_players)
        self.counts["all stages"] = sum([N_STAGES[wonder] for wonder in table.wonders])
        self.counts["winning"] = int(max([table.score(seat) for seat in range(table.n_players)]))
        for seat in range(table.n_players):
            place = PLACES[table.wonders[seat] // 2]
            self.counts[place] += 1
            self.counts[f"{place} wins"] += 1 if table.result(seat) == WIN else 0

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        return {
            **{f"{name}_points": share(counts[name], counts["players"]) for name in CATEGORIES},
            "winning_points": [float(counts["winning"])],
            "stages": share(counts["stages"], counts["all stages"]),
            "discards": share(counts["sold"], counts["choices"]),
            "bought": share(counts["bought"], counts["players"]),
            "free": share(counts["free"], counts["built"]),
            "splits": share(counts["split"], counts["choices"]),
            **{f"{place.lower()}_wins": share(counts[f"{place} wins"], counts[place]) for place in PLACES},
        }
