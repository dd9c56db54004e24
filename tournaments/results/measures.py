"""Measures of the games of a tournament, as values by game: from metrics in its ledger, and from the ledger itself."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np
import pandas as pd

from tag.catalogue.registry import metric_class
from tag.errors import TagError
from tag.orders.set_up import has_score, is_cooperative_game
from tag.playing.metrics import is_share, is_share_of_games
from tag.tournaments.ledger import games as ledgers
from tag.tournaments.ledger.folder import Folder, FolderOrPath
from tag.tournaments.results.tournament import CountedGames
from tag.tournaments.statistics.clustered_means import ClusteredMean
from tag.tournaments.statistics.intervals import Floats, Ints

#: Measures that the ledger has of each game, with any metrics.
_OF_THE_LEDGER: Final = {
    "decisions": "decisions of a game: how often an agent was asked, with more than one action to choose from",
    "ticks": "actions of a game, those without an alternative included",
    "turns": "turns ended in a game",
    "rounds": "rounds ended in a game",
    "first_seat": "points of the first seat beyond an equal share: above 0 where it is good to begin",
    "decided": "share of games that somebody won",
    "score": "points of the player at the end of a game for one",
}
#: The functions whose speed an analysis measures.
SPEEDS: Final = {
    "setup": "set-ups of a game",
    "next": "actions taken, with all that follows from them",
    "actions": "lists of the actions available",
    "copy": "copies of the state",
    "observation": "copies for the player to act, with all dealt again that it cannot know",
}
#: The shares of values below which the columns p5 … p95 lie.
_QUANTILES: Final = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}
#: The courses of a game have about so many points.
_POINTS: Final = 120
#: A point counts at least so many games (or all, of fewer), and this share of them.
_FEWEST_GAMES: Final = 5
_SMALLEST_SHARE: Final = 0.02
#: Distributions have at most so many bins, and leave out this share of the values at either end.
_BINS: Final = 40
_TAIL: Final = 0.005


@dataclass(frozen=True)
class GameMeasure:
    """All values of one measure in the games of an event.

    Attributes:
        about: a description in one line, with the unit.
        game: the number of the game that each is from.
        number: its number within the game.
        share: of the games those that count as independent (`tag.tournaments.statistics.repeats`).
    """

    name: str
    about: str
    values: Floats
    game: Ints
    number: Ints
    share: float = 1.0

    def summary(self) -> dict[str, float | int | str | None]:
        """Return a row of figures.

        ``mean`` is that of the games' means, each game counting once. Its 95 % interval is from ``low`` to ``high``
        (Wilson's for a share of games). The standard deviation ``sd``, the quantiles and the extremes are those of all
        values.
        """
        games, index = np.unique(self.game, return_inverse=True)
        sizes = np.bincount(index, minlength=len(games)).astype(np.float64)
        means = np.bincount(index, self.values, len(games)) / sizes
        mean = ClusteredMean.of(means, np.ones(len(games))).known_from(self.share)
        low, high = mean.interval(*((0.0, 1.0) if is_share(self.about) else (-np.inf, np.inf)))
        if is_share_of_games(self.about):
            low, high = mean.proportion_interval()
        figures = {"mean": mean.mean, "low": low, "high": high, "sd": float(np.std(self.values))}
        figures |= {"min": float(self.values.min()), "max": float(self.values.max())}
        figures |= {name: float(np.quantile(self.values, share)) for name, share in _QUANTILES.items()}
        return {"measure": self.name, "games": len(games), "values": len(self.values), **figures}

    def course(self) -> pd.DataFrame:
        """Return the course of the measure over a game: one row per stretch of actions that enough games reach.

        Returns:
            Columns at (the first action of the stretch, from 0), games, mean, p5, p25, p75, p95.
        """
        longest = float(np.quantile(self.number, 0.99)) if len(self.number) else 0.0
        width = max(1, -(-int(longest + 1) // _POINTS))
        frame = pd.DataFrame({"at": self.number // width * width, "value": self.values, "game": self.game})
        by = frame.groupby("at")
        course = pd.DataFrame({"games": by["game"].nunique(), "mean": by["value"].mean()})
        for name in ("p5", "p25", "p75", "p95"):
            course[name] = by["value"].quantile(_QUANTILES[name])
        n_games = len(np.unique(self.game))
        enough = min(n_games, max(_FEWEST_GAMES, _SMALLEST_SHARE * n_games))
        return course[course["games"] >= enough].reset_index()

    def distribution(self) -> pd.DataFrame:
        """Return a histogram of all values, without the outermost.

        There are twice the cube root of as many bins as values (Rice's rule), 40 at most. Bins of whole numbers extend
        half a number to either side; each number has a bin of its own if they are few enough.

        Returns:
            Columns low, high (the ends of a bin; both the value if there is only one) and share (of all values).
        """
        most = min(_BINS, ceil(2.0 * len(self.values) ** (1.0 / 3.0)))
        first = float(np.quantile(self.values, _TAIL, method="lower"))
        last = float(np.quantile(self.values, 1.0 - _TAIL, method="higher"))
        if bool((self.values == np.rint(self.values)).all()):
            width = -(-(np.ceil(last) - np.floor(first) + 1.0) // most)
            edges = np.arange(np.floor(first) - 0.5, np.ceil(last) + 0.5 + width, width)
        elif first == last:
            return pd.DataFrame({"low": [first], "high": [last], "share": [float(np.mean(self.values == first))]})
        else:
            edges = np.linspace(first, last, most + 1)
        counts, _edges = np.histogram(self.values, edges)
        return pd.DataFrame({"low": edges[:-1], "high": edges[1:], "share": counts / len(self.values)})


def describe(metrics: Iterable[str]) -> dict[str, str]:
    """Return all measures of games that are played with these metrics, with their descriptions.

    Raises:
        UnknownNameError: there is no such metric.
    """
    about = dict(_OF_THE_LEDGER)
    for name in metrics:
        about |= metric_class(name).measures
    return about


def read_event(folder: FolderOrPath) -> dict[str, GameMeasure]:
    """Return the measures of the event that was played in ``folder``, by name; those without any value are left out.

    Raises:
        DataError: there is no such tournament.
    """
    opened = Folder.of(folder)
    about = describe(opened.definition.metrics)
    found = {**_of_the_ledger(opened), **_of_metrics(ledgers.read_measures(opened))}
    share = CountedGames(opened, []).independent_share()
    return {name: GameMeasure(name, about[name], *found[name], share) for name in about if name in found}


def read_metrics(measured: pd.DataFrame, metrics: Iterable[str], share: float) -> list[GameMeasure]:
    """Return the values of these metrics from a frame of `read_measures`, without descriptions where a metric is gone.

    The ``share`` is that of games that repeat no earlier one.
    """
    about: dict[str, str] = {}
    for name in metrics:
        with suppress(TagError):  # a file of a user's that is no longer there, or does not import here
            about |= metric_class(name).measures
    return [GameMeasure(name, about.get(name, ""), *found, share) for name, found in _of_metrics(measured).items()]


def _of_the_ledger(folder: Folder) -> dict[str, tuple[Floats, Ints, Ints]]:
    definition = folder.definition
    games, seats = ledgers.read_ledger(folder)
    by_game = seats.groupby("game_id", sort=False)
    found: dict[str, Floats] = {name: games[name].to_numpy(np.float64) for name in ("ticks", "turns", "rounds")}
    found["decisions"] = by_game["decisions"].sum().to_numpy(np.float64)
    is_one_team = is_cooperative_game(definition.game, definition.players)
    if not is_one_team:
        points = seats[seats["seat"] == 0]["points"].to_numpy(np.float64)
        found["first_seat"] = points - by_game["points"].sum().to_numpy(np.float64) / definition.players
    if is_one_team and has_score(definition.game, definition.players):
        found["score"] = seats[seats["seat"] == 0]["score"].to_numpy(np.float64)
    found["decided"] = np.asarray(by_game["win"].any(), dtype=np.float64)
    played = np.flatnonzero(~games["void"])
    zeros = np.zeros(len(played), np.int64)
    return {name: (values[played], played, zeros) for name, values in found.items() if len(played)}


def _of_metrics(measured: pd.DataFrame) -> dict[str, tuple[Floats, Ints, Ints]]:
    frame = measured.assign(game=measured["game_id"].cat.codes)
    found = {}
    for name, rows in frame.groupby("measure", observed=True):
        arrays = (rows["game"].to_numpy(np.int64), rows["number"].to_numpy(np.int64))
        found[str(name)] = (rows["value"].to_numpy(np.float64), *arrays)
    return found
