"""Action logs: games as lines of JSON, each of which says all that is needed to play its game again, and to read it.

``docs/ledger.md`` lists the keys. A log holds no code: a game of a user's own is read from its file when it is replayed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tag.action import AnyAction
from tag.agent import Agent
from tag.errors import DataError, UnknownNameError
from tag.listener import Listener
from tag.recording import Recording
from tag.registry import game_class
from tag.results import DISQUALIFIED, TIMEOUT, result_name
from tag.spec import parse_spec
from tag.state import GameState
from tag.version import tag_version
from tournaments.replay import Replay, play_and_compare

#: Changes when a key changes its name, type or meaning.
SCHEMA_VERSION: Final = 1

#: What came of the game, as in the ledger; what is by seat is a list.
_FACTS: Final = ("results", "ordinals", "scores", "ticks", "turns", "rounds", "void", "state_hash")
_FORFEITS: Final = {result_name(result): result for result in (TIMEOUT, DISQUALIFIED)}


@dataclass(frozen=True)
class LoggedGame:
    """A game of an action log.

    Attributes:
        recording: what was played.
        agents: the specs of who played it, by seat.
        expected: what came of it, by name.
        moves: of each action, the player and the action in words.
    """

    recording: Recording
    agents: tuple[str, ...]
    expected: dict[str, object]
    moves: list[tuple[int, str]]

    def play_recorded(self, listeners: Sequence[Listener] = ()) -> list[str]:
        """Play the game again, tell ``listeners``, and return what differs from the log, the first action first.

        Raises:
            TagError: the game type is not there any more.
        """
        reader = _Reader()
        found = play_and_compare(self.recording, self.expected, [reader, *listeners])
        for number, (logged, now) in enumerate(zip(self.moves, reader.moves, strict=False), start=1):
            if logged != now:
                return [f"action {number} is {_move_text(logged)} in the log and {_move_text(now)} now", *found]
        return found


class _Reader(Listener):
    """Keeps who did what, in words."""

    def __init__(self) -> None:
        self.moves: list[tuple[int, str]] = []

    def on_action_chosen(
        self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Keep it."""
        self.moves.append((int(player), action.text(state, -1)))


def log_line(replay: Replay) -> str:
    """Return a game of a ledger as a line of a log; its agents play it again if its actions were not recorded.

    Raises:
        DataError: it is not the same again.
    """
    order = replay.order
    recording = replay.recorded()
    reader = _Reader()
    different = play_and_compare(recording, replay.expected_of_rules, [reader])
    if different:
        raise DataError(f"the recorded actions of {order.game_id} do not lead to what is on record: {different[0]}")
    line = {
        "schema_version": SCHEMA_VERSION,
        "tag_version": tag_version(),
        "game_id": order.game_id,
        "game": order.game,
        "game_version": game_class(parse_spec(order.game).name).game_type.version,
        "agents": order.agents,
        "seed": order.seed,
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
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(f"{where} is no game of an action log: {type(error).__name__}: {error}") from None
    raise UnknownNameError.of(f"game in {str(path)!r}", game_id, seen)


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8") as file:
            yield from file
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise DataError(f"cannot read {str(path)!r}: {reason}") from None


def _logged(values: dict[str, Any]) -> LoggedGame:
    agents = tuple(str(agent) for agent in values["agents"])
    forfeits = [(range(len(agents)).index(seat), _FORFEITS[result]) for seat, result in values["forfeits"]]
    recording = Recording(
        str(values["game_id"]),
        str(values["game"]),
        len(agents),
        int(values["seed"]),
        [int(choice) for choice in values["choices"]],
        forfeits,
        bool(values["void"]),
    )
    moves = [(int(player), str(text)) for player, text in zip(values["players"], values["actions"], strict=True)]
    expected = {name: tuple(value) if isinstance(value, list) else value for name in _FACTS for value in [values[name]]}
    return LoggedGame(recording, agents, expected, moves)


def _move_text(move: tuple[int, str]) -> str:
    return f"{move[1]!r} of player {move[0]}"
