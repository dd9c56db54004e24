"""The random agent: all available actions are equally likely."""

from __future__ import annotations

from tag.engine.state import AnyAction, GameState
from tag.playing.agent import Agent


class Random(Agent):
    """Plays uniformly at random: the baseline of every comparison."""

    looks_ahead = False

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Draw one of ``actions``.

        >>> from tag import Game, make_agent, make_game
        >>> game = Game(make_game("nim"), [make_agent("random"), make_agent("random")], seed=3)
        >>> [int(game.play().ordinal(player)) for player in range(2)]
        [1, 2]
        """
        return actions[self.sim.rng.below(len(actions))]
