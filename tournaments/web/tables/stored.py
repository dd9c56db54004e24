"""Stored tables: a game with its seats, links and settings, in a JSON file that is written whole."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from tag.catalogue.user_code import is_path
from tag.engine.parameters import parse_spec
from tag.errors import DataError, TagError
from tag.table import game as table_game
from tag.table.tree import SavedGame
from tag.tournaments.web.tables.links import Link

#: The version of the files.
_VERSION: Final = 1
#: Fields that are in the file as they are.
_FACTS: Final = ("title", "is_hidden", "is_open", "is_free", "seconds", "is_paused")
#: Fields that older files lack.
_NEWER: Final = ("note", "counts", "taken", "rematch", "is_closed", "place", "feedback", "untold")

#: Whether a person decides for a seat with this spec; asked at every move.
is_human = lru_cache(maxsize=4096)(table_game.is_human)


@dataclass
class StoredTable:
    """A table as it is stored.

    Attributes:
        name: the name of its file.
        title: the game's.
        is_hidden: whether the game hides information.
        is_open: whether everyone with a link may see everything.
        is_free: whether everyone with a seat may undo, branch and replace agents.
        saved: the game, its positions, and the seats.
        deciders: who decides in each position, -1 at the end.
        links: one for each seat, then those for watching.
        seconds: the least time between moves of agents.
        is_paused: whether agents wait.
        note: a sentence about the game and ledgers, for the page.
        counts: whether the game is recorded in a ledger at its end; so are games of people who play to the end without
            help, and take nothing back.
        taken: the wall time that each seat has taken for its decisions, in seconds.
        rematch: the paths of the table at which the players meet again, by key of this table's links; none at first.
        is_closed: whether the host has closed it, so that it is only looked at.
        place: where its game is recorded (`tag.tournaments.ledger.people.record_game`), empty if nowhere.
        feedback: what people have said of the game, by seat: ``rating`` from 1 to 5, and ``note``.
        untold: the seats whose feedback is not in the ledger yet.
    """

    name: str
    title: str
    is_hidden: bool
    is_open: bool
    is_free: bool
    saved: SavedGame
    deciders: list[int]
    links: list[Link] = field(default_factory=list)
    seconds: float = 0.5
    is_paused: bool = False
    note: str = ""
    counts: bool = False
    taken: list[float] = field(default_factory=list)
    rematch: dict[str, str] = field(default_factory=dict)
    is_closed: bool = False
    place: str = ""
    feedback: dict[str, dict[str, Any]] = field(default_factory=dict)
    untold: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin to count seconds."""
        self.taken = self.taken or [0.0] * len(self.saved.seats)

    @property
    def present(self) -> int:
        """The number of the position in which the game goes on."""
        return self.saved.position

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.deciders[self.present] < 0

    @property
    def watchers(self) -> list[Link]:
        """The links for watching."""
        return [link for link in self.links if link.seat < 0]

    @property
    def humans(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, spec in enumerate(self.saved.seats) if is_human(spec)]

    @property
    def shown_names(self) -> list[str]:
        """The names of the players on pages."""
        return seat_names(self.saved.seats)

    def line(self) -> list[int]:
        """Return the positions from the set-up over the present one to the end of its branch."""
        found = self.saved.tree.path(self.present)
        while (after := self.saved.tree.redo(found[-1])) != found[-1]:
            found.append(after)
        return found

    def play(self, position: int, choice: int, decider: int) -> int:
        """Return the position after an action; ``decider`` is who decides there."""
        found = self.saved.tree.play(position, choice)
        if found == len(self.deciders):
            self.deciders.append(decider)
        return found

    def is_asked(self, position: int) -> bool:
        """Say whether a person decides in a position."""
        return self.deciders[position] in self.humans

    def before(self) -> int:
        """Return the position to which undo leads: the last one before in which a person decided, or one back."""
        path = self.saved.tree.path(self.present)[:-1]
        return next(
            (position for position in reversed(path) if self.is_asked(position)), self.saved.tree.undo(self.present)
        )

    def after(self) -> int:
        """Return the position to which redo leads: the next one in which a person decides or that is the last, or one on."""
        found = self.saved.tree.redo(self.present)
        while self.humans and not self.is_asked(found) and (on := self.saved.tree.redo(found)) != found:
            found = on
        return found

    def save(self, folder: Path) -> None:
        """Write the table's file, which is there whole or not.

        Raises:
            DataError: it cannot be written.
        """
        path = folder / f"{self.name}.json"
        partial = path.with_suffix(".partial")
        values = {
            "tag_table": _VERSION,
            **{name: getattr(self, name) for name in (*_FACTS, *_NEWER, "deciders")},
            "links": [asdict(link) for link in self.links],
            "saved": self.saved.to_json(),
        }
        try:
            partial.touch(mode=0o600)  # keys are secrets: the file is for its owner alone
            partial.write_text(json.dumps(values), encoding="utf-8")
            partial.replace(path)
        except OSError as error:
            raise DataError(f"the table {self.name!r} cannot be written: {error.strerror}") from None

    @classmethod
    def load(cls, path: Path) -> StoredTable:
        """Read a file of `save`.

        Raises:
            DataError: it is damaged.
        """
        try:
            values = json.loads(path.read_text(encoding="utf-8"))
            return cls._from_json(path.stem, values)
        except (OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError, TagError):
            raise DataError(f"the table {path.stem!r} cannot be read; its file is damaged") from None

    @classmethod
    def _from_json(cls, name: str, values: Mapping[str, Any]) -> StoredTable:
        if values["tag_table"] != _VERSION:
            raise DataError(f"its version is not {_VERSION}")
        saved = SavedGame.from_json(values["saved"])
        known = {one: values[one] for one in _FACTS} | {one: values[one] for one in _NEWER if one in values}
        links = [Link.from_json(one, bool(values["is_open"])) for one in values["links"]]
        found = cls(name, saved=saved, deciders=[int(one) for one in values["deciders"]], links=links, **known)
        if len(found.deciders) != len(saved.tree) or not all(-1 <= one < saved.start.players for one in found.deciders):
            raise DataError("its positions do not fit")
        if len(found.taken) != saved.start.players:
            raise DataError("its times do not fit")
        return found


def seat_names(seats: Sequence[str]) -> list[str]:
    """Return the names of the players on pages: a person by the own name, an agent by its name without parameters.

    Who shares a name with another, or has none, is told from the others by the seat, which is counted from 1.

    >>> seat_names(["human:name=Ann", "mcts:budget=50", "human", "mcts"])
    ['Ann', 'mcts 2', 'player 3', 'mcts 4']
    """
    specs = [parse_spec(seat) for seat in seats]
    plain = [str(one.values.get("name", "")) if is_human(one.name) else _class_of(one.name) for one in specs]
    return [
        name if name and plain.count(name) == 1 else f"{name or 'player'} {number}"
        for number, name in enumerate(plain, 1)
    ]


def person_name(spec: str) -> str:
    """Return the name of a person, empty where there is none."""
    return str(parse_spec(spec).values.get("name", ""))


def _class_of(agent: str) -> str:
    """Return the class of an agent in a user's file, and the name of any other."""
    return agent.rpartition(":")[2] if is_path(agent) else agent


def not_counted(saved: SavedGame, is_seen: bool) -> str:
    """Return the reason why a new table's game is not recorded at its end, empty if it is.

    Args:
        saved: the game.
        is_seen: whether players may see what the game hides from them.
    """
    if saved.start.cells:
        return "its first position was set up by hand"
    if len(saved.tree) > 1:
        return "it was not begun here"
    return "everyone may see everything" if is_seen else ""


def note_of(reason: str) -> str:
    """Return the note on a game of people that is not recorded for a reason, or is if there is none."""
    return f"This game does not count: {reason}." if reason else "This game counts: at its end it is recorded."


def start_of(saved: SavedGame) -> list[Any]:
    """Return a game's definition as engine processes take it."""
    start = saved.start
    return [start.game, start.players, start.seed, start.cells, start.to_move, start.chance_seeds]
