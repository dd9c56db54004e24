"""Defining a balancing study: what people say of it, checked and completed to a `BalanceDefinition`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tag.errors import ParameterError, SpecError, UnknownNameError
from tag.user_code import is_path
from tournaments.definition import Rules, canonical_agent, define
from tuning.balance.definition import BANDS, RETUNED, BalanceDefinition
from tuning.balance.goals import goals_of
from tuning.balance.plan import Plan, playable
from tuning.balance.targets import Target, read_target
from tuning.define import define_study
from tuning.definition import StudyDefinition
from tuning.samplers import AUTO, SAMPLERS, make_sampler
from tuning.search_space import SearchSpace, game_space
from tuning.study import CommonOptions, distinct_agents

PARETO_SAMPLERS: Final = ("nsgaii", "tpe", "random")
#: Fewer chance seeds than these say nothing about errors.
FEWEST_BLOCKS: Final = 10
_MOST_TRIALS: Final = 100


@dataclass(frozen=True, kw_only=True)
class BalanceOptions(CommonOptions):
    """What can be said about a study beside its game: the attributes of `BalanceDefinition` in any form.

    By default everything is searched that the game does not fix, and each candidate plays a hundredth of the games.
    """

    targets: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()
    near_printed: float = 0.1
    pareto: bool = False
    finalists: int = 3
    validation: int = 2_000
    retune: str = ""
    retune_games: int = 2_000


def define_balance(game: str, *, rules: Rules | None = None, **options: Any) -> BalanceDefinition:
    """Return the study that the specs describe, checked down to a set-up of the game.

    Args:
        game: the spec of the game type.
        rules: faults and clocks.
        options: the fields of `BalanceOptions`; ``targets``, ``agents`` and ``games`` are needed.

    Raises:
        TagError: something is wrong; the message says what.
    """
    said = BalanceOptions(**options)
    if not said.targets:
        raise SpecError("a balancing study needs a target; say what the game should be with --target")
    if not said.agents:
        raise SpecError("a balancing study needs agents that play; name each with --agent")
    others = (*said.held_out, *((said.retune,) if said.retune else ()))
    table = define(game, (*said.agents, *others), 1, players=said.players, seed=said.seed, rules=rules)
    space = game_space(game, said.search)
    bands = _bands(said.targets, table.game, table.players)
    goals_of(table.game, bands, said.weights)
    panel, held_out = distinct_agents("agents", said.agents), distinct_agents("held_out", said.held_out)
    plan = Plan(table.game, table.players, panel, bands)
    if held_out and playable(table.game, table.players, held_out, bands) is None:
        raise ParameterError(f"no target is about agents like {held_out[0]!r} that are held out; leave them out")
    found = BalanceDefinition(
        game=table.game,
        players=table.players,
        search=said.search,
        targets=tuple(map(str, bands)),
        weights=said.weights,
        agents=panel,
        held_out=held_out,
        games=said.games,
        sampler=_sampler(said, space),
        games_per_trial=_per_trial(said, plan.block_games),
        live=said.live,
        near_printed=said.near_printed,
        pareto=said.pareto,
        finalists=said.finalists,
        validation=said.validation,
        retune=canonical_agent(said.retune) if said.retune else "",
        retune_games=said.retune_games,
        seed=said.seed,
        enqueue=tuple(space.spec(space.configuration(text)) for text in said.enqueue),
        rules=table.rules,
    )
    _check_numbers(found, plan.block_games)
    if found.retune:
        retune_study(found, found.game)
    return found


def retune_study(definition: BalanceDefinition, game: str) -> StudyDefinition:
    """Return the study that tunes an agent to the rules of ``game``.

    Raises:
        TagError: there cannot be such a study.
    """
    return define_study(
        definition.retune,
        game,
        games=definition.retune_games,
        players=definition.players,
        seed=definition.stream(RETUNED),
        rules=definition.rules,
    )


def _bands(texts: tuple[str, ...], game: str, players: int) -> list[Target]:
    """Return the targets, one for each measure."""
    bands = [read_target(text, game, players) for text in texts]
    names = [band.name for band in bands]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ParameterError(f"there are two targets for {twice}; write one band")
    return bands


def _sampler(said: BalanceOptions, space: SearchSpace) -> str:
    """Return the name of a sampler that can be had, never ``auto``."""
    name = said.sampler
    if name == AUTO:
        return PARETO_SAMPLERS[0] if said.pareto else BANDS
    if said.pareto and name not in PARETO_SAMPLERS and not is_path(name):
        raise UnknownNameError.of("sampler of several objectives", name, PARETO_SAMPLERS)
    if name not in (BANDS, *SAMPLERS) and not is_path(name):
        raise UnknownNameError.of("sampler", name, (BANDS, *SAMPLERS))
    if name != BANDS:
        make_sampler(name, space.configurations, said.games, seed=0)  # another one plays
    return name


def _per_trial(said: BalanceOptions, block_games: int) -> int:
    """Return how many games a candidate plays: whole blocks, enough of them to know the error."""
    usual = max(said.games // _MOST_TRIALS, FEWEST_BLOCKS * block_games)
    wanted = usual if said.games_per_trial is None else said.games_per_trial
    return max(wanted // block_games, 1) * block_games


def _check_numbers(definition: BalanceDefinition, block_games: int) -> None:
    """Refuse numbers with which nothing could be found or shown."""
    least = FEWEST_BLOCKS * block_games
    numbers: dict[str, tuple[float, float]] = {
        "games": (definition.games, definition.games_per_trial),
        "games_per_trial": (definition.games_per_trial, least),
        "validation": (definition.validation, least),
        "live": (definition.live, 1),
        "finalists": (definition.finalists, 1),
        "near_printed": (definition.near_printed, 0),
    }
    for name, (value, smallest) in numbers.items():
        if not smallest <= value < float("inf"):
            raise ParameterError(f"{name} cannot be {value:g}; the least is {smallest:g}")
