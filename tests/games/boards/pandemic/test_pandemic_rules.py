"""Pandemic against the printed rules of 2013: set-up and actions."""

import json
from collections import Counter
from importlib.resources import files
from itertools import pairwise

import pytest
from pandemic_positions import (
    BLUE,
    BLUE_FIVE,
    FILLER,
    RED,
    card,
    cards,
    count,
    end_turn,
    options,
    place_names,
    play,
    position,
    random_games,
)

from tag.engine.rng import Rng
from tag.errors import PlayersError
from tag.games.boards.pandemic import Pandemic, PandemicParameters
from tag.games.boards.pandemic.data import BIT, CITY_NAMES, COLOURS, EPIDEMIC, NEIGHBOURS, POPULATIONS

# --- the board ------------------------------------------------------------------------------------------------------


def test_map_has_48_cities_in_four_colours_and_93_connections():
    assert len(set(CITY_NAMES)) == 48
    assert [COLOURS.count(colour) for colour in range(4)] == [12] * 4
    assert sum(len(near) for near in NEIGHBOURS) == 2 * 93


def test_connections_are_listed_on_both_sides():
    world = json.loads(files("tag.games.boards.pandemic").joinpath("world.json").read_text(encoding="utf-8"))
    near = {node["name"]: node["neighbours"] for node in world["graph_boards"][0]["nodes"]}
    assert all(city in near[other] for city in near for other in near[city])


@pytest.mark.parametrize(
    ("city", "near"),
    [
        ("San Francisco", {"Tokyo", "Manila", "Los Angeles", "Chicago"}),  # ferries wrap around the map
        ("Sydney", {"Jakarta", "Manila", "Los Angeles"}),
        ("Santiago", {"Lima"}),
        ("Hong Kong", {"Kolkata", "Shanghai", "Taipei", "Manila", "Ho Chi Minh City", "Bangkok"}),
        ("Istanbul", {"Milan", "St. Petersburg", "Moscow", "Baghdad", "Cairo", "Algiers"}),
        ("São Paulo", {"Bogotá", "Buenos Aires", "Lagos", "Madrid"}),
    ],
)
def test_connections_as_printed(city, near):
    assert set(place_names(NEIGHBOURS[card(city)])) == near


# --- set-up ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_players", "in_hand"), [(2, 4), (3, 3), (4, 2)])
def test_hands_are_dealt_by_the_number_of_players(n_players, in_hand):
    state = Pandemic().setup(n_players, Rng(1))
    assert [len(hand) for hand in state.hands] == [in_hand] * n_players
    assert len(state.player_deck) == 53 - n_players * in_hand + 4


@pytest.mark.parametrize("n_players", [1, 5])
def test_two_to_four_play(n_players):
    with pytest.raises(PlayersError):
        Pandemic().setup(n_players, Rng(1))


def test_nine_cities_start_with_three_two_and_one_cubes():
    state = Pandemic(PandemicParameters(role_0="quarantine_specialist")).setup(2, Rng(4))
    found = [count(state, CITY_NAMES[city]) for city in state.infection_discards]
    assert found == [3, 3, 3, 2, 2, 2, 1, 1, 1]
    assert sum(state.supply) == 96 - 18
    assert len(state.infection_deck) == 39


def test_pawns_and_the_first_station_are_in_atlanta():
    state = Pandemic().setup(4, Rng(1))
    assert place_names(state.pawns) == ["Atlanta"] * 4
    assert state.stations == BIT[card("Atlanta")]
    assert state.stations_left == 5
    assert (state.outbreaks, state.infection_rate(), state.actions_left) == (0, 2, 4)


@pytest.mark.parametrize("seed", range(5))
def test_who_holds_the_most_populous_city_begins(seed):
    state = Pandemic().setup(4, Rng(seed))
    most = [max([POPULATIONS[held] for held in hand if held < 48], default=0) for hand in state.hands]
    assert most[state.turn_player] == max(most)


@pytest.mark.parametrize("epidemics", [1, 4, 5, 6])
def test_each_pile_has_one_epidemic_and_piles_differ_by_at_most_one_card(epidemics):
    state = Pandemic(PandemicParameters(epidemics=epidemics)).setup(3, Rng(epidemics))
    bounds = [*state.piles, len(state.player_deck)]
    piles = [state.player_deck[low:high] for low, high in pairwise(bounds)]
    assert [pile.count(EPIDEMIC) for pile in piles] == [1] * epidemics
    sizes = [len(pile) for pile in piles]
    assert sizes == sorted(sizes)  # the larger ones are on top
    assert sizes[-1] - sizes[0] <= 1


def test_no_two_players_have_one_role():
    assert all(len(set(Pandemic().setup(4, Rng(seed)).roles)) == 4 for seed in range(30))


def test_roles_can_be_given():
    state = Pandemic(PandemicParameters(role_1="medic")).setup(3, Rng(1))
    assert (state.roles[1], state.medic) == (2, 1)


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_no_card_or_cube_is_lost_or_made(n_players):
    for state in random_games(n_players, 3, seed=n_players):
        held = [held for hand in state.hands for held in hand]
        stored = [state.stored] if state.stored >= 0 else []
        found = Counter([*state.player_deck, *held, *state.discards, *state.removed, *stored])
        drawn = state.epidemics + state.due
        assert found.pop(EPIDEMIC, 0) + drawn == 4
        assert sorted(found.elements()) == list(range(53))
        infection = [*state.infection_deck, *state.infection_discards, *state.removed_cities]
        assert sorted(infection) == list(range(48))
        on_board = [sum(packed >> 4 * colour & 15 for packed in state.cubes) for colour in range(4)]
        assert [state.supply[colour] + on_board[colour] for colour in range(4)] == [24] * 4
        assert all(packed >> 4 * colour & 15 <= 3 for packed in state.cubes for colour in range(4))
        assert bin(state.stations).count("1") + state.stations_left == 6


# --- moving ---------------------------------------------------------------------------------------------------------


def test_drive_to_a_connected_city():
    model, state = position()
    moves = [text for text in options(model, state) if text.startswith("move pawn 0")]
    assert len(moves) == 3
    play(model, state, "move pawn 0 to Miami")
    assert (place_names(state.pawns)[0], state.actions_left, state.discards) == ("Miami", 3, ())


def test_direct_flight_discards_the_card_of_the_city_flown_to():
    model, state = position(hands=[["Delhi", "Lima"], []])
    play(model, state, "fly pawn 0 directly to Delhi")
    assert place_names(state.pawns)[0] == "Delhi"
    assert (state.hands[0], state.discards) == (cards(["Lima"]), cards(["Delhi"]))


def test_charter_flight_discards_the_card_of_the_city_left():
    model, state = position(hands=[["Atlanta"], []])
    assert len([text for text in options(model, state) if text.startswith("charter")]) == 47
    play(model, state, "charter a flight for pawn 0 to Sydney")
    assert (place_names(state.pawns)[0], state.discards) == ("Sydney", cards(["Atlanta"]))


def test_shuttle_flight_joins_research_stations():
    model, state = position(stations=("Atlanta", "Cairo"))
    play(model, state, "move pawn 0 to Cairo", "move pawn 0 to Atlanta")
    assert state.actions_left == 2
    play(model, state, "move pawn 0 to Miami")
    assert "move pawn 0 to Cairo" not in options(model, state)


def test_nobody_but_the_dispatcher_moves_another_pawn():
    model, state = position(pawns=["Atlanta", "Cairo"])
    assert not [text for text in options(model, state) if "pawn 1" in text]


# --- the other actions ----------------------------------------------------------------------------------------------


def test_station_is_built_for_the_card_of_the_city():
    model, state = position(pawns=["Cairo", "Cairo"], hands=[["Cairo"], ["Lima"]])
    play(model, state, "build a station")
    assert state.stations >> card("Cairo") & 1
    assert (state.stations_left, state.discards, state.hands[0]) == (4, cards(["Cairo"]), ())


def test_no_station_without_the_card_or_where_one_is():
    assert "build a station" not in options(*position(pawns=["Cairo", "Cairo"], hands=[["Lima"], []]))
    assert "build a station" not in options(*position(hands=[["Atlanta"], []]))


def test_seventh_station_is_moved_from_another_city():
    built = ("Atlanta", "Paris", "Lima", "Lagos", "Tokyo", "Sydney")
    model, state = position(pawns=["Cairo", "Cairo"], hands=[["Cairo"], []], stations=built)
    texts = [text for text in options(model, state) if "station" in text]
    assert sorted(texts) == sorted(f"move the station of {city} here" for city in built)
    play(model, state, "move the station of Paris here")
    assert state.stations >> card("Cairo") & 1
    assert not state.stations >> card("Paris") & 1
    assert state.stations_left == 0


def test_treating_removes_one_cube_and_all_of_a_cured_disease():
    model, state = position(cubes={"Atlanta": 3})
    play(model, state, "treat blue")
    assert (count(state, "Atlanta"), state.supply[BLUE]) == (2, 22)
    model, state = position(cubes={"Atlanta": 3, "Paris": 1}, cured=(BLUE,))
    play(model, state, "treat blue")
    assert (count(state, "Atlanta"), state.supply[BLUE], state.eradicated) == (0, 23, 0)


def test_any_colour_in_the_city_can_be_treated():
    model, state = position(cubes={("Atlanta", BLUE): 1, ("Atlanta", RED): 2})
    texts = [text for text in options(model, state) if text.startswith("treat")]
    assert texts == ["treat blue", "treat red"]


def test_last_cube_of_a_cured_disease_eradicates_it():
    model, state = position(cubes={"Atlanta": 2}, cured=(BLUE,))
    play(model, state, "treat blue")
    assert state.eradicated == 1 << BLUE


def test_last_cube_of_another_disease_does_not():
    model, state = position(cubes={"Atlanta": 1})
    play(model, state, "treat blue")
    assert state.eradicated == 0


def test_knowledge_is_shared_of_the_city_where_both_are():
    model, state = position(["Medic", "Scientist"], hands=[["Atlanta", "Paris"], ["Lima"]])
    texts = [text for text in options(model, state) if text.startswith("give")]
    assert texts == ["give Atlanta from player 0 to player 1"]
    play(model, state, *texts)
    assert (state.hands[0], state.hands[1]) == (cards(["Paris"]), cards(["Atlanta", "Lima"]))
    assert options(model, state).count("give Atlanta from player 1 to player 0") == 1


def test_knowledge_is_not_shared_between_cities():
    model, state = position(
        ["Medic", "Scientist"], pawns=["Atlanta", "Paris"], hands=[["Atlanta", "Paris"], ["Atlanta"]]
    )
    assert not [text for text in options(model, state) if text.startswith("give")]


def test_who_takes_an_eighth_card_discards_at_once():
    seven = ["Paris", "Milan", "Lima", "Lagos", "Cairo", "Delhi", "Osaka"]
    model, state = position(["Medic", "Scientist"], hands=[["Atlanta"], seven])
    play(model, state, "give Atlanta from player 0 to player 1")
    assert state.current_player == 1
    assert len(options(model, state)) == 8
    play(model, state, "discard Lima")
    assert (state.current_player, state.actions_left, len(state.hands[1])) == (0, 3, 7)


def test_cure_takes_five_cards_of_a_colour_at_a_station():
    model, state = position(["Medic", "Scientist"], hands=[BLUE_FIVE, []])
    play(model, state, "cure blue")
    assert (state.cured, state.hands[0], state.discards) == (1 << BLUE, (), cards(BLUE_FIVE))
    assert state.score(0) == 1


def test_no_cure_with_four_cards_without_station_or_twice():
    assert "cure blue" not in options(*position(["Medic", "Researcher"], hands=[BLUE_FIVE[:4], []]))
    assert "cure blue" not in options(*position(["Medic", "Researcher"], ["Miami", "Miami"], [BLUE_FIVE, []]))
    assert "cure blue" not in options(*position(["Medic", "Researcher"], hands=[BLUE_FIVE, []], cured=(BLUE,)))


def test_who_has_more_cards_than_a_cure_takes_chooses_which_to_keep():
    model, state = position(["Medic", "Researcher"], hands=[[*BLUE_FIVE, "Milan", "Essen"], []])
    play(model, state, "cure blue")
    assert not state.cured
    play(model, state, "choose London", "choose Milan")
    assert (state.cured, state.hands[0]) == (1 << BLUE, cards(["London", "Milan"]))
    assert state.actions_left == 3


def test_cure_leaves_the_cubes_and_eradicates_only_a_disease_without_any():
    model, state = position(["Scientist", "Researcher"], hands=[BLUE_FIVE[:4], []], cubes={"Paris": 2})
    play(model, state, "cure blue")
    assert (count(state, "Paris"), state.eradicated) == (2, 0)
    model, state = position(["Scientist", "Researcher"], hands=[BLUE_FIVE[:4], []])
    assert play(model, state, "cure blue").eradicated == 1 << BLUE


def test_four_actions_then_two_cards_and_the_next_player():
    model, state = position(infection_deck=["Osaka", "Lima"])
    for city in ("Miami", "Atlanta", "Miami", "Atlanta"):
        assert state.turn_player == 0
        play(model, state, f"move pawn 0 to {city}")
    assert (state.turn_player, state.actions_left) == (1, 4)
    assert (state.hands[0], len(state.player_deck)) == (cards(FILLER[-2:]), 4)


def test_fewer_actions_may_be_taken():
    model, state = position()
    assert end_turn(model, state).turn_player == 1


def test_hand_limit_of_seven_after_drawing():
    six = ["Paris", "Milan", "Lima", "Cairo", "Delhi", "Osaka"]
    model, state = position(hands=[six, []], deck=["Tokyo", "Seoul", "Essen", "Chennai"])
    end_turn(model, state)
    assert sorted(options(model, state)) == sorted(f"discard {name}" for name in [*six, "Essen", "Chennai"])
    play(model, state, "discard Milan")
    assert state.turn_player == 1
    assert len(state.hands[0]) == 7


def test_round_ends_when_all_have_had_a_turn():
    model, state = position()
    end_turn(model, end_turn(model, state))
    assert (state.round, state.turn, state.turn_player) == (1, 2, 0)
