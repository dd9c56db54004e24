"""The folder of an experiment: ``experiment.json`` with its events, each a tournament in a folder of its own.

A tournament becomes an experiment when it is given further games: its manifest and its ledger move into the folder of an
event, unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import sleep
from typing import Any, Final, Self
from uuid import uuid4

from tag.catalogue.user_code import check_specs
from tag.errors import DataError, ParameterError, PlayersError
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger import folder as tournaments
from tag.tournaments.ledger.folder import (
    FOLDER,
    LOCK,
    MANIFEST,
    changing_request,
    event_name,
    extended,
    is_at_work,
    read_manifest,
    request_pause,
)
from tag.tournaments.ledger.storage import check_is_ours, locked, publish_folder, read_json, write_whole

EXPERIMENT: Final = "experiment.json"
_NAME: Final = re.compile(r"[\w=-][\w.=-]*")
#: Where a tournament is on its way into the folder of an event.
_MOVING: Final = ".moving"
#: The weight of an event unless another is given.
_USUAL: Final = 1.0


@dataclass(frozen=True)
class Experiment:
    """Events between the same agents, and what each weighs in tables over all.

    Each agent has the same place in all events, and may have another spec in each.

    >>> from tag.tournaments import define
    >>> agents = ("osla", "random")
    >>> experiment = Experiment.of([define("nim", agents, 2), define("tic_tac_toe", agents, 3)])
    >>> list(experiment.events), experiment.weights["nim-2p"]
    (['nim-2p', 'tic_tac_toe-2p'], 1.0)

    Attributes:
        events: by name, which is that of the event's folder.
        weights: by name of the event; only their ratios count.
    """

    events: Mapping[str, TournamentDefinition]
    weights: Mapping[str, float]

    @classmethod
    def of(cls, events: Iterable[TournamentDefinition]) -> Self:
        """Return the experiment of events of equal weight, named after game and number of players."""
        return cls.named([(event_name(event.game, event.players), event, _USUAL) for event in events])

    @classmethod
    def named(cls, events: Sequence[tuple[str, TournamentDefinition, float]]) -> Self:
        """Return the experiment of events with their names and weights.

        Raises:
            DataError: two have the same name.
            ParameterError: a weight is not positive.
            PlayersError: the events are between different numbers of agents.
        """
        found = {name: event for name, event, _weight in events}
        if len(found) < len(events):
            names = [name for name, _event, _weight in events]
            twice = next(name for name in names if names.count(name) > 1)
            raise DataError(f'two events are named {twice!r}; give one another name in [[events]], such as name = "b"')
        for name, _event, weight in events:
            if not _NAME.fullmatch(name):
                raise DataError(f"name of an event cannot be {name!r}; it is that of a folder, such as uno-opened")
            if not weight > 0.0:
                raise ParameterError(f"weight of {name} cannot be {weight:g}; it has to be more than 0")
        if len({len(event.agents) for event in found.values()}) != 1:
            raise PlayersError("all events of an experiment are between the same number of agents")
        return cls(found, {name: weight for name, _event, weight in events})

    def to_json(self) -> dict[str, Any]:
        """Return the events with their weights as plain values."""
        return {name: {"weight": self.weights[name], **event.to_json()} for name, event in self.events.items()}

    @classmethod
    def from_json(cls, values: Mapping[str, dict[str, Any]]) -> Self:
        """Read the values that `to_json` returned."""
        events = {name: {key: one[key] for key in one if key != "weight"} for name, one in values.items()}
        return cls.named(
            [(name, TournamentDefinition.from_json(events[name]), one["weight"]) for name, one in values.items()]
        )

    def events_in(self, out: Path) -> dict[str, TournamentDefinition]:
        """Return the events by name, each as it is in its folder in ``out``, where it may have been extended."""
        return {name: as_played(out / name, event) for name, event in self.events.items()}

    def folders(self, out: Path) -> dict[Path, TournamentDefinition]:
        """Return the same events by their folders."""
        return {out / name: event for name, event in self.events_in(out).items()}

    def with_events(self, more: Mapping[str, TournamentDefinition]) -> Self:
        """Return the experiment with further events, of the usual weight; known ones stay as they are."""
        known = [(name, event, self.weights[name]) for name, event in self.events.items()]
        return self.named([*known, *((name, event, _USUAL) for name, event in more.items() if name not in self.events)])

    def extended(self, blocks: int | None, agents: Sequence[str]) -> Self:
        """Return the experiment whose events have so many blocks in all and these agents as well, checked.

        Raises:
            TagError: an event cannot be extended like that.
        """
        longer = {}
        for name, event in self.events.items():
            try:
                longer[name] = extended(event, blocks, agents)
            except DataError as error:
                raise DataError(f"{name}: {error}") from None
        return replace(self, events=longer)

    def difference(self, longer: Experiment) -> str:
        """Say why ``longer`` is not this experiment with more events, agents or blocks; empty if it is."""
        for name, event in self.events.items():
            reason = event.difference(longer.events[name]) if name in longer.events else "it is left out"
            if reason:
                return f"{name}: {reason}"
        return ""


@dataclass(frozen=True)
class ExperimentManifest:
    """The contents of ``experiment.json``.

    Attributes:
        id: names the experiment for ever, even if the folder is renamed.
        created: when it was begun, in ISO 8601, UTC.
    """

    id: str
    created: str
    experiment: Experiment

    def write(self, folder: Path) -> None:
        """Write the manifest to ``folder``, completely or not at all."""
        content = {"id": self.id, "created": self.created, "events": self.experiment.to_json()}
        write_whole(folder / EXPERIMENT, json.dumps(content, indent=2))


def read_experiment_manifest(folder: Path) -> ExperimentManifest:
    """Return the manifest of the experiment in ``folder``.

    Raises:
        DataError: there is no experiment, or its file is damaged.
    """

    def parse(content: dict[str, Any]) -> ExperimentManifest:
        return ExperimentManifest(content["id"], content["created"], Experiment.from_json(content["events"]))

    return read_json(folder, EXPERIMENT, "experiment", parse)


def read_experiment(folder: Path) -> Experiment:
    """Return the experiment in ``folder``; raises as `read_experiment_manifest`."""
    return read_experiment_manifest(folder).experiment


def read_seed_of(folder: Path) -> int | None:
    """Return the seed of the experiment or tournament in ``folder``, None where there is none."""
    with suppress(OSError):  # the code that begins it reports a path that cannot be one
        if (folder / EXPERIMENT).is_file():
            return next(iter(read_experiment(folder).events.values())).seed
    return tournaments.read_seed(folder)


def begun_events(folder: Path) -> dict[str, Path]:
    """Return the folders of the events of the experiment in ``folder`` that have begun, by name."""
    return {name: folder / name for name in read_experiment(folder).events if (folder / name / MANIFEST).exists()}


def as_played(folder: Path, event: TournamentDefinition) -> TournamentDefinition:
    """Return an event as it is in its folder, where it may have been given more agents and blocks; else as it is said."""
    return _longer(read_manifest(folder).definition, event) if (folder / MANIFEST).exists() else event


def _longer(known: TournamentDefinition, event: TournamentDefinition) -> TournamentDefinition:
    """Return ``known`` if it is ``event``, perhaps with more agents and blocks, else ``event``."""
    return event if event.difference(known) else known


def continued(folder: Path, experiment: Experiment) -> Experiment:
    """Return the experiment as ``folder`` has it, if it has more agents and blocks there; nothing is written.

    Raises:
        DataError: the folder is not new or empty, and holds no experiment, or one with other events.
    """
    if holds_tournament(folder):
        return _with_tournament(folder, experiment)
    check_is_ours(folder, EXPERIMENT, "experiment")
    if not (folder / EXPERIMENT).exists():
        return experiment
    known = read_extended(folder).events
    for name in known:
        if name not in experiment.events:
            raise DataError(
                f"{str(folder)!r} holds an experiment with {name}; name that as well, or a new folder with --out"
            )
    return replace(
        experiment, events={name: _longer(known.get(name, one), one) for name, one in experiment.events.items()}
    )


def holds_tournament(folder: Path) -> bool:
    """Say whether there is a tournament by itself in ``folder``, which is no event's."""
    with suppress(OSError):  # as in `read_seed_of`
        return (folder / MANIFEST).is_file() and not (folder / EXPERIMENT).is_file()
    return False


def _with_tournament(folder: Path, experiment: Experiment) -> Experiment:
    """Return the experiment with the tournament in ``folder`` as one of its events, as far as that has been extended.

    Raises:
        DataError: it is none of the events, or a part of a tournament.
    """
    known = tournaments.read_extended(folder)
    if known.part:
        raise DataError(f"{str(folder)!r} holds part {known.part} of a tournament; join the parts with tag merge first")
    for name, event in experiment.events.items():
        if not (event.difference(known) and known.difference(event)):
            return replace(experiment, events={**experiment.events, name: _longer(known, event)})
    raise DataError(
        f"{str(folder)!r} holds a tournament of {known.game} with {known.players} players, which is none of the events; "
        "name it as it is, or a new folder with --out"
    )


def _take_in(folder: Path, experiment: Experiment) -> None:
    """Make the tournament that ``folder`` held an event of the experiment that it holds now; the folder is locked.

    What was asked of it is part of the experiment. All moves into a hidden folder first, which then gets its name, so that
    after a kill the next process does what is left.
    """
    moving = folder / _MOVING
    for entry in (FOLDER, MANIFEST):
        if (folder / entry).exists():
            (folder / _REQUEST).unlink(missing_ok=True)
            moving.mkdir(exist_ok=True)
            publish_folder(folder / entry, moving / entry)
    if moving.exists():
        known = read_manifest(moving).definition
        name = next(name for name, event in experiment.events.items() if not known.difference(event))
        publish_folder(moving, folder / name)


@contextmanager
def locked_experiment(folder: Path, experiment: Experiment) -> Iterator[None]:
    """Begin the experiment in ``folder``, or go on with it, and lock the folder until the end.

    Raises:
        DataError: another process is at work on the folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / LOCK, f"another process is at work on {str(folder)!r}; wait for it, or stop it"):
        known = read_experiment_manifest(folder) if (folder / EXPERIMENT).exists() else None
        now = datetime.now(UTC).isoformat(timespec="seconds")
        manifest = replace(known or ExperimentManifest(uuid4().hex, now, experiment), experiment=experiment)
        if manifest != known:
            manifest.write(folder)
        with changing_request(folder):
            _take_in(folder, experiment)
            if not read_extended(folder).difference(experiment):
                (folder / _REQUEST).unlink(missing_ok=True)  # it is part of the experiment
        yield


# Who wants more while a process is at work leaves a file, written whole or not at all. The process takes it once all
# events are complete, and a process that starts later at once.


_REQUEST: Final = ".request.json"


def request_more(folder: Path, longer: Experiment) -> None:
    """Ask the process at work on an experiment to go on with a longer one.

    Raises:
        DataError: something else was asked for since ``longer`` was made of the experiment, or the process plays a
            tournament by itself, which cannot take up another game.
    """
    if holds_tournament(folder):
        raise DataError(
            f"{str(folder)!r} takes further games once nobody is at work on it; wait, or end it with tag pause"
        )
    with changing_request(folder):
        if reason := read_extended(folder).difference(longer):
            raise DataError(f"more has been asked for by another process: {reason}; ask again")
        write_whole(folder / _REQUEST, json.dumps({"events": longer.to_json()}))


def read_extended(folder: Path) -> Experiment:
    """Return the experiment in ``folder``, with what a process that is at work on it has been asked for.

    Raises:
        DataError: there is no experiment, or a file is damaged.
    """
    if not (folder / _REQUEST).exists():
        return read_experiment(folder)
    return read_json(folder, _REQUEST, "request", lambda content: Experiment.from_json(content["events"]))


def taken_request(folder: Path) -> Experiment | None:
    """Return the longer experiment that is asked for, from now on that in ``folder``; None where nothing is.

    Raises:
        TrustError: it names code that would run, and that the user of this process has not typed.
    """
    with changing_request(folder):
        if not (folder / _REQUEST).exists():
            return None
        longer, manifest = read_extended(folder), read_experiment_manifest(folder)
        for event in longer.events.values():
            check_specs(event.specs)  # before anything is written
        is_longer = not manifest.experiment.difference(longer)  # else it has been extended otherwise since
        if is_longer:
            replace(manifest, experiment=longer).write(folder)
        (folder / _REQUEST).unlink()
        return longer if is_longer else None


#: How long to wait for the next event to begin, in seconds, before the next look.
_BETWEEN: Final = 0.02


def pause_experiment(folder: Path) -> None:
    """Ask the process that plays the experiment in ``folder`` to end in good order.

    Raises:
        DataError: no process plays it.
    """
    while is_at_work(folder):
        for event in begun_events(folder).values():
            if is_at_work(event):
                request_pause(event)
                return
        sleep(_BETWEEN)
    raise DataError(f"nobody is at work on {str(folder)!r}")
