"""The features, the heuristic and the metric of Virus!."""

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
    Parameters,
    PlayerHeuristic,
    real,
)
from tag.games.cards.virus.actions import Discard, PlayLatexGlove, PlaySpreading, StealOrgan, SwapBodies, Transplant
from tag.games.cards.virus.data import (
    ABSENT,
    AFTER_MEDICINE,
    AFTER_VIRUS,
    BITS,
    CARDS,
    COLOUR_NAMES,
    FREE,
    IMMUNISED,
    IMPOSSIBLE,
    MASK,
    MEDICINES,
    N_COLOURS,
    N_KINDS,
    N_STATES,
    NO_CARD,
    TREATMENTS,
    VACCINATED,
    VIRUSES,
    outcome_index,
)
from tag.games.cards.virus.state import VirusState
from tag.playing.metrics import Metric, share

#: What a card can be played on, as bits.
_HEALTHY: Final = 1
_INFECTED: Final = 2
_BIT: Final[list[int]] = [1 << colour for colour in range(N_COLOURS)]


class VirusFeatures(Features):
    """The own hand, what it can do, what lies open, and the bodies."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features; of players 0 is oneself, 1 the next, and so on."""
        found = ["deck", "my_turn", "spreading"]
        for card in CARDS:
            found += [f"hand_{card.name}", f"discards_{card.name}"]
        for offset in range(n_players):
            found.append(f"cards_{offset}")
            for colour in COLOUR_NAMES:
                name = f"{colour}_{offset}"
                found += [f"organ_{name}", f"infected_{name}", f"medicines_{name}"]
            found += [f"healthy_{offset}", f"immunised_{offset}"]
        return (
            *found,
            "organs_to_play",
            "medicines_that_cure",
            "medicines_that_protect",
            "viruses_that_infect",
            "viruses_that_kill",
        )

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features.

        The last ones are cards in hand, by what they can do now: organs of which the own body has none, medicines for an
        infected organ or for a healthy one, viruses for a rival's healthy organ or for an infected one.
        """
        table = cast("VirusState", state)
        n = table.n_players
        hands = table.hands
        first = player * table.hand_size
        hand: list[int] = hands[first : first + table.hand_size]
        held = [0] * N_KINDS
        for card in hand:
            if card != NO_CARD:
                held[card] += 1
        found = [float(table.deck_size), 1.0 if table.turn_player == player else 0.0, float(len(table.sequences))]
        for card in range(N_KINDS):
            found.append(float(held[card]))
            found.append(float(table.discards[card]))
        for offset in range(n):
            seat = (player + offset) % n
            start = seat * table.hand_size
            cards: i64 = 0
            for place in range(start, start + table.hand_size):
                if hands[place] != NO_CARD:
                    cards += 1
            found.append(float(cards))
            body: i64 = table.bodies[seat]
            healthy: i64 = 0
            immunised: i64 = 0
            for organ in range(N_COLOURS):
                organ_state = body >> BITS * organ & MASK
                is_infected = FREE < organ_state < VACCINATED
                found.append(1.0 if organ_state != ABSENT else 0.0)
                found.append(1.0 if is_infected else 0.0)
                found.append(0.0 if organ_state < VACCINATED else 1.0 if organ_state < IMMUNISED else 2.0)
                healthy += 1 if organ_state != ABSENT and not is_infected else 0
                immunised += 1 if organ_state >= IMMUNISED else 0
            found.append(float(healthy))
            found.append(float(immunised))
        _add_uses(found, table, player, hand)
        return found


def _add_uses(found: list[float], state: VirusState, player: i64, hand: list[int]) -> None:
    """Add how many cards in hand can do what."""
    mine: i64 = state.bodies[player]
    organs: i64 = 0
    colours: i64 = 0
    to_sick: i64 = 0
    to_healthy: i64 = 0
    infects: i64 = 0
    kills: i64 = 0
    for held in hand:
        card: i64 = held
        if card < VIRUSES:
            if mine >> BITS * card & MASK == ABSENT and not colours & _BIT[card]:
                colours |= _BIT[card]
                organs += 1
        elif card < MEDICINES:
            targets: i64 = 0
            for rival in range(state.n_players):
                if rival != player:
                    targets |= _targets(AFTER_VIRUS, card - VIRUSES, state.bodies[rival])
            infects += targets & _HEALTHY
            kills += targets >> 1
        elif card < TREATMENTS:
            targets = _targets(AFTER_MEDICINE, card - MEDICINES, mine)
            to_healthy += targets & _HEALTHY
            to_sick += targets >> 1
    found.append(float(organs))
    found.append(float(to_sick))
    found.append(float(to_healthy))
    found.append(float(infects))
    found.append(float(kills))


def _targets(table: list[int], colour: i64, body: i64) -> i64:
    """Return whether a virus or medicine can be played on a healthy organ of a body, on an infected one, or on both."""
    found: i64 = 0
    organ: i64 = 0
    while body != 0:
        state = body & MASK
        if state != ABSENT and table[outcome_index(colour, organ, state)] != IMPOSSIBLE:
            found |= _INFECTED if FREE < state < VACCINATED else _HEALTHY
        body >>= BITS
        organ += 1
    return found


@dataclass
class VirusHeuristicParameters(Parameters):
    """The weights of `VirusHeuristic`."""

    free: float = real(0.6, -1.0, 1.0, "value of an organ on which nothing lies")
    infected: float = real(0.2, -1.0, 1.0, "value of an infected organ")
    vaccinated: float = real(0.8, -1.0, 1.0, "value of a vaccinated organ")
    immunised: float = real(1.0, -1.0, 1.0, "value of an immunised organ")
    body: float = real(1.0, -1.0, 1.0, "weight of the own body: its organs' values over the organs that win")
    rivals: float = real(-0.5, -1.0, 1.0, "weight of the best body among the rivals")
    others: float = real(0.0, -1.0, 1.0, "weight of the rivals' bodies on average")


class VirusHeuristic(PlayerHeuristic):
    """The organs of the own body and of the best rival's, weighed by state; 1 for a win and -1 for a loss.

    TAG's heuristic, a fifth for each healthy organ, is
    ``virus:free=0.8,vaccinated=0.8,immunised=0.8,infected=0,rivals=0`` here.
    """

    parameters_class = VirusHeuristicParameters

    def __init__(self, parameters: VirusHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        self.weights = cast("VirusHeuristicParameters", self.parameters)
        self.organs = [_organ_value(self.weights, state) for state in range(N_STATES)]

    def _value_player(self, state: GameState, player: i64) -> float:
        table = cast("VirusState", state)
        weights = self.weights
        value = 0.0
        best = 0.0
        total = 0.0
        any_rival = False
        for seat in range(table.n_players):
            worth = self._of_body(table.bodies[seat])
            if seat == player:
                value = weights.body * worth
            else:
                total += worth
                if not any_rival or worth > best:
                    best = worth
                    any_rival = True
        value += weights.rivals * best + weights.others * total / float(table.n_players - 1)
        return value / float(table.goal)

    def _of_body(self, body: i64) -> float:
        value = 0.0
        while body != 0:
            value += self.organs[body & MASK]
            body >>= BITS
        return value


def _organ_value(parameters: VirusHeuristicParameters, state: int) -> float:
    if state == ABSENT:
        return 0.0
    if state == FREE:
        return parameters.free
    if state < VACCINATED:
        return parameters.infected
    return parameters.vaccinated if state < IMMUNISED else parameters.immunised


class VirusMetric(Metric):
    """Counts organs destroyed and immunised, the use of turns, and the lead of the winner."""

    measures: ClassVar[dict[str, str]] = {
        "destroyed": "organs destroyed by viruses in a game",
        "immunised": "organs immunised by medicines in a game",
        "discarding": "share of a game's turns spent on discarding cards",
        "treatments": "share of a game's turns in which a treatment was played",
        "margin": "healthy organs that the player with the most has more than the next one, at the end",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the turns, by the first decision in each, and what they are spent on."""
        if state.sequences:
            return
        self.counts["turns"] += 1
        if isinstance(action, Discard):
            self.counts["discarding"] += 1 if action.cards else 0
        elif isinstance(action, (Transplant, StealOrgan, PlaySpreading, PlayLatexGlove, SwapBodies)):
            self.counts["treatments"] += 1

    def on_game_event(self, state: GameState, event: Event) -> None:
        self.counts[event.name] += 1

    def on_end(self, state: GameState) -> None:
        healthy = sorted([state.score(player) for player in range(state.n_players)])
        self.counts["margin"] = int(healthy[-1] - healthy[-2])

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        return {
            "destroyed": [float(counts["organ destroyed"])],
            "immunised": [float(counts["organ immunised"])],
            "discarding": share(counts["discarding"], counts["turns"]),
            "treatments": share(counts["treatments"], counts["turns"]),
            "margin": [float(counts["margin"])],
        }
