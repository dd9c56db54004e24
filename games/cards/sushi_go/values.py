"""The features, the heuristic and the metric of Sushi Go!."""

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
from tag.games.cards.sushi_go.actions import ChooseTwo
from tag.games.cards.sushi_go.data import (
    BITS,
    CHOPSTICKS,
    DUMPLING,
    MASK,
    N_KINDS,
    N_PLACES,
    NAMES,
    NO_CHOICE,
    PUDDING,
    SASHIMI,
    TEMPURA,
    WASABI,
    can_take_two,
    count,
    first_of,
    maki_in,
    place_of,
    points_for,
    second_of,
    unit,
    with_card,
)
from tag.games.cards.sushi_go.state import SushiGoState
from tag.playing.metrics import Metric, share


class SushiGoFeatures(Features):
    """Cards and points of each player, and the hands that a player knows."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
        found = ["round", "cards", *[f"chosen_{NAMES[kind]}" for kind in range(N_KINDS)]]
        for offset in range(n_players):
            found += [f"points_{offset}", f"puddings_{offset}", f"maki_rolls_{offset}", f"knows_hand_{offset}"]
            found += [f"table_{NAMES[place]}_{offset}" for place in range(N_PLACES) if place != PUDDING]
            found += [f"hand_{NAMES[kind]}_{offset}" for kind in range(N_KINDS)]
        return tuple([name.replace(" ", "_") for name in found])

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return numbers of cards, of points, and whether hands are known; those that are not count as empty."""
        table = cast("SushiGoState", state)
        found = [float(table.round), float(table.cards)]
        n = table.n_players
        choice: i64 = table.chosen[player]
        first, second = first_of(choice), second_of(choice)
        for kind in range(N_KINDS):
            found.append(float((first == kind) + (second == kind)))
        for offset in range(n):
            seat = (player + offset) % n
            laid: i64 = table.tables[seat]
            is_known = table.knows_hand(player, seat)
            hand: i64 = table.hands[seat] if is_known else 0
            found.append(float(table.points[seat]))
            found.append(float(table.puddings[seat]))
            found.append(float(maki_in(laid)))
            found.append(1.0 if is_known else 0.0)
            for place in range(N_PLACES):
                if place != PUDDING:
                    found.append(float(laid >> (BITS * place) & MASK))
            for kind in range(N_KINDS):
                found.append(float(hand >> (BITS * kind) & MASK))
        return found


#: Dumplings after which another one adds no more points than the one before.
_TOP_DUMPLING: Final = 4


@dataclass
class SushiGoHeuristicParameters(Parameters):
    """The weights of `SushiGoHeuristic`, in points unless they say otherwise."""

    tempura: float = real(1.9, 0.0, 10.0, "a tempura that waits for a second one")
    sashimi: float = real(1.5, 0.0, 10.0, "a sashimi that waits for two more")
    sashimi_pair: float = real(5.0, 0.0, 10.0, "two sashimi that wait for a third one")
    dumpling: float = real(0.35, 0.0, 5.0, "each dumpling up to the fourth, for those to come")
    wasabi: float = real(1.1, 0.0, 10.0, "a wasabi without a nigiri")
    chopsticks: float = real(2.0, 0.0, 10.0, "chopsticks on the table")
    maki: float = real(0.35, 0.0, 3.0, "a maki roll")
    pudding: float = real(0.7, 0.0, 10.0, "a pudding")
    rivals: float = real(1.0, 0.0, 2.0, "weight of the best rival's points")
    scale: float = real(30.0, 1.0, 200.0, "points ahead that are worth half as much as a win")


class SushiGoHeuristic(JointHeuristic):
    """Points of a player and of the best rival, unfinished sets included; 1 for a win and -1 for a loss.

    An unfinished set counts the less, the fewer cards are left to take in the round. What a player has chosen counts as if
    it were shown: agents that look one action ahead would see no difference between their choices otherwise.
    """

    parameters_class = SushiGoHeuristicParameters

    def __init__(self, parameters: SushiGoHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("SushiGoHeuristicParameters", self.parameters)
        self.weights = weights
        self.tempura = [0.0, weights.tempura]
        self.sashimi = [0.0, weights.sashimi, weights.sashimi_pair]

    def _value_players(self, state: GameState, values: list[float]) -> None:
        table = cast("SushiGoState", state)
        for seat in range(table.n_players):
            values[seat] = self._expected(table, seat)
        two = best_two(values)
        for seat in range(table.n_players):
            lead = (values[seat] - self.weights.rivals * best_other(values[seat], two)) / self.weights.scale
            values[seat] = lead / (1.0 + abs(lead))

    def _expected(self, state: SushiGoState, seat: i64) -> float:
        """Return the points of ``seat`` and of what it has begun, a choice that is not shown yet included."""
        weights = self.weights
        table: i64 = state.tables[seat]
        points: i64 = state.points[seat]
        puddings: i64 = state.puddings[seat]
        choice: i64 = state.chosen[seat]
        if second_of(choice) >= 0:
            table -= unit(CHOPSTICKS)
        while choice != NO_CHOICE:
            card = first_of(choice)
            choice >>= BITS
            if card == PUDDING:
                puddings += 1
            else:
                place = place_of(table, card)
                points += points_for(state.prices, table, place)
                table = with_card(table, place)
        value = float(points) + weights.pudding * float(puddings)
        if table == 0:
            return value
        begun = self.tempura[count(table, TEMPURA) % 2] + self.sashimi[count(table, SASHIMI) % 3]
        begun += weights.dumpling * float(min(count(table, DUMPLING), _TOP_DUMPLING))
        begun += weights.wasabi * float(count(table, WASABI)) + weights.chopsticks * float(count(table, CHOPSTICKS))
        return value + weights.maki * float(maki_in(table)) + begun * float(state.cards) / float(state.dealt)


#: The events whose values are points.
_POINTS: Final = ("tempura", "sashimi", "dumplings", "nigiri", "maki rolls", "puddings")


class SushiGoMetric(Metric):
    """Counts the points of players by their reason, and the cards that are of no use."""

    measures: ClassVar[dict[str, str]] = {
        "tempura_points": "points for tempura in a game, per player",
        "sashimi_points": "points for sashimi in a game, per player",
        "dumplings_points": "points for dumplings in a game, per player",
        "nigiri_points": "points for nigiri in a game, per player",
        "maki_rolls_points": "points for maki rolls in a game, per player",
        "puddings_points": "points for puddings in a game, per player",
        "lone": "share of a game's tempura and sashimi that are in no complete set",
        "dipped": "share of a game's wasabi with a nigiri on it",
        "doubles": "share of the choices with chopsticks on the table that were of two cards",
        "margin": "points that the player with the most has more than the next one, at the end",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the choices of two cards, where there were such."""
        before = cast("SushiGoState", state)
        if can_take_two(before.hands[player], before.tables[player]):
            self.counts["chances"] += 1
            self.counts["doubles"] += 1 if isinstance(action, ChooseTwo) else 0

    def on_game_event(self, state: GameState, event: Event) -> None:
        self.counts[event.name] += int(event.value)

    def on_end(self, state: GameState) -> None:
        points = sorted([state.score(player) for player in range(state.n_players)])
        self.counts["margin"] = int(points[-1] - points[-2])
        self.counts["players"] = int(state.n_players)

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        found = {f"{name.replace(' ', '_')}_points": share(counts[name], counts["players"]) for name in _POINTS}
        return {
            **found,
            "lone": share(counts["lone set cards"], counts["set cards"]),
            "dipped": share(counts["dipped"], counts["wasabi"]),
            "doubles": share(counts["doubles"], counts["chances"]),
            "margin": [float(counts["margin"])],
        }
