"""The features, the heuristic and the metric of Hanabi."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, cast

from mypy_extensions import i64

from tag import AnyAction, Event, Features, GameState, Parameters, PlayerHeuristic, real
from tag.games.cards.hanabi.actions import Tell
from tag.games.cards.hanabi.data import EMPTY, OF_COLOUR, ONE, ONES, HanabiParameters, size_of
from tag.games.cards.hanabi.state import ROW, HanabiState
from tag.playing.agent import Agent
from tag.playing.metrics import Metric, share

#: The value of all points before the game ends: so far values are not pressed together.
_MOST: Final = 0.9


class HanabiFeatures(Features):
    """The table, and of each card in hand whether it is playable, dead, critical, known to be playable, and marked.

    Of the own cards these are probabilities by the marks and the cards that the player sees; known is then what is certain.
    """

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
        rules = cast("HanabiParameters", self.parameters)
        found = ["points", "reachable", "hints", "fuses", "left", "turns_left"]
        found += [f"height_{colour}" for colour in range(rules.colours)]
        for offset in range(n_players):
            for place in range(rules.hand(int(n_players))):
                for what in ("playable", "dead", "critical", "known", "marked"):
                    found.append(f"{what}_{offset}_{place}")
        return tuple(found)

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features; a place without a card has only zeros."""
        table = cast("HanabiState", state)
        useful, playable, critical = table.useful(), table.playable(), table.critical()
        points = table.points()
        turns = table.last_turn - table.turn + 1 if table.last_turn >= 0 else table.n_players + 1
        found = [float(points), float(points + size_of(useful)), float(table.hints), float(table.fuses)]
        found += [float(size_of(table.deck)), float(turns)]
        for colour in range(table.rules.colours):
            found.append(float(size_of(table.fireworks & OF_COLOUR[colour])))
        for offset in range(table.n_players):
            seat = (player + offset) % table.n_players
            pool = table.public() if offset else table.unseen(player)
            for place in range(table.size):
                index = seat * table.size + place
                card: i64 = table.hands[index]
                if card == EMPTY:
                    found += [0.0, 0.0, 0.0, 0.0, 0.0]
                    continue
                mark: i64 = table.marks[index]
                fits = pool & mark
                cards = ONE[card] if offset else fits
                for kind in (playable, ONES - useful, critical):
                    found.append(_share(cards, kind))
                found.append(0.0 if fits & ~(3 * playable) else 1.0)
                found.append(float(table.touched >> ROW * seat + place & 1))
        return found


def _share(cards: i64, kinds: i64) -> float:
    """Return the share of some cards, one at least, that are of ``kinds``, a set of ones."""
    lower = cards & kinds
    upper = cards & kinds << 1
    return float(size_of(lower) + size_of(upper)) / float(size_of(cards))


@dataclass
class HanabiHeuristicParameters(Parameters):
    """The weights of `HanabiHeuristic`, in points."""

    known: float = real(0.6, 0.0, 1.0, "weight of a playable card whose holder can know it")
    told: float = real(0.2, 0.0, 1.0, "weight of a marked playable card whose holder cannot be sure")
    hint: float = real(0.1, 0.0, 1.0, "weight of a hint left")
    fuse: float = real(0.7, 0.0, 5.0, "weight of a fuse left")
    lost: float = real(0.8, 0.0, 2.0, "weight of a point that can no longer be made, subtracted")
    danger: float = real(0.2, 0.0, 2.0, "weight of a critical card that is next to be discarded, subtracted")


class HanabiHeuristic(PlayerHeuristic):
    """The points, and what hands and table promise; 1 for all points and -1 for a loss.

    A game that ends between has its share of the points as value: 0 where half of them are made. It is the same for all,
    but for what each player knows.
    """

    parameters_class = HanabiHeuristicParameters

    def __init__(self, parameters: HanabiHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        self.weights = cast("HanabiHeuristicParameters", self.parameters)

    def value(self, state: GameState, player: i64) -> float:
        """Return the share of the points at an end that is no win or loss, and else what the base class says."""
        if state.is_terminal and state.result_value(player) == 0.0:
            return self._scaled(cast("HanabiState", state), 0.0)
        return super().value(state, player)

    def _scaled(self, table: HanabiState, more: float) -> float:
        total = float(size_of(table.full_kinds()))
        return _MOST * (2.0 * (float(table.points()) + more) / total - 1.0)

    def _value_player(self, state: GameState, player: i64) -> float:
        """Add up what is known of all cards; what is hidden from ``player`` does not count."""
        table = cast("HanabiState", state)
        weights = self.weights
        useful = table.useful()
        lost = size_of(table.full_kinds()) - table.points() - size_of(useful)
        more = weights.hint * float(table.hints) - weights.lost * float(lost)
        more -= weights.fuse * float(table.rules.fuses - table.fuses)
        for seat in range(table.n_players):
            more += self._hand(table, seat, player)
        return self._scaled(table, more)

    def _hand(self, table: HanabiState, seat: i64, player: i64) -> float:
        """Return the worth of a hand to ``player``, who may be its holder."""
        weights = self.weights
        playable, critical = table.playable(), table.critical()
        pool = table.unseen(player) if seat == player else table.public()
        worth = 0.0
        is_next = True
        for place in range(table.size):
            index = seat * table.size + place
            card: i64 = table.hands[index]
            if card == EMPTY:
                break
            mark: i64 = table.marks[index]
            fits = pool & mark
            cards = fits if seat == player else ONE[card]
            is_marked = table.touched >> ROW * seat + place & 1 != 0
            if fits & ~(3 * playable) == 0:
                worth += weights.known
            elif is_marked:
                worth += weights.told * _share(cards, playable)
            elif is_next:
                worth -= weights.danger * _share(cards, critical)
                is_next = False
        return worth


class HanabiMetric(Metric):
    """Counts points, misplays and hints."""

    measures: ClassVar[dict[str, str]] = {
        "fireworks": "cards in the fireworks at the end, also where the last fuse has burnt",
        "perfect": "share of games in which all fireworks are complete",
        "in_vain": "cards played in vain in a game",
        "hints_given": "hints given in a game",
        "marked_plays": "share of the cards played well that a hint had marked",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Keep which own cards are marked."""
        self.counts["marks"] = int(cast("HanabiState", state).touched >> ROW * player)
        if isinstance(action, Tell):
            self.counts["hints"] += 1
        self.counts["place"] = int(getattr(action, "place", 0))

    def on_game_event(self, state: GameState, event: Event) -> None:
        if event.name == "played well":
            self.counts["well"] += 1
            self.counts["marked"] += self.counts["marks"] >> self.counts["place"] & 1
        elif event.name == "played in vain":
            self.counts["in vain"] += 1

    def on_end(self, state: GameState) -> None:
        table = cast("HanabiState", state)
        self.counts["points"] = int(table.points())
        self.counts["perfect"] = int(table.fireworks == table.full_kinds())

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        return {
            "fireworks": [float(counts["points"])],
            "perfect": [float(counts["perfect"])],
            "in_vain": [float(counts["in vain"])],
            "hints_given": [float(counts["hints"])],
            "marked_plays": share(counts["marked"], counts["well"]),
        }
