"""Metrics: listeners that measure a game while it is played."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar, Final

from mypy_extensions import i64, mypyc_attr

from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng
from tag.engine.snapshot import Copyable
from tag.playing.listener import Listener

#: Expensive measures are taken at one decision of so many.
STRIDE: Final = 8


@mypyc_attr(allow_interpreted_subclasses=True)
class Metric(Listener):
    """Measures one game: a listener that has values once the game is over.

    It sees the true states, with what players cannot know. The same game gives the same values on every worker and in
    every build; so a clock time is no metric.

    A game declares its own metric in its game type (`GameType.metric`).

    Examples:
        >>> from typing import ClassVar
        >>> from tag import Game, make_agent, make_game
        >>> class Length(Metric):
        ...     measures: ClassVar[dict[str, str]] = {"length": "actions of a game"}
        ...     def on_end(self, state):
        ...         self.ticks = int(state.tick)
        ...     def values(self):
        ...         return {"length": [float(self.ticks)]}
        >>> agents = [make_agent("random"), make_agent("random")]
        >>> model = make_game("nim")
        >>> length = Length(model, Rng(1))
        >>> state = Game(model, agents, seed=1, listeners=[length]).play()
        >>> length.values()
        {'length': [5.0]}

    Attributes:
        measures: the measures by name: one line for people each, with the unit. ``share of …`` is for values between 0
            and 1, which are shown in percent, and ``share of games …`` for one value of 0 or 1 per game.
        model: the rules.
        rng: for metrics that sample.
        counts: what a metric counts, by names of its own; all are 0 at first.
    """

    measures: ClassVar[dict[str, str]] = {}

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        """Get ready for one game."""
        self.model = model
        self.rng = rng
        self.counts: Counter[str] = Counter()

    def hears_openings(self) -> bool:
        """Return False: what no agent has decided is not measured."""
        return False

    def values(self) -> dict[str, list[float]]:
        """Return the measurements of the finished game, by the names in ``measures``.

        A measure has any number of values in a game: one, one per action in their order, or none where it does not apply.
        """
        raise NotImplementedError


def share(part: i64, whole: i64) -> list[float]:
    """Return the share as the one value of a measure, no value if the whole is 0."""
    return [float(part) / float(whole)] if whole else []


@mypyc_attr(allow_interpreted_subclasses=True)
class Stride(Copyable):
    """Picks one of `STRIDE` calls, the first at random: every decision has the same chance to be measured."""

    __slots__ = ("_wait",)
    _wait: i64

    def __init__(self, rng: Rng) -> None:
        """Draw the first."""
        self._wait = rng.below(STRIDE)

    def picks(self) -> bool:
        """Say whether this call is picked."""
        picked = self._wait == 0
        self._wait = STRIDE - 1 if picked else self._wait - 1
        return picked


def is_share(about: str) -> bool:
    """Say whether the values of a measure described in this way are shares, between 0 and 1 (`Metric.measures`)."""
    return about.startswith("share of ")


def is_share_of_games(about: str) -> bool:
    """Say whether a measure described in this way is 0 or 1 in each game (`Metric.measures`)."""
    return about.startswith("share of games ")
