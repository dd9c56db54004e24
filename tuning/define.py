"""Defining a study: what people say of it, checked and completed to a `StudyDefinition`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any, Final

from tag.errors import ParameterError, SpecError, UnknownNameError
from tag.registry import agent_names
from tag.spec import parse_spec
from tag.user_code import is_path
from tournaments import TournamentDefinition
from tournaments.definition import Rules, canonical_agent, define, has_score, is_cooperative_game
from tournaments.folder import MANIFEST, read_manifest
from tuning.definition import INCUMBENT, StudyDefinition
from tuning.objectives import PANELS, RATES, check_objectives
from tuning.samplers import AUTO, SamplerChoice, make_sampler
from tuning.search_space import SearchSpace, agent_space
from tuning.study import CommonOptions, distinct_agents
from tuning.validation import FEWEST_BLOCKS

_GENERATIONS: Final = 4
#: Agents have numbers of 16 bits in a ledger.
_MOST_TRIALS: Final = 32_000
#: The sampler for several objectives.
_FOR_SEVERAL: Final = "nsgaii"
_WHY_SEVERAL: Final = f"{_FOR_SEVERAL}: of several objectives, evolution finds the front"


@dataclass(frozen=True, kw_only=True)
class StudyOptions(CommonOptions):
    """What can be said about a study beside its agents and its game: the attributes of `StudyDefinition` in any form.

    By default the opponent is the agent with its default parameters, or in a co-operative game nobody; the objective is the
    win rate, or the success of the team. ``versus`` may name the folder of a tournament, for all of its agents, or be
    ``incumbent`` for self-play.
    """

    versus: tuple[str, ...] = ()
    generations: int = 0
    objective: str = ""
    panel: str = PANELS[0]
    decision_ms_limit: float = 0.0
    race: bool = True
    validation: int = 1_000
    equal_time_games: int | None = None
    warm_start: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()


def define_study(
    agents: str | tuple[str, ...], game: str, *, rules: Rules | None = None, **options: Any
) -> StudyDefinition:
    """Return the study that the specs describe, checked down to a set-up of the game.

    Args:
        agents: the specs of what is tuned.
        game: the spec of the game type.
        rules: faults and clocks.
        options: the fields of `StudyOptions`; ``games`` is needed.

    Raises:
        TagError: something is wrong; the message says what.
    """
    said = StudyOptions(**options)
    tuned = (agents,) if isinstance(agents, str) else agents
    if not tuned:
        raise SpecError("a study needs an agent")
    space = agent_space(tuned, said.search)
    _check_numbers(said)
    table, versus = _table(space, game, said, rules)
    is_cooperative = is_cooperative_game(table.game, table.players, said.seed)
    if not versus and not is_cooperative and INCUMBENT not in said.versus:
        versus = (canonical_agent(space.base),)
    _check_self_play(said, is_cooperative)
    objective = said.objective or ("success" if is_cooperative else "win_rate")
    _check_objective(objective, said, is_cooperative, has_score(table.game, table.players, said.seed))
    held_out = distinct_agents("held_out", said.held_out)
    _check_held_out(held_out, versus)
    generations = (said.generations or _GENERATIONS) if INCUMBENT in said.versus else 0
    choice = _sampler(said, space, objective, generations)
    round_games = (table.players if versus or generations else 1) * max(len(versus), 1)
    _check_validation(said, max(round_games, table.players * len(held_out)))
    _check_equal_time(said, round_games)
    return StudyDefinition(
        agents=tuple(map(canonical_agent, tuned)),
        game=table.game,
        players=table.players,
        search=space.search,
        versus=versus,
        held_out=held_out,
        generations=generations,
        objective=objective,
        sampler=choice.name,
        sampler_reason=choice.reason,
        games_per_trial=_per_trial(said, choice, round_games, generations),
        enqueue=tuple(space.spec(space.configuration(text)) for text in said.enqueue),
        rules=table.rules,
        **{name: getattr(said, name) for name in _AS_SAID},
    )


#: What a definition has as it was said.
_AS_SAID: Final = (
    "games",
    "panel",
    "decision_ms_limit",
    "live",
    "race",
    "validation",
    "equal_time_games",
    "seed",
    "warm_start",
    "metrics",
)


def _table(
    space: SearchSpace, game: str, said: StudyOptions, rules: Rules | None
) -> tuple[TournamentDefinition, tuple[str, ...]]:
    """Return a tournament between all who are named, which checks them and the game, and the opponents."""
    opponents = tuple(one for text in said.versus if text != INCUMBENT for one in _opponents(text))
    everyone = (space.base, *opponents, *said.held_out)
    table = define(game, everyone, 1, players=said.players, seed=said.seed, rules=rules, metrics=said.metrics)
    return table, distinct_agents("versus", opponents)


def _opponents(text: str) -> tuple[str, ...]:
    """Return the agent of a spec, or those of the tournament in a folder, each once."""
    if (Path(text) / MANIFEST).is_file():
        return tuple(dict.fromkeys(read_manifest(Path(text)).definition.agents))
    name = parse_spec(text).name
    if not is_path(name) and name not in agent_names():
        raise UnknownNameError.of("agent", name, (*agent_names(), INCUMBENT))
    return (text,)


def _sampler(said: StudyOptions, space: SearchSpace, objective: str, generations: int) -> SamplerChoice:
    """Return the sampler; of several objectives, only evolution finds the front."""
    several = objective.count(",") + 1
    if several > 1 and said.sampler not in (AUTO, _FOR_SEVERAL) and not is_path(said.sampler):
        raise ParameterError(f"the sampler {said.sampler!r} knows one objective; take {_FOR_SEVERAL!r} for {several}")
    name = _FOR_SEVERAL if several > 1 and said.sampler == AUTO else said.sampler
    choice = make_sampler(name, space.configurations, said.games // max(generations, 1), seed=0)  # another one plays
    return replace(choice, reason=_WHY_SEVERAL) if several > 1 and name == _FOR_SEVERAL else choice


def _per_trial(said: StudyOptions, choice: SamplerChoice, round_games: int, generations: int) -> int:
    """Return how many games a configuration has: each opponent in each seat equally often, or less than one such round."""
    games = choice.games_per_trial if said.games_per_trial is None else said.games_per_trial
    found = games if games < round_games else games // round_games * round_games
    if found < 1:
        raise ParameterError(f"games_per_trial cannot be {found}; the least is 1")
    budget = said.games // max(generations, 1)
    if found > budget:
        part = f"a generation has {budget}, and " if generations else ""
        raise ParameterError(f"games cannot be {said.games}; {part}one configuration plays {found}")
    if budget // found > _MOST_TRIALS:
        raise ParameterError(
            f"games_per_trial cannot be {found} with so many games; the least is {-(-budget // _MOST_TRIALS)}, for a ledger "
            f"has room for {_MOST_TRIALS:,} configurations"
        )
    return found


def _check_numbers(said: StudyOptions) -> None:
    least_of = {"games": 1, "live": 1, "validation": 0, "equal_time_games": 0, "decision_ms_limit": 0}
    for name, least in least_of.items():
        value = getattr(said, name)
        if value is not None and not value >= least:
            raise ParameterError(f"{name} cannot be {value}; the least is {least}")
    if said.decision_ms_limit == inf:
        raise ParameterError("decision_ms_limit cannot be inf; leave it out for no limit")
    if said.panel not in PANELS:
        raise UnknownNameError.of("panel", said.panel, PANELS)


def _check_objective(objective: str, said: StudyOptions, is_cooperative: bool, has_score: bool) -> None:
    check_objectives(objective.split(","), is_cooperative, has_score)
    if said.decision_ms_limit and objective.split(",", maxsplit=1)[0] not in RATES:
        raise ParameterError(
            f"decision_ms_limit needs an objective that can be lost, such as 'win_rate', not {objective!r}"
        )


def _check_held_out(held_out: tuple[str, ...], versus: tuple[str, ...]) -> None:
    """Refuse opponents that the search has met."""
    for spec in held_out:
        if spec in versus:
            raise ParameterError(f"held_out cannot be {spec!r}, an opponent of the search; name another")


def _check_self_play(said: StudyOptions, is_cooperative: bool) -> None:
    """Refuse self-play beside other opponents, in a team, or in no generations."""
    if INCUMBENT in said.versus and (len(said.versus) > 1 or is_cooperative):
        why = "in a co-operative game" if is_cooperative else "beside other opponents"
        raise ParameterError(f"versus cannot be {INCUMBENT!r} {why}; leave it out")
    if said.generations < 0 or (said.generations and INCUMBENT not in said.versus):
        raise ParameterError(
            f"generations cannot be {said.generations}; they are for --versus {INCUMBENT}, and at least 1"
        )


def _check_equal_time(said: StudyOptions, round_games: int) -> None:
    """Refuse a validation at equal time that could not show anything, or that has none before it."""
    games, least = said.equal_time_games, FEWEST_BLOCKS * round_games
    if games and (games < least or not said.validation):
        why = "" if said.validation else " without a validation, which measures the time"
        raise ParameterError(f"equal_time_games cannot be {games}{why}; the least is {least}, or 0 for none")


def _check_validation(said: StudyOptions, round_games: int) -> None:
    """Refuse a validation that could not show anything, and none where opponents wait for it.

    Args:
        said: the options.
        round_games: the games with one chance seed against all opponents, or against those held out if they are more.
    """
    least = FEWEST_BLOCKS * round_games
    if said.validation >= least or (said.validation == 0 and not said.held_out):
        return
    why, none = (" with opponents held out, who are met only then", "") if said.held_out else ("", ", or 0 for none")
    raise ParameterError(f"validation cannot be {said.validation}{why}; the least is {least}{none}")
