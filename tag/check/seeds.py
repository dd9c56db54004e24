"""Checks that the seed decides everything."""

from __future__ import annotations

from collections.abc import Sequence

from tag.action import AnyAction
from tag.agent import Agent
from tag.check.game_check import GameCheck, GameSubject
from tag.check.other_process import traces_elsewhere
from tag.check.traces import Tracer, check_same, digest, trace
from tag.errors import ContractError
from tag.game import Game
from tag.listener import Listener
from tag.playing import GameOrder
from tag.registry import make_agent, make_game
from tag.state import GameState

#: How far the searching agents look ahead.
_DEPTH = 15


class SeedRepeats(GameCheck):
    """A game can be played again."""

    name = "seed_repeats"
    text = "the same seed gives the same game again"

    def finish(self, subject: GameSubject) -> None:
        """Play games twice; several, because randomness from elsewhere may deal the same twice."""
        for order in _orders(subject, subject.games):
            self.where = subject.where(len(order.agents), order.seed)
            check_same(trace(order), trace(order), "played twice with one seed (is there randomness not from rng?)")


class SeedUndisturbed(GameCheck):
    """What agents try out in their observations, and draw for it, changes no card."""

    name = "seed_undisturbed"
    text = "agents that search and draw random numbers change no chance outcome"

    def finish(self, subject: GameSubject) -> None:
        """Play games with agents that repeat the choices of random ones, with and without search."""
        for order in _orders(subject):
            self.where = subject.where(len(order.agents), order.seed)
            quiet, choices = _random_game(order)
            busy = _scripted_game(order, choices)
            check_same(quiet, busy, "with and without agents that search (does the model, or a class, keep a state?)")


class SeedOtherProcess(GameCheck):
    """Workers are other processes."""

    name = "seed_other_process"
    text = "another process, with another hash seed, plays the same games"

    def finish(self, subject: GameSubject) -> None:
        """Compare traces."""
        orders = _orders(subject)
        for order, there in zip(orders, traces_elsewhere(orders), strict=True):
            self.where = subject.where(len(order.agents), order.seed)
            if digest(trace(order)) != there:
                raise ContractError("another process plays another game (does an order come from a set, or from id()?)")


def _orders(subject: GameSubject, games: int = 1) -> list[GameOrder]:
    """Return ``games`` games each for the fewest and for the most players."""
    counts = sorted({subject.counts[0], subject.counts[-1]})
    seeds = range(subject.seed, subject.seed + games)
    return [GameOrder("check", subject.spec, ("random",) * count, seed) for count in counts for seed in seeds]


class _Choices(Listener):
    """Keeps the index of each action that was chosen."""

    def __init__(self) -> None:
        self.indices: list[int] = []

    def on_action_chosen(
        self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Keep the index."""
        self.indices.append(actions.index(action))


class _Scripted(Agent):
    """Searches a little, to no purpose, then repeats a choice."""

    wants_single_actions = True

    def __init__(self, choices: Sequence[int]) -> None:
        super().__init__()
        self.choices = choices

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Roll out from the observation and from a copy, then do as the script says."""
        choice = self.choices[observation.tick]
        for start in (self.sim.copy(observation), self.sim.observation(observation, self.player), observation):
            self.sim.rollout(start, _DEPTH)
        return actions[choice % len(actions)]


def _random_game(order: GameOrder) -> tuple[list[str], list[int]]:
    tracer, choices = Tracer(), _Choices()
    agents = [make_agent(text) for text in order.agents]
    Game(make_game(order.game), agents, order.seed, listeners=[tracer, choices]).play()
    return tracer.hashes, choices.indices


def _scripted_game(order: GameOrder, choices: list[int]) -> list[str]:
    tracer = Tracer()
    agents = [_Scripted(choices) for _seat in order.agents]
    game = Game(make_game(order.game), agents, order.seed, listeners=[tracer])
    game.play()
    if game.faults:
        raise ContractError(f"an agent that searches fails: {game.faults[0].message}")
    return tracer.hashes
