"""What is measured of Love Letter, against positions laid out by hand and the words of random games."""

import pytest
from love_letter_positions import BARON, GUARD, HANDMAID, KING, PRIEST, PRINCE, PRINCESS, position
from play.measuring import random_game, scripted

from tag import Game, Listener, make_agent
from tag.games.cards.love_letter import LoveLetter
from tag.games.cards.love_letter.data import NAMES


def measured(state, *texts):
    return scripted(LoveLetter(), "love_letter", state, *texts)


def test_a_round_in_which_one_is_left():
    found = measured(
        position([GUARD, PRIEST, BARON, KING], HANDMAID, deck=[GUARD, PRINCESS, GUARD, PRINCE]),
        "Guard on player 1 (Priest?)",
        "Baron on player 3",  # the Prince in the own hand is less than the King
        "Guard on player 0 (Prince?)",  # who holds the Handmaid
        "Princess",
    )
    third = [pytest.approx(1 / 3)]
    assert found == {
        "showdowns": [0.0],
        "guard_hits": [0.5],
        "guard_outs": third,
        "baron_outs": third,
        "prince_outs": [0.0],
        "princess_outs": third,
    }


def test_a_princess_discarded_for_a_prince():
    found = measured(position([PRINCE, PRINCESS], GUARD), "Prince on player 1")
    assert (found["prince_outs"], found["princess_outs"], found["showdowns"]) == ([1.0], [0.0], [0.0])
    assert found["guard_hits"] == []


def test_a_baron_who_beats_another():
    assert measured(position([BARON, PRIEST], KING), "Baron on player 1")["baron_outs"] == [1.0]


def test_a_showdown_after_the_last_card():
    found = measured(position([GUARD, KING], HANDMAID, deck=[]), "Guard on player 1 (Priest?)")
    assert found["showdowns"] == [1.0]
    assert found["guard_hits"] == [0.0]
    assert found["guard_outs"] == found["baron_outs"] == found["princess_outs"] == []


def test_a_guard_with_nobody_to_ask_is_no_guess():
    state = position([GUARD, KING], HANDMAID)
    state.protected = 0b10
    assert measured(state, "Guard")["guard_hits"] == []


class Guesses(Listener):
    """Looks at the hands that Guards ask for."""

    def __init__(self):
        self.hits = []

    def on_action_chosen(self, state, player, action, actions, agent):
        text = str(action)
        if text.startswith("Guard on player "):
            named = text[text.index("(") + 1 : -2]
            self.hits.append(NAMES[state.hands[int(text[16])]] == named)


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_random_games_as_their_words_tell(n_players):
    model = LoveLetter()
    state, _log, found = random_game(model, "love_letter", n_players, 2)
    outs = [found[name] for name in ("guard_outs", "baron_outs", "prince_outs", "princess_outs")]
    assert sum(value for (value,) in outs) == pytest.approx(1.0)
    guesses = Guesses()
    Game(model, [make_agent("random") for _seat in range(n_players)], 2, listeners=[guesses]).play()
    assert found["guard_hits"] == [pytest.approx(sum(guesses.hits) / len(guesses.hits))]
    assert 0.0 < found["showdowns"][0] < 1.0
    assert found["showdowns"][0] * state.round == pytest.approx(round(found["showdowns"][0] * state.round))
