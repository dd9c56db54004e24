"""Options of a balancing study, checked and completed to a `BalanceDefinition`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tag.catalogue.options import Range, check_ranges, option
from tag.catalogue.user_code import is_path
from tag.errors import ParameterError, SpecError, UnknownNameError
from tag.tournaments.definition import Rules, canonical_agent, define
from tag.tuning import samplers
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.balancing.definition import BANDS, RETUNED, BalanceDefinition
from tag.tuning.balancing.plan import Plan, playable
from tag.tuning.balancing.targets import Target, goals_of, read_target
from tag.tuning.space import SearchSpace, game_space
from tag.tuning.study.definition import AUTO, FEWEST_BLOCKS, OF_SEVERAL, SAMPLERS, distinct_agents
from tag.tuning.study.options import MOST_LIVE, CommonOptions, live_of, stored_options

_MOST_TRIALS: Final = 100
#: The headings of the options below in ``--help``.
_BALANCED: Final = "What is balanced"
_VALIDATION: Final = "Validation"


@dataclass(frozen=True, kw_only=True)
class BalanceOptions(CommonOptions):
    """Options of a study beside its game: the attributes of `BalanceDefinition` in any form.

    By default everything is searched that the game does not fix, and each candidate plays a hundredth of the games.
    """

    sampler: str = option(
        AUTO,
        f"The sampler that proposes candidates: {', '.join((AUTO, BANDS, *SAMPLERS[1:]))}; with --pareto "
        f"{', '.join((AUTO, BANDS, *OF_SEVERAL))}; file.py:Class for your own; auto by default.",
        "Search",
        metavar="NAME",
        example='"auto"',
    )
    targets: tuple[str, ...] = option(
        (),
        "What the game should be: seat_spread=0±0.02, length=50..70, draws<=0.05 (docs/balancing.md lists them); needed.",
        _BALANCED,
        flag="--target",
        metavar="MEASURE=BAND",
        example='["seat_spread=0±0.02", "length=60±10"]',
    )
    agents: tuple[str, ...] = option(
        (), "An agent that plays the candidates; needed.", _BALANCED, flag="--agent", metavar="SPEC", example='["osla"]'
    )
    weights: tuple[str, ...] = option(
        (),
        "What missing a target costs; 1 by default.",
        _BALANCED,
        flag="--weight",
        metavar="MEASURE=NUMBER",
        example='["length=2"]',
    )
    near_printed: float = option(
        0.1, "What being far from the default rules costs, at most; 0.1 by default.", _BALANCED, example="0.1", least=0
    )
    pareto: bool = option(
        False, "Search the targets side by side: what each candidate changes and gains.", "Search", example="false"
    )
    finalists: int = option(
        3, "How many of the best are measured again on unseen seeds; 3 by default.", _VALIDATION, example="3", least=1
    )
    validation: int = option(
        2_000, "Most games for each finalist; 2000 by default.", _VALIDATION, example="2000", least=1
    )
    retune: str = option(
        "",
        "An agent to tune to the chosen rules, to measure them again.",
        _VALIDATION,
        metavar="SPEC",
        example='"mcts:budget=50"',
    )
    retune_games: int = option(
        2_000, "The budget of that in games; 2000 by default.", _VALIDATION, example="2000", least=1
    )


def define_balance(game: str, *, rules: Rules | None = None, **options: Any) -> BalanceDefinition:
    """Return the study that the specs describe, checked down to a set-up of the game.

    Args:
        game: the spec of the game type.
        rules: faults and clocks.
        options: the fields of `BalanceOptions`; ``targets``, ``agents`` and ``games`` are needed.

    Raises:
        TagError: an option is wrong; the message names it.
    """
    said = BalanceOptions(**options)
    if not said.targets:
        raise SpecError("a balancing study needs a target; say what the game should be with --target")
    if not said.agents:
        raise SpecError("a balancing study needs agents that play; name each with --agent")
    check_ranges(said)
    others = (*said.held_out, *((said.retune,) if said.retune else ()))
    if said.opening and not said.opening.startswith("random:"):
        raise ParameterError(
            f"opening cannot be {said.opening!r}, as candidates have rules of their own; take random:4"
        )
    table = define(
        game, (*said.agents, *others), 1, players=said.players, seed=said.seed, rules=rules, opening=said.opening
    )
    space = game_space(game, said.search)
    bands = _bands(said.targets, table.game, table.players)
    goals_of(table.game, bands, said.weights)
    panel, held_out = distinct_agents("agents", said.agents), distinct_agents("held_out", said.held_out)
    plan = Plan(table.game, table.players, panel, bands)
    if held_out and playable(table.game, table.players, held_out, bands) is None:
        raise ParameterError(f"no target is about agents like {held_out[0]!r} that are held out; leave them out")
    sampler, per_trial = _sampler(said, space), _per_trial(said, plan.block_games)
    completed = {
        "game": table.game,
        "players": table.players,
        "targets": tuple(map(str, bands)),
        "agents": panel,
        "held_out": held_out,
        "sampler": sampler,
        "games_per_trial": per_trial,
        "live": MOST_LIVE if sampler == BANDS and said.live is None else live_of(said.live, said.games // per_trial),
        "retune": canonical_agent(said.retune) if said.retune else "",
        "enqueue": tuple(space.spec(space.configuration(text)) for text in said.enqueue),
        "rules": table.rules,
    }
    found = BalanceDefinition(**{**stored_options(BalanceDefinition, said), **completed})
    _check_numbers(found, plan.block_games)
    if found.retune:
        retune_study(found, found.game)
    return found


def retune_study(definition: BalanceDefinition, game: str) -> StudyDefinition:
    """Return the study that tunes an agent to the rules of ``game``; `TagError` where there cannot be such a study."""
    return define_study(
        definition.retune,
        game,
        games=definition.retune_games,
        players=definition.players,
        seed=definition.stream(RETUNED),
        rules=definition.rules,
        opening=definition.opening,
    )


def _bands(texts: tuple[str, ...], game: str, players: int) -> list[Target]:
    bands = [read_target(text, game, players) for text in texts]
    names = [band.name for band in bands]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ParameterError(f"there are two targets for {twice}; write one band")
    return bands


def _sampler(said: BalanceOptions, space: SearchSpace) -> str:
    name = said.sampler
    if name == AUTO:
        return BANDS
    if said.pareto and name not in (BANDS, *OF_SEVERAL) and not is_path(name):
        raise UnknownNameError.of("sampler of several objectives", name, (BANDS, *OF_SEVERAL))
    if name not in (BANDS, *SAMPLERS) and not is_path(name):
        raise UnknownNameError.of("sampler", name, (BANDS, *SAMPLERS))
    if name != BANDS:
        samplers.make_sampler(name, space.configurations, said.games, seed=0)  # another one plays
    return name


def _per_trial(said: BalanceOptions, block_games: int) -> int:
    """Return how many games a candidate plays: whole blocks, enough of them to know the error."""
    usual = max(said.games // _MOST_TRIALS, FEWEST_BLOCKS * block_games)
    wanted = usual if said.games_per_trial is None else said.games_per_trial
    return max(wanted // block_games, 1) * block_games


def _check_numbers(definition: BalanceDefinition, block_games: int) -> None:
    least = FEWEST_BLOCKS * block_games
    numbers = {
        "games": (definition.games, definition.games_per_trial),
        "games_per_trial": (definition.games_per_trial, least),
        "validation": (definition.validation, least),
    }
    for name, (value, smallest) in numbers.items():
        Range(smallest).check(name, value)
