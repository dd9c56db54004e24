"""Links to tables: of seats and of watchers, and who came by one."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from starlette.exceptions import HTTPException

from tag.engine.parameters import Spec, parse_spec
from tag.errors import SpecError
from tag.table.game import EVERYTHING, HUMAN
from tag.table.public import PUBLIC

#: The length of a key in bytes: 128 bits cannot be guessed.
_KEY_BYTES: Final = 16
#: The longest name of a person, and label of a link, in characters.
LONGEST_NAME: Final = 40
#: A table has so many links for watching at most.
MOST_WATCHERS: Final = 50


@dataclass(frozen=True)
class Link:
    """A way to a table; who has its key needs nothing else.

    Attributes:
        key: the secret part of the address.
        viewer: whose view it shows, -1 for everything, -2 for what is public.
        seat: the seat that it may act for, -1 for none.
        label: what the host calls a link for watching.
    """

    key: str
    viewer: int
    seat: int
    label: str = ""

    @classmethod
    def of_seat(cls, seat: int) -> Link:
        """Return a new link of a seat."""
        return cls(_new_key(), seat, seat)

    @classmethod
    def of_watcher(cls, label: str, is_open: bool) -> Link:
        """Return a new link for watching: everything where a table is open, else what is public."""
        return cls(_new_key(), EVERYTHING if is_open else PUBLIC, -1, label)

    @classmethod
    def from_json(cls, values: Mapping[str, Any], is_open: bool) -> Link:
        """Return a stored link; those for watching that show a seat are of earlier versions, and show what is public."""
        found = cls(str(values["key"]), int(values["viewer"]), int(values["seat"]), str(values.get("label", "")))
        return replace(found, viewer=EVERYTHING if is_open else PUBLIC) if found.seat < 0 else found


def new_links(seats: int, watchers: Iterable[str], is_open: bool) -> list[Link]:
    """Return a link for each seat, and one for watching for each label."""
    of_watchers = [Link.of_watcher(label, is_open) for label in watchers]
    return [*map(Link.of_seat, range(seats)), *of_watchers]


def _new_key() -> str:
    return secrets.token_hex(_KEY_BYTES)


class TableClient(NamedTuple):
    """A client at a table: a browser that came by a link.

    Attributes:
        link: the link by which it came.
        viewer: whose view it sees, -1 for everything, -2 for what is public.
        is_host: whether it is that of the one who runs the server.
        together: the links of the seats that share its page; its own alone on most.
    """

    link: Link
    viewer: int
    is_host: bool
    together: tuple[Link, ...] = ()

    @property
    def seat(self) -> int:
        """The seat that it may act for now, -1 for none: who sees what is public is behind the curtain, or watches."""
        return -1 if self.viewer == PUBLIC else self.link.seat


def path_to(links: Sequence[Link], viewer: int | None = None) -> str:
    """Return the path of the page of the first link, which the others share."""
    words = [f"viewer={viewer}"] if viewer is not None else []
    words += [f"with={'.'.join([link.key for link in links[1:]])}"] if links[1:] else []
    return f"/t/{links[0].key}{'?' if words else ''}{'&'.join(words)}"


def checked_name(value: object, what: str) -> str:
    """Return a name or label without spaces around it and with single ones within.

    Raises:
        HTTPException: it is none.
    """
    name = " ".join(value.split()) if isinstance(value, str) and len(value) <= 10 * LONGEST_NAME else ""
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise HTTPException(400, f"{what} has 1 to {LONGEST_NAME} characters that can be printed")
    return name


def named_person(name: str) -> str:
    """Return the spec of a person with this name.

    >>> named_person("Ann, Lee"), named_person("Bo")
    ('human:name=(Ann, Lee)', 'human:name=Bo')

    Raises:
        HTTPException: no spec can hold it.
    """
    spec = str(Spec(HUMAN, {"name": name}))
    try:
        is_kept = parse_spec(spec).values.get("name") == name
    except SpecError:
        is_kept = False
    if not is_kept:
        raise HTTPException(400, "a name cannot have parentheses that do not match")
    return spec
