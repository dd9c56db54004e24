"""Metrics of the lead: the leader, lead changes, and the turn after which the winner leads."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from mypy_extensions import i64

from tag.engine.forward_model import ForwardModel
from tag.engine.results import WIN
from tag.engine.rng import Rng, float_sum
from tag.engine.state import GameState
from tag.playing.metrics.metric import Metric

_NOBODY: Final = -1


class LeadMetric(Metric):
    """Drama and decisiveness after Browne (Automatic Generation and Evaluation of Recombination Games, 2008, ch. 7).

    The leader is the side, a player or a team, that alone has the greatest heuristic when a turn ends; that of a team is the
    mean of its players'. Stability is that of Ludii: the greater, the less stable. Games whose heuristic is flat before the
    end have no leaders. Co-operative games have no values; games without a single winning side have none for drama and
    decisiveness.
    """

    measures: ClassVar[dict[str, str]] = {
        "lead_changes": "how often the lead passed from one side to another",
        "decided_at": "share of a game's turns after which the winner was ahead for good (all: not before the end)",
        "drama": "by how much the later winner was behind the leader, mean over the turns, in units of the heuristic",
        "stability": "variance of the heuristic of a side over the turns, mean over the sides: 0 where nothing changes",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        """Start without a leader."""
        super().__init__(model, rng)
        self._heuristic = model.heuristic()
        self._standings: list[list[float]] = []
        self._winner: i64 = _NOBODY
        self._sides: list[list[int]] = []

    def on_start(self, state: GameState) -> None:
        """Find the teams."""
        players: dict[int, list[int]] = {}
        for player in range(state.n_players):
            players.setdefault(int(state.team(player)), []).append(int(player))
        self._sides = list(players.values())

    def on_turn_over(self, state: GameState) -> None:
        """Value the position for every side, unless the game is over."""
        if len(self._sides) > 1 and not state.is_terminal:
            self._standings.append(
                [
                    float_sum([self._heuristic.value(state, player) for player in side]) / len(side)
                    for side in self._sides
                ]
            )

    def on_end(self, state: GameState) -> None:
        """Note which side has won, if one has alone."""
        winners = [
            number for number, side in enumerate(self._sides) if any([state.result(player) == WIN for player in side])
        ]
        if len(winners) == 1:
            self._winner = winners[0]

    def values(self) -> dict[str, list[float]]:
        """Return the measures of the game, one value each."""
        if not self._standings:
            return {}
        found = {"lead_changes": [float(self._changes())], "stability": [self._variance()]}
        if self._winner != _NOBODY:
            turns = len(self._standings)
            found["decided_at"] = [self._turns_until_settled() / turns]
            found["drama"] = [float_sum([max(row) - row[self._winner] for row in self._standings]) / turns]
        return found

    def _changes(self) -> i64:
        changes: i64 = 0
        last: i64 = _NOBODY
        for row in self._standings:
            leader = _leader(row)
            if leader == _NOBODY:
                continue
            if last not in (_NOBODY, leader):
                changes += 1
            last = leader
        return changes

    def _variance(self) -> float:
        """Return the variance of each side's heuristic over the turns, mean over the sides."""
        turns = len(self._standings)
        sides = len(self._sides)
        total = 0.0
        for side in range(sides):
            mean = 0.0
            for row in self._standings:
                mean += row[side] / turns
            for row in self._standings:
                total += (row[side] - mean) ** 2
        return total / (turns * sides)

    def _turns_until_settled(self) -> i64:
        """Return after how many turns the winner led and went on leading."""
        turns: i64 = len(self._standings)
        while turns > 0 and _leader(self._standings[turns - 1]) == self._winner:
            turns -= 1
        return turns


def _leader(row: list[float]) -> i64:
    """Return the only side with the greatest value, `_NOBODY` if there are several."""
    best = max(row)
    return row.index(best) if row.count(best) == 1 else _NOBODY
