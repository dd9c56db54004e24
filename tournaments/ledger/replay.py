"""Replays: a game of a ledger played again, from its recorded actions or by its agents; lost records are restored."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from tag.catalogue.models import rules_of
from tag.catalogue.registry import game_class, make_game
from tag.catalogue.user_code import provide_source
from tag.catalogue.version import tag_version
from tag.engine.parameters import parse_spec
from tag.engine.results import DISQUALIFIED, TIMEOUT, result_name
from tag.engine.state import AnyAction, GameState
from tag.errors import DataError, TagError, UnknownNameError, printable
from tag.orders import GameOrder, GameRecord, opening_choices, play_order, play_recording
from tag.playing.agent import Agent
from tag.playing.game import STREAMS_VERSION
from tag.playing.learning import Learner
from tag.playing.listener import Listener
from tag.playing.recording import Recording
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.games import PLACE, Pairing
from tag.tournaments.ledger.folder import Folder, FolderOrPath, TournamentManifest
from tag.tournaments.ledger.games import choices_in, read_ledger
from tag.tournaments.ledger.identity import STREAMS
from tag.tournaments.ledger.reading import frames_of_table
from tag.tournaments.ledger.rows import ACTIONS, MEASURES, PlayedGame
from tag.tournaments.ledger.writing import Ledger

# A game of a ledger is played again, from its recorded actions or by its agents, and compared with its record.


_OF_THE_GAME: Final = ("ticks", "turns", "rounds", "void", "state_hash")
_OF_THE_SEATS: Final = {
    "results": "result",
    "ordinals": "ordinal",
    "teams": "team",
    "scores": "score",
    "decisions": "decisions",
}
#: Facts that need the agents.
_OF_THE_AGENTS: Final = "decisions"


@dataclass(frozen=True)
class Replay:
    """A game of a ledger, as needed to play it again.

    Attributes:
        expected: its facts in the ledger, except times, by name.
        refusal: the reason why its agents cannot play it again, empty if they can.
    """

    pairing: Pairing
    order: GameOrder
    expected: dict[str, object]
    recording: Recording | None = None
    refusal: str = ""

    def play(self, listeners: Sequence[Listener] = ()) -> list[str]:
        """Let the agents play the game, tell ``listeners``, and return the differences from the ledger.

        There should be none, but agents with time budgets may play another game.
        """
        if self.refusal:
            raise DataError(self.refusal)
        return differences(self.expected, play_order(self.order, listeners))

    def play_recorded(self, listeners: Sequence[Listener] = ()) -> list[str]:
        """Play the game from its recorded actions, tell ``listeners``, and return the differences from the ledger.

        Raises:
            DataError: there are no actions, and its agents play another game now (see `recorded`).
            TagError: the game type is not there any more.
        """
        return play_and_compare(self.recorded(), self.expected_of_rules, listeners)

    def follow(self, listeners: Sequence[Listener]) -> None:
        """Do the same, where the game must be that of the ledger.

        Raises:
            DataError: its recorded actions do not lead to what is on record.
            TagError: as for `play_recorded`.
        """
        different = self.play_recorded(listeners)
        if different:
            raise DataError(
                f"the recorded actions of {self.order.game_id} do not lead to what is on record: {different[0]}"
            )

    @property
    def expected_of_rules(self) -> dict[str, object]:
        """The expected facts that depend only on the actions."""
        return {name: value for name, value in self.expected.items() if name != _OF_THE_AGENTS}

    def recorded(self) -> Recording:
        """Return the recorded actions; if there are none, those of the agents, which play the game again.

        Raises:
            DataError: the agents play another game than the recorded one.
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
    """Play a recording as far as it goes, tell ``listeners``, and return the differences from ``expected``."""
    try:
        return differences(expected, play_recording(recording, listeners))
    except DataError as error:
        return [str(error)]


def replay_of(folder: FolderOrPath, game_id: str) -> Replay:
    """Return the game ``game_id`` of the tournament in ``folder``, with users' files as they were when it began.

    Raises:
        TagError: there is no such tournament or game, or it has not been played yet.
    """
    return next(replays_of(folder, [game_id]))


def replays_of(folder: FolderOrPath, game_ids: Collection[str] | None = None) -> Iterator[Replay]:
    """Yield games of the tournament in ``folder`` in schedule order, with users' files as they were when it began.

    Args:
        folder: the tournament's.
        game_ids: the requested games; by default all that have been played.

    Raises:
        TagError: there is no such tournament or game, or one has not been played yet.
    """
    opened = Folder.of(folder)
    table = opened.games().table
    if game_ids is not None:
        table = table.filter(pc.is_in(table["game_id"], pa.array(sorted(game_ids), pa.string())))
        _check_played(opened.definition, set(table["game_id"].to_pylist()), game_ids)
    yield from replays_in(opened.manifest, table, opened.shards.table(ACTIONS))


def replays_in(manifest: TournamentManifest, games_table: Any, actions: Any) -> Iterator[Replay]:
    """Yield the games of an Arrow table, in its order, which is that of the schedule.

    Args:
        manifest: of their tournament.
        games_table: with all columns.
        actions: the recorded ones, in the same order; also of other games.
    """
    for file, text in manifest.sources.items():
        provide_source(file, text)
    games, seats = frames_of_table(games_table)
    recorded = choices_in(actions, set(games["game_id"]))
    choices = next(recorded, None)
    refusal = _refusal(manifest)
    for row in _rows(games, seats):
        replay = dataclasses.replace(_replay(manifest.definition, row), refusal=refusal)
        if choices is not None and choices[0] == row["game_id"]:
            yield dataclasses.replace(replay, recording=_recording(replay, *choices[1:]))
            choices = next(recorded, None)
        else:
            yield replay


def recorded_ids(folder: FolderOrPath) -> list[str]:
    """Return the ids of the games of the tournament in ``folder`` that no fault has ended, in schedule order."""
    games, seats = read_ledger(folder)
    forfeited = seats.loc[seats["result"].isin(list(_FORFEITS)), "game_id"]
    return list(games.loc[~games["void"] & ~games["game_id"].isin(forfeited), "game_id"])


def recorded_games(folder: FolderOrPath) -> Iterator[Replay]:
    """Yield the games of the tournament in ``folder`` that no fault has ended, as `replays_of` does."""
    opened = Folder.of(folder)
    return replays_of(opened, recorded_ids(opened))


def learn_from_game(learner: Learner, replay: Replay) -> None:
    """Let ``learner`` learn from a recorded game; without recorded actions its agents play it again.

    Raises:
        ParameterError: the learner learns only from games that it plays itself.
        DataError: the game is of another type or number of players, or it is not the recorded one now.
    """
    order = replay.order
    if len(order.agents) != learner.n_players or rules_of(make_game(order.game)) != rules_of(learner.model):
        raise DataError(
            f"game {order.game_id} is of {order.game} with {len(order.agents)} players, and the learner learns "
            f"{learner.model.game_type.title} with {learner.n_players} and its own parameters"
        )
    different = replay.play_recorded([learner.listener()])
    if different:
        raise DataError(f"game {order.game_id} is another one now than it was on record: {different[0]}")


def differences(expected: dict[str, object], record: GameRecord) -> list[str]:
    """Return the ``expected`` facts in which a record differs, a sentence each."""
    found = facts(record)
    return [
        f"{name} is {_text(value)} on record and {_text(found[name])} now"
        for name, value in expected.items()
        if value != found[name]
    ]


def facts(record: GameRecord) -> dict[str, object]:
    """Return the facts of a record that must be the same each time, under the names of the ledger."""
    return {
        "results": tuple(result_name(result) for result in record.results),
        "ordinals": record.ordinals,
        "teams": record.teams,
        "scores": record.scores,
        "decisions": record.decisions,
        **{name: getattr(record, name) for name in _OF_THE_GAME},
    }


def _refusal(manifest: TournamentManifest) -> str:
    """Return the reason why agents cannot play the games of a tournament again, empty if they can."""
    former = manifest.versions.get(STREAMS)
    if former == str(STREAMS_VERSION):
        return ""
    return (
        f"the agents of this ledger drew from version {former} of the random streams and would play another game with "
        f"version {STREAMS_VERSION}; replay it with the tag that wrote it"
    )


def _check_played(definition: TournamentDefinition, played: set[str], game_ids: Collection[str]) -> None:
    for game_id in game_ids:
        if game_id not in played:
            definition.schedule().check(game_id)
            raise DataError(f"game {game_id!r} has not been played yet")


def _rows(games: pd.DataFrame, seats: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the ledger's row of each game, by column; values by seat as tuples."""
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
    block, matchup, seating = (row[name] for name in PLACE)
    pairing = Pairing(row["game_id"], block, matchup, seating, row["agent_index"], row["seed"])
    expected = {name: row[column] for name, column in _OF_THE_SEATS.items()}
    return Replay(pairing, definition.order(pairing), {**expected, **{name: row[name] for name in _OF_THE_GAME}})


def _recording(replay: Replay, choices: Sequence[int], forfeits: Sequence[tuple[int, int]]) -> Recording:
    order = replay.order
    void = bool(replay.expected["void"])
    opening = order.opening
    return Recording(
        order.game_id,
        order.game,
        len(order.agents),
        order.seed,
        choices,
        forfeits,
        void,
        order.chance_seeds,
        len(opening_choices(order)),
        -1 if opening is None else opening.own_seed,
    )


def _text(value: object) -> str:
    return ", ".join(str(item) for item in value) if isinstance(value, tuple) else str(value)


# Action logs have games as lines of JSON; each line holds all that is needed to replay its game, and to read it.
#
# ``docs/ledger.md`` lists the keys. A log holds no code: a user's own game is read from its file when it is replayed.


#: Changes when a key changes its name, type or meaning.
SCHEMA_VERSION: Final = 1

#: The results of the game, as in the ledger; values by seat are lists.
_FACTS: Final = ("results", "ordinals", "scores", "ticks", "turns", "rounds", "void", "state_hash")
_FORFEITS: Final = {result_name(result): result for result in (TIMEOUT, DISQUALIFIED)}


@dataclass(frozen=True)
class LoggedGame:
    """A game of an action log.

    Attributes:
        expected: the results, by name.
        moves: of each action, the player and the action in words.
    """

    recording: Recording
    agents: tuple[str, ...]
    expected: dict[str, object]
    moves: list[tuple[int, str]]

    def play_recorded(self, listeners: Sequence[Listener] = ()) -> list[str]:
        """Play the game again, tell ``listeners``, and return the differences from the log, the first action first."""
        reader = _Reader()
        found = play_and_compare(self.recording, self.expected, [reader, *listeners])
        for number, (logged, now) in enumerate(zip(self.moves, reader.moves, strict=False), start=1):
            if logged != now:
                return [f"action {number} is {_move_text(logged)} in the log and {_move_text(now)} now", *found]
        return found


class _Reader(Listener):
    """Keeps each action in words, with its player."""

    def __init__(self) -> None:
        self.moves: list[tuple[int, str]] = []

    def on_action_chosen(
        self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Keep the action."""
        self.moves.append((int(player), action.text(state, -1)))


def log_line(replay: Replay) -> str:
    """Return a game of a ledger as a line of a log; its agents play it again if its actions were not recorded."""
    order = replay.order
    recording = replay.recorded()
    reader = _Reader()
    dataclasses.replace(replay, recording=recording).follow([reader])
    line = {
        "schema_version": SCHEMA_VERSION,
        "tag_version": tag_version(),
        "game_id": order.game_id,
        "game": order.game,
        "game_version": game_class(parse_spec(order.game).name).game_type.version,
        "agents": order.agents,
        "seed": order.seed,
        **({"chance_seeds": dict(order.chance_seeds)} if order.chance_seeds else {}),
        **({"opening": recording.opening} if recording.opening else {}),
        **({"opening_seed": recording.opening_seed} if recording.opening_seed >= 0 else {}),
        "choices": recording.choices,
        "players": [player for player, _text in reader.moves],
        "actions": [text for _player, text in reader.moves],
        "forfeits": [(seat, result_name(result)) for seat, result in recording.forfeits],
        **{name: replay.expected[name] for name in _FACTS},
    }
    return json.dumps(line, ensure_ascii=False) + "\n"


def read_logged(path: Path, game_id: str) -> LoggedGame:
    """Return the game ``game_id`` of the action log in the file ``path``.

    Raises:
        DataError: it cannot be read, or is no action log, or of another version.
        UnknownNameError: it has no such game.
    """
    seen: list[str] = []
    for number, line in enumerate(_lines(path), start=1):
        where = f"line {number} of {str(path)!r}"
        try:
            values = json.loads(line)
            if values["schema_version"] != SCHEMA_VERSION:
                raise DataError(
                    f"{where} has version {values['schema_version']} of action logs; this is {SCHEMA_VERSION}"
                )
            seen.append(values["game_id"])
            if values["game_id"] == game_id:
                return _logged(values)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise DataError(f"{where} is no game of an action log: {type(error).__name__}: {error}") from None
    raise UnknownNameError.of(f"game in {str(path)!r}", game_id, seen)


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8-sig") as file:  # editors may put a mark before the first line
            yield from file
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise DataError(f"cannot read {str(path)!r}: {reason}") from None


def _logged(values: dict[str, Any]) -> LoggedGame:
    agents = tuple(printable(str(agent)) for agent in values["agents"])
    forfeits = [(range(len(agents)).index(seat), _FORFEITS[result]) for seat, result in values["forfeits"]]
    recording = Recording(
        str(values["game_id"]),
        str(values["game"]),
        len(agents),
        int(values["seed"]),
        [int(choice) for choice in values["choices"]],
        forfeits,
        bool(values["void"]),
        [(str(name), int(seed)) for name, seed in values.get("chance_seeds", {}).items()],
        int(values.get("opening", 0)),
        int(values.get("opening_seed", -1)),
    )
    moves = [(int(player), str(text)) for player, text in zip(values["players"], values["actions"], strict=True)]
    expected = {name: tuple(value) if isinstance(value, list) else value for name in _FACTS for value in [values[name]]}
    return LoggedGame(recording, agents, expected, moves)


def _move_text(move: tuple[int, str]) -> str:
    return f"{move[1]!r} of player {move[0]}"


# If recorded actions or measures are lost, the agents play these games again, and the ledger keeps those of deterministic
# agents.


#: So many games are written at once; games written before an interruption need not be played again.
_GAMES: Final = 200
_LOST: Final = {ACTIONS: "recorded actions", MEASURES: "measures"}


def restore(folder: Folder, ledger: Ledger, say: Callable[[str], None], is_stopped: Callable[[], bool]) -> None:
    """Let the agents replay the games of a tournament whose recorded actions or measures are lost.

    A game is kept only if it agrees with the ledger. If one does not, its agents use time budgets, and no other game
    between the same agents is tried.
    """
    for kind, words in _LOST.items():
        lost = ledger.lacking(kind)
        if lost:
            say(f"the agents play {len(lost):,} games again whose {words} are lost")
            total = _restored(folder, ledger, kind, lost, is_stopped)
            left = len(lost) - total
            rest = f"; {left:,} are still missing: their agents play otherwise now" if left and not is_stopped() else ""
            say(f"restored the {words.removeprefix('recorded ')} of {total:,} games{rest}")


def _restored(folder: Folder, ledger: Ledger, kind: str, lost: Collection[str], is_stopped: Callable[[], bool]) -> int:
    """Write lost rows of games of a ``kind`` as far as agents play them as before, and return the number of games."""
    hopeless: set[frozenset[str]] = set()
    restored: list[PlayedGame] = []
    total = 0
    for replay in replays_of(folder, lost):
        if is_stopped():
            break
        line_up = frozenset(replay.order.agents)
        if line_up in hopeless:
            continue
        metrics = replay.order.metrics if kind == MEASURES else ()
        try:
            record = play_order(replace(replay.order, record_actions=kind == ACTIONS, metrics=metrics))
            is_same = not differences(replay.expected, record)
        except TagError:  # an agent or a game is not there any more
            is_same = False
        if not is_same:
            hopeless.add(line_up)
            continue
        restored.append(PlayedGame(replay.pairing, record, ""))
        total += 1
        if len(restored) == _GAMES:
            ledger.append_lost(kind, restored)
            restored = []
    ledger.append_lost(kind, restored)
    return total
