"""Pandemic against the printed rules of 2013: infections, epidemics, the ends of the game, and the parameters."""

import pytest
from pandemic_positions import (
    BLACK,
    BLUE,
    BLUE_FIVE,
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
from play.valuing import heuristic_of

from tag.components import Counter
from tag.engine.results import LOSE, WIN
from tag.engine.rng import Rng
from tag.engine.snapshot import snapshot, state_hash
from tag.errors import ParameterError
from tag.games.boards.pandemic import Pandemic, PandemicParameters
from tag.games.boards.pandemic.data import CITY_NAMES, COLOUR_NAMES, COLOURS, EPIDEMIC

# --- infections and outbreaks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epidemics", "rate"), list(enumerate([2, 2, 2, 3, 3, 4, 4])))
def test_infection_rate(epidemics, rate):
    model, state = position(epidemics=6)
    state.epidemics = epidemics
    end_turn(model, state)
    assert len(state.infection_discards) == rate


def test_infection_places_one_cube_from_the_top_of_the_deck():
    model, state = position(infection_deck=["Osaka", "Lima", "Paris"])
    end_turn(model, state)
    assert [count(state, city) for city in ("Paris", "Lima", "Osaka")] == [1, 1, 0]
    assert place_names(state.infection_discards) == ["Paris", "Lima"]


def test_eradicated_disease_does_not_come_back():
    model, state = position(infection_deck=["Osaka", "Paris"], cured=(BLUE,))
    state.eradicated = 1 << BLUE
    end_turn(model, state)
    assert (count(state, "Paris"), count(state, "Osaka")) == (0, 1)


def test_cured_disease_goes_on_spreading():
    model, state = position(infection_deck=["Osaka", "Paris"], cured=(BLUE,))
    assert count(end_turn(model, state), "Paris") == 1


def test_fourth_cube_breaks_out_into_all_neighbours():
    model, state = position(infection_deck=["Osaka", "Cairo"], cubes={"Cairo": 3})
    end_turn(model, state)
    assert (state.outbreaks, count(state, "Cairo")) == (1, 3)
    near = ["Algiers", "Istanbul", "Baghdad", "Riyadh", "Khartoum"]
    assert [count(state, city, BLACK) for city in near] == [1] * 5


def test_cubes_of_another_colour_do_not_count():
    model, state = position(infection_deck=["Osaka", "Cairo"], cubes={("Cairo", RED): 3})
    end_turn(model, state)
    assert (state.outbreaks, count(state, "Cairo", BLACK), count(state, "Cairo", RED)) == (0, 1, 3)


def test_chain_reaction_breaks_out_each_city_once():
    model, state = position(infection_deck=["Osaka", "Riyadh"], cubes={"Riyadh": 3, "Baghdad": 3, "Karachi": 2})
    end_turn(model, state)
    # Karachi gets its third cube from Riyadh and breaks out by the one from Baghdad; nobody breaks out twice
    assert state.outbreaks == 3
    assert [count(state, city) for city in ("Riyadh", "Baghdad", "Karachi")] == [3, 3, 3]
    assert count(state, "Tehran") == 2
    assert count(state, "Delhi") == count(state, "Mumbai") == count(state, "Istanbul") == 1
    assert count(state, "Cairo") == 2


def test_city_can_break_out_again_by_the_next_card():
    model, state = position(infection_deck=["Lima", "Santiago"], cubes={"Lima": 3, "Santiago": 3})
    end_turn(model, state)
    assert state.outbreaks == 4


# --- epidemics ------------------------------------------------------------------------------------------------------


def epidemic(**kwargs):
    """Return a position in which the player draws an epidemic."""
    return position(deck=[*FILLER[:3], "Epidemic", "Seoul"], **kwargs)


def test_epidemic_raises_the_rate_infects_the_bottom_card_and_intensifies():
    model, state = epidemic(infection_discards=["Paris", "Milan"])
    state.epidemics = 2
    bottom = state.infection_deck[0]
    end_turn(model, state)
    assert (state.epidemics, state.infection_rate()) == (3, 3)
    assert state.hands[0] == cards(["Seoul"])
    # the three lie on top, and are drawn by the rate of three
    assert set(state.infection_discards) == {card("Paris"), card("Milan"), bottom}


def test_epidemic_places_three_cubes_in_a_clean_city():
    model, state = epidemic()
    bottom = state.infection_deck[0]
    state.infection_discards = cards(["Paris", "Milan"])
    state.infection_deck = [city for city in state.infection_deck if city not in state.infection_discards]
    found = set()
    for seed in range(10):
        copy = state.copy()
        end_turn(model, copy, seed=seed)
        found.add(copy.count(bottom, COLOURS[bottom]))
    assert found == {3}


def test_epidemic_in_a_city_with_a_cube_fills_it_and_breaks_out_once():
    model, state = epidemic(cubes={"Santiago": 1}, infection_discards=["Paris", "Milan", "Osaka"])
    place = state.infection_deck.index(card("Santiago"))
    state.infection_deck[place], state.infection_deck[0] = state.infection_deck[0], card("Santiago")
    seen = set()
    for seed in range(20):
        copy = state.copy()
        end_turn(model, copy, seed=seed)
        if card("Santiago") in copy.infection_deck:
            seen.add((copy.outbreaks, count(copy, "Santiago"), count(copy, "Lima")))
    assert seen == {(1, 3, 1)}


def test_two_epidemics_are_resolved_one_after_the_other():
    model, state = position(deck=[*FILLER[:3], "Epidemic", "Epidemic"], infection_discards=["Paris"])
    bottom = state.infection_deck[:2]
    end_turn(model, state)
    assert state.epidemics == 2
    # the second one's card comes from the bottom again and is the only card shuffled back the second time
    assert state.infection_discards[0] == bottom[1]


def test_epidemics_go_out_of_the_game():
    model, state = epidemic()
    end_turn(model, state)
    assert EPIDEMIC not in state.discards
    assert len(state.player_deck) == 3


# --- the ends of the game -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("last", [BLUE, YELLOW, BLACK, RED])
def test_fourth_cure_wins_at_once_for_all(last):
    hand = [name for name, colour in zip(CITY_NAMES, COLOURS, strict=True) if colour == last][:4]
    cured = [colour for colour in (BLUE, YELLOW, BLACK, RED) if colour != last]
    model, state = position(hands=[hand, []], cured=cured, cubes={hand[0]: 3})
    play(model, state, f"cure {COLOUR_NAMES[last]}")
    assert state.is_terminal
    assert list(state.results) == [WIN, WIN]
    assert [state.score(0), state.ordinal(0), state.ordinal(1), heuristic_of(state, 0)] == [4, 1, 1, 1]


@pytest.mark.parametrize("left", [BLUE, YELLOW, BLACK, RED])
def test_three_cures_do_not_win(left):
    hand = BLUE_FIVE[:4] if left != BLUE else ["Lima", "Bogotá", "Lagos", "Miami"]
    made = BLUE if left != BLUE else YELLOW
    cured = [colour for colour in (BLUE, YELLOW, BLACK, RED) if colour not in (left, made)]
    model, state = position(hands=[hand, []], cured=cured)
    assert not play(model, state, f"cure {COLOUR_NAMES[made]}").is_terminal
    assert state.score(0) == 3


def test_fourth_cure_wins_with_cards_to_choose():
    model, state = position(hands=[BLUE_FIVE, []], cured=(YELLOW, BLACK, RED))
    play(model, state, "cure blue", "choose Paris")
    assert list(state.results) == [WIN, WIN]


def test_cure_of_the_last_disease_wins_even_with_no_card_left():
    model, state = position(hands=[BLUE_FIVE[:4], []], cured=(YELLOW, BLACK, RED), deck=[])
    assert list(play(model, state, "cure blue").results) == [WIN, WIN]


def test_eighth_outbreak_loses():
    model, state = position(infection_deck=["Osaka", "Lima"], cubes={"Lima": 3})
    state.outbreaks = 7
    end_turn(model, state)
    assert list(state.results) == [LOSE, LOSE]
    assert "outbreaks" in state.text(0)


def test_seventh_outbreak_does_not():
    model, state = position(infection_deck=["Osaka", "Lima"], cubes={"Lima": 3})
    state.outbreaks = 6
    assert not end_turn(model, state).is_terminal


@pytest.mark.parametrize(("colour", "city"), [(BLUE, "Paris"), (YELLOW, "Lima"), (BLACK, "Cairo"), (RED, "Osaka")])
def test_cube_that_is_not_there_loses(colour, city):
    model, state = position(infection_deck=[city])
    state.supply[colour] = 0
    end_turn(model, state)
    assert list(state.results) == [LOSE, LOSE]
    assert "out of cubes" in state.text(0)


def test_last_cube_can_be_placed():
    model, state = position(infection_deck=["Osaka", "Lima"])
    state.supply[YELLOW] = 1
    end_turn(model, state)
    assert (state.is_terminal, state.supply[YELLOW]) == (False, 0)


def test_cubes_can_run_out_in_an_outbreak_and_in_an_epidemic():
    model, state = position(infection_deck=["Osaka", "Lima"], cubes={"Lima": 3})
    state.supply[YELLOW] = 2
    assert "out of cubes" in end_turn(model, state).text(0)
    model, state = epidemic(infection_discards=["Paris"])
    state.supply[COLOURS[state.infection_deck[0]]] = 2
    assert "out of cubes" in end_turn(model, state).text(0)


@pytest.mark.parametrize(("left", "over"), [(0, True), (1, True), (2, False)])
def test_deck_that_is_too_small_to_draw_from_loses(left, over):
    model, state = position(deck=FILLER[:left])
    end_turn(model, state)
    assert state.is_terminal is over
    assert ("out of cards" in state.text(0)) is over


def test_game_that_is_broken_off_is_lost():
    _model, state = position()
    state.end_by_score()
    assert list(state.results) == [LOSE, LOSE]


# --- variants: rules of TAG's version of 2022 -------------------------------------------------------------------------


def test_outbreaks_may_reach_cities_with_pawns_only():
    model, state = position(
        pawns=["Algiers", "Istanbul"],
        infection_deck=["Osaka", "Cairo"],
        cubes={"Cairo": 3, "Istanbul": 3, ("Baghdad", BLACK): 3},
        outbreaks_to_pawns=True,
    )
    end_turn(model, state)
    # Cairo's outbreak reaches Algiers and Istanbul, which breaks out in its turn and reaches Algiers again
    assert state.outbreaks == 2
    assert [count(state, city, BLACK) for city in ("Algiers", "Riyadh", "Khartoum", "Baghdad")] == [2, 0, 0, 3]


def test_outbreak_without_a_pawn_near_counts_and_spreads_nothing():
    model, state = position(infection_deck=["Osaka", "Cairo"], cubes={"Cairo": 3}, outbreaks_to_pawns=True)
    end_turn(model, state)
    assert (state.outbreaks, count(state, "Algiers", BLACK), state.supply[BLACK]) == (1, 0, 21)


def test_quarantine_keeps_outbreaks_out_of_cities_with_pawns_too():
    model, state = position(
        ["Quarantine Specialist", "Medic"],
        pawns=["Madrid", "Algiers"],
        infection_deck=["Osaka", "Cairo"],
        cubes={"Cairo": 3},
        outbreaks_to_pawns=True,
    )
    end_turn(model, state)
    assert (state.outbreaks, count(state, "Algiers", BLACK)) == (1, 0)


def test_a_cure_may_take_all_cards_of_its_colour():
    model, state = position(hands=[["Lima", *BLUE_FIVE], []], cure_takes_all=True)
    play(model, state, "cure blue")
    assert (state.cured, state.hands[0], len(state.discards)) == (1 << BLUE, cards(["Lima"]), 5)
    assert not state.sequences


def test_cubes_may_be_endless():
    model, state = position(infection_deck=["Osaka", "Lima"], cubes={"Lima": 3}, endless_cubes=True)
    state.supply[YELLOW] = 0
    end_turn(model, state)
    assert not state.is_terminal
    assert (state.supply[YELLOW], count(state, "Bogotá"), count(state, "Mexico City", YELLOW)) == (-3, 1, 1)
    assert "yellow -3" in state.text(0)
    (counter,) = (part for part in state.components() if part.name == "yellow supply")
    assert isinstance(counter, Counter)
    assert counter.value == -3


@pytest.mark.parametrize(("left", "over"), [(1, True), (2, True), (3, False)])
def test_the_last_card_drawn_may_lose(left, over):
    model, state = position(deck=FILLER[:left], empty_deck_loses=True)
    end_turn(model, state)
    assert state.is_terminal is over


@pytest.mark.parametrize("variant", ["outbreaks_to_pawns", "cure_takes_all", "endless_cubes", "empty_deck_loses"])
def test_hashes_know_variants_only_where_they_are_on(variant):
    """So recorded games, which are older than the variants, keep their hashes."""
    _model, state = position()
    _model, varied = position(**{variant: True})
    assert variant not in repr(snapshot(state))
    assert f"('{variant}', True)" in repr(snapshot(varied))
    assert state_hash(state) != state_hash(varied)


# --- parameters -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        {"role_0": "doctor"},
        {"role_0": "medic", "role_2": "medic"},
        {"epidemics": 7},
        {"cards_for_cure": 7, "hand_limit": 6},
        {"cards_for_cure": 2, "scientist_saves": 2},
        {"cubes_per_city": 2},
        {"hand_2": 8},
    ],
)
def test_settings_that_cannot_be_played_are_refused_with_a_sentence(settings):
    with pytest.raises(ParameterError, match=r"cannot be|did you mean|there are|one of|nearest"):
        PandemicParameters(**settings)


@pytest.mark.parametrize("needed", [2, 3, 4, 5])
def test_cards_for_a_cure_can_be_changed(needed):
    hand = BLUE_FIVE[:needed]
    model, state = position(["Medic", "Researcher"], hands=[hand, []], cards_for_cure=needed)
    assert play(model, state, "cure blue").cured
    assert "cure blue" not in options(*position(["Medic", "Researcher"], hands=[hand[1:], []], cards_for_cure=needed))


def test_random_settings_are_played_to_the_end():
    rng = Rng(11)
    for _game in range(25):
        chosen = PandemicParameters.sample(rng)
        model = Pandemic(chosen)
        state = model.setup(2 + rng.below(3), rng)
        while not state.is_terminal:
            model.next(state, rng.choice(model.available_actions(state)), rng)
        assert set(state.results) <= {WIN, LOSE}
