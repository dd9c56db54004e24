"""All that can be said about a tournament, on the command line or in a TOML file with the same words.

    game = "love_letter"                # a spec; needed
    agents = ["random", "strong=mcts:budget=400"]  # specs, or NAME=SPEC for a name of its own; one if it is a team; needed
    budgets = "50..800"                 # each agent at budgets that double (10..1000x10: ten-fold; or a list, "50,80")
    draw = ["face_up=0,3"]              # what of the game is drawn anew for each block; from its range without values
    players = 4                         # seats of each game; the game's fewest by default
    design = "round_robin"              # who meets whom: round_robin, balanced, gauntlet, … (tag tournament --help)
    sprt = "0,10"                       # end when it is known whether the first of two agents is 0 or 10 Elo stronger
    precision = 0.02                    # end when the agents' mean points per game are known to ± 0.02
    compare = ["random", "osla"]        # … when the differences between these are; of one, to all others
    streams = "seat"                    # what agents draw from is keyed by seat, or by agent as well (tag noise)
    blocks = 50                         # chance seeds, each played in every seating of every match-up
    seed = 1                            # random seed; the same seed plays the same games; drawn at random by default
    out = "runs/first"                  # the folder; by default one that is named after all of the above
    workers = 2                         # processes that play; as many as there are cores by default
    ray = true                          # false: play in the process itself
    address = "10.0.0.1:6379"           # the address of a Ray cluster; by default a Ray of its own on this machine
    tracking = true                     # false: no MLflow run
    tracking_uri = "http://host:5000"   # any MLflow store; by default mlflow.db beside the folder
    on_illegal = "substitute"           # what becomes of an illegal action: substitute, forfeit, void
    on_exception = "forfeit"            # … of an agent's exception
    on_time_out = "substitute"          # … of a decision that took too long
    decision_seconds = 0.0              # the limit per decision, 0 for none
    clock_seconds = 0.0                 # each player's time for a whole game, 0 for no clock
    increment_seconds = 0.0             # what the clock gets back after each decision
    isolate = true                      # each agent plays in a process of its own, and ends only that; false by default
    memory_mb = 512                     # the memory that such a process may use; 0, the default, for no limit
    hang_seconds = 60.0                 # how long it may take for an answer before it is ended
    on_crash = "forfeit"                # what becomes of an isolated agent whose process ends
    on_hang = "forfeit"                 # … of one that does not answer
    calibrate = true                    # times are scaled by the speed of each machine; false by default
    metrics = ["lead"]                  # what measures each game for the ledger (tournaments.read_measures); none by default
    record_actions = true               # keep the actions of each game, to replay it without its agents; false by default

Files and folders are relative to where the command runs.
"""

from __future__ import annotations

import json
import re
import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Self

from cluster.machine import cores
from tag.errors import DataError, ParameterError, PlayersError, SpecError, UnknownNameError
from tournaments.budgets import at_budgets, read_budgets
from tournaments.definition import STREAMS, Rules, TournamentDefinition, define, is_cooperative_game
from tournaments.designs import DEFAULT_DESIGN
from tournaments.folder import read_seed

_TYPES: Final = {
    "str": (str, "a text"),
    "int": (int, "a whole number"),
    "float": (float, "a number"),
    "bool": (bool, "true or false"),
    "tuple[str, ...]": (tuple, "a list of texts"),
}


#: The largest number that a setting can be.
_LARGEST: Final = (1 << 63) - 1


@dataclass(frozen=True, kw_only=True)
class RunSettings(Rules):
    """What can be said about everything that plays: the rules, who plays, and where it is kept.

    Settings of a kind of its own add what they are about. Unset ones take their defaults.
    """

    out: str = ""
    workers: int | None = None
    ray: bool = True
    address: str = ""
    tracking: bool = True
    tracking_uri: str = ""

    @classmethod
    def from_values(cls, values: Mapping[str, object], where: str) -> Self:
        """Read settings by name; ``where`` they come from is for the errors.

        Raises:
            UnknownNameError: there is no such setting.
            DataError: a value is of the wrong type.
        """
        return cls(**typed(cls, values, where))

    @property
    def rules(self) -> Rules:
        """What becomes of faults, and how much time and memory there is."""
        return Rules(**{field.name: getattr(self, field.name) for field in fields(Rules)})

    def worker_count(self) -> int:
        """Return how many processes play (`worker_count`)."""
        return worker_count(self.workers)

    def uses_ray(self) -> bool:
        """Say whether Ray's workers play; one worker on this machine needs none."""
        return self.ray and (self.worker_count() > 1 or bool(self.address))

    def folder_of(self, parent: str, name: str, players: int, plain: Mapping[str, Any]) -> Path:
        """Return where to work: ``out``, or else a folder of its own in ``parent``.

        Args:
            parent: where folders of this kind are.
            name: of what is played; what cannot be in the name of a folder is left out.
            players: the seats of each game.
            plain: all that decides which folder it is.
        """
        if self.out:
            return Path(self.out)
        digest = blake2b(json.dumps(plain).encode(), digest_size=3).hexdigest()
        words = re.sub(r"\W+", "_", name).strip("_")
        return Path(parent) / f"{words[:40]}-{players}p-{digest}"


@dataclass(frozen=True, kw_only=True)
class Settings(RunSettings):
    """What was said about a tournament; the module's docstring is the list. Unset ones take their defaults."""

    game: str = ""
    agents: tuple[str, ...] = ()
    budgets: str = ""
    players: int | None = None
    blocks: int = 10
    seed: int | None = None
    metrics: tuple[str, ...] = ()
    design: str = DEFAULT_DESIGN
    sprt: str = ""
    precision: float = 0.0
    compare: tuple[str, ...] = ()
    record_actions: bool = False
    draw: tuple[str, ...] = ()
    streams: str = STREAMS[0]

    def definition(self) -> TournamentDefinition:
        """Return the tournament, checked.

        Raises:
            TagError: something is wrong or missing; the message says what.
        """
        if not self.game:
            raise SpecError("a tournament needs a game")
        agents = at_budgets(self.agents, read_budgets(self.budgets)) if self.budgets else self.agents
        definition = define(
            self.game,
            agents,
            self.blocks,
            players=self.players,
            seed=1 if self.seed is None else self.seed,
            rules=self.rules,
            metrics=self.metrics,
            design=self.design,
            sprt=self.sprt,
            precision=self.precision,
            compare=self.compare,
            record_actions=self.record_actions,
            draw=self.draw,
            streams=self.streams,
        )
        if len(agents) < 2 and not is_cooperative_game(definition.game, definition.players, definition.seed):
            raise PlayersError(f"a tournament needs at least 2 agents, not {len(agents)}; name each with --agent")
        return definition

    def folder(self, definition: TournamentDefinition) -> Path:
        """Return where to play; by default a folder of its own for each definition, whatever its blocks."""
        plain = {**definition.to_json(), "blocks": 0, "seed": self.seed}
        return self.folder_of("runs", definition.game, definition.players, plain)

    def seeded(self, definition: TournamentDefinition, folder: Path) -> TournamentDefinition:
        """Return the tournament with its seed: the one given, that of the tournament in ``folder``, or a new one.

        A new one has 63 random bits, so that no agent can guess it and deal for itself.
        """
        if self.seed is not None:
            return definition
        known = read_seed(folder)
        return replace(definition, seed=secrets.randbits(63) if known is None else known)


def worker_count(said: int | None) -> int:
    """Return how many processes play: as said, or one per core this process may use.

    Raises:
        ParameterError: it is none.
    """
    if said is not None and said < 1:
        raise ParameterError(f"workers cannot be {said}; the least is 1")
    return said or cores()


def typed(cls: type[Any], values: Mapping[str, object], where: str) -> dict[str, Any]:
    """Return values for the fields of a dataclass of settings; ``where`` they come from is for the errors.

    Raises:
        UnknownNameError: there is no such field.
        DataError: a value is of the wrong type.
    """
    kinds = {field.name: str(field.type).removesuffix(" | None") for field in fields(cls)}
    read: dict[str, Any] = {}
    for name, value in values.items():
        if name not in kinds:
            raise UnknownNameError.of(f"key in {where}", name, kinds)
        read[name] = _typed(name, value, kinds[name], where)
    return read


def read_toml(path: Path) -> dict[str, object]:
    """Return what a TOML file says.

    Raises:
        DataError: it cannot be read.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"cannot read {str(path)!r}: {error.strerror}") from None
    except ValueError as error:
        raise DataError(f"{str(path)!r} is not TOML: {error}") from None


def _typed(name: str, value: object, kind: str, where: str) -> object:
    """Return ``value`` as the type of its setting, or raise `DataError`."""
    cls, text = _TYPES[kind]
    if cls is tuple and isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return tuple(value)
    if isinstance(value, int | float) and not -_LARGEST <= value <= _LARGEST:  # nan is neither
        raise DataError(f"{name} in {where} cannot be {value}; it is a finite number of at most 64 bits")
    if cls is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, cls) or (cls is int and isinstance(value, bool)):
        raise DataError(f"{name} in {where} cannot be {value!r}; it is {text}")
    return value
