"""What is measured of Pandemic, against positions laid out by hand and the events of random games."""

import pytest
from pandemic_positions import BLACK, RED, YELLOW, position
from play.measuring import random_game, scripted

from tag.games.boards.pandemic import Pandemic, PandemicParameters

LOST_BY = {"outbreaks": "lost_by_outbreaks", "out of cubes": "lost_by_cubes", "out of cards": "lost_by_cards"}


def test_a_game_that_is_won():
    model, state = position(
        hands=[["Chicago", "Montreal", "London"], ["Paris"]], cured=(YELLOW, BLACK, RED), roles=("Scientist", "Medic")
    )
    state.pawns = [state.pawns[0]] * 2
    state.hands[1] = (int(state.pawns[0]),)  # Atlanta, a blue card, where both are
    found = scripted(model, "pandemic", state, "give Atlanta from player 1 to player 0", "cure blue")
    assert state.is_terminal
    assert found == {
        "cures": [4.0],
        "outbreaks": [0.0],
        "cards_shared": [1.0],
        "lost_by_outbreaks": [0.0],
        "lost_by_cubes": [0.0],
        "lost_by_cards": [0.0],
    }


@pytest.mark.parametrize("ending", LOST_BY)
def test_games_that_are_lost(ending):
    model, state = position(
        cubes={"Delhi": 3},
        infection_deck=["Delhi"],
        deck=["Lima"] if ending == "out of cards" else ["Lima", "Lagos", "Osaka"],
    )
    if ending == "outbreaks":
        state.outbreaks = 7
    if ending == "out of cubes":
        state.supply[BLACK] = 0
    found = scripted(model, "pandemic", state, "end the actions")
    assert state.is_terminal
    assert {name: found[name] for name in LOST_BY.values()} == {
        name: [float(name == LOST_BY[ending])] for name in LOST_BY.values()
    }
    assert found["outbreaks"] == [8.0 if ending == "outbreaks" else 1.0 if ending == "out of cubes" else 0.0]


@pytest.mark.parametrize("seed", range(8))
def test_random_games_as_their_events_tell(seed):
    model = Pandemic(PandemicParameters(cards_for_cure=2))
    _state, log, found = random_game(model, "pandemic", 2 + seed % 3, seed)
    names = [event.name for event in log.events]
    assert found["cures"] == [float(names.count("cure"))]
    assert found["outbreaks"] == [float(names.count("outbreak"))]
    assert found["cards_shared"] == [float(sum(text.startswith("give ") for _player, text in log.actions))]
    assert {name for name in LOST_BY.values() if found[name] == [1.0]} == {LOST_BY[names[-1]]}
