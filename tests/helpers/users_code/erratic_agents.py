"""An agent that nothing decides: asked again, it plays another game; a user's file."""

import os

from tag.playing.agent import Agent


class Erratic(Agent):
    def act(self, observation, actions):
        return actions[os.urandom(1)[0] % len(actions)]
