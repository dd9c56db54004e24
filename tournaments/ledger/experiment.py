"""The folder of an experiment: ``experiment.json`` with its events, each a tournament in a folder of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self
from uuid import uuid4

from tag.errors import DataError, ParameterError, PlayersError
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger.folder import LOCK, MANIFEST, event_name, extended, is_at_work, read_manifest
from tag.tournaments.ledger.storage import check_is_ours, locked, read_json, write_whole

EXPERIMENT: Final = "experiment.json"
_NAME: Final = re.compile(r"[\w=-][\w.=-]*")
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

    def folders(self, out: Path) -> dict[Path, TournamentDefinition]:
        """Return the events by their folders in ``out``, each as it is there, where it may have been extended."""
        return {out / name: as_played(out / name, event) for name, event in self.events.items()}

    def with_events(self, more: Mapping[str, TournamentDefinition]) -> Self:
        """Return the experiment with further events, of the usual weight; known ones stay as they are."""
        known = [(name, event, self.weights[name]) for name, event in self.events.items()]
        return self.named([*known, *((name, event, _USUAL) for name, event in more.items() if name not in self.events)])

    def extended(self, blocks: int | None, agents: Sequence[str]) -> Self:
        """Return the experiment whose events have so many blocks in all and these agents as well, checked.

        Raises:
            TagError: an event cannot be extended like that.
        """
        longer = {name: extended(event, blocks, agents) for name, event in self.events.items()}
        return replace(self, events=longer)


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
        weights = self.experiment.weights
        events = {name: {"weight": weights[name], **one.to_json()} for name, one in self.experiment.events.items()}
        write_whole(
            folder / EXPERIMENT, json.dumps({"id": self.id, "created": self.created, "events": events}, indent=2)
        )


def read_experiment_manifest(folder: Path) -> ExperimentManifest:
    """Return the manifest of the experiment in ``folder``.

    Raises:
        DataError: there is no experiment, or its file is damaged.
    """

    def parse(content: dict[str, Any]) -> ExperimentManifest:
        events = [
            (name, TournamentDefinition.from_json({key: one[key] for key in one if key != "weight"}), one["weight"])
            for name, one in content["events"].items()
        ]
        return ExperimentManifest(content["id"], content["created"], Experiment.named(events))

    return read_json(folder, EXPERIMENT, "experiment", parse)


def read_experiment(folder: Path) -> Experiment:
    """Return the experiment in ``folder``; raises as `read_experiment_manifest`."""
    return read_experiment_manifest(folder).experiment


def read_seed_of(folder: Path) -> int | None:
    """Return the seed of the experiment in ``folder``, None where there is no experiment."""
    with suppress(OSError):  # the code that begins it reports a path that cannot be one
        if (folder / EXPERIMENT).is_file():
            return next(iter(read_experiment(folder).events.values())).seed
    return None


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
    check_is_ours(folder, EXPERIMENT, "experiment")
    if not (folder / EXPERIMENT).exists():
        return experiment
    known = read_experiment(folder).events
    for name in known:
        if name not in experiment.events:
            raise DataError(
                f"{str(folder)!r} holds an experiment with {name}; name that as well, or a new folder with --out"
            )
    return replace(
        experiment, events={name: _longer(known.get(name, one), one) for name, one in experiment.events.items()}
    )


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
        yield


def event_at_work(folder: Path) -> Path | None:
    """Return the folder of the event on which a process is at work, in that of an experiment; None if there is none."""
    return next((event for event in begun_events(folder).values() if is_at_work(event)), None)
