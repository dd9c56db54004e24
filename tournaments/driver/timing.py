"""Time limits on unequal machines: checks for unfair ones, and scaling by the speed of each worker."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from operator import attrgetter
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from tag.catalogue.registry import agent_class
from tag.catalogue.user_code import is_path
from tag.catalogue.version import is_compiled
from tag.cluster import Workers
from tag.cluster.batches import WorkerSpeed, cores
from tag.engine.parameters import parse_spec
from tag.errors import ClusterError, DataError, ParameterError, UnknownNameError
from tag.orders import Conditions, play_order
from tag.tournaments.definition import TournamentDefinition, timed
from tag.tournaments.driver.events import PlayListener
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.ledger.storage import write_whole

# --- calibration of time limits ---------------------------------------------------------------------------------------
#
# Every worker measures how fast it plays the tournament's own game (`tag.orders`). Times last longer on a slow
# worker than on a fast one: ``t`` seconds last ``t * reference / speed``. So they allow the same amount of thinking.
# The reference is the speed of the slowest worker at the beginning of the tournament. It is kept in the tournament's
# folder (``calibration.json``), so that times mean the same after a resumption on other machines, and on machines that
# join later.


_FILE: Final = "calibration.json"
_machine: Final = attrgetter("machine")


def calibrated(workers: Workers, definition: TournamentDefinition, folder: Path, events: PlayListener) -> Conditions:
    """Measure the workers, and return the conditions of games with times scaled by speed.

    Raises:
        DataError: the reference in the folder is damaged.
        TagError: workers do not start, or cannot play the game.
    """
    speeds = sorted(workers.measure(definition.game, definition.players), key=_machine)
    if not speeds:
        raise ClusterError("no worker has said how fast it plays; the same command tries again")
    reference = _kept(folder) or _keep(folder, speeds)
    events.measured(speeds, reference)
    return replace(definition.rules.conditions(), reference_speed=reference)


def crowded(machine: str, workers: int, cores: int) -> str:
    """Return that workers take time from one another."""
    return (
        f"{workers} workers on {machine} share {cores} core{'s' if cores > 1 else ''}: with time limits they take time "
        "from one another's agents; one worker per core is fair"
    )


def _kept(folder: Path) -> float:
    """Return the reference stored in ``folder``, 0 if there is none."""
    path = folder / _FILE
    try:
        reference = json.loads(path.read_text(encoding="utf-8"))["reference"]
    except FileNotFoundError:
        return 0.0
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None
    if not isinstance(reference, float) or not 0.0 < reference < float("inf"):
        raise DataError(f"{str(path)!r} is damaged: its reference is {reference!r}, and has to be a positive number")
    return reference


def _keep(folder: Path, speeds: Sequence[WorkerSpeed]) -> float:
    """Store the speed of the slowest worker in ``folder``, whole or not at all, with findings for people; return it."""
    reference = min(worker.calls_per_second for worker in speeds)
    found = {"reference": reference, "workers": [asdict(worker) for worker in speeds]}
    write_whole(folder / _FILE, json.dumps(found, indent=2))
    return reference


# --- time limits ------------------------------------------------------------------------------------------------------
#
# A second is worth more on a faster machine, so without calibration the seating of agents on machines would decide
# games.


def check_machines(definition: TournamentDefinition, workers: Workers) -> list[str]:
    """Return the reasons why time limits would be unfair on these machines, for people.

    Raises:
        ParameterError: there is nothing to calibrate.
        ClusterError: a tournament has time limits, the machines are not equal, and calibration was not asked for.
    """
    limits = timed(definition)
    if definition.rules.calibrate:
        if not limits:
            raise ParameterError("calibrate is for time limits, and this tournament has none; leave it out")
        return []  # it looks at the workers themselves
    if not limits:
        return []
    if not workers.address:
        return [crowded("this machine", workers.count, cores())] if workers.count > cores() else []
    from tag.cluster.connection import cluster_status  # noqa: PLC0415  Ray takes a second to import and is often not needed

    nodes = [node for node in cluster_status(workers.address) if node.cpus and node.processor and not node.trouble]
    machines = {node.processor: node.address for node in nodes}
    if len(machines) > 1:
        unequal = " and ".join(f"{where} with {name}" for name, where in sorted(machines.items())[:2])
        raise ClusterError(
            f"{limits[0]} is a time limit, and machines are not equal: {unequal};"
            " count forward-model calls or iterations instead, or scale times by speed with --calibrate"
        )
    return [crowded(node.address, node.cpus, node.cores) for node in nodes if node.cpus > node.cores]


#: How long games are played for an estimate, in seconds of wall time; at least one is.
_SECONDS: Final = 2.0
_LISTED: Final = 12
#: From so many seconds per decision on, a hint names a way to make an interpreted game faster.
_SLOW: Final = 0.05
#: Few decisions give a poor estimate: the first ones also import modules that an agent needs.
_FEWEST: Final = 3
#: After so many games, others would tell no more.
_FIRST_GAMES: Final = 2_000


@dataclass(frozen=True)
class Preview:
    """The extent of a tournament, without playing it.

    Attributes:
        at_most: whether a stopping rule may end it before.
        seconds_per_game: mean wall time of a game on this machine, in one process.
        played: the games that this was measured on, spread over the first block.
        lengths: the wall time of each of these.
        first: the first games, as their ids and the agents in their seats.
        hint: a way to make play faster, if an interpreted game is slow; else empty.
        limit: what a stopping rule cannot decide within these games; else empty.
    """

    games: int
    at_most: bool
    blocks: int
    matchups: int
    seatings: int
    seconds_per_game: float
    played: int
    lengths: tuple[float, ...]
    first: list[tuple[str, tuple[str, ...]]]
    hint: str = ""
    limit: str = ""

    @property
    def seconds(self) -> float:
        """About how long it takes one process with a core of its own."""
        return self.games * self.seconds_per_game

    def to_json(self) -> dict[str, Any]:
        """Return all attributes but the lengths as plain values."""
        first = [{"game_id": game_id, "agents": agents} for game_id, agents in self.first]
        return {**{name: value for name, value in self.__dict__.items() if name != "lengths"}, "first": first}


def preview(definition: TournamentDefinition, seconds: float = _SECONDS) -> Preview:
    """Return the extent of a tournament, and play some of its games for an estimate of the time.

    Raises:
        TagError: a game breaks its contract.
    """
    schedule = definition.schedule()
    rule = definition.stopping_rule(schedule)
    labels = definition.labels
    played: list[PlayedGame] = []
    lengths: list[float] = []
    games = schedule.design.n_matchups * schedule.design.n_seatings
    for pairing in islice(schedule.games(range(1)), 0, games, _stride(games)):
        begin = perf_counter()
        played.append(PlayedGame(pairing, play_order(definition.order(pairing))))
        lengths.append(perf_counter() - begin)
        if sum(lengths) > seconds:
            break
    hints: list[str] = []
    SlowGameHint(definition, hints.append).played(played)
    return Preview(
        games=len(schedule),
        at_most=rule is not None,
        blocks=schedule.blocks,
        matchups=schedule.design.n_matchups,
        seatings=schedule.design.n_seatings,
        seconds_per_game=sum(lengths) / len(lengths),
        played=len(lengths),
        lengths=tuple(lengths),
        first=[
            (pairing.game_id, tuple(labels[agent] for agent in pairing.agents)) for pairing in islice(schedule, _LISTED)
        ],
        hint="".join(hints),
        limit=rule.limit if rule is not None else "",
    )


class SlowGameHint(PlayListener):
    """Says once how to make play faster, if the first games are slow because the game is interpreted."""

    def __init__(self, definition: TournamentDefinition, say: Callable[[str], None]) -> None:
        """Begin without games; ``say`` shows a sentence."""
        self._definition = definition
        self._say = say
        self._games = 0
        self._seconds = [0.0] * len(definition.agents)
        self._decisions = [0] * len(definition.agents)
        self._is_over = is_compiled() and not is_path(definition.game_spec.name)

    def played(self, games: Sequence[PlayedGame]) -> None:
        """Take the times of games, as long as they are the first."""
        if self._is_over:
            return
        for pairing, record, _worker in games:
            for agent, seconds, decisions in zip(pairing.agents, record.seconds, record.decisions, strict=True):
                self._seconds[agent] += seconds
                self._decisions[agent] += decisions
        self._games += len(games)
        hint = self._hint()
        if hint:
            self._say(hint)
        self._is_over = bool(hint) or self._games > _FIRST_GAMES

    def _hint(self) -> str:
        """Return a way to make play faster, in a sentence; empty unless the game is slow with some budget."""
        means = [
            (seconds / decisions, agent)
            for agent, (seconds, decisions) in enumerate(zip(self._seconds, self._decisions, strict=True))
            if decisions >= _FEWEST and seconds >= _SLOW * decisions and _has_budget(self._definition.agents[agent])
        ]
        if not means:
            return ""
        mean, agent = max(means)
        return (
            f"{self._definition.game} runs interpreted: about {mean:.2g} s per decision of "
            f"{self._definition.labels[agent]}; a smaller budget=… takes less, and --dry-run says how long all takes"
        )


def _has_budget(spec: str) -> bool:
    """Say whether an agent has a budget that can be smaller."""
    try:
        parameters = agent_class(parse_spec(spec).name).parameters_class
    except UnknownNameError:
        return False  # the agents of simulations are made up
    return any(dimension.name == "budget" for dimension in parameters.dimensions())


def _stride(games: int) -> int:
    """Return a step through the games of a block that soon visits every match-up and seat: odd, near a tenth."""
    return max(1, games // 10) | 1
