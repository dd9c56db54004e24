"""The heuristic of Pandemic: how far the players are towards the cures, and how near they are to losing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64

from tag import GameState, StateHeuristic
from tag.games.boards.pandemic.data import BIT, BITS, FIRST_EVENT, FULL, N_COLOURS, N_EVENTS, WITHIN, packed_cards
from tag.games.boards.pandemic.parameters import PandemicHeuristicParameters

if TYPE_CHECKING:
    from tag.games.boards.pandemic.state import PandemicState


class PandemicHeuristic(StateHeuristic):
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

    def value(self, state: GameState, player: i64) -> float:
        """Weigh the table, in [-1, 1]; it is the same for all players."""
        table = cast("PandemicState", state)
        if table.is_terminal:
            return table.result_value(player)
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
        return max(-1.0, min(1.0, value))

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


DEFAULT_HEURISTIC: Final = PandemicHeuristic()
