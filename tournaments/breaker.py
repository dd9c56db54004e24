"""The circuit breaker: an agent that keeps crashing, hanging or running out of time is paused, and the rest goes on.

Games are judged in schedule order, each once all before it have been played, so that who is paused, and after which
game, follows from what is in the ledger and not from the order in which workers happened to return it. After that game
the agent's games are not played (those that already were are left out when the ledger is merged), and from the block of
that game on none of its games counts: the others have then met it equally often.

Designs that learn pause nobody: every table has to have a result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import pandas as pd

from tag.faults import ENDS_PROCESS, TOO_LATE
from tournaments._frames import Charges
from tournaments.schedule import Pairing, Schedule

#: More crashes and hangs than this pause an agent; the figures are fishtest's.
_MOST_ENDS: Final = 3
#: So do time-outs in more than this share of its games, once it has played this many.
_MOST_LATE: Final = 0.1
_LEAST_GAMES: Final = 20


@dataclass(frozen=True)
class Pause:
    """An agent whose games are not played any more.

    Attributes:
        agent: its number.
        after: the last game that was played.
        reason: what it has done, for people.
    """

    agent: int
    after: Pairing
    reason: str

    def sentence(self, label: str) -> str:
        """Say what becomes of the agent called ``label``."""
        return (
            f"{label} is paused after game {self.after.game_id} ({self.reason}): its other games are not played, and none "
            f"from block {self.after.block} on counts; add it mended, under another name, with --extend"
        )


class Breaker:
    """Judges the games of a schedule, in its order.

    Attributes:
        pauses: by the number of the agent.
    """

    def __init__(self, schedule: Schedule) -> None:
        """Start with no game played."""
        self.pauses: dict[int, Pause] = {}
        self._schedule = schedule
        self._charges: dict[str, Charges] = {}
        self._known = _Record()  # of all games so far, in whatever order
        self._judged = _Record()  # of the games up to the next to be judged
        self._walk: Iterator[Pairing] = iter(())
        self._next: Pairing | None = None
        self._walks = False

    def take(self, game_id: str, charges: Charges) -> None:
        """Take note of what went wrong in a game."""
        counted = [(agent, kind) for agent, kind in charges if kind in ENDS_PROCESS or kind in TOO_LATE]
        if counted:
            self._charges[game_id] = counted
            self._known.add(counted)

    def judge(self, is_played: Callable[[Pairing], bool]) -> list[Pause]:
        """Judge the games up to the first that has not been played, and return the agents that this pauses.

        As long as nobody has so many faults, in whatever order, there is nothing to judge and the schedule is left alone.
        """
        found: list[Pause] = []
        if self._schedule.design.learns or not self._known.suspects(self.pauses):
            return found
        if not self._walks:
            self._walks = True
            self._walk = iter(self._schedule)
            self._next = next(self._walk, None)
        while self._next is not None and (self.skips(self._next) or is_played(self._next)):
            found += self._judge_game(self._next)
            self._next = next(self._walk, None)
        return found

    def skips(self, pairing: Pairing) -> bool:
        """Say whether a game is not to be played, as an agent in it has been paused before it."""
        return bool(self.pauses) and any(
            agent in self.pauses and place(pairing) > place(self.pauses[agent].after) for agent in pairing.agents
        )

    def skipped(self) -> dict[str, Pairing]:
        """Return the games of the schedule that are not to be played, by id."""
        if not self.pauses:
            return {}
        return {pairing.game_id: pairing for pairing in self._schedule if self.skips(pairing)}

    def uncounted(self) -> dict[int, int]:
        """Return, for every agent that is paused, the block from which on its games do not count."""
        return {agent: pause.after.block for agent, pause in self.pauses.items()}

    def before_pauses(self, games: pd.DataFrame, seats: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the rows of a ledger's games and seats in the blocks in which nobody was paused yet."""
        if not self.pauses:
            return games, seats
        end = min(self.uncounted().values())
        return games[games["block"] < end], seats[seats["block"] < end]

    def _judge_game(self, pairing: Pairing) -> list[Pause]:
        if self.skips(pairing):
            return []
        judged = self._judged
        judged.add(self._charges.get(pairing.game_id, ()))
        found: list[Pause] = []
        for agent in sorted(set(pairing.agents)):
            judged.games[agent] += 1
            reason = judged.reason(agent)
            if reason:
                found.append(Pause(agent, pairing, reason))
        self.pauses.update((pause.agent, pause) for pause in found)
        return found


class _Record:
    """What agents have done.

    Attributes:
        games: by agent.
        ends: crashes and hangs, by agent.
        late: games with a time-out, by agent.
    """

    def __init__(self) -> None:
        self.games: Counter[int] = Counter()
        self.ends: Counter[int] = Counter()
        self.late: Counter[int] = Counter()

    def add(self, charges: Charges) -> None:
        """Charge what went wrong in one game."""
        self.ends.update(agent for agent, kind in charges if kind in ENDS_PROCESS)
        self.late.update({agent for agent, kind in charges if kind in TOO_LATE})

    def suspects(self, known: Collection[int]) -> bool:
        """Say whether anyone but those ``known`` may have done enough, whatever the order and the number of games."""
        least_late = _MOST_LATE * _LEAST_GAMES
        return any(count > _MOST_ENDS for agent, count in self.ends.items() if agent not in known) or any(
            count > least_late for agent, count in self.late.items() if agent not in known
        )

    def reason(self, agent: int) -> str:
        """Say why the agent is to be paused, empty if it is not."""
        ends, late, games = self.ends[agent], self.late[agent], self.games[agent]
        if ends > _MOST_ENDS:
            return f"{ends} crashes or hangs"
        if games >= _LEAST_GAMES and late > _MOST_LATE * games:
            return f"time-outs in {late} of {games} games"
        return ""


def judged(schedule: Schedule, charges: Mapping[str, Charges], played: Container[Pairing]) -> Breaker:
    """Return the breaker after the games ``played``, in which the ``charges`` went wrong."""
    breaker = Breaker(schedule)
    for game_id, of_game in charges.items():
        breaker.take(game_id, of_game)
    breaker.judge(lambda pairing: pairing in played)
    return breaker


def place(pairing: Pairing) -> tuple[int, int, int]:
    """Return where a game is in schedule order, as something to compare."""
    return (pairing.block, pairing.matchup, pairing.seating)
