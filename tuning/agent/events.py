"""The games of a study over several: events, as those of an experiment, each with its players and its weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Self

from tag.catalogue.registry import canonical, game_class, game_names, game_of_bot
from tag.engine.parameters import Spec, parse_spec
from tag.engine.rng import Rng, derive_seed
from tag.errors import DataError, ParameterError
from tag.tournaments.ledger.folder import event_name

#: The name that stands for the game of a study over several.
SEVERAL: Final = "several"
#: The word for all games that can be in such a study.
ALL: Final = "all"
_PLAYERS: Final = "players"
_WEIGHT: Final = "weight"
_KEYS: Final = ("game", _PLAYERS, _WEIGHT)


@dataclass(frozen=True)
class StudyEvent:
    """A game at a number of players, and what it weighs among the events.

    >>> event = StudyEvent.read("virus:players=4,weight=2")
    >>> event.name, event.weight, str(event)
    ('virus-4p', 2.0, 'virus:players=4,weight=2')
    """

    game: str
    players: int
    weight: float = 1.0

    @classmethod
    def read(cls, text: str, players: int | None = None) -> Self:
        """Read the spec of a game that may also say ``players`` and ``weight``, unless these are parameters of the game.

        Without ``players`` there are as many as given, or the game's fewest.

        Raises:
            TagError: there is no such game, or a value is wrong.
        """
        spec = parse_spec(text)
        kind = game_class(spec.name).game_type
        own = {one.name for one in kind.parameters.dimensions()}
        said: dict[str, object] = {
            name: spec.values[name] for name in (_PLAYERS, _WEIGHT) if name in spec.values and name not in own
        }
        rest = {name: value for name, value in spec.values.items() if name not in said}
        seats = _number(said, _PLAYERS, kind.min_players if players is None else players)
        weight = _number(said, _WEIGHT, 1.0)
        if not weight > 0.0 or weight == float("inf"):
            raise ParameterError(f"weight of {spec.name} cannot be {weight:g}; it has to be more than 0")
        return cls(canonical(Spec(spec.name, rest), kind.parameters), int(seats), weight)

    @property
    def name(self) -> str:
        """The name of the event, as in an experiment."""
        return event_name(self.game, self.players)

    def __str__(self) -> str:
        """Return the text that `read` reads, with the players, and the weight unless it is 1."""
        weight = {} if self.weight == 1.0 else {_WEIGHT: f"{self.weight:g}"}
        spec = parse_spec(self.game)
        return str(Spec(spec.name, {**spec.values, _PLAYERS: self.players, **weight}))

    def opponents(self, specs: Sequence[str]) -> tuple[int, ...]:
        """Return the numbers of the specs that play here: all but the bots of other games."""
        name = parse_spec(self.game).name
        return tuple(
            number for number, spec in enumerate(specs) if game_of_bot(parse_spec(spec).name) in ("", name)
        )  # fmt: skip


def _number(said: Mapping[str, object], name: str, default: float) -> float:
    try:
        found = float(str(said.get(name, default)))
    except ValueError:
        raise ParameterError(f"{name} cannot be {said[name]!r}; it is a number") from None
    if name == _PLAYERS and found != int(found):
        raise ParameterError(f"{name} cannot be {said[name]!r}; it is a whole number")
    return found


def read_events(games: Sequence[str], players: int | None) -> tuple[StudyEvent, ...]:
    """Return the events of games, each there once; ``all`` stands for every game that is here.

    Raises:
        TagError: there is no such game, a value is wrong, or an event is there twice.
    """
    found = [
        StudyEvent.read(text, players if name else None)
        for name in games
        for text in (game_names() if name == ALL else (name,))
    ]
    names = [event.name for event in found]
    for name in names:
        if names.count(name) > 1:
            raise ParameterError(f"game cannot name {name} twice")
    return tuple(found)


def events_of_tables(tables: object, where: str) -> tuple[str, ...]:
    """Return ``[[events]]`` of a TOML file as texts of events; `DataError` where they are none."""
    if not isinstance(tables, Sequence) or not tables or not all(isinstance(one, Mapping) for one in tables):
        raise DataError(f"events in {where} are tables, [[events]], with a game each")
    return tuple(_text_of(table, where) for table in tables)


def _text_of(table: Mapping[str, Any], where: str) -> str:
    unknown = [name for name in table if name not in _KEYS]
    if unknown or not isinstance(table.get("game"), str):
        what = f"{unknown[0]!r}" if unknown else "no game"
        raise DataError(f"an event in {where} has {what}; it has a game, and may have players and a weight")
    spec = parse_spec(table["game"])
    return str(Spec(spec.name, {**spec.values, **{key: str(table[key]) for key in _KEYS[1:] if key in table}}))


@lru_cache(maxsize=1 << 12)
def order_of(seed: int, n_events: int, number: int) -> tuple[int, ...]:
    """Return the events of the chance seeds of a round: every event once, in a random order."""
    order = list(range(n_events))
    Rng(derive_seed(seed, "events", number)).shuffle(order)
    return tuple(order)
