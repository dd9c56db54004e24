"""The random agent: all available actions are equally likely."""

from __future__ import annotations

from tag.engine.state import AnyAction, GameState
from tag.playing.agent import Agent


class Random(Agent):
    """Plays uniformly at random: the baseline of every comparison."""

    looks_ahead = False

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Draw one of ``actions``."""
        return actions[self.sim.rng.below(len(actions))]
