"""Options of a tuning study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tag.catalogue.options import option
from tag.tuning.agent.objectives import ACROSS, OBJECTIVES, PANELS
from tag.tuning.study.definition import AUTO, SAMPLERS
from tag.tuning.study.options import CommonOptions

#: The headings of the options below in ``--help``.
_SEARCH: Final = "Search"
_OPPONENTS: Final = "Opponents"
_VALIDATION: Final = "Validation"
_OBJECTIVES: Final = "; ".join(f"{name}: {about}" for name, about in OBJECTIVES.items())


@dataclass(frozen=True, kw_only=True)
class StudyOptions(CommonOptions):
    """Options of a study beside its agents and its game: the attributes of `StudyDefinition` in any form.

    By default the opponent is the agent with its default parameters, or none in a co-operative game. The objective is
    the win rate; where all players are one team the score, or the success in a game without points. ``versus`` may name
    the folder of a tournament, for all of its agents, or be ``incumbent`` for self-play.
    """

    sampler: str = option(
        AUTO,
        f"The sampler that proposes configurations: {', '.join(SAMPLERS)}; file.py:Class for your own; auto by default.",
        _SEARCH,
        metavar="NAME",
        example='"auto"',
    )
    held_out: tuple[str, ...] = option(
        (),
        "An agent met only by the final recommendation; in several games, a game that only it plays.",
        _VALIDATION,
        metavar="SPEC",
        example='["mcts:budget=1000"]',
    )
    versus: tuple[str, ...] = option(
        (),
        "An opponent; the folder of a tournament, for all of its agents; or incumbent for self-play. "
        "If omitted, the agent with its default parameters.",
        _OPPONENTS,
        metavar="SPEC",
        example='["osla"]',
    )
    generations: int = option(
        0, "With --versus incumbent, how many incumbents are met; 4 by default.", _OPPONENTS, example="4", least=1
    )
    objective: str = option(
        "",
        f"What is optimised: {_OBJECTIVES}; file.py:function for your own. By default win_rate; "
        "where all players are one team score, or success in games without points.",
        _SEARCH,
        metavar="NAME",
        example='"win_rate"',
    )
    panel: str = option(
        PANELS[0],
        "How the values against several opponents become one; mean by default.",
        _OPPONENTS,
        example='"mean"',
        choices=PANELS,
    )
    decision_ms_limit: float = option(
        0.0,
        "Count configurations that take more CPU milliseconds per decision as losing; 0, the default, for no limit.",
        _SEARCH,
        example="5.0",
        least=0,
    )
    race: bool = option(
        True,
        "--no-race plays all games of trials that fall behind, which are pruned otherwise.",
        _SEARCH,
        example="true",
    )
    validation: int = option(
        1_000,
        "Most games on unseen seeds, for either side; 1000 by default, 0 for none.",
        _VALIDATION,
        example="1000",
        least=1,
        zero="for none",
    )
    equal_time_games: int | None = option(
        None,
        "The same with the default's budget scaled to equal CPU time; if omitted as many as for --validation, 0 for none.",
        _VALIDATION,
        example="1000",
        least=1,
        zero="for none",
    )
    across: str = option(
        ACROSS[0],
        "How the gains in several games become one: their mean, by the games' weights, or the worst; mean by default.",
        _SEARCH,
        example='"worst"',
        choices=ACROSS,
    )
    portfolio: int = option(
        0,
        "In several games, also find the configurations that are best together, so many at most; 0, the default, for none.",
        _VALIDATION,
        example="3",
        least=1,
        zero="for none",
    )
    warm_start: tuple[str, ...] = option(
        (),
        "An earlier study, whose trials are known from the beginning.",
        _SEARCH,
        metavar="DIR",
        example='["studies/first"]',
    )
    metrics: tuple[str, ...] = option(
        (),
        "What measures each game for the ledger.",
        "What is recorded",
        flag="--metric",
        metavar="NAME",
        example='["lead"]',
    )
