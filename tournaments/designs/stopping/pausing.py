"""Pauses of agents that keep crashing, hanging or running out of time; the others go on.

Games are judged in schedule order, each once all before it have been played. So the paused agents, and the games
after which they are paused, follow from the ledger and not from the order of arrival. After that game the agent's
games are not played; those that already were are left out when the ledger is merged. From the block of that game on
none of its games counts: the others have then met it equally often.

Designs that learn pause no agent: every match-up must have a result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pandas as pd

from tag.playing.faults import ENDS_PROCESS, TOO_LATE
from tag.tournaments.designs.games import GameFaults, Pairing, place

if TYPE_CHECKING:
    from tag.tournaments.designs.schedule import Schedule


#: An agent with more crashes and hangs than this is paused; the figures are fishtest's.
_MOST_ENDS: Final = 3
#: An agent is also paused for time-outs in more than this share of its games, once it has played this many.
_MOST_LATE: Final = 0.1
_LEAST_GAMES: Final = 20


@dataclass(frozen=True)
class Pause:
    """An agent whose games are not played any more."""

    agent: int
    after: Pairing
    reason: str

    def sentence(self, label: str) -> str:
        """Describe the pause of the agent called ``label``."""
        return (
            f"{label} is paused after game {self.after.game_id} ({self.reason}): its other games are not played, and none "
            f"from block {self.after.block} on counts; add it mended, under another name, with --extend"
        )


class AgentPauses:
    """Pauses agents of a tournament by the faults of its games, which it judges in schedule order."""

    def __init__(self, schedule: Schedule) -> None:
        """Start with no game played."""
        self.by_agent: dict[int, Pause] = {}
        self._schedule = schedule
        self._faults: dict[str, GameFaults] = {}
        self._known = _Record()  # of all games so far, in any order
        self._until_next = _Record()  # of the games up to the next to be judged
        self._walk: Iterator[Pairing] = iter(())
        self._next: Pairing | None = None
        self._walks = False

    def take(self, game_id: str, faults: GameFaults) -> None:
        """Record the faults of a game."""
        counted = [(agent, kind) for agent, kind in faults if kind in ENDS_PROCESS or kind in TOO_LATE]
        if counted:
            self._faults[game_id] = counted
            self._known.add(counted)

    def judge(self, is_played: Callable[[Pairing], bool]) -> list[Pause]:
        """Judge the games up to the first that has not been played, and return the agents that this pauses.

        As long as no agent has so many faults in all, there is nothing to judge, and the schedule is left alone.
        """
        found: list[Pause] = []
        if self._schedule.design.learns or not self._known.suspects(self.by_agent):
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
        """Say whether a game is skipped because an agent in it has been paused before it."""
        return bool(self.by_agent) and any(
            agent in self.by_agent and place(pairing) > place(self.by_agent[agent].after) for agent in pairing.agents
        )

    def skipped(self) -> dict[str, Pairing]:
        """Return the skipped games of the schedule, by id."""
        if not self.by_agent:
            return {}
        return {pairing.game_id: pairing for pairing in self._schedule if self.skips(pairing)}

    def uncounted(self) -> dict[int, int]:
        """Return, for every agent that is paused, the block from which on its games do not count."""
        return {agent: pause.after.block for agent, pause in self.by_agent.items()}

    def before_pauses(self, games: pd.DataFrame, seats: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the rows of a ledger's games and seats in the blocks before the first pause."""
        if not self.by_agent:
            return games, seats
        end = min(self.uncounted().values())
        return games[games["block"] < end], seats[seats["block"] < end]

    def _judge_game(self, pairing: Pairing) -> list[Pause]:
        if self.skips(pairing):
            return []
        judged = self._until_next
        judged.add(self._faults.get(pairing.game_id, ()))
        found: list[Pause] = []
        for agent in sorted(set(pairing.agents)):
            judged.games[agent] += 1
            reason = judged.reason(agent)
            if reason:
                found.append(Pause(agent, pairing, reason))
        self.by_agent.update((pause.agent, pause) for pause in found)
        return found


class _Record:
    """The games and faults of agents."""

    def __init__(self) -> None:
        self.games: Counter[int] = Counter()
        self.ends: Counter[int] = Counter()
        self.late: Counter[int] = Counter()

    def add(self, faults: GameFaults) -> None:
        """Add the faults of one game."""
        self.ends.update(agent for agent, kind in faults if kind in ENDS_PROCESS)
        self.late.update({agent for agent, kind in faults if kind in TOO_LATE})

    def suspects(self, known: Collection[int]) -> bool:
        """Say whether an agent other than those ``known`` may have too many faults, in any order and number of games."""
        least_late = _MOST_LATE * _LEAST_GAMES
        return any(count > _MOST_ENDS for agent, count in self.ends.items() if agent not in known) or any(
            count > least_late for agent, count in self.late.items() if agent not in known
        )

    def reason(self, agent: int) -> str:
        """Return why the agent is paused, empty if it is not."""
        ends, late, games = self.ends[agent], self.late[agent], self.games[agent]
        if ends > _MOST_ENDS:
            return f"{ends} crashes or hangs"
        if games >= _LEAST_GAMES and late > _MOST_LATE * games:
            return f"time-outs in {late} of {games} games"
        return ""


def pauses_after(
    schedule: Schedule, faults_by_game: Mapping[str, GameFaults], played: Container[Pairing]
) -> AgentPauses:
    """Return the pauses after the games ``played``, with the faults ``faults_by_game``."""
    pauses = AgentPauses(schedule)
    for game_id, of_game in faults_by_game.items():
        pauses.take(game_id, of_game)
    pauses.judge(lambda pairing: pairing in played)
    return pauses
