"""Late answers: workers that seemed lost, and answer all the same when another has answered in their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tag.cluster.batches import Answer, Columns, Reply, pack_orders, play_batch
from tag.cluster.workers import ReliableWorkers
from tag.engine.rng import Rng
from tag.orders import GameOrder
from tag.tournaments import content_hash, define, read_ledger
from tag.tournaments.run import run_tournament

pytestmark = pytest.mark.flow

DEFINITION = define("love_letter", ("random", "osla", "random"), 30, players=3)


class SeemingLost:
    """Workers of which every third batch is said to be lost, and answered twice: by who had it and by the next.

    Attributes:
        delivered: how many answers came, by batch.
    """

    def __init__(self, seed: int) -> None:
        self.delivered: dict[int, int] = {}
        self._rng = Rng(seed)
        self._given: set[int] = set()
        self._coming: list[Reply] = []

    @property
    def has_room(self) -> bool:
        return len(self._coming) < 8

    def give(self, number: int, columns: Columns) -> None:
        answer = Reply(number, f"10.0.0.2/{len(self._given)}", play_batch(columns))
        if number not in self._given and number % 3 == 0:
            self._coming.append(answer._replace(answer=None, suspect=True))
        self._given.add(number)
        self._coming.append(answer)
        if number % 5 == 0:  # the network has sent it twice
            self._coming.append(answer)

    def wait(self, seconds: float) -> list[Reply]:
        """Return half of what is coming, in any order, but of no batch an answer before its loss."""
        self._coming.sort(key=lambda outcome: (outcome.answer is not None, self._rng.uniform()))
        now, self._coming = self._coming[: len(self._coming) // 2 + 1], self._coming[len(self._coming) // 2 + 1 :]
        for outcome in now:
            if outcome.answer is not None:
                self.delivered[outcome.number] = self.delivered.get(outcome.number, 0) + 1
        return now


@pytest.mark.parametrize("seed", range(4))
def test_they_are_dropped_and_the_ledger_is_the_same(tmp_path: Path, seed: int) -> None:
    run_tournament(DEFINITION, tmp_path / "alone", tracking=False)
    workers = SeemingLost(seed)
    results = run_tournament(
        DEFINITION, tmp_path / "late", tracking=False, workers=ReliableWorkers(lambda _sources: workers, 4)
    )
    assert results.complete
    assert sum(answers > 1 for answers in workers.delivered.values()) >= 5
    games, _seats = read_ledger(tmp_path / "late")
    assert games["game_id"].is_unique
    assert len(games) == len(DEFINITION.schedule())
    assert content_hash(tmp_path / "late") == content_hash(tmp_path / "alone")


def test_a_late_answer_counts_if_it_is_the_first_and_nobody_plays_in_vain() -> None:
    orders = [GameOrder("b0-m0-s0", "tic_tac_toe", ("random", "random"), 1)]
    answer: Answer = play_batch(pack_orders(orders))

    class Late:
        """Has no room for a second try before the first answers after all."""

        has_room = True

        def __init__(self) -> None:
            self.given = 0
            self.coming = [[Reply(1, "a", None)], [Reply(1, "a", answer)], [Reply(1, "a", answer)]]

        def give(self, number: int, columns: Columns) -> None:
            self.given += 1
            self.has_room = False

        def wait(self, seconds: float) -> list[Reply]:
            found = self.coming.pop(0) if self.coming else []
            self.has_room = len(self.coming) == 1
            return found

    workers = Late()
    pool = ReliableWorkers(lambda _sources: workers, 1)
    pool.start({})
    try:
        pool.submit(1, orders)
        played = [batch for _look in range(4) for batch in pool.completed(0.0)]
    finally:
        pool.close()
    assert [batch.number for batch in played] == [1]
    assert workers.given == 1
