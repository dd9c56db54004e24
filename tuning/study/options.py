"""Options that tuning and balancing share."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

from tag.catalogue.options import option
from tag.tuning.study.definition import AUTO, Study

#: At most so many trials are in play at once, and one in so many of a search: a sampler asked for all at once learns
#: nothing.
MOST_LIVE: Final = 16
_TRIALS_PER_LIVE: Final = 5

#: The heading of options of the search in ``--help``.
_SEARCH: Final = "Search"


@dataclass(frozen=True, kw_only=True)
class CommonOptions:
    """Options of studies with a search: attributes of the definition in any form.

    By default all tunable parameters are searched; the sampler and the games of a configuration are chosen.
    """

    games: int = option(0, "The budget of the search in games; needed.", _SEARCH, example="20000", least=1)
    players: int | None = option(
        None, "Seats of each game; if omitted, the game's fewest.", "Who plays what", example="4", least=1
    )
    search: tuple[str, ...] = option(
        (),
        "What is searched, or a narrower range, horizon=2..12; if omitted, all that the spec does not fix.",
        _SEARCH,
        metavar="NAME[=VALUES],...",
        example='["horizon", "population_size=1..20"]',
    )
    held_out: tuple[str, ...] = option(
        (),
        "An agent met only by the final recommendation.",
        "Validation",
        metavar="SPEC",
        example='["mcts:budget=1000"]',
    )
    sampler: str = AUTO  # each kind of studies has an option with its samplers
    games_per_trial: int | None = option(
        None, "Games of each trial; if omitted, as many as suit the sampler.", _SEARCH, example="100", least=1
    )
    live: int | None = option(
        None,
        "Trials in play at once; if omitted 16, or a fifth of the trials if that is less.",
        _SEARCH,
        example="16",
        least=1,
    )
    seed: int = option(
        1, "Random seed; studies with the same seed are identical; 1 by default.", _SEARCH, example="1", least=0
    )
    opening: str = option(
        "",
        "Begin the games of each chance seed with the same actions: random:4, or in tuning a file of openings.",
        "Who plays what",
        metavar="random:N|FILE",
        example='"random:4"',
    )
    enqueue: tuple[str, ...] = option((), "A spec to try first.", _SEARCH, metavar="SPEC", example='["rhea:horizon=8"]')


def live_of(said: int | None, trials: int) -> int:
    """Return how many of so many trials are in play at once, as the user ``said`` or by default."""
    return min(MOST_LIVE, max(trials // _TRIALS_PER_LIVE, 1)) if said is None else said


def stored_options(study: type[Study], said: CommonOptions) -> dict[str, Any]:
    """Return the options that are also attributes of a definition, by name, as the user gave them."""
    return {one.name: getattr(said, one.name) for one in fields(study) if hasattr(said, one.name)}
