"""Ledgers of games in which people have played, each of a game type and a number of players.

Such a ledger is a tournament's, with the design ``played``: each game is a block of its own, and agents are added when they
first play. So standings, ratings, replays, reports and exports are those of any tournament.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from tag.catalogue.registry import canonical, game_class
from tag.engine.parameters import parse_spec
from tag.engine.state import AnyAction, GameState
from tag.errors import DataError
from tag.orders import GameRecord, play_recording
from tag.playing.agent import Agent
from tag.playing.listener import Listener
from tag.playing.recording import Recording
from tag.tournaments.definition import TournamentDefinition, canonical_agent
from tag.tournaments.designs.by_name import PLAYED
from tag.tournaments.designs.games import Pairing, game_id_of
from tag.tournaments.ledger.feedback import Feedback, read_feedback, write_feedback
from tag.tournaments.ledger.folder import MANIFEST, Folder, check_fits, event_name
from tag.tournaments.ledger.games import read_ledger, read_timings
from tag.tournaments.ledger.rows import GAMES, PlayedGame
from tag.tournaments.ledger.storage import locked
from tag.tournaments.ledger.writing import Ledger

_LOCK: Final = ".lock"
#: More shards than this are merged into one.
_MOST_SHARDS: Final = 50
#: So many ledgers of a game are tried before a new one is refused.
_MOST_LEDGERS: Final = 1000


def record_feedback(folder: Path, ledger: str, said: Feedback) -> None:
    """Add a person's feedback on a game to a ledger below ``folder``, in place of former feedback on it.

    Raises:
        DataError: there is no such ledger, or its file is damaged or cannot be written.
    """
    path = folder / ledger
    said = replace(said, agent=canonical_agent(said.agent))
    if not (path / MANIFEST).is_file():
        raise DataError(f"{str(path)!r} is no ledger of games with people")
    with locked(folder / _LOCK):
        known = [one for one in read_feedback(path) if (one.game_id, one.seat) != (said.game_id, said.seat)]
        write_feedback(path, [*known, said])


def record_game(folder: Path, recording: Recording, agents: Sequence[str], seconds: Sequence[float]) -> str:
    """Add a game to the ledger of its game type and number of players, which has a folder of its own below ``folder``.

    A game that is there already, with the same seed, end and times, is not added again. Where the rules or a user's file
    have changed since a ledger was begun, another one is.

    Args:
        folder: where the ledgers are.
        recording: of the whole game; its id does not matter.
        agents: the spec of the agent in each seat, ``human`` for a person.
        seconds: the wall time that each seat has taken.

    Returns:
        The name of the ledger's folder and the id of the game in it: ``love_letter-4p/b0-m0-s0``.

    Raises:
        DataError: the recording does not lead to the end of a game, or the ledger cannot be written.
    """
    specs = [canonical_agent(spec) for spec in agents]
    chosen = _Choices(recording.players)
    record = replace(
        play_recording(recording, [chosen]), decisions=tuple(chosen.by_player), seconds=tuple(seconds), cpu_seconds=()
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{str(folder)!r} cannot be the folder of ledgers: {error.strerror}") from None
    with locked(folder / _LOCK):
        path, definition = _ledger_for(folder, recording, specs)
        known = _find(path, recording.seed, record)
        return f"{path.name}/{known or _append(path, definition, specs, recording.seed, record)}"


def _ledger_for(folder: Path, recording: Recording, specs: Sequence[str]) -> tuple[Path, TournamentDefinition]:
    """Return the ledger of the game type as it is played now, and its definition with one game more."""
    game = canonical(recording.game, game_class(parse_spec(recording.game).name).game_type.parameters)
    for number in range(1, _MOST_LEDGERS + 1):
        path = folder / (event_name(game, recording.players) + (f"-{number}" if number > 1 else ""))
        with suppress(DataError):
            definition = _with_game(path, game, recording.players, specs)
            check_fits(path, definition)
            return path, definition
    raise DataError(f"{str(folder)!r} has {_MOST_LEDGERS} ledgers of {game} that do not go on; name another --ledger")


def _with_game(path: Path, game: str, players: int, specs: Sequence[str]) -> TournamentDefinition:
    """Return the definition of a ledger with one game more, and the agents that are new in it."""
    agents: tuple[str, ...] = ()
    games = 0
    if (path / MANIFEST).exists():
        opened = Folder.open(path)
        agents, games = opened.definition.agents, len(opened.games([]))
    agents += tuple([spec for spec in dict.fromkeys(specs) if spec not in agents])
    return TournamentDefinition(game, players, agents, games + 1, design=PLAYED, record_actions=True)


def _find(path: Path, seed: int, record: GameRecord) -> str:
    """Return the id of a game with this seed, end and times, empty where there is none."""
    if not (path / MANIFEST).exists():
        return ""
    games, _seats = read_ledger(path)
    alike = games.loc[(games["seed"] == seed) & (games["state_hash"] == record.state_hash), "game_id"]
    timings = read_timings(path)
    for game_id in alike:
        if tuple(timings.loc[timings["game_id"] == game_id, "seconds"]) == record.seconds:
            return str(game_id)
    return ""


def _append(path: Path, definition: TournamentDefinition, specs: Sequence[str], seed: int, record: GameRecord) -> str:
    """Write a game, and return its id."""
    block = definition.blocks - 1
    game_id = game_id_of(block, 0, 0)
    pairing = Pairing(game_id, block, 0, 0, tuple(map(definition.agents.index, specs)), seed)
    with Folder.locked(path, definition) as opened:
        ledger = Ledger(opened, definition)
        ledger.append([PlayedGame(pairing, replace(record, game_id=game_id))])
        if len(ledger.shards.of(GAMES)) > _MOST_SHARDS:
            ledger.merge()
    return game_id


class _Choices(Listener):
    """Counts the decisions in which players had a choice."""

    def __init__(self, players: int) -> None:
        self.by_player = [0] * players

    def on_action_chosen(
        self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count one."""
        self.by_player[player] += len(actions) > 1
