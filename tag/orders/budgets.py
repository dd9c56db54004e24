"""Budgets of agents that are given none: as many forward-model calls as took about 10 ms in the game.

    # games/budgets.toml, written by `make budgets`
    measured = "27 November 2026, …"
    [love_letter]
    mcts = {budget = 12000, ms = 9.8}
    osla = {ms = 0.004}

A number in a file, and no measurement while games are played, keeps play the same on every machine. Agents within other
agents have no game of their own, and so the 1,000 calls of an agent that is made by itself.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from tag.catalogue.registry import spec_of
from tag.engine.parameters import Spec
from tag.engine.text_files import read_text
from tag.playing.agent import BUDGET_TYPES

_FILE: Final = "budgets.toml"
MEASURED: Final = "measured"


@dataclass(frozen=True)
class Cost:
    """Budget and time of a decision of an agent with its defaults in a game.

    Attributes:
        agent: the agent's name.
        budget: forward-model calls of a decision; 0 if the agent has another default, or no budget.
        ms: milliseconds of CPU time per decision with a choice.
    """

    agent: str
    budget: int
    ms: float

    def __reduce__(self) -> Any:
        """Pickle by the arguments of the constructor: fields of a frozen class cannot be set."""
        return (Cost, (self.agent, self.budget, self.ms))


def budgets_file() -> Path:
    """Return where the budgets are: beside the families of games."""
    return Path(str(import_module("tag.games").__file__)).parent / _FILE


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    return tomllib.loads(read_text(budgets_file(), "file of budgets"))


def provenance() -> str:
    """Return when, on which machine and how the times were measured."""
    return str(_tables()[MEASURED])


@lru_cache(maxsize=64)
def costs_of(game: str) -> Mapping[str, Cost]:
    """Return the costs of agents with their defaults in the game of this name, by agent; none in games of users.

    Examples:
        >>> costs_of("love_letter")["osla"].budget, costs_of("my_games.py:Mine")
        (0, {})
    """
    table = _tables().get(game, {}) if game != MEASURED else {}
    return {agent: Cost(agent, int(row.get("budget", 0)), float(row["ms"])) for agent, row in table.items()}


@lru_cache(maxsize=1024)
def with_game_budget(agent: str, game: str) -> str:
    """Return an agent's spec with the budget of a game, itself if it has one, or if the game has none for it.

    Examples:
        >>> with_game_budget("mcts:budget=1000", "love_letter"), with_game_budget("osla", "love_letter")
        ('mcts:budget=1000', 'osla')
    """
    spec = spec_of(agent)
    cost = costs_of(spec_of(game).name).get(spec.name)
    counts_calls = spec.values.get("budget_type", BUDGET_TYPES[0]) == BUDGET_TYPES[0]
    if cost is None or cost.budget == 0 or not counts_calls or str(spec.values.get("budget", 0)) != "0":
        return agent
    return str(Spec(spec.name, {**spec.values, "budget": cost.budget}))
