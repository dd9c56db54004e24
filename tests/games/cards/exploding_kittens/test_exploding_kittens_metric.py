"""What is measured of Exploding Kittens, against positions laid out by hand and the words of random games."""

from itertools import groupby

import pytest
from exploding_kittens_positions import DEFUSE, KITTEN, MELON, NOPE, SKIP, TACO, position
from play.measuring import random_game, scripted

from tag.engine.state import DO_NOTHING
from tag.games.cards.exploding_kittens import ExplodingKittens

PASS = str(DO_NOTHING)
#: How plays begin that can be noped; what three of a kind are to take is the play.
PLAYS = ("Attack", "Skip", "Favor", "Shuffle", "See the Future", "pair", "demand", "five different")


def measured(state, *texts):
    return scripted(ExplodingKittens(), "exploding_kittens", state, *texts)


def test_a_nope_that_is_noped():
    found = measured(position([[SKIP], [NOPE], [NOPE]]), "Skip", "Nope", "Nope", PASS, PASS)
    assert (found["noped"], found["nopes_noped"]) == ([0.0], [0.5])


def test_a_play_that_is_noped():
    found = measured(position([[SKIP, SKIP], [NOPE], []]), "Skip", "Nope", PASS, PASS, "Skip", PASS, PASS)
    assert (found["noped"], found["nopes_noped"]) == ([0.5], [0.0])


def test_a_window_that_is_open_does_not_count():
    found = measured(position([[SKIP], [NOPE], [NOPE]]), "Skip", "Nope")
    assert (found["noped"], found["nopes_noped"]) == ([], [])


def test_kittens_and_players():
    state = position([[DEFUSE], [], [DEFUSE], [TACO]], deck=[KITTEN, KITTEN, KITTEN, MELON, TACO])
    found = measured(
        state,
        "draw",
        "defuse, and put the kitten back under 4 cards",
        "draw",  # player 1 explodes
        "draw",
        "explode",
        "draw",  # player 3 takes the Cattermelon
        "draw",
        "draw",  # player 3 explodes
    )
    assert state.is_terminal
    assert found["kittens"] == [4.0]
    assert found["defused"] == [0.25]
    assert found["out_at"] == [2 / 6, 3 / 6]
    assert found["pile_left"] == [0.0]


@pytest.mark.parametrize("n_players", [2, 3, 5])
@pytest.mark.parametrize("seed", range(4))
def test_random_games_as_their_words_tell(n_players, seed):
    state, log, found = random_game(ExplodingKittens(), "exploding_kittens", n_players, seed)
    texts = [text for _player, text in log.actions if text != PASS]
    defused = sum(text.startswith("defuse") for text in texts)
    assert found["kittens"] == [float(defused + n_players - 1)]
    assert found["defused"] == [pytest.approx(defused / (defused + n_players - 1))]
    assert len(found["out_at"]) == n_players - 2
    assert found["out_at"] == sorted(found["out_at"])
    assert found["pile_left"] == [float(len(state.deck))]
    chains = [len(list(chain)) for text, chain in groupby(texts) if text == "Nope"]
    plays = sum(text.startswith(PLAYS) for text in texts)
    assert found["noped"] == [pytest.approx(sum(chain % 2 for chain in chains) / plays)]
    expected = [pytest.approx(sum(chain - 1 for chain in chains) / sum(chains))] if chains else []
    assert found["nopes_noped"] == expected
