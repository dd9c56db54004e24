"""Features, the heuristic and the metric of Stratego."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, cast

from mypy_extensions import i64

from tag import Agent, AnyAction, Event, Features, GameState, JointHeuristic, Metric, Parameters, real
from tag.games.boards.stratego.actions import MovePiece
from tag.games.boards.stratego.data import (
    BOMB,
    FLAG,
    KIND,
    MARSHAL,
    MINER,
    MOVED,
    NAMES,
    PLAY,
    SHOWN,
    SIDE,
    SPY,
    STRIDE,
    StrategoParameters,
)
from tag.games.boards.stratego.state import StrategoState
from tag.playing.metrics import share

#: What pieces are worth beside each other, by kind.
WORTH: Final[list[float]] = [0.0, 5.0, 2.0, 5.0, 3.0, 4.0, 5.5, 7.5, 10.0, 14.0, 20.0, 4.0, 0.0]
_FAR: Final = 20


def distance(one: i64, other: i64) -> i64:
    """Return how many steps lie between two squares, as if the board were free."""
    rows = one // STRIDE - other // STRIDE
    columns = one % STRIDE - other % STRIDE
    return (rows if rows > 0 else -rows) + (columns if columns > 0 else -columns)


class StrategoFeatures(Features):
    """The pieces that both players have, those that are hidden and have moved, how far they stand, and the moves left."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features, those of oneself first."""
        found = ["my_turn", "moves"]
        for who in ("own", "other"):
            found += [f"{who}_{name}" for name in NAMES[1:FLAG]]
            found += [f"{who}_shown_{name}" for name in NAMES[1:FLAG]]
            found += [f"{who}_hidden_moved", f"{who}_hidden_still", f"{who}_advance", f"{who}_foremost"]
        return tuple(found)

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features; of hidden pieces only those count that both players know."""
        table = cast("StrategoState", state)
        most = cast("StrategoParameters", self.parameters).max_moves
        found = [float(table.current_player == player), float(table.turn) / float(most)]
        is_open = table.phase == PLAY
        for owner in (player, 1 - player):
            left = table.pieces_left(owner)
            shown = [0] * (FLAG + 1)
            moved, still, advance, foremost = 0, 0, 0, 0
            for square in table.field().squares if is_open else []:
                cell = table.board[square]
                if cell & KIND == 0 or (cell & SIDE > 0) != (owner == 1):
                    continue
                row = square // STRIDE
                ahead = int(table.field().height) - 1 - row if owner else row
                advance += ahead
                foremost = max(foremost, ahead)
                if cell & SHOWN:
                    shown[cell & KIND] += 1
                elif cell & MOVED:
                    moved += 1
                else:
                    still += 1
            found += [float(number) for number in left[1:FLAG]]
            found += [float(number) for number in shown[1:FLAG]]
            found += [float(moved), float(still), float(advance) / 10.0, float(foremost)]
        return found


@dataclass
class StrategoHeuristicParameters(Parameters):
    """The weights of `StrategoHeuristic`."""

    material: float = real(2.0, 0.0, 5.0, "weight of the lead in the worth of pieces, as a share of an army's")
    hidden: float = real(0.15, 0.0, 1.0, "share by which a piece that is not known is worth more")
    still: float = real(0.05, 0.0, 1.0, "share by which a hidden piece is worth more that has not moved")
    advance: float = real(0.03, 0.0, 0.5, "worth of each row that a piece has moved forward")
    miners: float = real(0.3, 0.0, 2.0, "worth of a miner more for each enemy bomb")
    danger: float = real(0.1, 0.0, 1.0, "weight of the enemy that is next to the flag, divided by its distance")


class StrategoHeuristic(JointHeuristic):
    """The worth of the pieces; hidden ones, those that have not moved and those farther on are worth more.

    A spy is worth little without a marshal to kill, a miner more for each bomb of the enemy. Before the first move it is 0.
    """

    parameters_class = StrategoHeuristicParameters

    def __init__(self, parameters: StrategoHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("StrategoHeuristicParameters", self.parameters)
        self.material = weights.material
        self.hidden = weights.hidden
        self.still = weights.still
        self.advance = weights.advance
        self.miners = weights.miners
        self.danger = weights.danger

    def _value_players(self, state: GameState, values: list[float]) -> None:
        table = cast("StrategoState", state)
        if table.phase != PLAY:
            values[0] = values[1] = 0.0
            return
        army = table.army
        total = 0.0
        for kind in range(len(army)):
            total += WORTH[kind] * float(army[kind])
        flags = [-1, -1]
        for square in range(len(table.board)):
            cell: i64 = table.board[square]
            if cell & KIND == FLAG:
                flags[1 if cell & SIDE else 0] = square
        first = self._side(table, 0, flags[1])
        second = self._side(table, 1, flags[0])
        values[0] = self.material * (first - second) / total
        nearest_first = self._nearest(table, 0, flags[1])
        nearest_second = self._nearest(table, 1, flags[0])
        values[0] += self.danger * (1.0 / float(nearest_first) - 1.0 / float(nearest_second))
        values[1] = -values[0]

    def _side(self, table: StrategoState, player: i64, flag: i64) -> float:
        """Return the worth of the pieces of a player."""
        side: i64 = player * SIDE
        last = table.field().height - 1
        worth = 0.0
        spies: i64 = 0
        miners: i64 = 0
        bombs: i64 = 0
        has_enemy_marshal = False
        for square in range(len(table.board)):
            cell: i64 = table.board[square]
            kind = cell & KIND
            if kind == 0:
                continue
            if cell & SIDE != side:
                bombs += kind == BOMB
                has_enemy_marshal = has_enemy_marshal or kind == MARSHAL
                continue
            spies += kind == SPY
            miners += kind == MINER
            factor = 1.0
            if cell & SHOWN == 0:
                factor += self.hidden
                if cell & MOVED == 0:
                    factor += self.still
            worth += WORTH[kind] * factor
            if kind < BOMB:
                row = square // STRIDE
                worth += self.advance * float(last - row if player else row)
        if not has_enemy_marshal:
            worth -= 0.6 * WORTH[SPY] * float(spies)
        return worth + self.miners * float(miners * bombs)

    def _nearest(self, table: StrategoState, player: i64, flag: i64) -> i64:
        """Return the distance of the piece of a player that is next to the enemy's flag."""
        side: i64 = player * SIDE
        nearest: i64 = _FAR
        if flag < 0:
            return nearest
        for square in range(len(table.board)):
            cell: i64 = table.board[square]
            kind = cell & KIND
            if kind and kind < BOMB and cell & SIDE == side:
                steps = distance(square, flag)
                if steps < nearest:
                    nearest = steps
        return nearest


class StrategoMetric(Metric):
    """Measures moves, fights, and how games end."""

    measures: ClassVar[dict[str, str]] = {
        "moves": "moves of both players in a game",
        "fights": "fights in a game",
        "attacks_won": "share of fights that the attacker wins",
        "flags": "share of games that end as a flag is taken",
        "blocked": "share of games that end as a player has no move",
        "runs": "runs of scouts in a game, without those that attack",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count moves."""
        self.counts["moves"] += isinstance(action, MovePiece)

    def on_game_event(self, state: GameState, event: Event) -> None:
        counts = self.counts
        if event.name == "fought":
            counts["fights"] += 1
            counts["won"] += event.value > 0
        elif event.name == "revealed":
            counts["runs"] += 1
        elif event.name == "shown":
            counts["games"] += 1
            counts["flags"] += "flag" in event.reason
            counts["blocked"] += "has no move" in event.reason and "no player" not in event.reason

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        games = counts["games"]
        return {
            "moves": share(counts["moves"], games),
            "fights": share(counts["fights"], games),
            "attacks_won": share(counts["won"], counts["fights"]),
            "flags": share(counts["flags"], games),
            "blocked": share(counts["blocked"], games),
            "runs": share(counts["runs"], games),
        }
