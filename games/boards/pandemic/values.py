"""The features, the heuristic and the metric of Pandemic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast

from mypy_extensions import i64

from tag import (
    AnyAction,
    Features,
    GameState,
    Metric,
    Parameters,
    PlayerHeuristic,
    packed_size,
    real,
)
from tag.games.boards.pandemic.actions import ShareKnowledge
from tag.games.boards.pandemic.data import (
    BIT,
    BITS,
    CARD_NAMES,
    CITY_NAMES,
    COLOUR_NAMES,
    EPIDEMIC,
    FIRST_EVENT,
    FULL,
    N_CITIES,
    N_COLOURS,
    N_EVENTS,
    N_ROLES,
    NONE,
    OUT_OF_CARDS,
    OUT_OF_CUBES,
    OUTBREAKS,
    WITHIN,
    card_set,
    packed_cards,
)
from tag.games.boards.pandemic.state import PandemicState


class PandemicFeatures(Features):
    """Tracks, diseases and cities, ways to cures, and each player's role, place and cards."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features; of players 0 is oneself, 1 the next, and so on."""
        found = [
            "deck",
            "epidemics",
            "infection_rate",
            "outbreaks",
            "stations_left",
            "actions_left",
            "quiet",
            "stored",
            "my_turn",
        ]
        for name in COLOUR_NAMES:
            found += [f"cured_{name}", f"eradicated_{name}", f"supply_{name}", f"best_hand_{name}", f"way_{name}"]
        found += [
            "cures",
            "best_hands",
            "ways",
            "cubes",
            "cities_of_2",
            "cities_of_3",
            "threat",
            "far_threat",
            "threat_at_hand",
        ]
        for name in CITY_NAMES:
            found += [f"cubes_{name}", f"station_{name}", f"discarded_{name}"]
        for offset in range(n_players):
            found += [f"role_{offset}_{role}" for role in range(N_ROLES)]
            found += [f"treatable_{offset}", f"at_station_{offset}"]
            found += [f"holds_{offset}_{name}" for name in CARD_NAMES[:EPIDEMIC]]
            found += [f"pawn_{offset}_{name}" for name in CITY_NAMES]
        return tuple(found)

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features.

        - ``best_hand``: how far the best hand is towards the cure, as a share of the cards that it takes there; cured is 1.
        - ``way``: 1 divided by 1 and the drives to a research station, of the nearest player with all cards for the cure; 0
          without one, cured is 1.
        - ``threat``: the cubes on the board, a city's first one counted once, the second one twice, the third one three
          times; ``far_threat`` the same times the drives to the nearest pawn; ``threat_at_hand`` that of cities with a pawn.
        """
        table = cast("PandemicState", state)
        rules = table.rules
        found = [
            float(len(table.player_deck)),
            float(table.epidemics),
            float(table.infection_rate()),
            float(table.outbreaks) / float(rules.outbreaks),
            float(table.stations_left),
            float(table.actions_left),
            1.0 if table.quiet else 0.0,
            1.0 if table.stored != NONE else 0.0,
            1.0 if table.turn_player == player else 0.0,
        ]
        _add_diseases(found, table)
        _add_threats(found, table)
        discarded = card_set(table.infection_discards)
        full = float(rules.cubes_per_city)
        for city in range(N_CITIES):
            cubes: i64 = table.cubes[city]
            found.append(float(packed_size(cubes)) / full)
            found.append(float(table.stations >> city & 1))
            found.append(float(discarded >> city & 1))
        for offset in range(table.n_players):
            _add_player(found, table, (player + offset) % table.n_players)
        return found


def _add_diseases(found: list[float], state: PandemicState) -> None:
    """Add each disease, with the best hand for its cure and the way from there, and what they add up to."""
    hands = [int(packed_cards(hand)) for hand in state.hands]
    supply = float(state.rules.cubes)
    best_hands = 0.0
    ways = 0.0
    for colour in range(N_COLOURS):
        is_cured = state.cured >> colour & 1
        best = float(is_cured)
        way = best
        if not is_cured:
            for seat in range(state.n_players):
                packed: i64 = hands[seat]
                cards = packed >> (BITS * colour) & FULL
                needed = state.cards_needed(seat)
                if cards >= needed:
                    best = 1.0
                    way = max(way, 1.0 / (1.0 + float(drives_to(state.pawns[seat], state.stations))))
                else:
                    best = max(best, float(cards) / float(needed))
        found.append(float(is_cured))
        found.append(float(state.eradicated >> colour & 1))
        found.append(float(state.supply[colour]) / supply)
        found.append(best)
        found.append(way)
        best_hands += best
        ways += way
    found.append(float(state.n_cured()))
    found.append(best_hands)
    found.append(ways)


def _add_threats(found: list[float], state: PandemicState) -> None:
    """Add the cubes on the board, and how near they are to outbreaks and to the players."""
    pawns: i64 = 0
    for pawn in state.pawns:
        pawns |= BIT[pawn]
    cubes: i64 = 0
    twos: i64 = 0
    threes: i64 = 0
    threat: i64 = 0
    far: i64 = 0
    near: i64 = 0
    for city in range(N_CITIES):
        packed: i64 = state.cubes[city]
        if packed:
            drives = drives_to(city, pawns)
            while packed:
                number = packed & FULL
                packed >>= BITS
                worth = number * (number + 1) // 2
                cubes += number
                twos += 1 if number == 2 else 0
                threes += 1 if number > 2 else 0
                threat += worth
                far += worth * drives
                near += worth if drives == 0 else 0
    for total in (cubes, twos, threes, threat, far, near):
        found.append(float(total))


def _add_player(found: list[float], state: PandemicState, seat: i64) -> None:
    pawn: i64 = state.pawns[seat]
    role: i64 = state.roles[seat]
    for number in range(N_ROLES):
        found.append(1.0 if number == role else 0.0)
    found.append(1.0 if state.cubes[pawn] > 0 else 0.0)
    found.append(float(state.stations >> pawn & 1))
    hand = card_set(state.hands[seat])
    for card in range(EPIDEMIC):
        found.append(float(hand >> card & 1))
    for city in range(N_CITIES):
        found.append(1.0 if city == pawn else 0.0)


@dataclass
class PandemicHeuristicParameters(Parameters):
    """The weights of `PandemicHeuristic`."""

    cures: float = real(0.5, -1.0, 1.0, "weight of the share of diseases cured")
    hands: float = real(0.3, -1.0, 1.0, "weight of how far the best hand is towards each cure, those found included")
    way: float = real(0.1, -1.0, 1.0, "weight of how near a research station is to who has the cards for each cure")
    cubes: float = real(0.2, -1.0, 1.0, "weight of the share of cubes that are not on the board")
    threat: float = real(-1.0, -1.0, 1.0, "weight of the cubes on the board, those on top of others counted more")
    reach: float = real(0.1, 0.0, 1.0, "by what share the threat of a city grows with each drive to the nearest pawn")
    outbreaks: float = real(-0.5, -1.0, 1.0, "weight of the share of the outbreaks that lose")
    stations: float = real(0.0, -1.0, 1.0, "weight of the share of research stations built")
    deck: float = real(0.0, -1.0, 1.0, "weight of the share of player cards that are left")


class PandemicHeuristic(PlayerHeuristic):
    """Gains and threats, weighed; 1 for a win and -1 for a loss.

    - ``cures``: the share of diseases cured.
    - ``hands``: how far the best hand is towards each cure, as a share of the cards that it takes there; cured is 1.
    - ``way``: for each disease, 1 divided by 1 and the drives to a research station, of the nearest player who has all
      cards for its cure; 0 without one, cured is 1.
    - ``cubes``: the share of cubes that are not on the board.
    - ``threat``: the cubes on the board, a city's first one counted once, the second one twice, the third one three
      times, as that is how near an outbreak is, as a share of what all cubes count in full cities; each city's grow by
      the share ``reach`` with each drive to the nearest pawn.
    - ``outbreaks``: the share of the outbreaks that lose.
    - ``stations`` and ``deck``: the share of research stations built and of player cards left.

    The last two are in TAG's heuristic and weigh nothing by default: a station is worth its card only where it shortens
    the way to a cure, and the deck shrinks with every turn anyway. TAG has neither ways nor threats,
    so that a search sees no reason to go to what is farther away than it looks ahead. With the default weights no
    position of a game that goes on is worth as much as a win.

    It is for searches that value positions after the actions considered (``mcts:rollout_length=0,k=0.1``): random
    players, as in rollouts, burn the cards of cures on flights within a turn or two, and treat next to nothing.
    """

    parameters_class = PandemicHeuristicParameters

    def __init__(self, parameters: PandemicHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        self.weights = cast("PandemicHeuristicParameters", self.parameters)

    def _value_player(self, state: GameState, player: i64) -> float:
        """Weigh the table; it is the same for all players."""
        table = cast("PandemicState", state)
        weights = self.weights
        rules = table.rules
        free = 0.0
        for colour in range(N_COLOURS):
            free += float(table.supply[colour])
        value = weights.cures * 0.25 * float(table.n_cured())
        value += weights.cubes * 0.25 * free / float(rules.cubes)
        value += weights.outbreaks * float(table.outbreaks) / float(rules.outbreaks)
        value += weights.stations * (1.0 - float(table.stations_left) / float(rules.stations))
        value += weights.deck * float(len(table.player_deck)) / float(FIRST_EVENT + N_EVENTS + rules.epidemics)
        value += self._towards_cures(table)
        value += weights.threat * self._threat(table)
        return value

    def value_all(self, state: GameState, values: list[float]) -> None:
        if state.is_terminal:
            super().value_all(state, values)
        else:
            values[:] = [self.value(state, 0)] * len(values)

    def _towards_cures(self, table: PandemicState) -> float:
        weights = self.weights
        hands = [int(packed_cards(hand)) for hand in table.hands]
        total = 0.0
        for colour in range(N_COLOURS):
            if table.cured >> colour & 1:
                total += weights.hands + weights.way
                continue
            best = 0.0
            way = 0.0
            for seat in range(table.n_players):
                packed: i64 = hands[seat]
                cards = packed >> (BITS * colour) & FULL
                if cards:
                    needed = table.cards_needed(seat)
                    if cards < needed:
                        best = max(best, float(cards) / float(needed))
                    else:
                        best = 1.0
                        way = max(way, 1.0 / (1.0 + float(drives_to(table.pawns[seat], table.stations))))
            total += weights.hands * best + weights.way * way
        return 0.25 * total

    def _threat(self, table: PandemicState) -> float:
        """Return the cubes on the board, each counted with those below it, as a share of all cubes piled up to the limit."""
        reach = self.weights.reach
        total = 0.0
        pawns: i64 = 0
        for pawn in table.pawns:
            pawns |= BIT[pawn]
        city: i64 = -1
        for cubes in table.cubes:
            city += 1
            packed: i64 = cubes
            if packed:
                twice: i64 = 0  # 1 + … + n is n (n + 1) / 2
                while packed:
                    count = packed & FULL
                    twice += count * (count + 1)
                    packed >>= BITS
                total += float(twice) * (1.0 + reach * float(drives_to(city, pawns)))
        rules = table.rules
        return total / float(N_COLOURS * rules.cubes * (rules.cubes_per_city + 1))


def drives_to(city: i64, places: i64) -> i64:
    """Return how many drives the nearest of the cities ``places``, a set that is not empty, is from ``city``."""
    within = WITHIN[city]
    drives: i64 = 0
    while True:
        there: i64 = within[drives]
        if there & places:
            return drives
        drives += 1


class PandemicMetric(Metric):
    """Counts cures, outbreaks and shared cards, and the ways to lose; wins are in every ledger."""

    measures: ClassVar[dict[str, str]] = {
        "cures": "diseases cured in a game, of four",
        "outbreaks": "outbreaks in a game",
        "cards_shared": "cards given by one player to another in a game",
        "lost_by_outbreaks": "share of games lost by too many outbreaks",
        "lost_by_cubes": "share of games lost because a cube was needed that was not there",
        "lost_by_cards": "share of games lost because there were too few cards to draw",
    }

    def on_action_taken(self, state: GameState, player: i64, action: AnyAction) -> None:
        if isinstance(action, ShareKnowledge):
            self.counts["cards_shared"] += 1

    def on_end(self, state: GameState) -> None:
        table = cast("PandemicState", state)
        self.counts["cures"] = table.n_cured()
        self.counts["outbreaks"] = table.outbreaks
        self.counts["lost_by_outbreaks"] = table.ending == OUTBREAKS
        self.counts["lost_by_cubes"] = table.ending == OUT_OF_CUBES
        self.counts["lost_by_cards"] = table.ending == OUT_OF_CARDS

    def values(self) -> dict[str, list[float]]:
        return {name: [float(self.counts[name])] for name in self.measures}
