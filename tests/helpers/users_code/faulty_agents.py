"""Agents that go wrong, each in its own way; a user's file."""

import ctypes
import os
import signal
import sys
import time

from tag.playing.agent import Agent


class Random(Agent):
    """Plays fair; what is compiled cannot be a base of the classes here, except for `Agent`."""

    def act(self, observation, actions):
        return actions[self.sim.rng.below(len(actions))]


class Raises(Random):
    def act(self, observation, actions):
        raise ValueError("oh no")


class FailsToStart(Random):
    def start_game(self, observation):
        raise RuntimeError("no weights")


class Cheats(Random):
    def act(self, observation, actions):
        return None


class Slow(Random):
    def act(self, observation, actions):
        time.sleep(0.03)
        return super().act(observation, actions)


class Exits(Random):
    def act(self, observation, actions):
        os._exit(3)


class ExitsAtStart(Random):
    def start_game(self, observation):
        os._exit(0)


class ExitsAtEnd(Random):
    def end_game(self, state):
        os._exit(5)


class ExitsWhenAskedForStatistics(Random):
    def statistics(self):
        os._exit(6)


class ExitsWhenMade(Random):
    def __init__(self, parameters=None):
        super().__init__(parameters)
        if "tag.isolation._child" in sys.modules or sys.argv[0].endswith("_child.py"):
            os._exit(7)


class Eats(Random):
    def act(self, observation, actions):
        eaten = []
        while True:
            eaten.append(bytearray(10_000_000))


class EatsSome(Random):
    def act(self, observation, actions):
        bytearray(200_000_000)
        return super().act(observation, actions)


class Sleeps(Random):
    def act(self, observation, actions):
        time.sleep(0.5)
        return super().act(observation, actions)


class Hangs(Random):
    """In native code that holds the interpreter's lock: no thread of Python gets to run any more."""

    def act(self, observation, actions):
        ctypes.PyDLL(None).sleep(1000)


class Recurses(Random):
    """Overflows the stack of native code."""

    def act(self, observation, actions):
        sys.setrecursionlimit(10**9)

        def deeper(_item):
            return sorted([0], key=deeper)

        return deeper(0)


class Segfaults(Random):
    def act(self, observation, actions):
        return ctypes.string_at(0)


class LeavesAnother(Random):
    """Ends with another process left that holds everything open."""

    def act(self, observation, actions):
        if os.fork():
            os._exit(4)
        time.sleep(1000)


class Babbles(Random):
    """Writes something of its own to every open descriptor."""

    def act(self, observation, actions):
        for descriptor in range(3, 30):
            try:
                os.write(descriptor, b"\x00\x00\x00\x05hello")
            except OSError:
                continue
        return super().act(observation, actions)


class TellsPid(Random):
    def act(self, observation, actions):
        raise ValueError(os.getpid())


class TellsClock(Random):
    def start_game(self, observation):
        self.seen = []

    def act(self, observation, actions):
        self.seen.append(self.sim.budget.clock.remaining)
        return super().act(observation, actions)

    def end_game(self, state):
        raise ValueError(*self.seen[:3])


class SignalsItsGroup(Random):
    """Gets what Ctrl-C in the terminal and the end of a session send to everybody."""

    def act(self, observation, actions):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            os.killpg(0, number)
        return super().act(observation, actions)


class Eager(Random):
    wants_single_actions = True
