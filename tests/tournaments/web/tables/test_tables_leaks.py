"""No byte that a viewer is sent depends on what the viewer cannot know.

Two tables have the same game in the same positions; but the engine process gives one of them, in every position, another
true state, in which all that one viewer cannot know is dealt again (`swapping_engine`). What this viewer is sent is equal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice

import pytest
from browsers.served_tables import SWAPPING, Guest, TableServer, table_server
from browsers.swapping_engine import STEP, swapped

from tag import Rng
from tag.catalogue.registry import game_class, game_names
from tag.engine.snapshot import state_hash
from tag.table.game import Start, TableGame
from tag.table.tree import GameTree, SavedGame

HIDDEN = [name for name in game_names() if game_class(name).game_type.hidden_information]
#: The one thing that differs from one time to the next.
SECONDS = re.compile(rb'"seconds":[0-9.e-]+,"fault"')


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    with table_server(tmp_path_factory.mktemp("pairs"), engine=SWAPPING) as found:
        yield found


def random_game(name: str, seed: int, actions: int) -> TableGame:
    kind = game_class(name).game_type
    game, rng = TableGame(Start(name, max(kind.min_players, min(3, kind.max_players)), seed)), Rng(seed)
    while game.actions and len(game.line) < actions:
        game.play(rng.below(len(game.actions)))
    return game


#: The seed of a line, its actions, and how many lie between positions, in games in which nothing is hidden at first.
LINES = {"catan": (4, 70, 11)}


def pair_of_tables(server: TableServer, game: TableGame, viewer: int) -> tuple[Guest, Guest]:
    """The viewer's links to the true table, and to the one where the rest is dealt again."""
    found = []
    for seed in (game.start.seed, game.start.seed + STEP * (viewer + 1)):
        start = Start(game.start.game, game.start.players, seed)
        saved = SavedGame(start, ("human",) * start.players, GameTree.of_line(game.line), len(game.line))
        found.append(server.create(saved=saved.to_json(), free=True)[viewer])
    return found[0], found[1]


def bodies(guest: Guest, at: int, is_asked: bool) -> list[bytes]:
    """All that a viewer is told about a position."""
    found = [guest.get(f"position?at={at}"), guest.post("play", at=at, number=10_000)]
    assert found[1].status in (400, 403)
    found.append(guest.get(f"position?at={at}&viewer=-2"))  # what watchers see, and who waits behind a curtain
    assert found[-1].status == 200
    asked = guest.post("ask", at=at, agents=["osla", "mcts:budget=30"])
    assert asked.status == (200 if is_asked else 403)
    found.append(asked)
    if at % 4 == 0:
        found.append(guest.post("beliefs", at=at, deals=5))
    return [SECONDS.sub(b"", answer.body) for answer in found]


def steps(guest: Guest, at: int) -> list[bytes]:
    """The events of going to a position, back and on again."""
    with guest.events() as events:
        found = [next(events)]
        for what, values in (("go", {"at": at}), ("undo", {}), ("redo", {})):
            guest.done(what, **values)
            found.extend(islice(events, 1))
    return [json.dumps(found).encode()]


def compare(server: TableServer, name: str, seed: int, actions: int, every: int) -> tuple[int, int]:
    """Compare two tables for one viewer; return the positions, and those in which the true states differ."""
    game = random_game(name, seed, actions)
    line, viewer = game.line, seed % game.start.players
    one, other = pair_of_tables(server, game, viewer)
    compared = different = 0
    for at in range(1, len(line), every):
        game.go(line[:at])
        if not game.actions:
            continue
        start = Start(name, game.start.players, seed + STEP * (viewer + 1))
        twin = swapped(start, line[:at], game.state)
        different += state_hash(twin) != state_hash(game.state)
        compared += 1
        is_asked = int(game.state.current_player) == viewer
        told = [bodies(guest, at, is_asked) for guest in (one, other)]
        assert told[0] == told[1], (name, seed, at)
    assert steps(one, len(line) // 2) == steps(other, len(line) // 2)
    for agent in ("random", "osla"):
        told = [guest.post("chances", deals=1, agent=agent).body for guest in (one, other)]
        assert told[0] == told[1], agent
    return compared, different


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_sent_depends_on_nothing_hidden(server, name):
    _compared, different = compare(server, name, *LINES.get(name, (7, 22, 5)))
    assert different


@pytest.mark.slow
@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_sent_in_1000_positions_depends_on_nothing_hidden(server, name):
    compared = seed = 0
    while compared < 1000:
        seed += 1
        compared += compare(server, name, seed, 150, 1)[0]
