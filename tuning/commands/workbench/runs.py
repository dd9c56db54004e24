"""The runs below the folders that are served: their states, and the possible actions on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NamedTuple

from tag.errors import DataError, ParameterError
from tag.tournaments.web.live.feed import FolderList, FolderRow
from tag.tournaments.web.live.folders import COMPLETE, DAMAGED, RUNNING, STOPPED, Kinds, LiveFolders, short_names
from tag.tournaments.web.server import without_folders
from tag.tuning.commands.folders import kind_of
from tag.tuning.commands.workbench.kinds import KINDS, SAME_COMMAND, RunKind
from tag.tuning.commands.workbench.processes import Done, Processes, Record, read_output, run_shortly
from tag.tuning.commands.workbench.wanted import (
    RefusedError,
    WantedRun,
    checked_name,
    manifests_in,
    read_values,
    words_of,
)

#: So many runs are at work at once; more would wait for one another's cores and memory.
MOST_RUNS: Final = 4
#: How long an estimate may take, and a request to a process at work, in seconds of wall time.
ESTIMATE_SECONDS: Final = 60.0
_REQUEST_SECONDS: Final = 60.0
#: The process is there, and its folder is not, or not at work yet or any more.
STARTING: Final = "starting"
ENDING: Final = "ending"
#: The process has ended without a folder.
FAILED: Final = "failed"
#: The beginning of the last sentence of a run that was paused, which is no failure.
_PAUSED: Final = "stopped "
_LONGEST_NAME: Final = 1_000


class _Place(NamedTuple):
    """A folder that is served, with its name as commands have it, and the processes in it."""

    root: Path
    shown: str
    processes: Processes


class Runs:
    """The runs below some folders; no two of its methods may be called at the same time."""

    def __init__(self, served: Sequence[Path], kinds: Kinds, *, trusts: bool = False) -> None:
        """Look for nothing yet; ``trusts`` says whether users' files and programs may run."""
        self._trusts = trusts
        names = short_names(served) if len(served) > 1 else [""]
        self._places = {
            name: _Place(root, _shown(root), Processes(root)) for name, root in zip(names, served, strict=True)
        }
        self._live = LiveFolders(served, kinds)
        self._ending: set[tuple[str, int]] = set()

    @property
    def places(self) -> list[str]:
        """The names of the folders that are served, by which the names of their runs begin; one alone has none."""
        return list(self._places)

    def rows(self) -> list[dict[str, Any]]:
        """Return the runs as plain values, those at work first: state, progress, last sentence, and what can be done."""
        listed = self._listed()
        records = self._records()
        found = []
        for name in sorted({*listed, *records}):
            row = listed.get(name)
            record = records.get(name)
            if _is_event(name, listed):
                continue
            found.append(self._row(name, row, record))
        return sorted(found, key=lambda one: one["state"] not in (RUNNING, STARTING, ENDING))

    def out_of(self, name: Any) -> tuple[str, str]:
        """Return the whole name of a new run and its folder as commands have it; without a name the next that is free.

        Raises:
            RefusedError: the name cannot be.
        """
        whole = name if isinstance(name, str) else ""
        if len(whole) > _LONGEST_NAME:
            raise RefusedError("name", "the name of a run is shorter")
        for prefix in sorted(self._places, key=len, reverse=True):
            if not prefix or whole.startswith(f"{prefix}/"):
                place = self._places[prefix]
                rest = whole.removeprefix(f"{prefix}/") if prefix else whole
                out = checked_name(rest, place.root, place.shown)
                if place.processes.is_alive(rest):
                    raise RefusedError("name", f"{whole!r} is at work already; choose another name")
                return whole, out
        raise RefusedError("name", f"the name of a run begins with one of: {', '.join(self._places)}")

    def free_name(self, kind: RunKind) -> str:
        """Return a name for a new run that no other has, in the first folder."""
        prefix, place = next(iter(self._places.items()))
        known = {record.run for record in place.processes.records()}
        word = kind.name.partition(" ")[0]
        names = (f"{word}-{number}" for number in range(1, 100_000))
        free = next(name for name in names if name not in known and not (place.root / name).exists())
        return f"{prefix}/{free}" if prefix else free

    def estimate(self, wanted: WantedRun) -> Mapping[str, Any]:
        """Return the games, the time and the room that a run takes, as ``--dry-run`` tells them.

        Raises:
            DataError: the run is not possible, or there is no answer in time; the sentence says why.
        """
        found = read_output(run_shortly([*wanted.words, "--dry-run", "--json"], ESTIMATE_SECONDS))
        if not isinstance(found, dict):
            raise DataError("the estimate is not an object")
        return found

    def start(self, name: str, wanted: WantedRun) -> None:
        """Start a run.

        Raises:
            TagError: too many are at work, or it cannot be started.
        """
        self._check_room()
        place, run = self._place(name)
        place.processes.start(
            run,
            wanted.kind.name,
            wanted.words,
            wanted.values.get("workers"),
            tracking=wanted.values.get("tracking", True),
        )

    def pause(self, name: Any) -> None:
        """Ask a run to end in good order.

        Raises:
            TagError: there is no such run, or nobody is at work on it.
        """
        row = self._known(name)
        if "pause" not in row["may"]:
            raise ParameterError(f"{name!r} cannot be paused: it is {row['state']}")
        place, run = self._place(name)
        folder = place.root / run
        pause = kind_of(folder).pause
        assert pause is not None  # noqa: S101  kinds of runs have one
        pause(folder)
        record = self._records().get(name)
        self._ending.add((name, record.pid if record else 0))

    def resume(self, name: Any) -> None:
        """Go on with a run that was stopped.

        Raises:
            TagError: there is no such run, or it cannot go on, or too many are at work.
        """
        row = self._known(name)
        if "resume" not in row["may"]:
            raise ParameterError(f"{name!r} cannot go on: it is {row['state']}")
        self._go_on(name, row, [])

    def extend(self, name: Any, values: Any) -> str:
        """Have a run play more, also while it is at work; returns what was done, in a sentence.

        Raises:
            TagError: there is no such run, or it cannot have more, or too many are at work.
        """
        row = self._known(name)
        if not row["grows"]:
            raise ParameterError(f"{name!r} cannot be extended while it is {row['state']}")
        kind = KINDS[SAME_COMMAND.get(row["kind"], row["kind"])]
        read = read_values(kind, values, offered=row["grows"], trusts=self._trusts)
        if not read:
            raise ParameterError(f"an extension needs more {' or '.join(row['grows'])}")
        more = words_of(kind, read)
        if kind.name != "tournament":
            self._go_on(name, row, more)
        elif row["state"] == RUNNING:
            place, run = self._place(name)
            words = [*kind.command, _joined(place.shown, run), "--extend", *more, *self._trust]
            return _sentence(run_shortly(words, _REQUEST_SECONDS))
        else:
            self._go_on(name, row, ["--extend", *more])
        return f"{name} goes on with more"

    def forget(self, name: Any) -> None:
        """Take a run out of the list that has failed before it had a folder.

        Raises:
            ParameterError: there is none.
        """
        if self._known(name)["state"] != FAILED:
            raise ParameterError(f"only a run that has failed can be taken out of the list, and {name!r} has not")
        place, run = self._place(name)
        place.processes.forget(run)

    def _go_on(self, name: str, row: Mapping[str, Any], more: Sequence[str]) -> None:
        """Start the command that goes on with a folder, on workers as before."""
        self._check_room()
        place, run = self._place(name)
        kind = KINDS[SAME_COMMAND.get(row["kind"], row["kind"])]
        record = self._records().get(name)
        workers, tracking = (record.workers, record.tracking) if record else (None, True)
        settings = [*([] if workers is None else ["--workers", str(workers)]), *([] if tracking else ["--no-tracking"])]
        words = [*kind.command, _joined(place.shown, run), *more, *settings, *self._trust]
        place.processes.start(run, kind.name, words, workers, tracking=tracking)

    @property
    def _trust(self) -> list[str]:
        """The option that lets a folder run the code that it names, if the host has given it."""
        return ["--trust"] * self._trusts

    def _check_room(self) -> None:
        at_work = sum(row["state"] in (RUNNING, STARTING, ENDING) for row in self.rows())
        if at_work >= MOST_RUNS:
            raise ParameterError(f"{at_work} runs are at work, and {MOST_RUNS} may be; pause one, or wait for one")

    def _place(self, name: str) -> tuple[_Place, str]:
        """Return where a run is, and its name there, which is empty where it is the folder that is served itself."""
        for prefix in sorted(self._places, key=len, reverse=True):
            place = self._places[prefix]
            if not prefix or name == prefix or name.startswith(f"{prefix}/"):
                is_served = name == (prefix or short_names([place.root])[0]) and next(manifests_in(place.root), None)
                return place, "" if is_served else name.removeprefix(f"{prefix}/") if prefix else name
        raise ParameterError(f"the name of a run begins with one of: {', '.join(self._places)}")

    def _known(self, name: Any) -> dict[str, Any]:
        """Return the row of a run; names lead to what is listed only."""
        row = next((one for one in self.rows() if one["name"] == name), None)
        if row is None:
            raise ParameterError("there is no such run any more; the list has all")
        return row

    def _listed(self) -> dict[str, FolderRow]:
        """Return the rows of live pages by name."""
        self._live.scan()
        blocks = [block for section in self._live.parts()[0]() for block in section.blocks]
        return {row.name: row for block in blocks if isinstance(block, FolderList) for row in block.rows}

    def _records(self) -> dict[str, Record]:
        """Return the records by the names of runs."""
        return {
            f"{prefix}/{record.run}" if prefix else record.run: record
            for prefix, place in self._places.items()
            for record in place.processes.records()
        }

    def _row(self, name: str, row: FolderRow | None, record: Record | None) -> dict[str, Any]:
        place, run = self._place(name)
        is_served = not run  # records would be in its own folder
        is_alive = record is not None and place.processes.is_alive(run)
        state = self._state(name, row, record, is_alive=is_alive)
        kind = row.kind if row else record.kind if record else ""
        known = (
            asdict(row)
            if row
            else {"key": "", "game": "", "games": 0, "total": 0, "begun": record.begun if record else ""}
        )
        ours = None if is_served else KINDS.get(SAME_COMMAND.get(kind, kind))
        may = []
        if state == RUNNING and ours:
            may.append("pause")
        if state == STOPPED and ours:
            may.append("resume")
        if state == FAILED:
            may.append("forget")
        can_grow = state in (STOPPED, COMPLETE) or (state == RUNNING and ours is KINDS["tournament"])
        sentence = place.processes.last_sentence(run) if record and state in (FAILED, STOPPED) else ""
        sentence = "" if sentence.startswith(_PAUSED) else without_folders(sentence)
        grows = list(ours.grows) if ours and can_grow else []
        return {**known, "name": name, "kind": kind, "state": state, "sentence": sentence, "may": may, "grows": grows}

    def _state(self, name: str, row: FolderRow | None, record: Record | None, *, is_alive: bool) -> str:
        if record and (name, record.pid) in self._ending and is_alive:
            return ENDING
        if row is None:
            return STARTING if is_alive else FAILED
        if row.state in (RUNNING, DAMAGED):
            return row.state
        return STARTING if is_alive and row.state == STOPPED else RUNNING if is_alive else row.state


def _is_event(name: str, listed: Mapping[str, FolderRow]) -> bool:
    """Say whether a run is an event of an experiment, which has the buttons."""
    above = listed.get(name.rpartition("/")[0])
    return above is not None and above.kind == "experiment"


def _shown(root: Path) -> str:
    """Return a folder as it stands in commands, never like an option."""
    return f"./{root}" if str(root).startswith("-") else str(root)


def _joined(shown: str, run: str) -> str:
    return f"{shown}/{run}"


def _sentence(done: Done) -> str:
    """Return the output of a command; `DataError` where it has failed."""
    if not done.is_right:
        raise DataError(done.sentence or "the command has ended without a word")
    return done.output.strip()
