"""Catan: the rules of the printed almanac that are most often got wrong, one by one."""

from collections import Counter

import pytest
from catan_positions import (
    DISCS,
    MIDDLE,
    act,
    corners,
    dice,
    end_turn,
    give,
    held,
    hold,
    partners,
    position,
    robberies,
    take_from_bank,
    texts,
    walk,
)

from tag import LOSE, WIN, Rng, make_game
from tag.games.boards.catan.data import (
    ANY,
    BESIDE,
    CARD_COUNTS,
    CARD_NAMES,
    CORNER_PATHS,
    HARBOUR_SETS,
    HARBOURS,
    HEXES,
    ISLAND,
    N_CORNERS,
    N_PATHS,
    NEIGHBOURS,
    RESOURCES,
    TERRAIN,
    counts_of,
)
from tag.games.boards.catan.rules import are_red_together

PATHS, HEX_CORNERS, SPIRALS = ISLAND.paths, ISLAND.hex_corners, ISLAND.spirals
SETTLEMENT = {"lumber": 1, "brick": 1, "wool": 1, "grain": 1}
CITY = {"grain": 2, "ore": 3}


def ways(state):
    """Return the owners of longest road and largest army, or None."""
    return tuple(None if holder < 0 else holder for holder in (state.road_holder, state.army_holder))


def pave(state, seat, paths):
    for path in paths:
        state.build_road(seat, path)


# The island


def test_an_island_has_19_hexes_54_corners_and_72_paths():
    assert (len(HEXES), N_CORNERS, N_PATHS) == (19, 54, 72)
    assert Counter(len(paths) for paths in CORNER_PATHS) == {2: 18, 3: 36}
    assert all(len({*corner}) == 6 for corner in HEX_CORNERS)
    assert Counter(len(others) for others in NEIGHBOURS) == {6: 7, 4: 6, 3: 6}


def test_harbours_are_three_or_four_paths_of_the_coast_apart():
    coast = [pair for pair in PATHS if sum(set(pair) <= set(corner) for corner in HEX_CORNERS) == 1]
    ring = [coast.pop()]
    while coast:
        ring.append(next(pair for pair in coast if ring[-1][1] in pair))
        coast.remove(ring[-1])
        if ring[-1][1] == ring[-2][1]:
            ring[-1] = ring[-1][::-1]
    sets = [1 << start | 1 << end for start, end in ring]
    places = sorted(sets.index(harbour) for harbour in HARBOUR_SETS)
    gaps = [(after - before) % 30 for before, after in zip(places, [*places[1:], places[0]], strict=True)]
    assert len(ring) == 30
    assert sorted(gaps) == [3] * 6 + [4] * 3
    assert gaps[:3] * 3 == gaps


def test_cards_and_terrain_are_those_of_the_box():
    state = make_game("catan").setup(4, Rng(1))
    assert counts_of(state.bank) == [19] * 5
    assert dict(zip(CARD_NAMES, CARD_COUNTS, strict=True)) == {
        "knight": 14,
        "victory point": 5,
        "road building": 2,
        "year of plenty": 2,
        "monopoly": 2,
    }
    assert Counter(state.terrain) == Counter(TERRAIN)
    assert Counter(state.harbours) == Counter(HARBOURS)
    assert Counter(disc for disc in state.discs if disc) == Counter([2, 12, *(3, 4, 5, 6, 8, 9, 10, 11) * 2])
    assert state.discs[state.robber] == 0


def test_discs_lie_in_the_printed_spiral_which_skips_the_desert():
    for seed in range(20):
        state = make_game("catan").setup(3, Rng(seed))
        found = [[state.discs[place] for place in spiral if state.discs[place]] for spiral in SPIRALS]
        assert [5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11] in found
    assert all(spiral[step + 1] in NEIGHBOURS[spiral[step]] for spiral in SPIRALS for step in range(18))


def test_red_discs_are_apart_in_the_spiral_and_when_shuffled_with_care():
    for seed in range(100):
        assert not are_red_together(list(make_game("catan:discs=apart").setup(3, Rng(seed)).discs))
    careless = [make_game("catan:discs=any").setup(3, Rng(seed)).discs for seed in range(30)]
    assert any(are_red_together(list(discs)) for discs in careless)


# Set-up


def test_players_settle_in_order_and_back_and_the_first_one_begins():
    model = make_game("catan")
    state = model.setup(4, Rng(3))
    first = state.current_player
    order = []
    while state.turn < 8:
        order.append(state.current_player)
        model.next(state, model.available_actions(state)[0], Rng(1))
        assert all(text.startswith("road") for text in texts(model, state))
        model.next(state, model.available_actions(state)[0], Rng(1))
    there = [(first + offset) % 4 for offset in range(4)]
    assert order == there + there[::-1]
    assert state.turn_player == first


def test_no_settlement_stands_next_to_another():
    model = make_game("catan")
    state = model.setup(3, Rng(1))
    act(model, state, "settlement on c10")
    act(model, state, texts(model, state)[0])
    for corner in range(N_CORNERS):
        is_near = corner == 9 or BESIDE[9] >> corner & 1 == 1
        assert (f"settlement on c{corner + 1}" in texts(model, state)) != is_near


def test_the_road_of_the_set_up_starts_at_the_new_settlement():
    model = make_game("catan")
    state = model.setup(3, Rng(1))
    act(model, state, "settlement on c10")
    assert texts(model, state) == [f"road on p{path + 1}" for path in CORNER_PATHS[9]]


def test_only_the_second_settlement_yields_a_card_for_each_hex():
    model, state = position()
    state.turn, state.phase = 0, 0
    act(model, state, f"settlement on c{corners(0)[2] + 1}")
    assert held(state, 0) == {}
    state.turn, state.phase, state.taken = 3, 0, 0
    act(model, state, f"settlement on c{corners(0)[2] + 1}")
    assert held(state, 0) == {"lumber": 1, "brick": 1, "ore": 1}
    state.taken, state.phase = 0, 0
    before = sum(held(state, 0).values())
    act(model, state, f"settlement on c{corners(MIDDLE)[0] + 1}")  # two hexes and the desert
    assert sum(held(state, 0).values()) == before + 2


# Production


def test_settlements_yield_one_card_and_cities_two():
    model, state = position()
    state.settle(0, corners(5)[0])
    state.settle(1, corners(5)[2])
    state.cities[1], state.settlements[1] = state.settlements[1], 0
    end_turn(model, state, DISCS[5])
    assert held(state, 0)["lumber"] == 1
    assert held(state, 1)["lumber"] == 2


def test_the_robber_keeps_its_hex_from_yielding():
    model, state = position()
    state.settle(0, corners(5)[0])
    state.robber = 5
    end_turn(model, state, DISCS[5])
    assert "lumber" not in held(state, 0)


def test_a_resource_of_which_there_are_too_few_is_given_to_none():
    model, state = position(hand_limit=20)
    state.settle(0, corners(5)[0])
    state.settle(1, corners(5)[2])
    take_from_bank(state, 2, "lumber", 1)
    end_turn(model, state, DISCS[5])
    assert "lumber" not in held(state, 0)
    assert "lumber" not in held(state, 1)


def test_but_to_a_single_player_all_that_are_left():
    model, state = position(hand_limit=20)
    state.settle(0, corners(5)[0])
    state.cities[0], state.settlements[0] = state.settlements[0], 0
    take_from_bank(state, 2, "lumber", 1)
    end_turn(model, state, DISCS[5])
    assert held(state, 0)["lumber"] == 1


# Seven and the robber


def test_a_seven_halves_hands_of_more_than_seven_cards_rounded_down():
    model, state = position()
    give(state, 0, lumber=7)
    give(state, 1, brick=8)
    give(state, 2, wool=9)
    end_turn(model, state, 7)
    asked = []
    while texts(model, state)[0].startswith("discard"):
        asked.append(state.current_player)
        act(model, state, texts(model, state)[0])
    assert asked == [1] * 4 + [2] * 4
    assert [sum(held(state, seat).values()) for seat in range(3)] == [7, 4, 5]
    assert state.current_player == state.turn_player == 1
    assert all(text.startswith("robber") for text in texts(model, state))


def test_the_robber_must_move_to_another_hex():
    model, state = position()
    end_turn(model, state, 7)
    assert {place for place, _victim in robberies(model, state)} == set(range(19)) - {MIDDLE}


def test_victims_are_players_at_the_hex_with_cards():
    model, state = position(4)
    for seat, corner in enumerate((corners(5)[0], corners(5)[2], corners(5)[4])):
        state.settle(seat, corner)
    give(state, 1, wool=1)
    give(state, 3, wool=1)
    end_turn(model, state, 7)  # player 1 moves the robber
    assert [victim for place, victim in robberies(model, state) if place == 5] == [-1]
    give(state, 0, ore=1)
    give(state, 2, ore=1)
    assert [victim for place, victim in robberies(model, state) if place == 5] == [0, 2]


def test_one_random_card_is_stolen():
    stolen = Counter()
    for seed in range(300):
        model, state = position()
        state.settle(1, corners(5)[0])
        give(state, 1, wool=2, ore=1)
        hold(state, 0, "knight")
        act(model, state, "play knight")
        act(model, state, "robber to h6, steal from player 1", Rng(seed))
        stolen.update(held(state, 0))
        assert sum(held(state, 1).values()) == 2
    assert sum(stolen.values()) == 300
    assert 170 <= stolen["wool"] <= 230


def test_the_friendly_robber_spares_players_with_two_points():
    model, state = position(robber="friendly")
    state.settle(0, corners(5)[0])
    state.settle(1, corners(15)[0])
    state.settle(1, corners(15)[3])
    state.settle(1, corners(18)[3])
    end_turn(model, state, 7)
    assert 5 not in {place for place, _victim in robberies(model, state)}
    state.settle(0, corners(18)[0])
    state.settle(0, corners(0)[0])
    assert 5 in {place for place, _victim in robberies(model, state)}


# Development cards


def test_a_card_bought_in_this_turn_is_not_played():
    model, state = position()
    give(state, 0, wool=1, grain=1, ore=1)
    state.deck = state.deck & 63  # knights only
    act(model, state, "buy a development card")
    assert "play knight" not in texts(model, state)
    assert state.cards[0] == 1
    for _seat in range(3):
        end_turn(model, state, 12)
        if state.turn_player == 0:
            break
    assert state.turn_player == 0
    assert "play knight" in texts(model, state)


def test_one_card_is_played_in_a_turn():
    model, state = position()
    hold(state, 0, "monopoly", "year of plenty")
    act(model, state, "play monopoly for ore")
    assert not [text for text in texts(model, state) if text.startswith("play")]


def test_a_card_may_be_played_before_the_roll():
    model, state = position()
    hold(state, 1, "knight")
    act(model, state, "end turn")
    assert texts(model, state) == ["roll", "play knight"]
    act(model, state, "play knight")
    assert not state.has_rolled
    act(model, state, texts(model, state)[0], dice(12))
    assert state.has_rolled
    assert texts(model, state)[0] == "end turn"


def test_players_without_cards_roll_at_once_and_those_with_any_are_asked():
    model, state = position()
    hold(state, 2, "victory point")
    end_turn(model, state, 12)
    assert state.current_player == 1
    assert state.has_rolled
    act(model, state, "end turn")
    assert texts(model, state) == ["roll"]  # others do not learn whether it could be played


def test_road_building_is_two_free_roads():
    model, state = position()
    state.settle(0, 20)
    hold(state, 0, "road building")
    act(model, state, "play road building")
    for _road in range(2):
        assert all(text.startswith("road") for text in texts(model, state))
        act(model, state, texts(model, state)[0])
    assert texts(model, state) == ["end turn"]
    assert state.lengths[0] > 0


def test_year_of_plenty_takes_two_cards_from_the_bank():
    model, state = position()
    hold(state, 0, "year of plenty")
    act(model, state, "play year of plenty for wool and wool")
    assert held(state, 0) == {"wool": 2}


def test_monopoly_takes_all_cards_of_a_kind():
    model, state = position()
    give(state, 1, ore=3, wool=1)
    give(state, 2, ore=2)
    hold(state, 0, "monopoly")
    act(model, state, "play monopoly for ore")
    assert [held(state, seat) for seat in range(3)] == [{"ore": 5}, {"wool": 1}, {}]


def test_victory_points_are_never_played_and_count_at_once():
    model, state = position(points=3)
    state.settle(0, 20)
    state.settle(0, 40)
    give(state, 0, wool=1, grain=1, ore=1)
    state.deck = 5 << 24
    act(model, state, "buy a development card")
    assert state.is_terminal
    assert [state.result(seat) for seat in range(3)] == [WIN, LOSE, LOSE]
    assert state.score(0) == 3.0


def test_largest_army_takes_three_knights_and_stays_at_a_tie():
    _model, state = position()
    for seat, knights, expected in ((0, 2, None), (0, 3, 0), (1, 3, 0), (1, 4, 1), (0, 4, 1)):
        state.knights[seat] = knights
        state.award_army(seat)
        assert ways(state)[1] == expected
    assert state.open_points(1) == 2


# Winning


def test_a_player_wins_in_the_own_turn_only():
    model, state = position(points=3)
    for corner in (0, 20, 40):
        state.settle(1, corner)
    act(model, state, "end turn")
    assert state.is_terminal
    assert state.result(1) == WIN
    model, state = position(points=3)
    for corner in (0, 20, 40):
        state.settle(2, corner)
    act(model, state, "end turn", dice(12))
    assert not state.is_terminal


def test_the_limit_of_rounds_ends_the_game_by_all_points():
    model, state = position(max_rounds=1)
    state.settle(1, 20)
    hold(state, 2, "victory point", "victory point")
    while not state.is_terminal:
        end_turn(model, state, 12)
    assert state.is_terminal
    assert state.score(2) == 2.0
    assert state.result(2) == WIN


# The longest road


def test_five_roads_in_a_row_are_the_longest_road():
    _model, state = position()
    paths, _end = walk(20, 5)
    pave(state, 0, paths[:4])
    assert ways(state)[0] is None
    pave(state, 0, paths[4:])
    assert (state.lengths[0], ways(state)[0]) == (5, 0)


def test_branches_do_not_count_and_rings_do():
    _model, state = position()
    pave(state, 0, [path for path in range(N_PATHS) if set(PATHS[path]) <= set(corners(9))])
    assert state.lengths[0] == 6
    spoke = next(path for path in CORNER_PATHS[corners(9)[0]] if not set(PATHS[path]) <= set(corners(9)))
    pave(state, 0, [spoke])
    assert state.lengths[0] == 7
    other = next(path for path in CORNER_PATHS[corners(9)[3]] if not set(PATHS[path]) <= set(corners(9)))
    pave(state, 0, [other])
    assert state.lengths[0] == 7


def test_the_longer_road_takes_the_card_and_an_equal_one_does_not():
    _model, state = position()
    pave(state, 0, walk(0, 5)[0])
    row, _end = walk(53, 6)
    pave(state, 1, row[:5])
    assert ways(state)[0] == 0
    pave(state, 1, row[5:])
    assert ways(state)[0] == 1


def test_a_foreign_settlement_breaks_a_road_and_an_own_one_does_not():
    _model, state = position()
    paths, _end = walk(0, 6)
    pave(state, 0, paths)
    inner = next(iter(set(PATHS[paths[2]]) & set(PATHS[paths[3]])))
    other = state.copy()
    state.settle(0, inner)
    assert (state.lengths[0], ways(state)[0]) == (6, 0)
    other.settle(1, inner)
    assert (other.lengths[0], ways(other)[0]) == (3, None)


def test_a_broken_road_passes_the_card_on_or_aside_at_a_tie():
    for others, expected in (((1,), 1), ((1, 2), None)):
        _model, state = position(4)
        paths, _end = walk(0, 6)
        pave(state, 0, paths)
        for seat, start in zip(others, (53, 47), strict=False):
            pave(state, seat, walk(start, 5)[0])
        assert ways(state)[0] == 0
        state.settle(3, next(iter(set(PATHS[paths[2]]) & set(PATHS[paths[3]]))))
        assert ways(state)[0] == expected


def test_a_broken_road_that_is_still_among_the_longest_keeps_the_card():
    _model, state = position(4)
    paths, _end = walk(0, 7)
    pave(state, 0, paths)
    pave(state, 1, walk(53, 5)[0])
    state.settle(3, next(iter(set(PATHS[paths[4]]) & set(PATHS[paths[5]]))))
    assert [int(length) for length in state.lengths[:2]] == [5, 5]
    assert ways(state)[0] == 0


def test_roads_are_not_built_on_beyond_foreign_buildings():
    model, state = position()
    paths, end = walk(20, 2)
    pave(state, 0, paths)
    give(state, 0, lumber=1, brick=1)
    onward = [f"road on p{path + 1}" for path in CORNER_PATHS[end] if path not in paths]
    assert set(onward) <= set(texts(model, state))
    state.settle(1, end)
    assert not set(onward) & set(texts(model, state))


# Building


def test_settlements_are_built_at_own_roads_with_the_distance_kept():
    model, state = position()
    state.settle(0, 20)
    give(state, 0, **SETTLEMENT)
    paths, end = walk(20, 2)
    assert not [text for text in texts(model, state) if text.startswith("settlement")]
    pave(state, 0, paths)
    assert [text for text in texts(model, state) if text.startswith("settlement")] == [f"settlement on c{end + 1}"]


def test_a_sixth_settlement_needs_an_upgrade_first():
    model, state = position()
    for corner in (0, 1, 2, 11, 12):
        state.settlements[0] |= 1 << corner
    paths, end = walk(40, 1)
    pave(state, 0, paths)
    give(state, 0, lumber=1, brick=1, wool=1, grain=3, ore=3)
    assert not [text for text in texts(model, state) if text.startswith("settlement")]
    act(model, state, "city on c1")
    assert f"settlement on c{end + 1}" in texts(model, state)


def test_there_are_15_roads_and_4_cities():
    model, state = position()
    state.settle(0, 20)
    for path in [one for one in range(N_PATHS) if one not in CORNER_PATHS[20]][:15]:
        state.roads[path] = 0
    give(state, 0, lumber=1, brick=1, **CITY)
    assert not [text for text in texts(model, state) if text.startswith("road")]
    assert "city on c21" in texts(model, state)
    state.cities[0] = 0b1111
    assert "city on c21" not in texts(model, state)


# Trade


@pytest.mark.parametrize(("kind", "rate"), [(None, 4), (ANY, 3), ("own", 2)])
def test_the_bank_takes_four_three_or_two_of_a_kind(kind, rate):
    model, state = position(trading="bank")
    if kind is not None:
        state.rates[0] = 1 << (ANY if kind == ANY else RESOURCES.index("wool"))
    give(state, 0, wool=rate - 1, ore=1)
    assert texts(model, state) == ["end turn"]
    give(state, 0, wool=1)
    assert texts(model, state)[1:] == [
        f"trade wool for {other} with the bank" for other in RESOURCES if other != "wool"
    ]
    act(model, state, "trade wool for ore with the bank")
    assert held(state, 0) == {"ore": 2}


def test_a_harbour_serves_in_the_turn_in_which_it_is_built():
    model, state = position(trading="bank")
    harbour = next(place for place in range(9) if state.harbours[place] == RESOURCES.index("wool"))
    corner = HARBOUR_SETS[harbour].bit_length() - 1
    pave(state, 0, [CORNER_PATHS[corner][0]])
    give(state, 0, lumber=1, brick=1, wool=3, grain=1)
    assert not [text for text in texts(model, state) if text.startswith("trade")]
    act(model, state, f"settlement on c{corner + 1}")
    assert "trade wool for ore with the bank" in texts(model, state)


def test_without_trading_there_is_none():
    model, state = position(trading="none")
    give(state, 0, wool=8)
    assert texts(model, state) == ["end turn"]


def test_offers_are_of_one_or_two_cards_for_one_of_another_kind_that_someone_may_have():
    model, state = position()
    give(state, 0, wool=2)
    give(state, 1, ore=1)
    assert texts(model, state) == ["end turn", "offer 1 wool for 1 ore", "offer 2 wool for 1 ore"]


def test_all_others_answer_and_the_player_on_turn_chooses():
    model, state = position(4)
    give(state, 0, wool=2)
    for seat in (1, 3):
        give(state, seat, ore=1)
    act(model, state, "offer 2 wool for 1 ore")
    answered = []
    while state.current_player != 0:
        answered.append((state.current_player, texts(model, state)))
        act(model, state, "accept")
    assert answered == [(1, ["decline", "accept"]), (3, ["decline", "accept"])]
    assert (texts(model, state)[0], partners(model, state)) == ("withdraw the offer", [1, 3])
    act(model, state, "trade with player 3")
    assert [held(state, seat) for seat in range(4)] == [{"ore": 1}, {"ore": 1}, {}, {"wool": 2}]
    assert state.current_player == 0


def test_who_declines_does_not_trade_and_offers_are_limited():
    model, state = position(offers=1)
    give(state, 0, wool=2)
    give(state, 1, ore=1)
    act(model, state, "offer 1 wool for 1 ore")
    act(model, state, "decline")
    assert texts(model, state) == ["end turn"]
    assert held(state, 0) == {"wool": 2}


def test_players_are_asked_who_may_have_the_card_and_without_it_can_only_decline():
    model, state = position(4)
    give(state, 1, ore=1, wool=1)
    state.steal(2, 1, Rng(1))
    give(state, 0, lumber=1)
    act(model, state, "offer 1 lumber for 1 ore")
    answers = []
    while state.current_player != 0:
        answers.append((state.current_player, texts(model, state)))
        act(model, state, "decline")
    holder = 1 if held(state, 1) == {"ore": 1} else 2
    both = (holder, ["decline", "accept"]), (3 - holder, ["decline"])
    assert answers == sorted(both)
