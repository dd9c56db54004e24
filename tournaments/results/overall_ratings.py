"""Ratings of the agents of an experiment: those of each event, and their mean over events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import hypot
from pathlib import Path
from typing import Any

from tag.errors import DataError
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger.experiment import begun_events, read_experiment
from tag.tournaments.ledger.folder import read_manifest
from tag.tournaments.results.experiment import unequal_fields
from tag.tournaments.results.tournament import RatingSummary, UnratedError, rate
from tag.tournaments.statistics.intervals import Interval
from tag.tournaments.statistics.plain_records import plain_record
from tag.tournaments.statistics.ratings.pairwise import PairwiseTable, mean_table


@dataclass(frozen=True, slots=True)
class OverallRating:
    """The rating of one agent in all events.

    Attributes:
        agent: its label in the first event.
        rating: the weighted mean of its ratings, whose mean over agents is 0 in each event without anchors.
        interval: at 95 %; half its width is the root of the sum of the squares of those of the events, by weight, as their
            games are independent.
        by_event: its rating in each event, in their order.
    """

    agent: str
    rating: float
    interval: Interval
    by_event: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values, nan and infinity as None."""
        return plain_record(self)


@dataclass(frozen=True, eq=False)
class ExperimentRatings:
    """The ratings of the agents of an experiment.

    Attributes:
        events: the ratings in each event that has some, by name.
        overall: over the events in ``weights``, the best first; empty if there are none.
        weights: of these events, by name; only their ratios count.
        pairs: the weighted means over these events of how often one agent is placed above another; None without events.
        left_out: the reasons why other events are not in ``overall``, by name.
    """

    events: Mapping[str, RatingSummary]
    overall: list[OverallRating]
    weights: Mapping[str, float]
    left_out: Mapping[str, str]
    pairs: PairwiseTable | None = None

    @property
    def notice(self) -> str:
        """A sentence on events that are left out; empty if none is."""
        if not self.left_out:
            return ""
        return f"not in the ratings over all: {'; '.join(f'{name}, {why}' for name, why in self.left_out.items())}"

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values, nan and infinity as None."""
        return {
            "overall": [one.to_json() for one in self.overall],
            "events": {name: summary.to_json() for name, summary in self.events.items()},
            "weights": dict(self.weights),
            "pairs": self.pairs.to_json() if self.pairs else None,
            "left_out": dict(self.left_out),
        }


def rate_experiment(folder: Path, anchors: Mapping[str, float] | None = None) -> ExperimentRatings:
    """Return the ratings of the experiment in ``folder``, perhaps with agents whose ratings are fixed in all events.

    Raises:
        DataError: there is no experiment, no event has ratings, or a ledger is damaged.
        UnknownNameError: an anchor is not among the agents of an event.
    """
    events, why = {}, {}
    for name, event in begun_events(folder).items():
        try:
            events[name] = rate(event, anchors)
        except UnratedError as error:
            why[name] = error.reason
    if not events:
        reasons = "; ".join(f"{name}, {reason}" for name, reason in why.items()) or "no event has begun"
        raise DataError(f"{str(folder)!r} has nothing to rate: {reasons}")
    return combined_ratings(folder, events, why)


def combined_ratings(folder: Path, events: Mapping[str, RatingSummary], why: Mapping[str, str]) -> ExperimentRatings:
    """Return the ratings of an experiment from those of its ``events``; ``why`` others have none, by name."""
    experiment = read_experiment(folder)
    begun = {name: read_manifest(folder / name).definition for name in (*events, *why)}
    left_out = dict(why)
    for name in unequal_fields(experiment, begun):
        left_out[name] = "whose field differs"
    left_out |= {name: "where some have not met" for name, one in events.items() if len(one.components) > 1}
    compared = {name: one for name, one in events.items() if name not in left_out}
    weights = {name: experiment.weights[name] for name in compared}
    pairs = [one.pairs.ordered(begun[name].labels) for name, one in compared.items()]
    same = [replace(one, labels=pairs[0].labels) for one in pairs]  # agents of the same place are the same
    overall = mean_table(same, list(weights.values())) if same else None
    return ExperimentRatings(events, _overall(compared, begun, weights), weights, left_out, overall)


def _overall(
    events: Mapping[str, RatingSummary], begun: Mapping[str, TournamentDefinition], weights: Mapping[str, float]
) -> list[OverallRating]:
    """Return the weighted means over the events; agents of the same place are the same."""
    if not events:
        return []
    found, total = [], sum(weights.values())
    first = begun[next(iter(events))].labels
    for place, agent in enumerate(first):
        mine = {name: _of(summary, begun[name].labels[place]) for name, summary in events.items()}
        mean = sum(weights[name] * rating for name, (rating, _half) in mine.items()) / total
        half = hypot(*(weights[name] * half for name, (_rating, half) in mine.items())) / total
        by_event = tuple(rating for rating, _half in mine.values())
        found.append(OverallRating(agent, mean, Interval(mean - half, mean + half), by_event))
    return sorted(found, key=lambda one: (-one.rating, one.agent))


def _of(summary: RatingSummary, label: str) -> tuple[float, float]:
    """Return the rating of an agent in an event, and half the width of its interval."""
    one = next(agent for agent in summary.agents if agent.agent == label)
    return one.rating, one.interval.half
