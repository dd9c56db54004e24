"""A hint for games that are slow because they are interpreted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tag.catalogue.registry import agent_class
from tag.catalogue.user_code import is_path
from tag.catalogue.version import is_compiled
from tag.engine.parameters import parse_spec
from tag.errors import UnknownNameError
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.driver.events import PlayListener
from tag.tournaments.ledger.rows import PlayedGame

#: From so many seconds per decision on, a hint names a way to make an interpreted game faster.
_SLOW: Final = 0.05
#: Few decisions give a poor estimate: the first ones also import modules that an agent needs.
_FEWEST: Final = 3
#: After so many games, others would tell no more.
_FIRST_GAMES: Final = 2_000


class SlowGameHint(PlayListener):
    """Says once how to make play faster, if the first games are slow because the game is interpreted."""

    def __init__(self, definition: TournamentDefinition, say: Callable[[str], None]) -> None:
        """Begin without games; ``say`` shows a sentence."""
        self._definition = definition
        self._say = say
        self._games = 0
        self._seconds = [0.0] * len(definition.agents)
        self._decisions = [0] * len(definition.agents)
        self._is_over = is_compiled() and not is_path(definition.game_spec.name)

    def played(self, games: Sequence[PlayedGame]) -> None:
        """Take the times of games, as long as they are the first."""
        if self._is_over:
            return
        for pairing, record, _worker in games:
            for agent, seconds, decisions in zip(pairing.agents, record.seconds, record.decisions, strict=True):
                self._seconds[agent] += seconds
                self._decisions[agent] += decisions
        self._games += len(games)
        hint = self._hint()
        if hint:
            self._say(hint)
        self._is_over = bool(hint) or self._games > _FIRST_GAMES

    def _hint(self) -> str:
        """Return a way to make play faster, in a sentence; empty unless the game is slow with some budget."""
        means = [
            (seconds / decisions, agent)
            for agent, (seconds, decisions) in enumerate(zip(self._seconds, self._decisions, strict=True))
            if decisions >= _FEWEST and seconds >= _SLOW * decisions and _has_budget(self._definition.agents[agent])
        ]
        if not means:
            return ""
        mean, agent = max(means)
        return (
            f"{self._definition.game} runs interpreted: about {mean:.2g} s per decision of "
            f"{self._definition.labels[agent]}; a smaller budget=… takes less, and --dry-run says how long all takes"
        )


def _has_budget(spec: str) -> bool:
    """Say whether an agent has a budget that can be smaller."""
    try:
        parameters = agent_class(parse_spec(spec).name).parameters_class
    except UnknownNameError:
        return False  # the agents of simulations are made up
    return any(dimension.name == "budget" for dimension in parameters.dimensions())
