"""Whole games of agents at tables, for every game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browsers.served_tables import TableServer, table_server

from tag.catalogue.registry import game_class, game_names
from tag.orders import GameOrder, play_order

#: Games that random players would play for thousands of actions.
SHORTER = {"uno": "uno:goal=50"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    with table_server(tmp_path_factory.mktemp("watched")) as found:
        yield found


def finished(server: TableServer, name: str, agent: str) -> None:
    """Watch a game of agents, which ends as the same game does without a table."""
    seats = [agent] * max(game_class(name).game_type.min_players, 1)
    name = SHORTER.get(name, name)
    watcher = server.create(game=name, players=len(seats), seats=seats, seed=9)[-1]
    watcher.done("pace", seconds=0)
    with watcher.events() as events:
        last = next(data for what, data in events if what == "position" and data["view"]["player"] is None)
    assert last["view"]["hash"] == play_order(GameOrder("x", name, tuple(seats), 9)).state_hash


@pytest.mark.parametrize("name", ["othello", "virus", "cant_stop"])
def test_games_of_agents_are_played_to_the_end(server, name):
    finished(server, name, "random")


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_every_game_of_agents_is_played_to_the_end(server, name):
    finished(server, name, "random")
    finished(server, name, "osla")
