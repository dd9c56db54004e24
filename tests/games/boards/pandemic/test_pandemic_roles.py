"""The roles and events of Pandemic against their printed cards."""

import pytest
from pandemic_positions import (
    BLACK,
    BLUE,
    FILLER,
    RED,
    YELLOW,
    card,
    cards,
    count,
    end_turn,
    options,
    place_names,
    play,
    position,
)

from tag.games.boards.pandemic.data import BIT

SEVEN = ["Paris", "Milan", "Lima", "Lagos", "Cairo", "Delhi", "Osaka"]
SIX_STATIONS = ("Atlanta", "Paris", "Lima", "Lagos", "Tokyo", "Sydney")


# --- Contingency Planner --------------------------------------------------------------------------------------------


def test_planner_stores_an_event_from_the_discards_as_an_action():
    model, state = position(["Contingency Planner", "Medic"], discards=["Lima", "Airlift", "Forecast"])
    assert [text for text in options(model, state) if text.startswith("store")] == ["store Airlift", "store Forecast"]
    play(model, state, "store Airlift")
    assert (state.stored, state.actions_left) == (card("Airlift"), 3)
    assert state.discards == (card("Lima"), card("Forecast"))
    assert state.hands[0] == ()


def test_planner_stores_one_event_at_a_time():
    model, state = position(["Contingency Planner", "Medic"], discards=["Airlift"], stored="Forecast")
    assert "store Airlift" not in options(model, state)


def test_stored_event_goes_out_of_the_game():
    model, state = position(["Contingency Planner", "Medic"], stored="One Quiet Night")
    play(model, state, "play One Quiet Night")
    assert (state.stored, state.removed, state.discards) == (-1, cards(["One Quiet Night"]), ())


def test_stored_event_does_not_count_as_a_card_in_hand():
    model, state = position(["Contingency Planner", "Medic"], hands=[SEVEN[:5], []], stored="One Quiet Night")
    end_turn(model, state)
    play(model, state, "pass", "pass")
    assert state.turn_player == 1


def test_nobody_else_stores_or_plays_stored_events():
    model, state = position(["Medic", "Contingency Planner"], discards=["Airlift"], stored="Forecast")
    assert not [text for text in options(model, state) if text.startswith(("store", "play"))]


# --- Dispatcher -----------------------------------------------------------------------------------------------------


def test_dispatcher_moves_others_with_the_own_cards():
    model, state = position(
        ["Dispatcher", "Medic"], pawns=["Atlanta", "Cairo"], hands=[["Cairo", "Delhi"], ["Lima", "Tokyo"]]
    )
    texts = options(model, state)
    assert "move pawn 1 to Baghdad" in texts
    assert "fly pawn 1 directly to Lima" not in texts
    assert len([text for text in texts if text.startswith("charter a flight for pawn 1")]) == 47
    assert not [text for text in texts if text.startswith("charter a flight for pawn 0")]
    play(model, state, "fly pawn 1 directly to Delhi", "move pawn 1 to Mumbai")
    assert (place_names(state.pawns), state.hands) == (
        ["Atlanta", "Mumbai"],
        [cards(["Cairo"]), cards(["Lima", "Tokyo"])],
    )


def test_dispatcher_shuttles_others():
    model, state = position(["Dispatcher", "Medic"], pawns=["Lima", "Atlanta"], stations=("Atlanta", "Cairo"))
    assert "move pawn 1 to Cairo" in options(model, state)


def test_dispatcher_sends_any_pawn_to_another():
    model, state = position(["Dispatcher", "Medic", "Scientist"], pawns=["Atlanta", "Cairo", "Sydney"])
    texts = [text for text in options(model, state) if text.startswith("move pawn")]
    sent = [(pawn, city) for pawn, city in [(0, "Cairo"), (0, "Sydney"), (1, "Atlanta"), (1, "Sydney"), (2, "Cairo")]]
    assert all(f"move pawn {pawn} to {city}" in texts for pawn, city in sent)
    play(model, state, "move pawn 2 to Cairo")
    assert (place_names(state.pawns)[2], state.actions_left) == ("Cairo", 3)


def test_dispatcher_does_not_use_the_experts_flight():
    model, state = position(["Dispatcher", "Operations Expert"], hands=[["Delhi"], ["Lima"]])
    assert not [text for text in options(model, state) if "expert" in text]


def test_dispatcher_treats_only_where_the_own_pawn_is():
    model, state = position(["Dispatcher", "Medic"], pawns=["Atlanta", "Cairo"], cubes={"Cairo": 2})
    assert not [text for text in options(model, state) if text.startswith("treat")]


# --- Medic ----------------------------------------------------------------------------------------------------------


def test_medic_removes_all_cubes_of_the_colour_treated():
    model, state = position(["Medic", "Scientist"], cubes={("Atlanta", BLUE): 3, ("Atlanta", RED): 2})
    play(model, state, "treat blue")
    assert (count(state, "Atlanta", BLUE), count(state, "Atlanta", RED), state.actions_left) == (0, 2, 3)


def test_medic_removes_cured_cubes_by_entering():
    model, state = position(["Medic", "Scientist"], cubes={("Miami", YELLOW): 3, ("Miami", RED): 1}, cured=(YELLOW,))
    play(model, state, "move pawn 0 to Miami")
    assert (count(state, "Miami", YELLOW), count(state, "Miami", RED)) == (0, 1)
    assert (state.actions_left, state.eradicated) == (3, 1 << YELLOW)


def test_medic_removes_cured_cubes_when_moved_by_others():
    model, state = position(["Dispatcher", "Medic"], cubes={"Miami": 2, "Lima": 1}, cured=(YELLOW,))
    play(model, state, "move pawn 1 to Miami")
    assert (count(state, "Miami"), count(state, "Lima"), state.eradicated) == (0, 1, 0)


def test_medic_is_there_when_the_cure_is_found():
    four = ["Paris", "Milan", "Essen", "London"]
    model, state = position(["Scientist", "Medic"], pawns=["Atlanta", "Madrid"], hands=[four, []], cubes={"Madrid": 3})
    play(model, state, "cure blue")
    assert (count(state, "Madrid"), state.eradicated) == (0, 1 << BLUE)


def test_medic_keeps_cured_cubes_out():
    infection = ["Osaka", "Cairo"]
    for cured, found in [((BLACK,), 0), ((), 1)]:
        model, state = position(
            ["Scientist", "Medic"], ["Atlanta", "Cairo"], cured=cured, infection_deck=infection, cubes={"Lagos": 1}
        )
        assert count(end_turn(model, state), "Cairo") == found


def test_medic_leaves_other_cubes_by_entering():
    model, state = position(["Medic", "Scientist"], cubes={"Miami": 2})
    assert count(play(model, state, "move pawn 0 to Miami"), "Miami") == 2


# --- Operations Expert ----------------------------------------------------------------------------------------------


def test_expert_builds_without_a_card():
    model, state = position(["Operations Expert", "Medic"], pawns=["Cairo", "Lima"], hands=[["Cairo"], []])
    play(model, state, "build a station")
    assert (state.hands[0], state.stations) == (cards(["Cairo"]), BIT[card("Atlanta")] | BIT[card("Cairo")])


def test_expert_flies_once_a_turn_from_a_station_for_any_city_card():
    model, state = position(
        ["Operations Expert", "Medic"], hands=[["Delhi", "Lima", "Airlift"], []], stations=SIX_STATIONS
    )
    assert len([text for text in options(model, state) if "expert" in text]) == 47
    play(model, state, "fly as the expert to Sydney")
    assert options(model, state) == ["choose Lima", "choose Delhi"]
    play(model, state, "choose Delhi")
    assert (place_names(state.pawns)[0], state.actions_left) == ("Sydney", 3)
    assert state.hands[0] == cards(["Lima", "Airlift"])
    assert not [text for text in options(model, state) if "expert" in text]


def test_expert_flies_again_next_turn():
    model, state = position(["Operations Expert", "Medic"], hands=[["Delhi", "Lima"], []], stations=SIX_STATIONS)
    play(model, state, "fly as the expert to Sydney", "choose Delhi")
    end_turn(model, end_turn(model, state))
    assert [text for text in options(model, state) if "expert" in text]


def test_expert_flies_from_stations_only_and_for_city_cards_only():
    model, state = position(["Operations Expert", "Medic"], ["Miami", "Lima"], hands=[["Delhi"], []])
    assert not [text for text in options(model, state) if "expert" in text]
    model, state = position(["Operations Expert", "Medic"], hands=[["Airlift"], []])
    assert not [text for text in options(model, state) if "expert" in text]


# --- Quarantine Specialist ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("city", ["Cairo", "Riyadh"])
def test_specialist_prevents_cubes_and_outbreaks_where_she_is_and_around(city):
    model, state = position(
        ["Scientist", "Quarantine Specialist"], ["Atlanta", "Cairo"], infection_deck=["Osaka", city], cubes={city: 3}
    )
    end_turn(model, state)
    assert (state.outbreaks, count(state, city)) == (0, 3)


def test_specialist_keeps_the_cubes_of_outbreaks_out():
    model, state = position(
        ["Scientist", "Quarantine Specialist"],
        ["Atlanta", "Riyadh"],
        infection_deck=["Osaka", "Istanbul"],
        cubes={"Istanbul": 3, "Cairo": 3},
    )
    end_turn(model, state)
    assert (state.outbreaks, count(state, "Cairo"), count(state, "Baghdad")) == (1, 3, 0)
    assert count(state, "Algiers", BLACK) == 1


def test_specialist_prevents_the_cubes_of_an_epidemic():
    model, state = position(
        ["Scientist", "Quarantine Specialist"], ["Cairo", "Cairo"], deck=[*FILLER, "Epidemic"], cards_drawn=1
    )
    place = state.infection_deck.index(card("Cairo"))
    state.infection_deck[place], state.infection_deck[0] = state.infection_deck[0], card("Cairo")
    end_turn(model, state)
    assert (state.epidemics, count(state, "Cairo")) == (1, 0)


# --- Researcher and Scientist ---------------------------------------------------------------------------------------


def test_researcher_gives_any_city_card_in_either_turn():
    model, state = position(["Researcher", "Medic"], hands=[["Delhi", "Lima", "Airlift"], ["Cairo"]])
    gifts = [text for text in options(model, state) if text.startswith("give")]
    assert gifts == ["give Lima from player 0 to player 1", "give Delhi from player 0 to player 1"]
    model, state = position(["Medic", "Researcher"], hands=[["Cairo"], ["Delhi", "Lima", "Airlift"]])
    gifts = [text for text in options(model, state) if text.startswith("give")]
    assert gifts == ["give Lima from player 1 to player 0", "give Delhi from player 1 to player 0"]


def test_researcher_has_to_be_in_the_same_city():
    model, state = position(["Researcher", "Medic"], ["Atlanta", "Miami"], hands=[["Delhi"], []])
    assert not [text for text in options(model, state) if text.startswith("give")]


def test_scientist_cures_with_four_cards():
    four = ["Paris", "Milan", "Essen", "London"]
    model, state = position(["Scientist", "Medic"], hands=[four, []])
    assert play(model, state, "cure blue").discards == cards(four)
    assert "cure blue" not in options(*position(["Scientist", "Medic"], hands=[four[1:], []]))


# --- events ---------------------------------------------------------------------------------------------------------


def test_airlift_moves_any_pawn_anywhere_and_takes_no_action():
    model, state = position(pawns=["Atlanta", "Cairo"], hands=[["Airlift"], []])
    play(model, state, "play Airlift")
    assert options(model, state) == ["choose player 0", "choose player 1"]
    play(model, state, "choose player 1")
    assert len(options(model, state)) == 47
    play(model, state, "choose Lima")
    assert (place_names(state.pawns), state.actions_left) == (["Atlanta", "Lima"], 4)
    assert (state.hands[0], state.discards) == ((), cards(["Airlift"]))


def test_government_grant_builds_anywhere_without_a_card():
    model, state = position(hands=[["Government Grant"], []])
    play(model, state, "play Government Grant")
    assert len(options(model, state)) == 47
    play(model, state, "choose Lima")
    assert (state.stations >> card("Lima") & 1, state.stations_left, state.actions_left) == (1, 4, 4)


def test_government_grant_moves_a_station_if_all_are_built():
    model, state = position(hands=[["Government Grant"], []], stations=SIX_STATIONS)
    play(model, state, "play Government Grant", "choose Cairo")
    assert len(options(model, state)) == 6
    play(model, state, "choose Tokyo")
    assert (state.stations >> card("Cairo") & 1, state.stations >> card("Tokyo") & 1) == (1, 0)


def test_one_quiet_night_skips_the_next_infections_only():
    model, state = position(hands=[["One Quiet Night"], []])
    end_turn(model, play(model, state, "play One Quiet Night"))
    assert (state.turn_player, state.infection_discards) == (1, ())
    end_turn(model, state)
    assert len(state.infection_discards) == 2


def test_resilient_population_takes_a_discard_out_of_the_game():
    model, state = position(hands=[["Resilient Population"], []], infection_discards=["Paris", "Lima"])
    play(model, state, "play Resilient Population")
    assert options(model, state) == ["choose Paris", "choose Lima"]
    play(model, state, "choose Lima")
    assert (state.infection_discards, state.removed_cities) == (cards(["Paris"]), cards(["Lima"]))


def test_forecast_rearranges_the_top_six_infection_cards():
    top = ["Osaka", "Lima", "Paris", "Cairo", "Delhi", "Milan"]
    model, state = position(hands=[["Forecast"], []], infection_deck=top)
    play(model, state, "play Forecast")
    assert sorted(options(model, state)) == sorted(f"choose {city}" for city in top)
    wanted = ["Delhi", "Paris", "Osaka", "Milan", "Cairo"]
    play(model, state, *[f"choose {city}" for city in wanted])
    assert place_names(state.infection_deck[:-7:-1]) == [*wanted, "Lima"]
    assert state.actions_left == 4
    end_turn(model, state)
    assert place_names(state.infection_discards) == ["Delhi", "Paris"]


def test_forecast_of_a_deck_with_fewer_cards():
    model, state = position(hands=[["Forecast"], []])
    state.infection_deck = list(cards(["Lima", "Paris"]))
    play(model, state, "play Forecast", "choose Paris")
    assert place_names(state.infection_deck) == ["Lima", "Paris"]
    assert not state.sequences


# --- events at any time ---------------------------------------------------------------------------------------------


def test_holders_are_asked_before_cards_are_drawn_and_before_infecting():
    model, state = position(hands=[[], ["One Quiet Night"]])
    end_turn(model, state)
    assert (state.current_player, state.turn_player, len(state.player_deck)) == (1, 0, 6)
    assert options(model, state) == ["pass", "play One Quiet Night"]
    play(model, state, "pass")
    assert (state.current_player, len(state.player_deck), state.infection_discards) == (1, 4, ())
    play(model, state, "play One Quiet Night")
    assert (state.turn_player, state.infection_discards) == (1, ())


def test_holders_are_asked_before_somebody_elses_turn():
    model, state = position(hands=[["Airlift"], []])
    end_turn(model, state)
    play(model, state, "pass", "pass")
    assert (state.turn_player, state.current_player, state.actions_left) == (1, 0, 4)
    play(model, state, "play Airlift", "choose player 1", "choose Lima")
    assert (state.current_player, place_names(state.pawns)[1]) == (1, "Lima")


def test_nobody_without_an_event_is_asked():
    model, state = position(hands=[["Lima"], ["Paris"]])
    assert end_turn(model, state).turn_player == 1
    assert state.current_player == 1


def test_a_holder_can_play_several_events():
    model, state = position(hands=[[], ["Government Grant", "One Quiet Night", "Airlift"]])
    end_turn(model, state)
    play(model, state, "play One Quiet Night", "play Government Grant", "choose Cairo", "pass")
    assert options(model, state) == ["pass", "play Airlift"]
    assert state.quiet


def test_resilient_population_comes_between_infect_and_intensify():
    model, state = position(
        hands=[[], ["Resilient Population", "Airlift"]],
        deck=[*FILLER, "Epidemic", "Seoul"],
        infection_discards=["Paris"],
    )
    bottom = state.infection_deck[0]
    end_turn(model, state)
    play(model, state, "pass")
    assert options(model, state) == ["pass", "play Resilient Population"]
    assert state.infection_discards == (card("Paris"), bottom)
    play(model, state, "play Resilient Population", f"choose {place_names([bottom])[0]}")
    assert state.removed_cities == (bottom,)
    assert state.infection_deck[-1] == card("Paris")
    assert state.infection_discards == ()


def test_events_can_be_played_between_two_epidemics():
    model, state = position(hands=[["Airlift"], []], deck=[*FILLER, "Epidemic", "Epidemic"])
    end_turn(model, state)
    play(model, state, "pass")
    assert (state.epidemics, state.due) == (1, 1)
    assert options(model, state) == ["pass", "play Airlift"]
    play(model, state, "pass")
    assert (state.epidemics, state.due) == (2, 0)


def test_events_can_be_played_instead_of_discarding():
    model, state = position(hands=[[*SEVEN[:5], "One Quiet Night"], []], deck=["Tokyo", "Seoul", "Essen", "Chennai"])
    end_turn(model, state)
    play(model, state, "pass", "play One Quiet Night")
    assert (state.turn_player, len(state.hands[0]), state.infection_discards) == (1, 7, ())


def test_with_ask_always_holders_are_asked_before_each_action_and_after_each_infection():
    model, state = position(hands=[[], ["Airlift"]], ask_always=True)
    play(model, state, "move pawn 0 to Miami")
    assert (state.current_player, state.actions_left) == (1, 3)
    play(model, state, "pass")
    assert state.current_player == 0
    play(model, state, "end the actions", "pass", "pass")
    assert (state.current_player, len(state.infection_discards)) == (1, 1)
