"""The process of an isolated agent, seen from within: makes the agent, and answers the requests of one game."""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import os
import pickle
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from tag.catalogue import process_ends
from tag.catalogue.registry import make_agent, make_game
from tag.catalogue.user_code import provide_source
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters
from tag.engine.rng import Rng
from tag.engine.state import AnyAction, is_among
from tag.errors import sentence_of
from tag.isolation import _wire
from tag.isolation._system import confine
from tag.isolation._trees import rows_of
from tag.playing.agent import Agent, Budget, Clock, Limits, Simulator
from tag.playing.faults import text_of
from tag.playing.garbage import collect_garbage

_MEGABYTE: Final = 1 << 20


class _Service:
    """Serves the requests of the game.

    Attributes:
        is_limited: whether there is a limit on memory.
    """

    def __init__(self) -> None:
        self.is_limited = False
        self._agent_type: type[Agent] = Agent
        self._parameters = Parameters()
        self._agent = Agent()
        self._sim = Simulator(ForwardModel(), Rng(0), Budget(0))
        self._budget = self._sim.budget
        self._actions: list[AnyAction] = []

    def prepare(self, load: Callable[[], Any]) -> str:
        """Set the limits, and return the spec of the agent to be made."""
        _enter, spec, sources, plain = load()
        limits = Limits(**plain)
        for file, text in sources.items():
            provide_source(file, text)
        self.is_limited = limits.memory_mb > 0
        _set_limits(limits)
        return str(spec)

    def enter(self, spec: str) -> tuple[bool, int, str]:
        """Make the agent, and return whether it wants to be asked for single actions, and its budget's limit and kind."""
        agent = make_agent(spec)
        self._agent_type, self._parameters = type(agent), agent.parameters
        budget = agent.new_budget()
        return bool(agent.wants_single_actions), int(budget.limit), budget.kind

    def answer(self, load: Callable[[], Any]) -> Any:
        """Return the answer to a request, whose parts ``load`` returns one by one."""
        what, *rest = load()
        if what == _wire.START:
            return self._start(load, *rest)
        if what == _wire.ACT:
            return self._act(load, *rest)
        if what == _wire.END:
            state, self._agent.heard = load()
            self._agent.end_game(state)
            collect_garbage()
            return None
        if what == _wire.TREE:
            return rows_of(self._agent.search_tree(*rest), self._actions)
        return dict(self._agent.statistics())

    def _start(
        self,
        load: Callable[[], Any],
        game: str,
        player: int,
        stream: tuple[int, ...],
        clock: tuple[float, float, float, float] | None,
        time_factor: float,
    ) -> list[str]:
        """Have the agent prepare for a game, and return what it wants beside its decisions."""
        model = search_model(game)  # before the observation is loaded: its class may be in the game's own file
        observation = load()
        agent = self._agent = self._agent_type(self._parameters)
        budget = agent.new_budget()
        budget.clock = None if clock is None else Clock(*clock)
        budget.time_factor = time_factor
        rng = Rng(0)
        rng.restore(stream)
        self._budget = budget
        self._sim = agent.sim = Simulator(model, rng, budget)
        agent.player = player
        agent.start_game(observation)
        wants = {_wire.WATCHES: agent.watches(), _wire.LISTENS: agent.listens()}
        return [name for name, is_wanted in wants.items() if is_wanted]

    def _act(self, load: Callable[[], Any], remaining: float) -> tuple[int | str, int, int, float]:
        """Return the number of the chosen action, or any other object returned as text, and the cost.

        The cost is forward-model calls, copies, and seconds of CPU time of all threads: only the agent's run here.
        """
        observation, actions, self._agent.watched, self._agent.heard = load()
        self._actions = actions
        sim = self._sim
        budget = sim.budget = self._budget
        if budget.clock is not None:
            budget.clock.remaining = remaining
        budget.start()
        calls, copies = sim.calls, sim.copies
        begin = time.process_time()
        action = self._agent.act(observation, actions[:])
        took = time.process_time() - begin
        choice = actions.index(action) if is_among(action, actions) else text_of(action)
        return choice, sim.calls - calls, sim.copies - copies, took


def serve(descriptor: int, lifeline: int) -> None:
    """Answer requests from a socket until it is closed; be killed when the other end of the lifeline closes."""
    process_ends.never_refuse()
    itself = os.getpid()
    link = socket.socket(fileno=descriptor)
    for inherited in (link.fileno(), lifeline):
        os.set_inheritable(inherited, False)
    _hold(lifeline)
    confine()
    stream = link.makefile("rb")
    service = _Service()
    spec = service.prepare(_received(stream))
    _send(link, [_wire.DONE, None])
    _send(link, _outcome(service, lambda: service.enter(spec)))
    while True:
        load = _received(stream)
        answer = _outcome(service, lambda load=load: service.answer(load))  # type: ignore[misc]
        if os.getpid() != itself:
            os._exit(1)  # a child that the agent has made, and that has come back from its work
        _send(link, answer)


def run_program(
    arguments: list[str], limits: dict[str, Any], folder: str, python_path: str | None, *descriptors: int
) -> None:
    """Become a program; a program that cannot be run counts as one that ends with `_wire.NO_PROGRAM`.

    Args:
        arguments: the program and its arguments.
        limits: the fields of its `Limits`.
        folder: the folder to run it in.
        python_path: the variable PYTHONPATH, which is another in this process; None for none.
        descriptors: its standard input, output and error, and its lifeline, which stays open in it.
    """
    *streams, lifeline = descriptors
    for number, descriptor in enumerate(streams):
        os.set_inheritable(descriptor, False)
        os.dup2(descriptor, number)
    _hold(lifeline)
    _set_limits(Limits(**limits))
    confine()
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python; a program expects the defaults
        signal.signal(ignored, signal.SIG_DFL)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if python_path is not None:
        environment["PYTHONPATH"] = python_path
    try:
        os.chdir(folder)
        os.execvpe(arguments[0], arguments, environment)  # noqa: S606  the user's own command
    except OSError:
        sys.exit(_wire.NO_PROGRAM)


def go_on(_number: int, _frame: object) -> None:
    """Do nothing: the end of the whole program must not look like a crash of the agent; the game's process ends this one."""


def _set_limits(limits: Limits) -> None:
    """Set the limits of the system for this process, and allow it no core files."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if limits.memory_mb:
        # Not the address space: libraries reserve far more of that than they use.
        memory = limits.memory_mb * _MEGABYTE
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def _outcome(service: _Service, work: Callable[[], Any]) -> list[Any]:
    """Return the result of some work as an answer."""
    try:
        return [_wire.DONE, work()]
    except BaseException as error:  # noqa: BLE001  any failure of the agent is reported; Ctrl-C does not come here
        if isinstance(error, MemoryError) and service.is_limited:
            return [_wire.OUT_OF_MEMORY, ""]
        return [_wire.RAISED, sentence_of(error)]


def _received(stream: io.BufferedIOBase) -> Callable[[], Any]:
    """Wait for a request, and return a function that loads its parts one by one; end with the game's process."""
    length = stream.read(_wire.LENGTH)
    if len(length) < _wire.LENGTH:
        sys.exit()
    parts = io.BytesIO(stream.read(int.from_bytes(length, "big")))
    return lambda: pickle.load(parts)  # noqa: S301  from the process that started this one


def _send(link: socket.socket, answer: list[Any]) -> None:
    link.sendall(_wire.framed(json.dumps(answer, default=str).encode()))


def _hold(lifeline: int) -> None:
    """Have this process and all it starts killed when the other end of ``lifeline`` is closed, even in native code."""
    with contextlib.suppress(AttributeError, OSError):  # outside Linux, the end of the requests ends it
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)


@cache
def search_model(game: str) -> ForwardModel[Any]:
    """Return the rules with which the agent looks ahead."""
    return make_game(game).search_model()
