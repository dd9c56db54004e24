"""The kinds of runs that the workbench starts: their options, the command and the Python call of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass
from typing import Any, Final

from tag.catalogue.options import Option, options_in
from tag.errors import ParameterError, UnknownNameError
from tag.tournaments.commands.settings import RunSettings, Settings, players_of
from tag.tournaments.ledger.experiment import EXPERIMENT
from tag.tournaments.ledger.folder import MANIFEST
from tag.tuning.commands.settings import BalanceSettings, StudySettings, TrainingSettings
from tag.tuning.study.folder import STUDY
from tag.tuning.training.definition import TRAINING

#: Options that the page decides, that name files or other machines, or that Python has no word for.
_NOT_OFFERED: Final = frozenset(
    {"out", "address", "ray", "tracking_uri", "part", "tag_space", "ledger", "warm_start", "budgets"}
)
Values = Mapping[str, Any]


@dataclass(frozen=True)
class Call:
    """A call of Python: the package, the function, the arguments by position, and those by name that replace options."""

    package: str
    function: str
    positional: tuple[Any, ...]
    named: Mapping[str, Any]


@dataclass(frozen=True)
class RunKind:
    """A kind of runs.

    Attributes:
        name: for addresses and people; as live pages have it.
        command: the words before the subjects.
        settings: the class with the declared options.
        subject: the option whose values stand on the command line without a flag.
        call: returns the call of some values.
        first: the options on top of the form; the others are folded.
        needed: the options without which no run of the kind begins.
        grows: the options by which a run is extended.
        manifests: the files by which its folders are known.
    """

    name: str
    command: tuple[str, ...]
    settings: type[RunSettings]
    subject: str
    call: Callable[[Values], Call]
    first: tuple[str, ...]
    needed: tuple[str, ...]
    grows: tuple[str, ...]
    manifests: tuple[str, ...]

    def options(self) -> Iterator[tuple[Field[Any], Option]]:
        """Yield the options that the page offers, those ``first`` before the others."""
        found = {one.name: (one, about) for one, about in options_in(self.settings) if one.name not in _NOT_OFFERED}
        yield from (found.pop(name) for name in self.first)
        yield from found.values()

    def subjects(self, values: Values) -> list[str]:
        """Return the words of a command that have no flag."""
        found = values.get(self.subject, ())
        return [found] if isinstance(found, str) else list(found)


def _tournament(values: Values) -> Call:
    """Return the call of a tournament, or of an experiment where there are several games or numbers of players."""
    games, agents = list(values.get("game", ())), list(values.get("agents", ()))
    numbers = list(players_of(values.get("players", "")))
    if is_experiment(values):
        return Call("tournaments", "play_experiment", (games, agents), {"players": numbers} if numbers else {})
    return Call("tournaments", "play", (*games, agents), {"players": numbers[0]} if numbers else {})


def is_experiment(values: Values) -> bool:
    """Say whether the values of a tournament ask for several events."""
    return len(values.get("game", ())) > 1 or len(players_of(values.get("players", ""))) > 1


def _one_or_all(found: Sequence[str]) -> str | list[str]:
    return found[0] if len(found) == 1 else list(found)


def _study(values: Values) -> Call:
    return Call("tuning", "tune", (_one_or_all(values.get("agents", ())), _one_or_all(values.get("game", ()))), {})


def _balance(values: Values) -> Call:
    return Call("tuning", "balance", (values.get("game", ""),), {})


def _training(values: Values) -> Call:
    return Call("tuning", "train", (values.get("learner", ""), values.get("game", "")), {})


KINDS: Final = {
    kind.name: kind
    for kind in (
        RunKind(
            "tournament",
            ("tournament",),
            Settings,
            "game",
            _tournament,
            ("game", "players", "agents", "design", "blocks", "seed"),
            ("game", "agents"),
            ("blocks", "agents"),
            (MANIFEST, EXPERIMENT),
        ),
        RunKind(
            "study",
            ("tune",),
            StudySettings,
            "agents",
            _study,
            ("agents", "game", "players", "search", "versus", "sampler", "games", "validation", "seed"),
            ("agents", "game", "games"),
            ("games",),
            (STUDY,),
        ),
        RunKind(
            "balancing study",
            ("balance",),
            BalanceSettings,
            "game",
            _balance,
            ("game", "players", "search", "targets", "agents", "sampler", "games", "validation", "seed"),
            ("game", "targets", "agents", "games"),
            ("games",),
            (STUDY,),
        ),
        RunKind(
            "training",
            ("train",),
            TrainingSettings,
            "learner",
            _training,
            ("learner", "game", "players", "episodes", "seeds", "evaluate", "seed"),
            ("learner", "game", "episodes"),
            ("seeds",),
            (TRAINING,),
        ),
    )
}
#: Kinds of live pages that the command of another kind goes on with.
SAME_COMMAND: Final = {"experiment": "tournament"}


def kind_named(name: object) -> RunKind:
    """Return the kind of this name.

    Raises:
        ParameterError: it is no text.
        UnknownNameError: there is none.
    """
    if not isinstance(name, str):
        raise ParameterError("the kind of a run is a text, such as tournament")
    if name not in KINDS:
        raise UnknownNameError.of("kind of runs", name[:40], KINDS)
    return KINDS[name]
