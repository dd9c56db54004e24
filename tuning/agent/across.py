"""The value of a configuration over several games: its gains, each on the game's own scale.

The gain in a game is the mean of the points of chance seeds, less an even share of a game's points: 1/n at a table of n. An
agent that meets itself has exactly that. So 0 is the default wherever the opponents are the default.

- ``mean`` is the mean of the gains, weighted by the events.
- ``worst`` is a smooth form of the least gain, as the least of noisy means is too low, the more so the more games there
  are. It is ``least - T log(mean(exp((least - gain) / T)))``. T is half the standard error of a game's gain, from the blocks
  of all games. So it comes to the least as the blocks grow, and lies in between where luck decides which game is the worst.
  With four seeds of each of six games it was .11 too low where all are equal, and .10 too high where they are 10 to 20
  points apart; the least mean was .22 and .02 too low, with more noise.

The variance of a value is the one between blocks within games. What differs between games is no noise, as each trial plays
all of them equally often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import exp, fsum, log, sqrt
from statistics import fmean
from typing import Final

from tag.tournaments.ledger.rows import PlayedGame
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.agent.events import StudyEvent
from tag.tuning.agent.objectives import MAXIMIZE, WORST, Objective
from tag.tuning.agent.schedule import StudySchedule

#: What each game is compared by.
POINTS: Final = "points"
#: The scale of the smooth least gain, in standard errors of a game's gain, and its least.
_WIDTH: Final = 0.5
_LEAST_WIDTH: Final = 1e-9


class GainOverGames:
    """The objective of a study over several games, in the form of `tag.tuning.agent.objectives.Objective`.

    Attributes:
        direction: ``maximize``.
    """

    direction = MAXIMIZE

    def __init__(self, schedule: StudySchedule, events: Sequence[StudyEvent], across: str) -> None:
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
        if self._is_worst:
            return _smooth_least(means, _WIDTH * _error(list(gains.values()), means))
        return fsum(weight * mean for weight, mean in zip(self._weights, means, strict=True)), list(self._weights)


def _error(gains: Sequence[Sequence[float]], means: Sequence[float]) -> float:
    """Return the standard error of the mean of a game, with the variance between blocks that all games share."""
    free = sum(map(len, gains)) - len(gains)
    squares = fsum((gain - mean) ** 2 for known, mean in zip(gains, means, strict=True) for gain in known)
    return sqrt(squares / max(free, 1) * fmean(1.0 / len(known) for known in gains))


def _smooth_least(means: Sequence[float], width: float) -> tuple[float, list[float]]:
    """Return a smooth form of the least of means, and its derivative by each."""
    least, scale = min(means), max(width, _LEAST_WIDTH)
    weights = [exp((least - mean) / scale) for mean in means]
    total = fsum(weights)
    return least - scale * log(total / len(means)), [weight / total for weight in weights]


def shares_of(events: Sequence[StudyEvent]) -> tuple[float, ...]:
    """Return the weights of events as shares."""
    total = fsum(event.weight for event in events)
    return tuple(event.weight / total for event in events)


def objectives_of(definition: StudyDefinition, schedule: StudySchedule) -> list[Objective] | list[GainOverGames]:
    """Return the objectives of a search."""
    if definition.events:
        return [GainOverGames(schedule, definition.events_in_search, definition.across)]
    return [Objective(name, schedule, definition.panel, schedule.panel) for name in definition.objectives]
