"""Components from JSON: what can be written, and what is wrong said in one sentence."""

import json

import pytest

from tag.components import HIDDEN_TO_ALL, TOP_VISIBLE_TO_ALL, UNBOUNDED, Card, GraphBoard, GridBoard, HexBoard, shared
from tag.components.data import load_components, read_components
from tag.errors import DataError

EVERYTHING = {
    "counters": [
        {"name": "outbreaks", "value": 1, "low": 0, "high": 8, "clamps": False},
        {"name": "gold", "owner": 1, "visibility": "visible to owner"},
        {"name": "debt", "low": -5, "high": 0},
    ],
    "dice": [{"name": "d6", "sides": 6}, {"name": "loaded", "faces": [1, 2, 3], "weights": [1, 1, 2]}],
    "tokens": [{"name": "cube", "count": 3, "properties": {"colour": "blue"}, "owner": 2}],
    "decks": [
        {
            "name": "cities",
            "visibility": "hidden to all",
            "back": "city card",
            "cards": [
                {"name": "Paris", "count": 2, "properties": {"colour": "blue", "people": 11, "on": ["a", "b"]}},
                {"name": "Lima"},
            ],
        },
        {"name": "discard", "visibility": "top visible to all"},
    ],
    "grid_boards": [{"name": "grid", "width": 3, "height": 2, "fill": -1}, {"name": "map", "cells": [[0, 1], [2, 3]]}],
    "hex_boards": [{"name": "island", "radius": 2}, {"name": "sheet", "width": 3, "height": 2, "fill": 4}],
    "graph_boards": [
        {
            "name": "world",
            "nodes": [
                {"name": "Paris", "properties": {"colour": "blue"}, "neighbours": ["London"]},
                {"name": "London", "neighbours": {"Paris": 1, "New York": 2}},
                {"name": "New York"},
            ],
        },
        {
            "name": "river",
            "directed": True,
            "nodes": [{"name": "spring", "neighbours": ["sea"]}, {"name": "sea", "neighbours": []}],
        },
    ],
}


def test_everything_that_can_be_written(tmp_path):
    path = tmp_path / "things.json"
    path.write_text(json.dumps(EVERYTHING))
    area = load_components(path)
    assert area.name == "things"
    assert len(area.parts()) == 14
    outbreaks, debt = area.counter("outbreaks"), area.counter("debt")
    assert (outbreaks.value, outbreaks.low, outbreaks.high, outbreaks.clamps) == (1, 0, 8, False)
    assert (area.counter("gold").owner, area.counter("gold").high) == (1, UNBOUNDED)
    assert (debt.value, debt.high) == (-5, 0)
    assert not area.counter("gold").is_visible_to(0)
    assert area.die("d6").faces == (1, 2, 3, 4, 5, 6)
    assert area.die("loaded").weights == (1, 1, 2)
    cubes = area.deck("cube")
    assert (len(cubes), cubes.back, cubes.items[0].owner) == (3, "token", 2)
    assert cubes.items[0].property("colour") == "blue"


def test_decks_and_boards_as_written():
    area = read_components(EVERYTHING, "things.json")
    cities = area.deck("cities")
    assert [card.name for card in cities.items] == ["Paris", "Paris", "Lima"]
    assert cities.items[0] is shared(Card("Paris", (("colour", "blue"), ("on", ("a", "b")), ("people", 11))))
    assert (cities.visibility, cities.back) == (HIDDEN_TO_ALL, "city card")
    assert area.deck("discard").visibility == TOP_VISIBLE_TO_ALL
    grid, written = area.get("grid"), area.get("map")
    assert isinstance(grid, GridBoard)
    assert (grid.width, grid.height, grid.cells) == (3, 2, [-1] * 6)
    assert (written.width, written.height, written.cells) == (2, 2, [0, 1, 2, 3])
    island = area.get("island")
    assert isinstance(island, HexBoard)
    assert len(island.cells) == 19
    assert area.get("sheet").cells == [4] * 6
    world, river = area.get("world"), area.get("river")
    assert isinstance(world, GraphBoard)
    assert len(world.graph.edges) == 2
    assert world.graph.distance(0, 2) == 3
    assert world.graph.nodes[0].property("colour") == "blue"
    assert river.neighbours(0) == [1]
    assert river.neighbours(1) == []


def test_an_empty_file_is_an_empty_area():
    assert read_components({}, "x.json").parts() == []


def with_one(kind, **fields):
    return {kind: [fields]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "x.json: the file has to be an object, not []"),
        ({"deck": []}, "x.json: no field is named 'deck'; did you mean 'decks'?"),
        ({"decks": {}}, "x.json: decks: it has to be a list, not {}"),
        ({"decks": [7]}, "x.json: decks[0] has to be an object, not 7"),
        (with_one("counters", value=1), "x.json: counters[0] has no field 'name'"),
        (with_one("counters", name=3), "x.json: counters[0].name: it has to be a text, not 3"),
        (
            with_one("counters", name="c", value=9, high=8),
            "x.json: counters[0].value: it cannot be 9; the nearest value is 8",
        ),
        (
            with_one("counters", name="c", low=1, high=0),
            "x.json: counters[0].high: it cannot be 0; the nearest value is 1",
        ),
        (with_one("counters", name="c", hihg=8), "x.json: no field is named 'counters[0].hihg'; did you mean 'high'?"),
        (with_one("counters", name="c", clamps=1), "x.json: counters[0].clamps: it has to be true or false, not 1"),
        (with_one("counters", name="c", value=1.5), "x.json: counters[0].value: it has to be a whole number, not 1.5"),
        (
            with_one("counters", name="c", visibility="visible to own"),
            "x.json: counters[0].visibility: no visibility named 'visible to own'; did you mean 'visible to owner'?",
        ),
        (
            with_one("decks", name="c", visibility="mixed visibility"),
            "x.json: decks[0].visibility: what each player sees of it is for the game to say, not for a file",
        ),
        (with_one("dice", name="d"), "x.json: dice[0]: die 'd' needs a face"),
        (with_one("dice", name="d", sides=0), "x.json: dice[0].sides: it cannot be 0; the nearest value is 1"),
        (with_one("dice", name="d", sides=6, faces=[1]), "x.json: dice[0].sides: a die has either sides or faces"),
        (
            with_one("dice", name="d", faces=[1, "x"]),
            'x.json: dice[0].faces: it has to be a list of whole numbers, and "x" is none',
        ),
        (with_one("tokens", name="t", count=-1), "x.json: tokens[0].count: it cannot be -1; the nearest value is 0"),
        (
            with_one("tokens", name="t", properties={"a": None}),
            "x.json: tokens[0].properties.a: it has to be a number, a text, true, false or a list of texts, not null",
        ),
        (
            with_one("decks", name="d", cards=[{"name": "a"}, {"name": "b", "count": -2}]),
            "x.json: decks[0].cards[1].count: it cannot be -2; the nearest value is 0",
        ),
        (
            with_one("decks", name="d", cards=[{"name": "a", "suit": "red"}]),
            "x.json: no field is named 'decks[0].cards[0].suit'; there are: count, name, properties",
        ),
        (with_one("grid_boards", name="g", width=2), "x.json: grid_boards[0] has no field 'height'"),
        (
            with_one("grid_boards", name="g", cells=[[1, 2], [3]]),
            "x.json: grid_boards[0].cells[1]: all rows need the same number of cells, not 1",
        ),
        (with_one("grid_boards", name="g", cells=[]), "x.json: grid_boards[0].cells: a grid needs a cell"),
        (
            with_one("graph_boards", name="w", nodes=[{"name": "Paris"}, {"name": "Lyon", "neighbours": ["Pariss"]}]),
            "x.json: graph_boards[0].nodes[1].neighbours: no node is named 'Pariss'; did you mean 'Paris'?",
        ),
        (
            with_one("graph_boards", name="w", nodes=[{"name": "a", "neighbours": {"b": 0}}, {"name": "b"}]),
            "x.json: graph_boards[0].nodes[0].neighbours.b: it cannot be 0; the nearest value is 1",
        ),
        (
            with_one(
                "graph_boards",
                name="w",
                nodes=[{"name": "a", "neighbours": {"b": 2}}, {"name": "b", "neighbours": ["a"]}],
            ),
            "x.json: graph_boards[0].nodes[1].neighbours: the way to 'a' is 1 long here and 2 there",
        ),
        (
            with_one("graph_boards", name="w", nodes=[{"name": "a"}, {"name": "a"}]),
            "x.json: graph_boards[0]: two nodes of a graph have the same name",
        ),
        (
            {"counters": [{"name": "x"}], "dice": [{"name": "x", "sides": 6}]},
            "x.json: dice[0].name: area 'x' has a component named 'x' already",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(content, message):
    with pytest.raises(DataError) as caught:
        read_components(content, "x.json")
    assert str(caught.value) == message


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(DataError, match=r"cannot read '.*none.json': No such file"):
        load_components(tmp_path / "none.json")
    broken = tmp_path / "broken.json"
    broken.write_text('{"decks": [}')
    with pytest.raises(DataError, match=r"broken.json' is not JSON: Expecting value: line 1"):
        load_components(str(broken))
