"""The search of agents in a game: the iterations of a decision, beside the actions between which it chooses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

from tag.engine.state import AnyAction, GameState
from tag.orders import GameOrder, play_order
from tag.playing.agent import Agent
from tag.playing.listener import Listener
from tag.tournaments.results.analysis.claims import Claim, Verdict

#: A search with fewer iterations than actions has not tried them all. Where more decisions than this are such, a table shows
#: what the order of actions is worth rather than what a search is.
MOST_STARVED: Final = 0.05


@dataclass(frozen=True)
class SearchEffort:
    """The search of an agent that plays itself.

    Attributes:
        decisions: those with a choice for which it tells its iterations, or else its evaluations (`Agent.statistics`).
        iterations: their median.
        starved: the share of them with fewer iterations than actions.
    """

    decisions: int
    iterations: float
    starved: float

    @property
    def is_enough(self) -> bool:
        """True if hardly any decision was taken before all actions had been tried."""
        return self.starved <= MOST_STARVED


class _Iterations(Listener):
    """Notes iterations and actions of each decision."""

    def __init__(self) -> None:
        self.found: list[tuple[int, int]] = []

    def on_action_chosen(
        self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Ask the agent what it has done."""
        said = {} if agent is None else agent.statistics()
        iterations = said.get("iterations", said.get("evaluations"))
        if isinstance(iterations, int) and len(actions) > 1:
            self.found.append((iterations, len(actions)))


def search_effort(game: str, players: int, agent: str, *, games: int, seed: int) -> SearchEffort:
    """Return how much ``agent`` searches in some games against itself.

    >>> search_effort("tic_tac_toe", 2, "mcts:budget=300", games=2, seed=1).is_enough
    True
    >>> search_effort("tic_tac_toe", 2, "mcts:budget=5", games=2, seed=1).is_enough
    False
    """
    noted = _Iterations()
    for number in range(games):
        play_order(GameOrder("effort", game, (agent,) * players, seed + number), [noted])
    found = noted.found
    if not found:
        return SearchEffort(0, 0.0, 0.0)
    starved = sum(iterations < actions for iterations, actions in found) / len(found)
    return SearchEffort(len(found), median(iterations for iterations, _actions in found), starved)


def judged(claim: Claim, efforts: Iterable[SearchEffort]) -> Claim:
    """Return ``claim`` as it is, or without a verdict where one of the agents it is about has not searched enough."""
    enough = all(effort.is_enough for effort in efforts)
    return claim if enough else replace(claim, verdict=Verdict.NOT_JUDGED)


def effort_table(efforts: Mapping[str, SearchEffort]) -> list[str]:
    """Return the lines of a table in Markdown, one row per name."""
    lines = ["| search | decisions | median iterations | fewer iterations than actions |", "|---|---|---|---|"]
    for name, effort in efforts.items():
        mark = "" if effort.is_enough else ", not judged"
        lines.append(f"| {name} | {effort.decisions:,} | {effort.iterations:,.0f} | {effort.starved:.1%}{mark} |")
    return lines
