"""Features, the heuristic and the metric of backgammon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, cast

from mypy_extensions import i64

from tag import Agent, AnyAction, Event, Features, GameState, JointHeuristic, Metric, Parameters, real
from tag.games.boards.backgammon.actions import Double, Drop, Play
from tag.games.boards.backgammon.data import BACKGAMMON, BAR, HOME, MEN, PENTE, VARIANTS, BackgammonParameters
from tag.games.boards.backgammon.state import BackgammonState
from tag.playing.metrics import share

_UNITS: Final = 4
_FEW: Final = 3
_ROLLS: Final = 36.0
#: Half of the pips of a mean roll, for the player who rolls next.
_HALF_A_ROLL: Final = 49.0 / 12.0
#: Rolls of 36 that hit a man so many points ahead of a single man of the other, if no point between is held.
_HITS: Final[list[float]] = [0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3]
#: The points on which a prime is looked for: the last ones, with the bar point and those behind.
_PRIME_ZONE: Final = 11


class BackgammonFeatures(Features):
    """The units of TD-Gammon for the points of both players, the own first, and the bar, off, dice and cube."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names; each point has four units, for one, two, three, and half of each further man."""
        variant = VARIANTS.index(cast("BackgammonParameters", self.parameters).variant)
        found = ["my_turn", "pips", "high", "low", "cube", "may_double", "away", "away_other"]
        for who in ("own", "other"):
            found += [f"{who}_{point}_{unit}" for point in range(1, BAR[variant]) for unit in range(1, _UNITS + 1)]
            found += [f"{who}_bar", f"{who}_off"]
        return tuple(found)

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features; men on the bar count a half each, and those off as a share."""
        board = cast("BackgammonState", state)
        other = 1 - player
        found = [
            float(board.turn_player == player),
            float(board.pips(other) - board.pips(player)) / 100.0,
            float(board.high),
            float(board.low),
            float(board.cube),
            float(board.owner != other),
            float(board.length - board.points[player]),
            float(board.length - board.points[other]),
        ]
        bar = BAR[board.variant]
        for seat in (player, other):
            men = board.men(seat)
            for point in range(1, bar):
                number = men[point]
                found.append(float(number > 0))
                found.append(float(number > 1))
                found.append(float(number >= _FEW))
                found.append(float(number - _FEW) / 2.0 if number > _FEW else 0.0)
            found.append(0.0 if board.variant == PENTE else float(men[bar]) / 2.0)
            found.append(float(men[0]) / float(MEN[board.variant]))
        return found


@dataclass
class BackgammonHeuristicParameters(Parameters):
    """The weights of `BackgammonHeuristic`."""

    pips: float = real(1.0, 0.0, 3.0, "weight of the lead in pips, as a share of those at the beginning")
    off: float = real(0.03, 0.0, 0.2, "weight of each man borne off, or on the sacred point")
    home: float = real(0.06, 0.0, 0.3, "weight of each point made in the home board")
    prime: float = real(
        0.14, 0.0, 0.3, "weight of each point beyond the first of the longest row, of the last 11 points"
    )
    anchor: float = real(0.02, 0.0, 0.5, "weight of each point held in the other's home board")
    blots: float = real(0.2, 0.0, 1.0, "weight of the probability that a single man is hit, summed over them")
    bar: float = real(0.24, 0.0, 0.5, "weight of each man on the bar")
    stack: float = real(0.02, 0.0, 0.3, "weight of each man beyond three on a point")
    match: float = real(0.5, 0.0, 1.0, "weight of the lead in points, as a share of the match")


class BackgammonHeuristic(JointHeuristic):
    """The lead in pips, and for backgammon what contact makes of the position; positions before the roll are valued.

    Who rolls next is half a roll ahead. Of each single man the probability counts that a roll hits it, by the man of the
    other that is likeliest to (`_HITS`). Once the men have passed each other, only pips and men off count.
    """

    parameters_class = BackgammonHeuristicParameters

    def __init__(self, parameters: BackgammonHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("BackgammonHeuristicParameters", self.parameters)
        self.pips = weights.pips
        self.off = weights.off
        self.home = weights.home
        self.prime = weights.prime
        self.anchor = weights.anchor
        self.blots = weights.blots
        self.bar = weights.bar
        self.stack = weights.stack
        self.match = weights.match

    def is_of_afterstates(self) -> bool:
        return True

    def _value_players(self, state: GameState, values: list[float]) -> None:
        board = cast("BackgammonState", state)
        all_pips = float(_ALL_PIPS[board.variant])
        pips = float(board.pips(1) - board.pips(0))
        value = self.pips * (pips - _HALF_A_ROLL if board.turn_player else pips + _HALF_A_ROLL) / all_pips
        value += self.off * float(board.white[0] - board.black[0])
        if board.variant == BACKGAMMON and board.in_contact():
            value += self._contact(board, 0) - self._contact(board, 1)
        if board.length > 1:
            lead = float(board.points[0] - board.points[1]) / float(board.length)
            value = self.match * lead + value * float(min(board.cube, board.length)) / float(board.length)
        values[0] = value
        values[1] = -value

    def _contact(self, board: BackgammonState, player: i64) -> float:
        """Return the worth of the position of a player's men beside their way."""
        men, others = board.men(player), board.men(1 - player)
        bar: i64 = BAR[BACKGAMMON]
        value = -self.bar * float(men[bar])
        made: i64 = 0
        row: i64 = 0
        longest: i64 = 1
        for point in range(1, bar):
            number = men[point]
            if number > 1:
                row += 1
                if point <= HOME:
                    made += 1
                elif point >= bar - HOME:
                    value += self.anchor
                if row > longest and point <= _PRIME_ZONE:
                    longest = row
                if number > _FEW:
                    value -= self.stack * float(number - _FEW)
            else:
                row = 0
                if number:
                    value -= self.blots * _risk(others, point)
        return value + self.home * float(made) + self.prime * float(longest - 1)


def _risk(others: list[int], point: i64) -> float:
    """Return the probability that a single man on a point is hit by the nearest man behind it, or one farther behind."""
    place = BAR[BACKGAMMON] - point
    risk = 0.0
    for distance in range(1, len(_HITS)):
        if place + distance > BAR[BACKGAMMON]:
            break
        if others[place + distance] and _HITS[distance] > risk:
            risk = _HITS[distance]
    return risk / _ROLLS


#: The pips of a player at the beginning.
_ALL_PIPS: Final[list[int]] = [167, 555, 25]


class BackgammonMetric(Metric):
    """Measures how games end, hits, and the cube."""

    measures: ClassVar[dict[str, str]] = {
        "gammons": "share of games won by a gammon",
        "backgammons": "share of games won by a backgammon",
        "hits": "men hit in a game, by both players",
        "plays": "plays in a game",
        "doubles": "doubles offered in a game",
        "drops": "share of doubles that are dropped",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count plays and what is said of the cube."""
        self.counts["plays"] += isinstance(action, Play)
        self.counts["doubles"] += isinstance(action, Double)
        self.counts["drops"] += isinstance(action, Drop)

    def on_game_event(self, state: GameState, event: Event) -> None:
        if event.name == "hit":
            self.counts["hits"] += 1
        elif event.name == "game won":
            self.counts[f"stakes {event.items[0]}"] += 1
            self.counts["games"] += 1

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        games = counts["games"]
        return {
            "gammons": share(counts["stakes 2"], games),
            "backgammons": share(counts["stakes 3"], games),
            "hits": share(counts["hits"], games),
            "plays": share(counts["plays"], games),
            "doubles": share(counts["doubles"], games),
            "drops": share(counts["drops"], counts["doubles"]),
        }
