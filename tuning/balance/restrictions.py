"""Restricted play: what actions are worth, by agents that never take them (Jaffe et al., 2012; `agents.restricted`)."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from agents.restricted import RestrictedParameters, WithoutActions
from tag.action import AnyAction
from tag.agent import Agent
from tag.decorators import meant
from tag.errors import UnknownNameError, nearest
from tag.game import Game
from tag.listener import Listener
from tag.registry import canonical, make_agent, make_game
from tag.spec import Spec, parse_spec
from tag.state import GameState
from tuning.balance.block_means import BlockMeans
from tuning.balance.candidate import CandidateGames
from tuning.balance.estimate import Estimate
from tuning.balance.sizes import SPREAD, size_estimate

_Floats = npt.NDArray[np.float64]

_NAME: Final = "restricted"
#: Random games in which actions are looked for.
_LOOKED_AT: Final = 20


def restricted(agent: str, without: str) -> str:
    """Return the spec of an agent that never takes the actions of that name.

    >>> restricted("mcts:budget=100", "Guard")
    'restricted:agent=(mcts:budget=100),without=Guard'
    """
    return canonical(Spec(_NAME, {"agent": agent, "without": without}), RestrictedParameters)


def restriction(candidate: CandidateGames, without: str) -> Estimate:
    """Return how many points more per game an agent has that never takes some actions than the agent that may.

    Below 0, the actions are worth having. Games in which both sit count.

    Raises:
        UnknownNameError: nobody plays without these actions, or there is nobody to compare with.
    """
    found = _compared(candidate, [_pair(candidate, without)])
    return found.combined(np.ones(1), -1.0, 1.0)


def restriction_spread(candidate: CandidateGames) -> Estimate:
    """Return how far apart the best and the worst restriction are, in points per game, without what noise adds.

    Raises:
        UnknownNameError: fewer than two restrictions are played.
    """
    names = restrictions(candidate)
    if len(names) < 2:
        raise UnknownNameError(
            f"a spread needs 2 restrictions in these games, and there are {len(names)}; add agents {_NAME}:…"
        )
    return size_estimate(_compared(candidate, [_pair(candidate, name) for name in names]), SPREAD, 2.0)


def restrictions(candidate: CandidateGames) -> list[str]:
    """Return what the restricted agents among those of the games play without, in their order."""
    found = (parse_spec(label) for label in candidate.labels)
    return [str(spec.values.get("without", "")) for spec in found if spec.name == _NAME]


def unseen(game: str, n_players: int, names: list[str]) -> list[str]:
    """Return a sentence for each name by which no action is called in some random games: it may be misspelt.

    It may also be right: what random players hardly ever get to do is not seen.
    """
    model = make_game(game)
    seen = _Seen(names)
    for seed in range(_LOOKED_AT):
        players: list[Agent] = [make_agent("random") for _seat in range(n_players)]
        Game(model, players, seed, listeners=[seen]).play()
    return [
        f"no action in {_LOOKED_AT} random games of {game} is called {name!r}{nearest(name, seen.classes)}"
        for name in seen.missing
    ]


def _pair(candidate: CandidateGames, without: str) -> tuple[int, int]:
    """Return the numbers of the agent that plays without some actions and of the one that may take them."""
    for number, label in enumerate(candidate.labels):
        spec = parse_spec(label)
        if spec.name == _NAME and spec.values.get("without") == without:
            full = str(spec.values.get("agent", RestrictedParameters().agent))
            return number, candidate.agent(full)
    raise UnknownNameError.of("restriction in these games", without, restrictions(candidate))


def _compared(candidate: CandidateGames, pairs: list[tuple[int, int]]) -> BlockMeans:
    """Return by how many points per game the first of each pair is better where both sit, a seat like any other."""
    block, n_blocks = candidate.block_numbers
    shape = (n_blocks, 2 * len(pairs))
    totals, sizes = np.zeros(shape), np.zeros(shape)
    is_used = np.zeros(len(block), dtype=bool)
    for number, pair in enumerate(pairs):
        sits = [candidate.agents == agent for agent in pair]
        both = sits[0].any(axis=1) & sits[1].any(axis=1)
        is_used |= both
        for column, seats in enumerate(sits, 2 * number):
            points = np.where(seats, candidate.points, 0.0).sum(axis=1)
            totals[:, column] = np.bincount(block, points * both, n_blocks)
            sizes[:, column] = np.bincount(block, seats.sum(axis=1) * both, n_blocks)
    differences = np.kron(np.eye(len(pairs)), np.array([1.0, -1.0]))
    return BlockMeans.of(totals, sizes, int(is_used.sum())).contrasted(differences)


class _Seen(Listener):
    """Looks for actions by name.

    Attributes:
        missing: the names by which no action was called yet.
        classes: the names of the classes of all actions.
    """

    def __init__(self, names: list[str]) -> None:
        self.missing = list(names)
        self.classes: set[str] = set()
        self._filters = {name: WithoutActions(name) for name in names}

    def on_action_chosen(
        self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Look at what is available."""
        self.classes.update(type(meant(one)).__name__ for one in actions)
        self.missing = [name for name in self.missing if len(self._filters[name].kept(state, actions)) == len(actions)]
