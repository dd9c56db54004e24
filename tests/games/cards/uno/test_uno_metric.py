"""What is measured of Uno, against positions laid out by hand and the words of random games."""

import pytest
from play.measuring import random_game, scripted
from play.uno_positions import position

from tag.games.cards.uno import Uno, UnoParameters


def measured(state, *texts):
    return scripted(Uno(), "uno", state, *texts)


def test_a_challenge_that_is_won():
    found = measured(
        position(["f r1 b2", "r2 g3", "y5 y6"]), "wild draw four (blue)", "challenge", "draw", "keep the card drawn"
    )
    assert found == {
        "round_turns": [],
        "round_points": [],
        "blocked": [],
        "draws": [0.5],
        "challenged": [1.0],
        "challenges_won": [1.0],
    }


def test_a_challenge_that_is_lost_and_one_that_is_not_made():
    found = measured(
        position(["f b1 b2", "r2 g3 y1", "y5 f"]),
        "wild draw four (blue)",
        "challenge",  # player 1 draws six cards and loses the turn
        "wild draw four (yellow)",
    )
    assert found["challenges_won"] == [0.0]
    assert found["challenged"] == [1.0]
    assert found["draws"] == [0.0]
    found = measured(
        position(["f b1 b2", "r2 g3 y1", "f y5 y6"]),
        "wild draw four (blue)",
        "accept",
        "wild draw four (red)",
        "challenge",
    )
    assert found["challenged"] == [0.5]
    assert found["challenges_won"] == [0.0]


def test_a_round_that_is_won():
    found = measured(
        position(["r1 f", "r2 r3", "y5 ys"], deck="y9 " * 9, player=1),
        "red 2",
        "draw",
        "keep the card drawn",
        "red 1",
        "red 3",
    )
    assert found["round_turns"] == [4.0]
    assert found["round_points"] == [50.0 + 5.0 + 20.0 + 9.0]
    assert found["blocked"] == [0.0]


def test_a_round_that_nobody_wins():
    found = measured(position(["r1 f", "g2 g3"], deck=""), "draw", "draw")
    assert found["round_turns"] == [2.0]
    assert found["round_points"] == [1.0 + 50.0 + 2.0 + 3.0]
    assert found["blocked"] == [1.0]


@pytest.mark.parametrize("n_players", [2, 4, 7])
def test_random_games_as_their_words_tell(n_players):
    model = Uno(UnoParameters(max_turns=300))  # in longer rounds there may be no card to draw
    state, log, found = random_game(model, "uno", n_players, 3)
    texts = [text for _player, text in log.actions]
    keeps, draws = texts.count("keep the card drawn"), texts.count("draw")
    others = sum(text in ("accept", "challenge") or text.startswith("name ") for text in texts)
    turns = len(texts) - draws - others  # every card drawn is then kept or played
    assert keeps < turns
    assert sum(found["round_turns"]) == turns
    assert found["draws"] == [pytest.approx(draws / turns)]
    challenges, accepts = texts.count("challenge"), texts.count("accept")
    assert found["challenged"] == [pytest.approx(challenges / (challenges + accepts))]
    assert len(found["round_turns"]) == len(found["round_points"]) == state.round
    ends = [event for event in log.events if event.name in ("round won", "round blocked")]
    blocked = [points for points, event in zip(found["round_points"], ends, strict=True) if "blocked" in event.name]
    assert found["blocked"] == [pytest.approx(len(blocked) / state.round)]
    scores = sum(state.score(player) for player in range(n_players))
    assert sum(found["round_points"]) - sum(blocked) <= scores <= sum(found["round_points"])
