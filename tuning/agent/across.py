"""The value of a configuration over several games: its gains, each on the game's own scale.

The gain in a game is the mean of the points of chance seeds, less an even share of a game's points: 1/n at a table of n. An
agent that meets itself has exactly that. So 0 is the default wherever the opponents are the default.

- ``mean`` is the mean of the gains, weighted by the events.
- ``worst`` is the least gain. The least of noisy means is too low, the more so the more games there are. So gains are first
  shrunk towards their mean, by the share of their spread that the luck of blocks explains (James and Stein):

      kept = max(0, 1 - noise / spread),    value = centre + kept (least - centre)

  Where games cannot be told apart, that is the mean.

The variance of a value is the one between blocks within games. What differs between games is no noise, as each trial plays
all of them equally often.

Source: B. Efron and C. Morris, "Stein's estimation rule and its competitors", Journal of the American Statistical
Association 68, 1973.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import fsum, sqrt
from statistics import fmean, variance
from typing import Final

from tag.tournaments.ledger.rows import PlayedGame
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.agent.events import Event
from tag.tuning.agent.objectives import MAXIMIZE, WORST, Objective
from tag.tuning.agent.schedule import StudySchedule

#: What each game is compared by.
POINTS: Final = "points"


class GainOverGames:
    """The objective of a study over several games, in the form of `tag.tuning.agent.objectives.Objective`.

    Attributes:
        direction: ``maximize``.
    """

    direction = MAXIMIZE

    def __init__(self, schedule: StudySchedule, events: Sequence[Event], across: str) -> None:
        """Take the games of ``schedule``, whose events these are, and how gains become one value."""
        self._schedule = schedule
        self._events = events
        self._is_worst = across == WORST
        self._weights = shares_of(events)
        self._points = Objective(POINTS, schedule, opponents=schedule.panel)

    def gains(self, games: Sequence[PlayedGame], number: int) -> dict[int, list[tuple[int, float]]]:
        """Return the chance seeds and gains of the agent ``number`` in each event, in order; void games do not count."""

        def chance(game: PlayedGame) -> int:
            return self._schedule.chance_of(game.pairing.block)

        found: dict[int, list[tuple[int, float]]] = {number: [] for number in range(len(self._events))}
        for seed, group in groupby(sorted(games, key=chance), chance):
            event = self._schedule.event_of(seed)
            points = self._points.value(list(group), number)
            if points is not None:
                found[event].append((seed, points - 1.0 / self._events[event].players))
        return found

    def means(self, games: Sequence[PlayedGame], number: int) -> dict[str, float]:
        """Return the mean gain by the name of the event; those without a game that counts are left out."""
        gains = self.gains(games, number)
        return {
            event.name: fmean(gain for _seed, gain in gains[place])
            for place, event in enumerate(self._events)
            if gains[place]
        }

    def value(self, games: Sequence[PlayedGame], number: int) -> float | None:
        """Return the value of the agent ``number``; None where an event has no game that counts."""
        gains = {event: [gain for _seed, gain in known] for event, known in self.gains(games, number).items()}
        return None if not all(gains.values()) else self._combined(gains)[0]

    def by_block(self, games: Sequence[PlayedGame], number: int) -> list[float]:
        """Return a value for each chance seed, in order, of which the mean is `value`; none without two of some event.

        The value is linearised at the means of the events: a chance seed adds its deviation from the mean of its event, by
        the derivative. The variance of these values, over their number, is that of `value` to first order.
        """
        gains = self.gains(games, number)
        blocks, n_events = sum(map(len, gains.values())), len(gains)
        if not all(gains.values()) or blocks <= n_events:
            return []
        value, weights = self._combined({event: [gain for _seed, gain in known] for event, known in gains.items()})
        freed = sqrt((blocks - 1) / (blocks - n_events))  # as many means were estimated
        found: dict[int, float] = {}
        for event, known in gains.items():
            mean, pull = fmean(gain for _seed, gain in known), weights[event] * blocks / len(known)
            found |= {seed: value + freed * pull * (gain - mean) for seed, gain in known}
        return [found[seed] for seed in sorted(found)]

    def _combined(self, gains: Mapping[int, Sequence[float]]) -> tuple[float, list[float]]:
        """Return the value of gains by event, and its derivative by the mean of each."""
        means = [fmean(known) for known in gains.values()]
        weights = list(self._weights)
        if self._is_worst:
            kept = _kept(list(gains.values()), means)
            least = means.index(min(means))
            weights = [(1.0 - kept) / len(means) + kept * (event == least) for event in range(len(means))]
        return fsum(weight * mean for weight, mean in zip(weights, means, strict=True)), weights


def _kept(gains: Sequence[Sequence[float]], means: Sequence[float]) -> float:
    """Return the share of the spread of means that is not luck."""
    free = sum(map(len, gains)) - len(gains)
    spread = variance(means) if len(means) > 1 else 0.0
    if not free or not spread:
        return 0.0
    squares = fsum((gain - mean) ** 2 for known, mean in zip(gains, means, strict=True) for gain in known)
    noise = squares / free * fmean(1.0 / len(known) for known in gains)
    return max(0.0, 1.0 - noise / spread)


def shares_of(events: Sequence[Event]) -> tuple[float, ...]:
    """Return the weights of events as shares."""
    total = fsum(event.weight for event in events)
    return tuple(event.weight / total for event in events)


def objectives_of(definition: StudyDefinition, schedule: StudySchedule) -> list[Objective] | list[GainOverGames]:
    """Return the objectives of a search."""
    if definition.events:
        return [GainOverGames(schedule, definition.events_in_search, definition.across)]
    return [Objective(name, schedule, definition.panel, schedule.panel) for name in definition.objectives]
