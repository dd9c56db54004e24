"""What is measured of Virus!, against positions laid out by hand and the words of random games."""

import pytest
from play.measuring import random_game, scripted
from virus_positions import (
    BLUE,
    CLEAN,
    GREEN,
    LATEX_GLOVE,
    MEDICINE,
    RED,
    SPREADING,
    TRANSPLANT,
    VIRUS,
    YELLOW,
    position,
    sick,
    vaccinated,
)

from tag.games.cards.virus import Virus

pytestmark = pytest.mark.flow


def measured(state, *texts):
    return scripted(Virus(), "virus", state, *texts)


def test_organs_that_are_destroyed_and_immunised():
    state = position(
        [VIRUS + RED],
        {},
        {RED: sick(RED), BLUE: vaccinated(BLUE), GREEN: CLEAN},
        hands=[[MEDICINE + BLUE, MEDICINE + GREEN]],
    )
    found = measured(state, "red virus on heart of player 1", "blue medicine on brain")
    assert (found["destroyed"], found["immunised"], found["margin"]) == ([1.0], [1.0], [2.0])
    assert (found["discarding"], found["treatments"]) == ([0.0], [0.0])


def test_infecting_and_vaccinating_is_neither():
    state = position([VIRUS + RED], {}, {RED: CLEAN, GREEN: CLEAN}, hands=[[MEDICINE + GREEN]])
    found = measured(state, "red virus on heart of player 1", "green medicine on stomach")
    assert (found["destroyed"], found["immunised"], found["margin"]) == ([0.0], [0.0], [1.0])


def test_what_turns_are_spent_on():
    state = position(
        [SPREADING],
        {RED: sick(RED)},
        {RED: CLEAN, YELLOW: CLEAN},
        {RED: CLEAN, YELLOW: CLEAN},
        hands=[[LATEX_GLOVE, TRANSPLANT], [VIRUS + BLUE]],
    )
    found = measured(
        state,
        "spreading",
        "virus on heart to heart of player 1",  # the same turn
        "discard transplant",
        "discard blue virus",
    )
    assert found["treatments"] == [pytest.approx(1 / 3)]
    assert found["discarding"] == [pytest.approx(2 / 3)]


def test_who_has_no_cards_discards_nothing():
    state = position([LATEX_GLOVE], {}, {}, hands=[[VIRUS + BLUE]])
    found = measured(state, "latex glove", "draw a new hand")
    assert (found["treatments"], found["discarding"]) == ([0.5], [0.0])


@pytest.mark.parametrize("n_players", [2, 4, 6])
def test_random_games_as_their_words_tell(n_players):
    state, log, found = random_game(Virus(), "virus", n_players, 6)
    texts = [text for _player, text in log.actions]
    turns = sum(not text.startswith(("virus on", "keep virus")) for text in texts)
    assert found["discarding"] == [pytest.approx(sum(text.startswith("discard") for text in texts) / turns)]
    treatments = ("transplant", "steal", "spreading", "latex", "medical")
    assert found["treatments"] == [pytest.approx(sum(text.startswith(treatments) for text in texts) / turns)]
    names = [event.name for event in log.events]
    assert found["destroyed"] == [float(names.count("organ destroyed"))]
    assert found["immunised"] == [float(names.count("organ immunised"))]
    best = sorted((state.score(player) for player in range(n_players)), reverse=True)
    assert found["margin"] == [best[0] - best[1]]
