"""Features, heuristic, metric and bots of Catan."""

import pytest
from catan_positions import act, corners, give, hold, position, walk

from tag import Game, Rng, make_agent, make_game, make_heuristic
from tag.engine.results import WIN
from tag.games.boards.catan.data import N_CORNERS
from tag.games.boards.catan.values import CatanMetric, best_site, corner_pips
from tag.orders import GameOrder, new_game


def choice(bot, model, state):
    """Return the action of a bot in words."""
    agent = make_agent(f"catan:{bot}")
    agent.player = state.current_player
    actions = model.available_actions(state)
    return str(agent.act(state.observation(state.current_player, Rng(1)), actions))


def test_a_corner_counts_the_ways_to_roll_its_hexes():
    _model, state = position()
    assert corner_pips(state, corners(9)[0]) == 5 + 5  # 6 and 8 beside the desert
    assert corner_pips(state, corners(0)[5]) == 1


def test_features_are_named_and_tell_of_each_player():
    model, state = position(4)
    give(state, 0, wool=2)
    give(state, 1, ore=3)
    hold(state, 1, "knight")
    state.settle(1, corners(5)[0])
    found = model.features().named(state, 0)
    assert (found["hand_wool"], found["hand_1"], found["cards_1"], found["points_1"]) == (2, 3, 1, 1)
    assert found["pips_lumber_1"] == 5
    assert "hand_ore_1" not in found
    assert model.features().values(state, 0) == list(found.values())


@pytest.mark.parametrize(
    "better",
    [
        lambda state: state.settle(0, corners(5)[0]),
        lambda state: give(state, 0, grain=2, ore=3),
        lambda state: hold(state, 0, "knight"),
        lambda state: state.build_road(0, 20),
    ],
)
def test_the_heuristic_prefers_what_helps_to_build(better):
    _model, state = position()
    before = state.copy()
    better(state)
    heuristic = make_heuristic("catan")
    assert heuristic.value(state, 0) > heuristic.value(before, 0)
    assert heuristic.value(state, 1) <= heuristic.value(before, 1)


def test_too_many_cards_count_against_the_hand():
    _model, state = position()
    give(state, 0, wool=7)
    more = state.copy()
    give(more, 0, wool=2)
    heuristic = make_heuristic("catan")
    assert heuristic.value(more, 0) < heuristic.value(state, 0)


def test_the_builder_builds_cities_then_settlements():
    model, state = position()
    state.settle(0, corners(5)[0])
    give(state, 0, grain=2, ore=3, lumber=1, brick=1)
    assert choice("builder", model, state).startswith("city")


def test_the_builder_settles_where_most_is_rolled():
    model = make_game("catan")
    state = model.setup(3, Rng(4))
    best = max(corner_pips(state, corner) for corner in range(N_CORNERS))
    chosen = int(choice("builder", model, state).removeprefix("settlement on c")) - 1
    assert corner_pips(state, chosen) >= best - 3


def test_the_builder_trades_what_it_lacks_for_what_it_does_not_need():
    model, state = position()
    state.settle(0, 20)
    give(state, 0, wool=2, ore=3, grain=1)
    give(state, 1, grain=2)
    assert choice("builder", model, state) == "offer 1 wool for 1 grain"
    act(model, state, "offer 1 wool for 1 grain")
    act(model, state, "accept")
    assert choice("builder", model, state) == "trade with player 1"


@pytest.mark.parametrize("bot", ["builder", "value"])
def test_bots_build_what_they_can_and_rob_others(bot):
    model, state = position()
    state.settle(0, corners(5)[0])
    state.settle(1, corners(15)[0])
    give(state, 0, grain=2, ore=3)
    give(state, 1, wool=1)
    assert choice(bot, model, state).startswith("city")
    hold(state, 0, "knight")
    act(model, state, "play knight")
    assert choice(bot, model, state).endswith("steal from player 1")


def test_the_best_site_is_within_reach_and_free():
    _model, state = position()
    state.settle(0, 20)
    assert best_site(state, 0) == 0
    paths, end = walk(20, 2)
    for path in paths:
        state.build_road(0, path)
    assert best_site(state, 0) == corner_pips(state, end)


@pytest.mark.flow
@pytest.mark.parametrize("bot", ["builder", "value"])
def test_bots_beat_random_players(bot):
    won = 0
    for seed in range(4):
        agents = [make_agent("random"), make_agent(f"catan:{bot}"), make_agent("random")]
        game = Game(make_game("catan"), agents, seed=seed)
        game.play()
        won += game.state.result(1) == WIN
    assert won == 4


def test_the_metric_counts_turns_trades_and_pieces():
    model = make_game("catan")
    metric = CatanMetric(model, Rng(1))
    game = new_game(GameOrder("measured", "catan", ("random",) * 3, 2), [metric])
    game.play()
    found = metric.values()
    assert set(found) == set(CatanMetric.measures)
    assert metric.counts["ends"] > 20
    assert 2 <= found["points"][0] <= found["winner_points"][0]
    assert 0 < found["accepted"][0] < 1
    assert found["limited"] == [0.0]
    assert 0.05 < found["sevens"][0] < 0.35
