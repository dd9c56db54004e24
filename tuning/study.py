"""Studies of all kinds: the base of their definitions, and their folder with its manifest, lock, ledgers and data frames."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar, Final, Generic, Self, TypeVar
from uuid import uuid4

import pandas as pd

from tag.engine.rng import derive_seed
from tag.engine.text_files import printable_values
from tag.errors import DataError, ParameterError
from tag.tournaments.definition import Rules, canonical_agent
from tag.tournaments.ledger import folder as folders
from tag.tournaments.ledger import parquet, storage
from tag.tuning.space import SearchSpace

# --- parts of all definitions of studies --------------------------------------------------------------------------------


#: Values that can grow when a study is run again.
BUDGETS: Final = ("games", "validation", "equal_time_games")
_EARLIER: Final = "earlier"
#: Fewest blocks of a validation.
FEWEST_BLOCKS: Final = 10
#: The same where values have no bound, as scores. Of 100 blocks 99.4 % of studies see an event that 5 % of blocks have.
FEWEST_SCORES: Final = 100


#: The sampler that is chosen by the budget.
AUTO: Final = "auto"
#: The names of samplers; `tag.tuning.samplers` makes them.
SAMPLERS: Final = (AUTO, "ntbea", "bgp", "ntbea_bgp", "tpe", "cmaes", "nsgaii", "grid", "random", "qmc")
#: Those that search several objectives, the default first.
OF_SEVERAL: Final = ("tpe", "nsgaii", "random")


@dataclass(frozen=True, kw_only=True)
class Study:
    """Definition of a study, with all specs in canonical form; the base of both kinds.

    Attributes:
        kind: the command that makes such studies, ``tune`` or ``balance``.
        verdict: the file in the folder with the verdict of the study.
        search: the searched parameters in the form of `tag.tuning.space.space`, with all ranges written out.
        games: the budget of the search.
        earlier: the budgets that it had before it was given more games, in order. The search spends each of them to its end
            before it goes on, and what follows from the budget follows from the first.
        validation: how many games may be spent on unseen seeds.
        seed: random seed; with deterministic budgets, studies with the same seed are identical.
        sampler_reason: why the sampler was chosen, in a sentence; empty where it was asked for. No part of the definition.
    """

    kind: ClassVar[str]
    verdict: ClassVar[str]

    game: str
    players: int
    search: tuple[str, ...]
    games: int
    validation: int
    seed: int
    rules: Rules = field(default_factory=Rules)
    earlier: tuple[int, ...] = ()
    sampler_reason: str = field(default="", compare=False)

    @property
    def budgets(self) -> tuple[int, ...]:
        """The budgets of the search, from the first to the present one."""
        return (*self.earlier, self.games)

    @property
    def space(self) -> SearchSpace:
        """The search space."""
        raise NotImplementedError

    @property
    def games_at_most(self) -> int:
        """Most games of the study."""
        raise NotImplementedError

    def stream(self, name: str) -> int:
        """Return the seed of the games of a stage, such as the search or the validation."""
        return derive_seed(self.seed, "study", name)

    @property
    def growth(self) -> str:
        """The budgets that an extended study goes on from, in a sentence without full stop; empty if never extended."""
        if not self.earlier:
            return ""
        return (
            f"the search goes on after its first {self.earlier[-1]:,} games; its sampler, games per trial and all that "
            f"follows from the budget stay as they were for {self.budgets[0]:,} games"
        )

    def sources(self) -> dict[str, str]:
        """Return the text of every user's file that the study names, also within specs, by the file's name.

        Raises:
            TagError: a file cannot be read.
        """
        raise NotImplementedError

    def unplayed_sources(self) -> frozenset[str]:
        """Return the users' files that no game depends on: they may be mended while a study is interrupted."""
        return frozenset()

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values: one flat object with the words of TOML files.

        Earlier budgets are there only in studies that have some.
        """
        plain = asdict(self)
        rules = plain.pop("rules")
        del plain["sampler_reason"]
        if not self.earlier:
            del plain[_EARLIER]
        return {**{name: list(one) if isinstance(one, tuple) else one for name, one in plain.items()}, **rules}

    def said(self) -> dict[str, Any]:
        """Return the options that define the same study again, as plain values with the words of TOML files."""
        return {name: value for name, value in self.to_json().items() if name != _EARLIER}

    def grown_from(self, old: Self) -> Self:
        """Return this definition as that of the study ``old`` with more games, or with as many."""
        more = (old.games,) if self.games > old.games else ()
        return replace(self, earlier=(*old.earlier, *more))

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Read the result of `to_json`; `DataError` where it is no definition."""
        rest: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in values.items()}
        try:
            rules = Rules(**{one.name: rest.pop(one.name) for one in fields(Rules) if one.name in rest})
            return cls(rules=rules, **rest)
        except TypeError as error:
            raise DataError(f"this is no definition of a study: {error}") from None

    def difference(self, other: Self) -> str:
        """Return the first reason why ``other`` is not this study with more games; empty if it is."""
        in_space = self.space.difference(other.space)
        if in_space:
            return in_space
        mine, theirs = self.to_json(), other.to_json()
        for name in {**mine, **theirs}:
            value, wanted = (values.get(name, "") for values in (mine, theirs))
            if name not in (*BUDGETS, _EARLIER, "search") and value != wanted:
                return f"{name} is {_text(value)} there, not {_text(wanted)}"
        if other.games < self.games:
            return f"games is {self.games:,} there and can only grow, not shrink to {other.games:,}"
        return ""


def distinct_agents(name: str, specs: Iterable[str]) -> tuple[str, ...]:
    """Return the canonical forms of the agents that the option ``name`` lists; `ParameterError` where one is there twice."""
    found = tuple(map(canonical_agent, specs))
    twice = next((spec for spec in found if found.count(spec) > 1), None)
    if twice is not None:
        raise ParameterError(f"{name} cannot name {twice!r} twice")
    return found


def _text(value: object) -> str:
    if value in ("", []):
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, list) else json.dumps(value)


# --- folder of a study: its manifest (``study.json``), its lock and its ledgers -----------------------------------------
#
# ``search/ledger`` holds the games of the search; ``validation/ledger`` and ``held_out/ledger`` hold the games of the
# recommendation and the default.


STUDY: Final = "study.json"
REPORT: Final = "report.html"
_LOCK: Final = ".lock"
_VERSION: Final = 1
#: About the size of a game in the ledger, doubled, as there are two copies during a merge.
_GAME_BYTES: Final = 250
#: The rest of the folder of a small study.
_STUDY_BYTES: Final = 1 << 20


D = TypeVar("D", bound=Study)


@dataclass(frozen=True)
class Manifest(Generic[D]):
    """Content of ``study.json``.

    Attributes:
        id: of the study; it stays when the folder is renamed or moved.
        created: the start of the study, in ISO 8601, UTC.
        versions: of tag, the game type, Python and the packages that matter, at the start.
        sources: the text of each user's file by its name.
    """

    id: str
    created: str
    definition: D
    versions: dict[str, str]
    sources: dict[str, str]
    sampler_reason: str = ""

    @property
    def played_sources(self) -> dict[str, str]:
        """The users' files that games depend on."""
        unplayed = self.definition.unplayed_sources()
        return {file: text for file, text in self.sources.items() if file not in unplayed}

    def write(self, folder: Path) -> None:
        """Write it to ``folder``, all or nothing."""
        kind = {"schema_version": _VERSION, "kind": self.definition.kind}
        content = {**kind, **asdict(self), "definition": self.definition.to_json()}
        storage.write_whole(folder / STUDY, json.dumps(content, indent=2))


def study_kind(folder: Path) -> str:
    """Return the command that made the study in ``folder``, `Study.kind`; empty where no file says it.

    Raises:
        DataError: the file is damaged.
    """
    known = read_json(folder / STUDY)
    return str(known.get("kind", "")) if isinstance(known, dict) else ""


def read_manifest_of(study: type[D], folder: Path) -> Manifest[D]:
    """Return the manifest of the study in ``folder``, of the kind that ``study`` defines.

    Raises:
        DataError: there is none, or one of another kind, or its file is damaged, or of a newer version.
    """
    path = folder / STUDY
    try:
        content: dict[str, Any] = printable_values(json.loads(path.read_text(encoding="utf-8")))
        version, kind, plain = (content.pop(name) for name in ("schema_version", "kind", "definition"))
        definition = study.from_json(plain) if kind == study.kind else None
        manifest = None if definition is None else Manifest(definition=definition, **content)
    except OSError:
        raise DataError(f"{str(folder)!r} holds no study: it has no {STUDY}") from None
    except (ValueError, KeyError, TypeError, AttributeError, DataError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None
    if version > _VERSION:
        raise DataError(
            f"{str(path)!r} has version {version} of the schema, and this tag knows {_VERSION}; upgrade tag"
        )
    if manifest is None:
        raise DataError(f"{str(folder)!r} holds a study of `tag {kind}`, not of `tag {study.kind}`")
    return manifest


def of_now(manifest: Manifest[D], verdict: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the verdict of a study from its file; None if it is from before the study was given more games."""
    is_of_now = verdict is not None and verdict["study"]["definition"] == manifest.definition.to_json()
    return verdict if is_of_now else None


def is_complete(manifest: Manifest[D], folder: Path) -> bool:
    """Say whether a study has the verdict on all of its games."""
    return of_now(manifest, read_json(folder / manifest.definition.verdict)) is not None


def is_reported(manifest: Manifest[D], folder: Path) -> bool:
    """Say whether a study is complete and has been reported since."""
    verdict, report = folder / manifest.definition.verdict, folder / REPORT
    if not report.is_file() or not is_complete(manifest, folder):
        return False
    return report.stat().st_mtime_ns >= verdict.stat().st_mtime_ns


@contextmanager
def opened_study(folder: Path, definition: D) -> Iterator[Manifest[D]]:
    """Begin the study in ``folder``, or go on with the same one, and lock it for other processes.

    Raises:
        DataError: the folder holds something else, is in use, or cannot be written.
    """
    sources = definition.sources()
    storage.check_is_ours(folder, STUDY, "study")
    storage.check_storage(
        folder, 0 if (folder / STUDY).exists() else _STUDY_BYTES + definition.games_at_most * _GAME_BYTES
    )
    folder.mkdir(parents=True, exist_ok=True)
    with storage.locked(folder / _LOCK, f"another process is at work on {str(folder)!r}; wait for it, or stop it"):
        if (folder / STUDY).exists():
            manifest = _resumed(folder, definition, sources)
        else:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            versions = _versions(definition)
            manifest = Manifest(uuid4().hex, now, definition, versions, sources, definition.sampler_reason)
        manifest.write(folder)
        yield manifest


def _resumed(folder: Path, definition: D, sources: dict[str, str]) -> Manifest[D]:
    old = read_manifest_of(type(definition), folder)
    reason = old.definition.difference(definition)
    if reason:
        raise DataError(f"{str(folder)!r} holds another study: {reason}; name a new folder with --out")
    folders.check_unchanged(folder, (old.versions, old.played_sources), (_versions(definition), sources))
    if sources != old.sources:
        for name in (definition.verdict, TIMES):  # by the former objective
            (folder / name).unlink(missing_ok=True)
    return replace(old, definition=definition.grown_from(old.definition), sources=sources)


def _versions(definition: Study) -> dict[str, str]:
    return folders.versions_of(definition.game, "optuna")


# --- files --------------------------------------------------------------------------------------------------------------
#
# The files derived from the ledgers of a study: data frames, rewritten at intervals, and verdicts.


TRIALS: Final = "trials.parquet"
INCUMBENTS: Final = "incumbents.parquet"
#: The values of trials after each rung, where they were judged before their ends.
RUNGS: Final = "rungs.parquet"
#: When trials began and ended: by the clock, so that it is no function of the definition.
TIMES: Final = "times.parquet"

#: Least interval in seconds between writes of the frames during a study, and the greatest share of time for writing.
_EVERY_SECONDS: Final = 10.0
_SHARE: Final = 0.01


class KeptFrames:
    """Data frames of a running study, kept up to date for reports and other readers.

    They are written in their order, so that a later one never knows more than an earlier one.
    """

    def __init__(
        self,
        folder: Path,
        frames: Callable[[], Mapping[str, pd.DataFrame]],
        now: Callable[[], float] = perf_counter,
    ) -> None:
        """Write the frames that ``frames`` returns, by file name, to ``folder``, by a clock in seconds."""
        self._folder = folder
        self._frames = frames
        self._now = now
        self._next = now() + _EVERY_SECONDS

    def keep(self) -> None:
        """Write the frames if they are old; `DataError` where they cannot be written."""
        if self._now() >= self._next:
            self.write()

    def write(self) -> None:
        """Write the frames; `DataError` where they cannot be written."""
        begin = self._now()
        for name, frame in self._frames().items():
            write_frame(self._folder / name, frame)
        now = self._now()
        self._next = now + max(_EVERY_SECONDS, (now - begin) / _SHARE)


def write_frame(path: Path, frame: pd.DataFrame) -> None:
    """Write a data frame, all or nothing; `DataError` where it cannot be written."""
    buffer = BytesIO()
    frame.to_parquet(buffer, index=False)
    storage.write_whole(path, buffer.getvalue(), storage.GO_ON)


def read_frame(path: Path) -> pd.DataFrame:
    """Return a data frame, empty where there is no file yet; `DataError` where it is damaged."""
    try:
        return parquet.read_frame(path)
    except FileNotFoundError:
        return pd.DataFrame()
    except (OSError, ValueError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}; run the study again to write it anew") from None


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write plain values, all or nothing; `DataError` where they cannot be written."""
    storage.write_whole(path, json.dumps(content, indent=2) + "\n", storage.GO_ON)


def read_json(path: Path) -> dict[str, Any] | None:
    """Return plain values, None where there is no file yet; `DataError` where it is damaged."""
    try:
        found: dict[str, Any] = printable_values(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None
    return found


# --- results of a study from its folder: while it runs, after an interruption, and in the end ---------------------------


@dataclass(frozen=True)
class ResultsSoFar(Generic[D]):
    """Results of a study so far.

    Attributes:
        folder: the study's.
        manifest: its definition and versions.
        trials: one row per trial that has ended (`tag.tuning.search.trials.trials_frame`).
        incumbents: one row per best configuration by the model, in the course of the search.
        verdict: the content of the file with the verdict; None as long as the study is not complete.
    """

    folder: Path
    manifest: Manifest[D]
    trials: pd.DataFrame
    incumbents: pd.DataFrame
    verdict: dict[str, Any] | None

    @property
    def complete(self) -> bool:
        """True if the study is complete."""
        return self.verdict is not None

    @classmethod
    def read(cls, study: type[D], folder: Path, **more: Any) -> Self:
        """Return the results of the study in ``folder``, with ``more`` fields.

        Raises:
            DataError: there is none, or a file is damaged.
        """
        manifest = read_manifest_of(study, folder)
        frames = read_frame(folder / TRIALS), read_frame(folder / INCUMBENTS)
        return cls(folder, manifest, *frames, of_now(manifest, read_json(folder / study.verdict)), **more)
