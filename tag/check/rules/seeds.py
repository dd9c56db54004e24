"""Checks of seeds and chance: the same seed makes the same game, whatever agents do and in any process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tag.catalogue.registry import make_agent, make_game
from tag.check.evidence.traces import (
    HASH_SEEDS,
    Tracer,
    check_same,
    trace,
    trace_of_views,
    traces_elsewhere,
)
from tag.check.subject import GameCheck, GameSubject, Position
from tag.engine.state import AnyAction, GameState
from tag.errors import ContractError
from tag.orders import GameOrder
from tag.playing.agent import Agent
from tag.playing.game import Game
from tag.playing.listener import Listener

#: How far the searching agents look ahead.
_DEPTH: Final = 15


class SeedRepeats(GameCheck):
    """A game can be played again."""

    text = "the same seed gives the same game again"

    def finish(self, subject: GameSubject) -> None:
        """Play games twice; several, because randomness from elsewhere may deal the same twice."""
        for order in _orders(subject, subject.games):
            self.where = subject.where(len(order.agents), order.seed)
            check_same(trace(order), trace(order), "played twice with one seed (is there randomness not from rng?)")
            self.cases += 1


class SeedUndisturbed(GameCheck):
    """Look-ahead and random draws of agents change no card of the game."""

    text = "agents that search and draw random numbers change no chance outcome"

    def finish(self, subject: GameSubject) -> None:
        """Play games with agents that repeat the choices of random ones, with and without search."""
        for order in _orders(subject):
            self.where = subject.where(len(order.agents), order.seed)
            quiet, choices = _random_game(order)
            busy = _scripted_game(order, choices)
            check_same(quiet, busy, "with and without agents that search (does the model, or a class, keep a state?)")
            self.cases += 1


class SeedOtherProcess(GameCheck):
    """Workers are other processes."""

    text = "other processes, with other hash seeds, play the same games and see the same in them"

    def finish(self, subject: GameSubject) -> None:
        """Compare traces: of the first games with every hash seed, of each other game with one."""
        first = _orders(subject)
        others = [order for order in _orders(subject, subject.games) if order not in first]
        here = {(len(order.agents), order.seed): trace_of_views(order) for order in [*first, *others]}
        for number, hash_seed in enumerate(HASH_SEEDS):
            orders = [*first, *others[number :: len(HASH_SEEDS)]]
            for order, theirs in zip(orders, traces_elsewhere(orders, hash_seed), strict=True):
                self.where = subject.where(len(order.agents), order.seed)
                self.cases += 1
                if here[len(order.agents), order.seed] != theirs:
                    raise ContractError(
                        f"a process with PYTHONHASHSEED={hash_seed} plays another game, or observes it otherwise "
                        "(does an order come from a set, or from id()?)"
                    )


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
        self.indices.append(actions.index(action))


class _Scripted(Agent):
    """Searches a little without using the result, then repeats a choice."""

    wants_single_actions = True

    def __init__(self, choices: Sequence[int]) -> None:
        super().__init__()
        self.choices = choices

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Roll out from the observation and from a copy, then follow the script."""
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


class ChanceDeclared(GameCheck):
    """Games declared without chance draw no random numbers: search then keeps the states that it has reached."""

    text = "if the game type declares that there is no chance, next draws no random number"
    untested = "the game type declares chance"

    def at(self, position: Position) -> None:
        if position.model.game_type.chance:
            return
        for action in position.model.available_actions(position.state):
            self.cases += 1
            rng = position.rng("declared")
            before = rng.snapshot()
            position.model.next(position.state.copy(), action, rng)
            if rng.snapshot() != before:
                raise ContractError(f"chance is declared False, but {action} draws random numbers")
