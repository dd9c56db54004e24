"""Definitions of tuning studies: options, checked and completed to a `StudyDefinition`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any, Final

from tag.catalogue.options import check_ranges
from tag.catalogue.presets import NONE, written_out
from tag.catalogue.registry import agent_names, game_of_bot, make_game
from tag.catalogue.user_code import is_path
from tag.engine.parameters import parse_spec
from tag.errors import ParameterError, SpecError, UnknownNameError
from tag.orders import with_game_budget
from tag.orders.set_up import has_score, is_cooperative_game
from tag.tournaments.definition import (
    Rules,
    TournamentDefinition,
    canonical_agent,
    define,
)
from tag.tournaments.ledger import folder as folders
from tag.tuning import samplers
from tag.tuning.agent.across import POINTS
from tag.tuning.agent.definition import INCUMBENT, StudyDefinition, why_not_scaled
from tag.tuning.agent.events import ALL, SEVERAL
from tag.tuning.agent.objectives import PANELS, RATES, check_objectives, range_of
from tag.tuning.agent.options import StudyOptions
from tag.tuning.agent.several import check_one, check_several, events_and_held_out, games_per_trial, without_presets
from tag.tuning.space import SearchSpace, agent_space
from tag.tuning.study.definition import AUTO, FEWEST_BLOCKS, FEWEST_SCORES, OF_SEVERAL, distinct_agents
from tag.tuning.study.options import live_of, stored_options

_GENERATIONS: Final = 4
#: Agents have numbers of 16 bits in a ledger.
_MOST_TRIALS: Final = 32_000
_WHY_SEVERAL: Final = f"{OF_SEVERAL[0]}: of several objectives, it finds the best front in few trials"
#: The sampler for panels other than the mean, and how many chance seeds its trials have against each opponent, in all seats.
_FOR_PANELS: Final = "bgp"
_PANEL_ROUNDS: Final = 4
_WHY_EVERY_GAME: Final = f"{_FOR_PANELS}: in several games each trial plays every one"
#: Fewer rounds where the study would have fewer trials than this.
_TRIALS_OF_PANELS: Final = 20


def define_study(
    agents: str | tuple[str, ...], game: str | Sequence[str], *, rules: Rules | None = None, **options: Any
) -> StudyDefinition:
    """Return the study that the specs describe, checked down to a set-up of the game.

    Args:
        agents: the specs of the agents to tune.
        game: the spec of the game type; or several, each of which may also say ``players`` and ``weight``.
        rules: faults and clocks.
        options: the fields of `StudyOptions`; ``games`` is needed.

    Raises:
        TagError: an option is wrong; the message names it.
    """
    said = StudyOptions(**options)
    tuned = (agents,) if isinstance(agents, str) else agents
    if not tuned:
        raise SpecError("a study needs an agent")
    games = (game,) if isinstance(game, str) else tuple(game)
    if len(games) != 1 or games[0] == ALL:
        return _define_several(said, tuned, games, rules)
    return _define_one(said, tuned, games[0], rules)


def _define_one(said: StudyOptions, tuned: tuple[str, ...], game: str, rules: Rules | None) -> StudyDefinition:
    """Return the study of one game that the specs describe, checked down to its set-up."""
    check_one(said)
    if any("budget" in entry for entry in said.search):  # the search begins with the budget of the game
        tuned = tuple(with_game_budget(text, game) for text in tuned)
    tuned, search = _without_presets(tuned, game, said.search)
    space = agent_space(tuned, search)
    _check_numbers(said)
    table, versus = _table(space, game, said, rules)
    is_cooperative = is_cooperative_game(table.game, table.players, said.seed)
    if not versus and not is_cooperative and INCUMBENT not in said.versus:
        versus = (canonical_agent(space.base),)
    _check_self_play(said, is_cooperative)
    is_scored = has_score(table.game, table.players, said.seed)
    objective = said.objective or _default_objective(table.players, is_cooperative, is_scored)
    _check_objective(objective, said, is_cooperative, is_scored)
    held_out = distinct_agents("held_out", said.held_out)
    _check_held_out(held_out, versus)
    generations = (said.generations or _GENERATIONS) if INCUMBENT in said.versus else 0
    _check_panel(said, versus)
    choice = _sampler(said, space, objective, generations)
    round_games = (table.players if versus or generations else 1) * max(len(versus), 1)
    per_trial = _per_trial(said, choice, round_games, generations)
    fewest = _fewest_blocks(objective, table.players)
    _check_validation(said, fewest, max(round_games, table.players * len(held_out)))
    _check_equal_time(said, fewest * round_games, canonical_agent(space.base))
    completed = {
        "agents": tuple(map(canonical_agent, tuned)),
        "game": table.game,
        "players": table.players,
        "search": space.search,
        "versus": versus,
        "held_out": held_out,
        "generations": generations,
        "objective": objective,
        "sampler": choice.name,
        "sampler_reason": choice.reason,
        "games_per_trial": per_trial,
        "live": live_of(said.live, said.games // max(generations, 1) // per_trial),
        "enqueue": tuple(space.spec(space.configuration(_beside(tuned, text))) for text in said.enqueue),
        "rules": table.rules,
        "opening": table.opening,
    }
    return StudyDefinition(**{**stored_options(StudyDefinition, said), **completed})


def _define_several(
    said: StudyOptions, agents: tuple[str, ...], games: Sequence[str], rules: Rules | None
) -> StudyDefinition:
    """Return the study over several games that the specs describe, checked down to a set-up of each."""
    check_several(said)
    _check_numbers(said)
    events, held_out = events_and_held_out(games, said)
    tuned = without_presets(agents, (*events, *held_out))
    space = agent_space(tuned, said.search)
    versus = said.versus or (canonical_agent(space.base),)
    for event in (*events, *held_out):
        met = tuple(versus[number] for number in event.opponents(versus))
        table, _opponents = _table(
            space, event.game, replace(said, versus=met, held_out=(), players=event.players), rules
        )
    usual = said if said.sampler != AUTO else replace(said, sampler=_FOR_PANELS)
    choice = _sampler(usual, space, POINTS, 0)
    completed = {
        "agents": tuple(map(canonical_agent, tuned)),
        "game": SEVERAL,
        "players": max(event.players for event in events),
        "search": space.search,
        "versus": distinct_agents("versus", versus),
        "held_out": tuple(map(str, held_out)),
        "generations": 0,
        "objective": POINTS,
        "sampler": choice.name,
        "sampler_reason": _WHY_EVERY_GAME if said.sampler == AUTO else choice.reason,
        "events": tuple(map(str, events)),
        "enqueue": tuple(space.spec(space.configuration(_beside(tuned, text))) for text in said.enqueue),
        "rules": table.rules,
        "opening": table.opening,
        "games_per_trial": 1,
        "live": 1,
    }
    found = StudyDefinition(**{**stored_options(StudyDefinition, said), **completed})
    per_trial = games_per_trial(said, choice.games_per_trial, found.round_games, len(events))
    _check_validation(said, FEWEST_BLOCKS, max(found.round_games, found.games_of_round(held_out)), is_several=True)
    return replace(found, games_per_trial=per_trial, live=live_of(said.live, said.games // per_trial))


def _without_presets(
    agents: tuple[str, ...], game: str, search: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the agents with the presets that they take in the game written out, and the search entries.

    So a study begins where its agents play. Without entries, what a preset sets is searched as if it were not given.
    """
    model = make_game(game)
    written = tuple(str(written_out(parse_spec(text), model)) for text in agents)
    if search or written == tuple(str(parse_spec(text)) for text in agents):
        return written, search
    return written, agent_space(agents).search


def _beside(agents: tuple[str, ...], text: str) -> str:
    """Return a spec to enqueue without its game's preset, if that of the agent in the search space is written out."""
    spec = parse_spec(text)
    bases = [parse_spec(one) for one in agents]
    is_written = any(base.name == spec.name and base.values.get("preset") == NONE for base in bases)
    return str(spec.with_value("preset", NONE)) if is_written and "preset" not in spec.values else text


def _table(
    space: SearchSpace, game: str, said: StudyOptions, rules: Rules | None
) -> tuple[TournamentDefinition, tuple[str, ...]]:
    """Return a tournament between all agents of the study, which checks them and the game, and the opponents."""
    opponents = tuple(one for text in said.versus if text != INCUMBENT for one in _opponents(text))
    everyone = (space.base, *opponents, *said.held_out)
    table = define(
        game, everyone, 1, players=said.players, seed=said.seed, rules=rules, metrics=said.metrics, opening=said.opening
    )
    return table, distinct_agents("versus", opponents)


def _opponents(text: str) -> tuple[str, ...]:
    if (Path(text) / folders.MANIFEST).is_file():
        return tuple(dict.fromkeys(folders.read_manifest(Path(text)).definition.agents))
    name = parse_spec(text).name
    if not is_path(name) and not game_of_bot(name) and name not in agent_names():
        raise UnknownNameError.of("agent", name, (*agent_names(), INCUMBENT))
    return (text,)


def _sampler(said: StudyOptions, space: SearchSpace, objective: str, generations: int) -> samplers.SamplerChoice:
    """Return the sampler; one for several objectives, or for a panel, where that was left to us."""
    several = objective.count(",") + 1
    if several > 1 and said.sampler not in (AUTO, *OF_SEVERAL) and not is_path(said.sampler):
        raise ParameterError(f"the sampler {said.sampler!r} knows one objective; take {OF_SEVERAL[0]!r} for {several}")
    name, reason = said.sampler, ""
    if name == AUTO and several > 1:
        name, reason = OF_SEVERAL[0], _WHY_SEVERAL
    elif name == AUTO and said.panel != PANELS[0]:
        name, reason = (
            _FOR_PANELS,
            f"{_FOR_PANELS}: the {said.panel} over opponents needs games against each in every trial",
        )
    games = said.games // max(generations, 1)
    choice = samplers.make_sampler(name, space.configurations, games, seed=0)  # another one plays
    return replace(choice, reason=reason) if reason else choice


def _per_trial(said: StudyOptions, choice: samplers.SamplerChoice, round_games: int, generations: int) -> int:
    """Return the games of a configuration: each opponent in each seat equally often, or less than one such round.

    Panels other than the mean need at least one.
    """
    games = choice.games_per_trial if said.games_per_trial is None else said.games_per_trial
    if said.panel != PANELS[0]:
        if said.games_per_trial is not None and games < round_games:
            raise ParameterError(
                f"games_per_trial cannot be {games} with panel {said.panel!r}, which needs a game against each opponent "
                f"in each seat; the least is {round_games}"
            )
        if said.games_per_trial is None:
            games = max(games, round_games, min(_PANEL_ROUNDS * round_games, said.games // _TRIALS_OF_PANELS))
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
    check_ranges(said)
    if not said.games:
        raise ParameterError("games cannot be 0; the least is 1")
    if said.panel not in PANELS:
        raise UnknownNameError.of("panel", said.panel, PANELS)


def _default_objective(players: int, is_cooperative: bool, has_score: bool) -> str:
    """Return the objective of a study that names none."""
    if has_score and (players == 1 or is_cooperative):
        return "score"
    return "success" if is_cooperative else "win_rate"


def _check_objective(objective: str, said: StudyOptions, is_cooperative: bool, has_score: bool) -> None:
    check_objectives(objective.split(","), is_cooperative, has_score)
    if said.decision_ms_limit and objective.split(",", maxsplit=1)[0] not in RATES:
        raise ParameterError(
            f"decision_ms_limit needs an objective that can be lost, such as 'win_rate', not {objective!r}"
        )


def _check_held_out(held_out: tuple[str, ...], versus: tuple[str, ...]) -> None:
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


def _check_panel(said: StudyOptions, versus: tuple[str, ...]) -> None:
    """Refuse a panel that is not needed, as there are no several opponents."""
    if said.panel != PANELS[0] and len(versus) < 2:
        raise ParameterError(
            f"panel cannot be {said.panel!r} against fewer than two opponents; leave it out, or name more with --versus"
        )


def _fewest_blocks(objective: str, players: int) -> int:
    """Return the fewest blocks of a validation: more where the first objective has no bound."""
    return FEWEST_BLOCKS if isfinite(range_of(objective.split(",", maxsplit=1)[0], players)[1]) else FEWEST_SCORES


def _check_equal_time(said: StudyOptions, least: int, default: str) -> None:
    """Refuse a validation at equal time that has too few games, no validation before it, or no budget to scale."""
    games = said.equal_time_games
    why_not = why_not_scaled(default)
    if games and why_not:
        raise ParameterError(f"equal_time_games cannot be {games}: {why_not}; leave it out")
    if games and (games < least or not said.validation):
        why = "" if said.validation else " without a validation, which measures the time"
        raise ParameterError(f"equal_time_games cannot be {games}{why}; the least is {least}, or 0 for none")


def _check_validation(said: StudyOptions, fewest: int, round_games: int, *, is_several: bool = False) -> None:
    """Refuse a validation with fewer rounds than ``fewest``, and held-out opponents or games without a validation.

    A round has the games with one chance seed against all opponents, or against those held out if they are more.
    """
    least = fewest * round_games
    if said.validation >= least or (said.validation == 0 and not said.held_out):
        return
    held_out = "games held out, which are played" if is_several else "opponents held out, who are met"
    why, none = (f" with {held_out} only then", "") if said.held_out else ("", ", or 0 for none")
    raise ParameterError(f"validation cannot be {said.validation}{why}; the least is {least}{none}")
