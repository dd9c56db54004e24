"""Replays: a game of a ledger played again, and compared with its row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pandas as pd

from tag.errors import DataError
from tag.listener import Listener
from tag.playing import GameOrder, GameRecord, play_order
from tag.results import result_name
from tag.user_code import provide_source
from tournaments.folder import read_manifest
from tournaments.ledger import read_ledger
from tournaments.schedule import Pairing

_OF_THE_GAME: Final = ("ticks", "turns", "rounds", "void", "state_hash")
_OF_THE_SEATS: Final = {"results": "result", "places": "ordinal", "scores": "score", "decisions": "decisions"}


@dataclass(frozen=True)
class Replay:
    """A game of a ledger, to be played again.

    Attributes:
        order: the game.
        expected: what came of it by the ledger, but for the times, by name.
    """

    order: GameOrder
    expected: dict[str, object]

    def play(self, listeners: Sequence[Listener] = ()) -> list[str]:
        """Play the game, tell ``listeners`` what happens, and return what differs from the ledger; nothing should."""
        found = _facts(play_order(self.order, listeners))
        return [
            f"{name} is {_text(expected)} in the ledger and {_text(found[name])} now"
            for name, expected in self.expected.items()
            if expected != found[name]
        ]


def replay_of(folder: Path, game_id: str) -> Replay:
    """Return the game ``game_id`` of the tournament in ``folder``, with users' files as they were when it began.

    Raises:
        TagError: there is no such tournament or game, or it has not been played yet.
    """
    manifest = read_manifest(folder)
    for file, text in manifest.sources.items():
        provide_source(file, text)
    manifest.definition.schedule().check(game_id)
    games, seats = read_ledger(folder)
    game = games[games["game_id"] == game_id]
    if game.empty:
        raise DataError(f"game {game_id!r} has not been played yet")
    of_game = seats[seats["game_id"] == game_id].sort_values("seat")
    block, matchup, seating, seed = (int(game[name].iloc[0]) for name in ("block", "matchup", "seating", "seed"))
    pairing = Pairing(game_id, block, matchup, seating, tuple(of_game["agent_index"].tolist()), seed)
    return Replay(manifest.definition.order(pairing), _row(game, of_game))


def _row(game: pd.DataFrame, of_game: pd.DataFrame) -> dict[str, object]:
    """Return what the ledger says about a game, under the same names as `_facts`."""
    row: dict[str, object] = {name: tuple(of_game[column].tolist()) for name, column in _OF_THE_SEATS.items()}
    row.update({name: game[name].tolist()[0] for name in _OF_THE_GAME})
    return row


def _facts(record: GameRecord) -> dict[str, object]:
    """Return what a record says that must be the same each time."""
    return {
        "results": tuple(result_name(result) for result in record.results),
        "places": record.ordinals,
        "scores": record.scores,
        "decisions": record.decisions,
        **{name: getattr(record, name) for name in _OF_THE_GAME},
    }


def _text(value: object) -> str:
    return ", ".join(str(item) for item in value) if isinstance(value, tuple) else str(value)
