"""Agents that cheat, each in its own way; a user's file. Those that only damage choose as `Honest` does."""

import contextlib
import itertools
import json
import os
import pickle
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from tag.engine.rng import Rng
from tag.engine.snapshot import field_values
from tag.engine.state import Action
from tag.playing.agent import Agent, Budget
from tag.playing.faults import AgentGone, RemoteFault


class Honest(Agent):
    """Chooses by the number of the decision, so that nothing it draws, sees or breaks matters."""

    def start_game(self, observation):
        self.asked = 0

    def act(self, observation, actions):
        return actions[self.number(actions)]

    def number(self, actions):
        self.asked += 1
        return self.asked * 7919 % len(actions)


class ReadsTheDeal(Honest):
    """Raises the hashes of all positions that its own stream lets it set up, in place of playing."""

    def act(self, observation, actions):
        raise ValueError(" ".join(sorted(self.deals(observation.n_players))))

    def deals(self, n_players):
        from tag.engine.snapshot import state_hash

        *_position, low, high = self.sim.rng.snapshot()
        seed = (high << 32) | low
        found = set()
        for key in (seed, seed >> 1, seed << 1, low, high):
            for stream in (0, 1, n_players, 1 << 30):
                found.add(state_hash(self.sim.model.setup(n_players, Rng(key & (1 << 63) - 1, stream))))
        back = Rng(0)
        back.restore(self.sim.rng.snapshot())
        back.select(0)
        found.add(state_hash(self.sim.model.setup(n_players, back)))
        return found


def _other(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return None


class Vandal(Honest):
    """Changes all that it can reach from what it gets, and then from the rules that it looks ahead with."""

    def start_game(self, observation):
        super().start_game(observation)
        self.wreck(observation)

    def act(self, observation, actions):
        number = self.number(actions)
        action = actions[number]
        self.wreck([observation, actions, self.sim])
        return action

    def end_game(self, state):
        self.wreck(state)

    def wreck(self, thing):
        reached = []
        _walk(thing, reached, set())
        for one in reached:
            _damage(one)


def _walk(thing, reached, seen):
    if id(thing) in seen or isinstance(thing, bool | int | float | str | bytes | type | None | type(_walk)):
        return
    seen.add(id(thing))
    parts = []
    if isinstance(thing, dict):
        parts = [*thing.keys(), *thing.values()]
    elif isinstance(thing, list | tuple | set | frozenset):
        parts = list(thing)
    else:
        parts = list(field_values(thing).values())
    for part in parts:
        _walk(part, reached, seen)
    reached.append(thing)


def _damage(thing):
    if isinstance(thing, list | dict | set | bytearray):
        thing.clear()
        return
    for name, value in field_values(thing).items():
        with contextlib.suppress(Exception):
            setattr(thing, name, _other(value))


class ChangesItsAction(Honest):
    """Has the chosen action do what another one does, past the guard of shared objects."""

    def act(self, observation, actions):
        action = super().act(observation, actions)
        _disguise(action, actions)
        return action


class ChangesActionsForLater(Honest):
    """Changes actions of the last decision when the game is over, played ones and others."""

    def act(self, observation, actions):
        self.actions = actions
        return super().act(observation, actions)

    def end_game(self, state):
        for action in self.actions:
            _disguise(action, self.actions)


def _disguise(action, actions):
    for other in actions:
        values = field_values(other)
        if type(other) is type(action) and values != field_values(action):
            for name, value in values.items():
                object.__setattr__(action, name, value)
            return


class Overspends(Honest):
    """Thinks on and on, and sets the count back."""

    def new_budget(self):
        return Budget(5)

    def act(self, observation, actions):
        for _round in range(4):
            while not self.sim.budget.is_spent():
                self.sim.rollout(self.sim.copy(observation), 1)
            self.spend_nothing()
        return super().act(observation, actions)

    def spend_nothing(self):
        self.sim.budget.forward_model_calls = 0


class ReplacesItsBudget(Overspends):
    def spend_nothing(self):
        self.sim.budget = Budget(5)
        self.sim.budget.start()


class TurnsTheClockBack(Honest):
    def act(self, observation, actions):
        time.sleep(0.03)
        self.sim.budget.clock.remaining = 1000.0
        return super().act(observation, actions)


class Forges(Honest):
    """Gives itself the game, whenever it gets to see it."""

    def start_game(self, observation):
        super().start_game(observation)
        self.forge(observation)

    def act(self, observation, actions):
        number = self.number(actions)
        self.forge(observation)
        return actions[number]

    def end_game(self, state):
        self.forge(state)

    def forge(self, state):
        state.results = tuple(2 if seat == self.player else -1 for seat in range(state.n_players))
        state.is_terminal = True


class _OwnError(BaseException):
    pass


class _Mute(BaseException):
    def __str__(self):
        raise SystemExit(1)


ERRORS = {
    "SystemExit": SystemExit(0),
    "GeneratorExit": GeneratorExit(),
    "Own": _OwnError("x"),
    "Mute": _Mute(),
    "Gone": AgentGone(),
    "Remote": RemoteFault("void", "x\ny"),
    "Long": ValueError("x" * 10_000_000),
}


def _raiser(error):
    class Raiser(Honest):
        def act(self, observation, actions):
            raise error

    return Raiser


RaisesSystemExit = _raiser(ERRORS["SystemExit"])
RaisesGeneratorExit = _raiser(ERRORS["GeneratorExit"])
RaisesOwn = _raiser(ERRORS["Own"])
RaisesMute = _raiser(ERRORS["Mute"])
RaisesGone = _raiser(ERRORS["Gone"])
RaisesRemote = _raiser(ERRORS["Remote"])
RaisesLong = _raiser(ERRORS["Long"])
RaisesKeyboardInterrupt = _raiser(KeyboardInterrupt())


class FailsToBudget(Honest):
    def new_budget(self):
        raise RuntimeError("no budget")


class _Liar:
    """Says that it equals everything, and cannot be told."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __repr__(self):
        raise RuntimeError("no words")


class Lies(Honest):
    def act(self, observation, actions):
        return _Liar()


class Endless(Honest):
    """Returns what takes 10 MB to write down."""

    def act(self, observation, actions):
        class Long(Action):
            def __repr__(self):
                return "x" * 10_000_000

        return Long()


class AnswersTwice(Honest):
    """Writes answers of its own to every open descriptor: the first as a pickle, the others as answers to come."""

    def act(self, observation, actions):
        text = json.dumps(["done", [0, 0, 0]]).encode()
        for descriptor in range(64):
            for payload in (pickle.dumps(os.getpid), text, text, text):
                with contextlib.suppress(OSError):
                    os.write(descriptor, len(payload).to_bytes(4, "big") + payload)
        return super().act(observation, actions)


class Prints(Honest):
    def act(self, observation, actions):
        with contextlib.suppress(OSError):
            os.write(1, b'\x00\x00\x00\x0d["done", null]')
            os.write(2, b'\x00\x00\x00\x0d["done", null]')
        return super().act(observation, actions)


class Ponders(Honest):
    """Has a thread that counts on in the time of the others; says in the end how much it got of it."""

    def start_game(self, observation):
        super().start_game(observation)
        self.beats = []
        threading.Thread(target=self.beat, daemon=True).start()

    def beat(self):
        while True:
            self.beats.append(time.monotonic())
            time.sleep(0.001)

    def end_game(self, state):
        gaps = [later - earlier for earlier, later in zip(self.beats, self.beats[1:], strict=False)]
        raise ValueError(f"{max(gaps):.3f}")


class Sleeps(Honest):
    def act(self, observation, actions):
        time.sleep(0.1)
        return super().act(observation, actions)


def _leave_group():
    with contextlib.suppress(PermissionError):
        os.setsid()
    with contextlib.suppress(PermissionError):
        os.setpgid(0, 0)


class Escapes(Honest):
    """Thinks in a process that has left the group and whose parent has ended; says how long that stood still."""

    def start_game(self, observation):
        super().start_game(observation)
        self.beats = Path(tempfile.gettempdir()) / f"beats-{os.getpid()}"
        if os.fork() == 0:
            _leave_group()
            if os.fork() == 0:
                while True:
                    with self.beats.open("a") as file:
                        file.write(f"{time.monotonic()}\n")
                    time.sleep(0.001)
            os._exit(0)

    def act(self, observation, actions):
        time.sleep(0.03)  # so that the other process is there
        return super().act(observation, actions)

    def end_game(self, state):
        beats = list(map(float, self.beats.read_text().split()))
        self.beats.unlink()
        gaps = [later - earlier for earlier, later in itertools.pairwise(beats)]
        raise ValueError(f"{max(gaps):.3f}")


class ForgesItsClock(Honest):
    """Takes 30 ms of CPU time per decision, in itself or in a child, and says that it took none."""

    def act(self, observation, actions):
        begin = time.thread_time()
        if self.player == 0 or os.fork() == 0:
            while time.thread_time() < begin + 0.03:
                pass
            if self.player != 0:
                os._exit(0)
        else:
            os.wait()
        time.process_time = lambda: 0.0
        return super().act(observation, actions)


class Intrudes(Honest):
    """Opens the memory of all other processes, signals all, and says how many let it."""

    def end_game(self, state):
        others = [path for path in Path("/proc").iterdir() if path.name.isdigit() and int(path.name) != os.getpid()]
        let = Counter()
        for other in others:
            with contextlib.suppress(OSError), (other / "mem").open("rb"):
                let["memory"] += 1
            with contextlib.suppress(OSError):
                os.kill(int(other.name), 0)
                let["signal"] += 1
        raise ValueError(f"{let['memory']} {let['signal']} of {len(others)}")


class MovesAFile(Honest):
    """Does no harm: moves a file into another folder, as programs do that write in two steps."""

    def start_game(self, observation):
        super().start_game(observation)
        with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
            Path(first, "file").touch()
            Path(first, "file").rename(Path(second, "file"))


class Multiplies(Honest):
    """Starts processes that leave its group, and these start more."""

    def act(self, observation, actions):
        for _child in range(3):
            if os.fork() == 0:
                _leave_group()
                if os.fork() == 0:
                    _leave_group()
                time.sleep(1000)
                os._exit(0)
        return super().act(observation, actions)
