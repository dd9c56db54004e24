"""The suite for agents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tag.catalogue.registry import check_game, game_names, game_of_bot, make_agent, make_game
from tag.check.agents.checks import (
    AgentBudget,
    AgentOtherProcess,
    AgentParametersDeclared,
    AgentParametersPlayable,
    AgentPlays,
    AgentRepeats,
    AgentStatistics,
)
from tag.check.agents.subject import AgentCheck, AgentSubject
from tag.check.report import Finding, Report, chosen
from tag.engine.parameters import parse_spec
from tag.errors import ParameterError, PlayersError

#: All checks of an agent.
AGENT_CHECKS: tuple[type[AgentCheck], ...] = (
    AgentPlays,
    AgentRepeats,
    AgentOtherProcess,
    AgentBudget,
    AgentStatistics,
    AgentParametersDeclared,
    AgentParametersPlayable,
)


def check_agent(
    spec: str,
    game_specs: Sequence[str] = (),
    players: int | None = None,
    games: int = 1,
    seed: int = 1,
    only: Sequence[str] = (),
) -> Report:
    """Check an agent against the engine's contract.

    Args:
        spec: the agent, by name or path, with parameters; budgets are set by the checks.
        game_specs: the games to check it in; none given means every game there is that it can play.
        players: the number of players, or None for the fewest and the most that each game seats.
        games: how many games to play at each table.
        seed: the random seed of the games.
        only: the names of the checks to make; none given means all.

    Returns:
        A finding per check, in the order of `AGENT_CHECKS`.

    Raises:
        TagError: there is no such agent, game or check, or no game for so many players.
    """
    make_agent(spec)
    subject = AgentSubject(spec, _tables(spec, game_specs, players), games, seed)
    names = chosen(only, [cls.name for cls in AGENT_CHECKS])
    findings = []
    for cls in AGENT_CHECKS:
        if cls.name in names:
            check, finding = cls(), Finding(cls.name, cls.text)
            finding.attempt(check, partial(check.run, subject))
            findings.append(finding)
    return Report(spec, games * len(subject.tables), findings)


def _tables(spec: str, game_specs: Sequence[str], players: int | None) -> list[tuple[str, int]]:
    """Return the games with the numbers of players to play them with."""
    tables = []
    own = game_of_bot(parse_spec(spec).name)
    for game in game_specs or ([own] if own else game_names()):
        model = make_game(game)
        kind = model.game_type
        counts = sorted({kind.min_players, kind.max_players}) if players is None else [players]
        tables += [(game, count) for count in counts if kind.min_players <= count <= kind.max_players]
    if not tables:
        raise PlayersError(f"none of the games is for {players} players; give another number, or another game")
    if game_specs:
        for game, count in tables:
            check_game(spec, make_game(game), count)
        return tables
    fitting = [table for table in tables if _fits(spec, table)]
    if not fitting:
        check_game(spec, make_game(tables[0][0]), tables[0][1])
    return fitting


def _fits(spec: str, table: tuple[str, int]) -> bool:
    try:
        check_game(spec, make_game(table[0]), table[1])
    except ParameterError:
        return False
    return True
