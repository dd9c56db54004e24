"""All files of TAG's own repository: the counts in the guide are those of the readers."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tag.adapters.java import read_file
from tag.adapters.java.arguments import is_of
from tag.adapters.java.entries import changed
from tag.adapters.java.games import GAMES, is_game
from tag.adapters.java.listeners import listener_of
from tag.adapters.java.run_games import ARGUMENTS
from tag.engine.text_files import read_json
from tag.errors import TagError
from tag.tournaments.commands.settings import Settings, definition_in
from tag.tuning.space.tag_json import read_tag_json

pytestmark = pytest.mark.flow

_WHERE = "TAG_IN_JAVA"
_GUIDE = Path(__file__).parents[3] / "docs/coming_from_tag.md"

#: What a file has become.
EXACT, CHANGED, REFUSED = "read without a difference", "read with differences named", "refused"
#: Classes of players by the end of their names.
_PLAYERS = ("Params", "Player", "OSLAHeuristic", "Agent")
#: What only files of expert iteration have.
_ITERATION = "expert"
#: Folders of games in the folders of players, other than names of games.
_OF_GAMES = {"descentRoundRobin", "puertorico", "seasaltpaper", "backgammon"}


def counts(folder: Path) -> dict[str, Counter[str]]:
    """Return how many files of each kind have become what, of games that are here."""
    found: dict[str, Counter[str]] = {kind: Counter() for kind in _READERS}
    for file in sorted(folder.rglob("*.json")):
        kind = _kind(file.relative_to(folder), _content(file))
        if kind:
            found[kind][_outcome(_READERS[kind], file)] += 1
    return found


def table(folder: Path) -> str:
    """Return the counts as the table of the guide."""
    rows = [
        f"| {kind} | {sum(one.values())} | {one[EXACT]} | {one[CHANGED]} | {one[REFUSED]} |"
        for kind, one in counts(folder).items()
    ]
    head = f"| kind | files | {EXACT} | {CHANGED} | {REFUSED} |"
    return "\n".join([head, "|---|---|---|---|---|", *rows])


def refusals(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the files that are refused, each with the reason."""
    for file in sorted(folder.rglob("*.json")):
        kind = _kind(file.relative_to(folder), _content(file))
        if kind:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    _READERS[kind](file)
            except TagError as error:
                yield str(file.relative_to(folder)), str(error)


def _content(file: Path) -> object:
    try:
        return read_json(file)
    except TagError:
        return None


def _kind(path: Path, content: object) -> str:
    """Return the kind of a file; empty where it is none of these, or of a game that is not here."""
    if not isinstance(content, dict) or not _OF_GAMES.isdisjoint(path.parts):
        return ""
    if "gameSpecific" in path.parts and path.parts[path.parts.index("gameSpecific") + 1] not in GAMES:
        return ""
    cls = str(content.get("class", ""))
    if is_game(content):
        return "parameters of games"
    if cls.endswith("GameListener"):
        named = [one for one in path.stem.lower().split("_") if path.parts[0] == "metrics"]
        return "" if named and path.stem not in _METRICS else "listeners"
    if is_of(content, ARGUMENTS):
        return "" if _ITERATION in content or content.get("game") not in GAMES else "`RunGames`"
    if cls.endswith(_PLAYERS):
        return "search spaces" if any(isinstance(value, list) for value in content.values()) else "players"
    return ""


#: Files of metrics that are of all games, or of a game that is here.
_METRICS = ("MetricsGameListener", "gamemetrics", "dominion", "loveletter", "pandemic", "sushigo")


def _outcome(read: Callable[[Path], bool], file: Path) -> str:
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            is_changed = read(file)
    except TagError:
        return REFUSED
    return CHANGED if is_changed or told else EXACT


def _read_player(file: Path) -> bool:
    found = read_file(file, read_json(file), is_to_play=False)
    assert found is not None
    return bool([entry for entry in found.differences if entry.name != "budget"])


def _read_space(file: Path) -> bool:
    found = read_tag_json(file)
    return bool(found.left_out or found.changed)


def _read_tournament(file: Path) -> bool:
    values = definition_in(str(file), {})
    assert values is not None
    Settings.from_values(values, str(file)).definition()
    return False


def _read_listener(file: Path) -> bool:
    return bool(changed(listener_of(read_json(file)).entries))


_READERS: dict[str, Callable[[Path], bool]] = {
    "players": _read_player,
    "search spaces": _read_space,
    "parameters of games": _read_player,
    "`RunGames`": _read_tournament,
    "listeners": _read_listener,
}


@pytest.fixture(scope="module")
def checkout() -> Path:
    folder = os.environ.get(_WHERE)
    if not folder:
        pytest.skip(f"{_WHERE} names no checkout of TAG's repository, whose files are counted")
    return Path(folder)


def test_the_table_of_the_guide_is_what_the_readers_find(checkout: Path) -> None:
    assert table(checkout) in _GUIDE.read_text(encoding="utf-8")


def test_every_refusal_has_one_reason(checkout: Path) -> None:
    found = dict(refusals(checkout))
    assert len(found) == sum(one["refused"] for one in counts(checkout).values())
    assert all(reason and "\n" not in reason for reason in found.values())
