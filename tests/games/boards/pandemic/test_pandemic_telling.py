"""Pandemic: what players are told of cards, cubes, outbreaks, epidemics, cures and the end."""

import pytest
from pandemic_positions import BLUE_FIVE, FILLER, play, position
from play.telling import told

from tag import Rng
from tag.table.events import event_texts


def texts(model, state, *actions):
    """Return the sentences about the last of these actions."""
    play(model, state, *actions[:-1])
    return told(model, state, actions[-1], 0)


def test_told_of_the_set_up():
    model, _state = position(["Medic", "Scientist"])
    state = model.setup(2, Rng(5))
    state.recording = True
    model.announce_setup(state)
    found = event_texts(state.announced, 1)
    assert found[0] == "player 0 is the Medic"
    assert found[1].startswith("player 0 is dealt ")
    assert [sum(f"gets {cubes} " in text for text in found) for cubes in (1, 2, 3)] == [3, 3, 3]
    assert found[-1] == f"player {state.first_player} begins: the most populous of the cities in all hands"


def test_told_which_cards_are_drawn_and_which_cities_infected():
    model, state = position(infection_deck=["Paris", "Milan"])
    assert texts(model, state, "end the actions") == [
        "player 0 draws Taipei, Lagos",
        "the infection card Milan is drawn",
        "Milan gets 1 blue cube",
        "the infection card Paris is drawn",
        "Paris gets 1 blue cube",
    ]


def test_told_of_chain_reactions():
    cubes = {"Milan": 3, "Istanbul": 0, ("Istanbul", 0): 3}
    model, state = position(infection_deck=["Lima", "Milan"], cubes=cubes)
    found = texts(model, state, "end the actions")
    assert found.count("the blue disease breaks out in Milan") == 1
    assert found.count("the blue disease breaks out in Istanbul: a chain reaction") == 1
    assert "Paris gets 1 blue cube" in found
    assert "Cairo gets 1 blue cube" in found


def test_told_why_a_city_gets_no_cube():
    model, state = position(["Quarantine Specialist", "Medic"], infection_deck=["Lima", "Chicago"])
    assert "Chicago gets no blue cube: a role protects it" in texts(model, state, "end the actions")
    model, state = position(infection_deck=["Lima", "Chicago"], cured=[0])
    state.eradicated = 1
    assert "Chicago gets no blue cube: the disease is eradicated" in texts(model, state, "end the actions")


def test_told_of_an_epidemic():
    model, state = position(deck=[*FILLER, "Epidemic"], infection_discards=["Lima"])
    found = texts(model, state, "end the actions")
    assert found[0] == "player 0 draws Epidemic, Taipei"
    assert found[1].startswith("epidemic in ")
    assert found[1].endswith(", the infection rate is 2")
    assert "the infection discards are shuffled and put on top of the infection deck" in found


def test_told_of_a_cure_and_of_the_disease_that_is_eradicated_with_it():
    model, state = position(["Medic", "Scientist"], hands=[BLUE_FIVE, ()], cubes={"Atlanta": 2})
    cured = texts(model, state, "cure blue")
    assert sorted(cured[:5]) == sorted([f"player 0 discards {city}" for city in BLUE_FIVE])
    assert cured[5:] == [
        "the blue disease is cured",
        "2 blue cubes leave Atlanta",
        "the blue disease is eradicated",
    ]


@pytest.mark.parametrize(
    ("changes", "actions", "text"),
    [
        ({"hands": [["Atlanta"], ()], "stations": ()}, ["build a station"], "a research station is built in Atlanta"),
        ({"hands": [["Airlift"], ()]}, ["play Airlift"], None),
        (
            {"hands": [["One Quiet Night"], ()]},
            ["play One Quiet Night", "end the actions"],
            "no city is infected in this quiet night",
        ),
        ({"cubes": {"Atlanta": 3}}, ["treat blue"], "1 blue cube leaves Atlanta"),
        ({"deck": ["Lima"]}, ["end the actions"], "there are too few player cards to draw"),
        (
            {"hands": [["Forecast"], ()], "infection_deck": ["Lima", "Paris"], "forecast_cards": 3},
            ["play Forecast"],
            "Paris, Lima",
        ),
        (
            {"hands": [["Resilient Population"], ()], "infection_discards": ["Lima"]},
            ["play Resilient Population", "choose Lima"],
            "the infection card Lima leaves the game",
        ),
    ],
)
def test_told_of_stations_events_cubes_and_the_end(changes, actions, text):
    model, state = position(**changes)
    found = texts(model, state, *actions)
    assert any(text in one for one in found) if text else found == []
