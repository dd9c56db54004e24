"""What people say of games in which they have played: a file beside the games, as it comes after them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from tag.errors import DataError
from tag.tournaments.ledger.storage import read_json, write_whole

#: The file, its version, the longest note in characters, and the best rating.
FEEDBACK: Final = "feedback.json"
_VERSION: Final = 1
LONGEST_NOTE: Final = 500
BEST_RATING: Final = 5


@dataclass(frozen=True)
class Feedback:
    """A rating and a note of a person on a game.

    Attributes:
        game_id: the game's.
        seat: the person's, from 0.
        agent: the person's label, such as ``human:name=Ann``.
        rating: how much the person liked the game, from 1 to `BEST_RATING`.
        note: a text of one line; empty for none.
    """

    game_id: str
    seat: int
    agent: str
    rating: int
    note: str

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values."""
        return asdict(self)


def read_feedback(path: Path) -> list[Feedback]:
    """Return the feedback of people on the games of the tournament in ``path``, in the order of its arrival.

    Raises:
        DataError: the file is damaged, or of another version.
    """
    if not (path / FEEDBACK).exists():
        return []
    return read_json(path, FEEDBACK, "feedback", _feedback_in)


def _feedback_in(content: dict[str, Any]) -> list[Feedback]:
    if content["version"] != _VERSION:
        raise DataError(f"its version is not {_VERSION}")
    found = [Feedback(**one) for one in content["feedback"]]
    for one in found:
        texts = (one.game_id, one.agent, one.note)
        numbers = (one.seat, one.rating)
        if not all(isinstance(text, str) for text in texts) or not all(type(number) is int for number in numbers):
            raise DataError("what somebody said is no text, or a number is none")
    return found


def write_feedback(path: Path, said: Sequence[Feedback]) -> None:
    """Write the feedback on the games of the tournament in ``path``, all of it or none."""
    records = [one.to_json() for one in said]
    write_whole(path / FEEDBACK, json.dumps({"version": _VERSION, "feedback": records}, indent=1))
