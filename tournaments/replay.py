"""Replays: a game of a ledger once more, from its recorded actions or by its agents, compared with what came of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pandas as pd

from tag.errors import DataError
from tag.game import STREAMS_VERSION
from tag.listener import Listener
from tag.playing import GameOrder, GameRecord, play_order, play_recording
from tag.recording import Recording
from tag.results import result_name
from tag.user_code import provide_source
from tournaments.definition import TournamentDefinition
from tournaments.folder import STREAMS, Manifest, read_manifest
from tournaments.ledger import read_choices, read_ledger
from tournaments.schedule import Pairing

_OF_THE_GAME: Final = ("ticks", "turns", "rounds", "void", "state_hash")
_OF_THE_SEATS: Final = {
    "results": "result",
    "ordinals": "ordinal",
    "teams": "team",
    "scores": "score",
    "decisions": "decisions",
}
#: What cannot be told without the agents.
_OF_THE_AGENTS: Final = "decisions"


@dataclass(frozen=True)
class Replay:
    """A game of a ledger, to be played again.

    Attributes:
        pairing: the game in the schedule.
        order: the game as it is played.
        expected: what came of it by the ledger, but for the times, by name.
        recording: the actions, if they were recorded.
        refusal: why its agents cannot play it again, empty if they can.
    """

    pairing: Pairing
    order: GameOrder
    expected: dict[str, object]
    recording: Recording | None = None
    refusal: str = ""

    def play(self, listeners: Sequence[Listener] = ()) -> list[str]:
        """Have the agents play the game, tell ``listeners``, and return what differs from the ledger; nothing should.

        Agents that go by the clock may well play another game.

        Raises:
            TagError: the game cannot be played any more.
        """
        if self.refusal:
            raise DataError(self.refusal)
        return differences(self.expected, play_order(self.order, listeners))

    def play_recorded(self, listeners: Sequence[Listener] = ()) -> list[str]:
        """Play the game from its recorded actions, tell ``listeners``, and return what differs from the ledger.

        Raises:
            DataError: there are none, and its agents play another game now (see `recorded`).
            TagError: the game type is not there any more.
        """
        return play_and_compare(self.recorded(), self.expected_of_rules, listeners)

    @property
    def expected_of_rules(self) -> dict[str, object]:
        """What is expected whoever plays, if the actions are the same."""
        return {name: value for name, value in self.expected.items() if name != _OF_THE_AGENTS}

    def recorded(self) -> Recording:
        """Return the recorded actions; if there are none, those of the agents, which play the game again.

        Raises:
            DataError: they play another game than then.
        """
        if self.recording is not None:
            return self.recording
        if self.refusal:
            raise DataError(self.refusal)
        record = play_order(dataclasses.replace(self.order, record_actions=True))
        different = differences(self.expected, record)
        if different:
            raise DataError(
                f"the agents of {self.order.game_id} play another game now ({different[0]}); have actions recorded "
                "while they play, with --record-actions"
            )
        return _recording(self, record.choices, record.forfeits)


def play_and_compare(recording: Recording, expected: dict[str, object], listeners: Sequence[Listener]) -> list[str]:
    """Play a recording as far as it goes, tell ``listeners``, and return what differs from what is ``expected``.

    Raises:
        TagError: the game type is not there any more.
    """
    try:
        return differences(expected, play_recording(recording, listeners))
    except DataError as error:
        return [str(error)]


def replay_of(folder: Path, game_id: str) -> Replay:
    """Return the game ``game_id`` of the tournament in ``folder``, with users' files as they were when it began.

    Raises:
        TagError: there is no such tournament or game, or it has not been played yet.
    """
    return next(replays_of(folder, [game_id]))


def replays_of(folder: Path, game_ids: Collection[str] | None = None) -> Iterator[Replay]:
    """Yield games of the tournament in ``folder`` in schedule order, with users' files as they were when it began.

    Args:
        folder: the tournament's.
        game_ids: those that are asked for; by default all that have been played.

    Raises:
        TagError: there is no such tournament or game, or one has not been played yet.
    """
    manifest = read_manifest(folder)
    for file, text in manifest.sources.items():
        provide_source(file, text)
    games, seats = read_ledger(folder)
    if game_ids is not None:
        _check_played(manifest.definition, games, game_ids)
        games, seats = (frame[frame["game_id"].isin(game_ids)] for frame in (games, seats))
    recorded = read_choices(folder, set(games["game_id"]))
    choices = next(recorded, None)
    refusal = _refusal(manifest)
    for row in _rows(games, seats):
        replay = dataclasses.replace(_replay(manifest.definition, row), refusal=refusal)
        if choices is not None and choices[0] == row["game_id"]:
            yield dataclasses.replace(replay, recording=_recording(replay, *choices[1:]))
            choices = next(recorded, None)
        else:
            yield replay


def differences(expected: dict[str, object], record: GameRecord) -> list[str]:
    """Return in which of the ``expected`` facts a record differs, a sentence each."""
    found = facts(record)
    return [
        f"{name} is {_text(value)} on record and {_text(found[name])} now"
        for name, value in expected.items()
        if value != found[name]
    ]


def facts(record: GameRecord) -> dict[str, object]:
    """Return what a record says that must be the same each time, under the names of the ledger."""
    return {
        "results": tuple(result_name(result) for result in record.results),
        "ordinals": record.ordinals,
        "teams": record.teams,
        "scores": record.scores,
        "decisions": record.decisions,
        **{name: getattr(record, name) for name in _OF_THE_GAME},
    }


def _refusal(manifest: Manifest) -> str:
    """Return why agents cannot play the games of a tournament again, empty if they can."""
    former = manifest.versions.get(STREAMS, "1")
    if former == str(STREAMS_VERSION):
        return ""
    return (
        f"the agents of this ledger drew from version {former} of the random streams and would play another game with "
        f"version {STREAMS_VERSION}; replay it with the tag that wrote it"
    )


def _check_played(definition: TournamentDefinition, games: pd.DataFrame, game_ids: Collection[str]) -> None:
    schedule = definition.schedule()
    played = set(games["game_id"])
    for game_id in game_ids:
        schedule.check(game_id)
        if game_id not in played:
            raise DataError(f"game {game_id!r} has not been played yet")


def _rows(games: pd.DataFrame, seats: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield what the ledger says about each game, by column; what it says of seats as tuples."""
    columns = {name: games[name].tolist() for name in games.columns}
    by_seat = {name: seats[name].tolist() for name in ("agent_index", *_OF_THE_SEATS.values())}
    n_players = len(seats) // max(len(games), 1)
    for number in range(len(games)):
        of_game = slice(number * n_players, (number + 1) * n_players)
        yield {
            **{name: column[number] for name, column in columns.items()},
            **{name: tuple(column[of_game]) for name, column in by_seat.items()},
        }


def _replay(definition: TournamentDefinition, row: dict[str, Any]) -> Replay:
    block, matchup, seating = (row[name] for name in ("block", "matchup", "seating"))
    pairing = Pairing(row["game_id"], block, matchup, seating, row["agent_index"], row["seed"])
    expected = {name: row[column] for name, column in _OF_THE_SEATS.items()}
    return Replay(pairing, definition.order(pairing), {**expected, **{name: row[name] for name in _OF_THE_GAME}})


def _recording(replay: Replay, choices: Sequence[int], forfeits: Sequence[tuple[int, int]]) -> Recording:
    order = replay.order
    void = bool(replay.expected["void"])
    return Recording(order.game_id, order.game, len(order.agents), order.seed, choices, forfeits, void)


def _text(value: object) -> str:
    return ", ".join(str(item) for item in value) if isinstance(value, tuple) else str(value)
