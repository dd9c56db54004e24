"""The suite for agents: games of every type, with the agent in every seat."""

from __future__ import annotations

from collections.abc import Sequence

from tag.check.agent_check import AgentCheck, AgentSubject
from tag.check.agents import (
    AgentBudget,
    AgentOtherProcess,
    AgentParametersDeclared,
    AgentParametersPlayable,
    AgentPlays,
    AgentRepeats,
)
from tag.check.report import Finding, Report, chosen
from tag.errors import PlayersError
from tag.registry import game_names, make_agent, make_game

#: All checks of an agent.
AGENT_CHECKS: tuple[type[AgentCheck], ...] = (
    AgentPlays,
    AgentRepeats,
    AgentOtherProcess,
    AgentBudget,
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
        game_specs: the games to check it in; none given means every game there is.
        players: the number of players, or None for the fewest and the most that each game seats.
        games: how many games to play at each table.
        seed: decides the games.
        only: the names of the checks to make; none given means all.

    Returns:
        A finding per check, in the order of `AGENT_CHECKS`.

    Raises:
        TagError: there is no such agent, game or check, or no game for so many players.
    """
    make_agent(spec)
    subject = AgentSubject(spec, _tables(game_specs, players), games, seed)
    names = chosen(only, [cls.name for cls in AGENT_CHECKS])
    findings = [_finding(cls(), subject) for cls in AGENT_CHECKS if cls.name in names]
    return Report(spec, games * len(subject.tables), findings)


def _tables(game_specs: Sequence[str], players: int | None) -> list[tuple[str, int]]:
    """Return the games with the numbers of players to play them with."""
    tables = []
    for game in game_specs or game_names():
        kind = make_game(game).game_type
        counts = sorted({kind.min_players, kind.max_players}) if players is None else [players]
        tables += [(game, count) for count in counts if kind.min_players <= count <= kind.max_players]
    if not tables:
        raise PlayersError(f"none of the games is for {players} players; give another number, or another game")
    return tables


def _finding(check: AgentCheck, subject: AgentSubject) -> Finding:
    finding = Finding(check.name, check.text)
    try:
        check.run(subject)
    except Exception as error:  # noqa: BLE001  whatever the agent raises is what is to be found
        finding.fail(error, check.where)
    return finding
