"""Portfolios of a study over several games: chosen by what the search knows, and played on unseen seeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from tag.tournaments.statistics.intervals import CONFIDENCE
from tag.tuning.agent.across import shares_of
from tag.tuning.agent.comparisons.games import differences_in, play_rounds
from tag.tuning.agent.comparisons.strata import MeanGain, at_once, gain_of, together
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.agent.schedule import StudySchedule
from tag.tuning.search.portfolio import GameGains, assigned, believed_gains, best_together
from tag.tuning.study.queue import GameQueue

#: The standard error of what the default gains over itself: nothing, but for the arithmetic of errors.
_NO_ERROR: Final = 1e-12


@dataclass(frozen=True)
class PortfolioGain:
    """The gain of a portfolio in one game, from its best configuration there, in points over the default.

    Attributes:
        low: the lower end of the interval; those of all games and portfolios hold together in 95 % of cases.
    """

    event: str
    game: str
    spec: str
    gain: float
    low: float
    high: float
    blocks: int


@dataclass(frozen=True)
class Portfolio:
    """Configurations that are best together, and what they gain.

    Attributes:
        specs: in the order in which they were added.
        gain: the weighted mean over the games.
        low: the lower end of its interval; those of all portfolios hold together in 95 % of cases.
    """

    specs: tuple[str, ...]
    gain: float
    low: float
    high: float
    games: tuple[PortfolioGain, ...]

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values."""
        return asdict(self)


def play_portfolios(
    definition: StudyDefinition, schedule: StudySchedule, queue: GameQueue, gains: Mapping[str, GameGains]
) -> tuple[Portfolio, ...]:
    """Choose the configurations that are best together and play each of them, and the default, in all games.

    Args:
        definition: of the study; it says of how many configurations the largest portfolio is.
        schedule: the games of the stage.
        queue: plays the games.
        gains: of the trials, by spec; those that met all games.

    Returns:
        The portfolios of one configuration, of two, and so on.

    Raises:
        StudyInterruptedError: the study was asked to stop.
    """
    events, shares = definition.events_in_search, shares_of(definition.events_in_search)
    specs, means = list(gains), believed_gains(definition.space, gains)
    chosen = best_together(means, shares, definition.portfolio)
    others = [specs[row] for row in chosen if specs[row] != definition.default]
    agents = [schedule.enter(spec) for spec in (definition.default, *others)]
    rounds = definition.validation // definition.round_games
    default, *played = play_rounds(schedule, queue, agents, rounds, definition.live)
    by_spec = {definition.default: [MeanGain(0.0, _NO_ERROR, rounds - 1.0) for _event in events]}
    for spec, agent, games in zip(others, agents[1:], played, strict=True):
        found = differences_in(schedule, events, (agent, agents[0]), (games, default))
        by_spec[spec] = [gain_of(one[:, 0] - one[:, 1]) for one in found]
    portfolios = []
    for size in range(1, len(chosen) + 1):
        places = assigned(means, chosen[:size])
        in_games = [by_spec[specs[chosen[place]]][event] for event, place in enumerate(places)]
        whole = together(in_games, shares)
        rows = tuple(
            PortfolioGain(event.name, event.game, specs[chosen[place]], gain.mean, *interval, int(gain.freedom) + 1)
            for event, place, gain, interval in zip(
                events, places, in_games, at_once(in_games, len(chosen)), strict=True
            )
        )
        interval = whole.interval(1.0 - (1.0 - CONFIDENCE) / len(chosen))
        portfolios.append(Portfolio(tuple(specs[row] for row in chosen[:size]), whole.mean, *interval, rows))
    return tuple(portfolios)
