"""What is measured of Colt Express, against positions laid out by hand and the words of random games."""

import pytest
from colt_express_positions import MOVE, PLAIN, PUNCH, ROB, SHOOT, inside, stealing
from play.measuring import random_game, scripted

from tag.engine.results import WIN
from tag.games.boards.colt_express import ColtExpress

#: The first purse that is not in anybody's hand at the start of a game of three; it is worth 300.
PURSE = 1 << 3


def measured(state, *texts):
    return scripted(PLAIN, "colt_express", state, *texts)


def test_shots_punches_and_loot():
    state = stealing(
        [inside(0), inside(1), inside(1)], (0, SHOOT), (1, PUNCH), (0, ROB), (1, ROB), floor={inside(0): PURSE}
    )
    found = measured(state, "fire at bandit 1", "punch bandit 2 to car 2, who loses loot 2")
    assert (found["shots"], found["punches"], found["neutral_bullets"]) == ([1.0], [1.0], [0.0])
    assert found["loot_taken"] == [pytest.approx(500 / 1050)]
    assert measured(state, "take loot 3")["loot_taken"] == [pytest.approx(800 / 1050)]


def test_the_marshal_gives_neutral_bullets():
    state = stealing([inside(2), inside(0), inside(0)], (0, MOVE))
    assert measured(state, "move to car 3")["neutral_bullets"] == [1.0]


@pytest.mark.parametrize(("shots", "wins"), [((2, 0, 1), 1.0), ((0, 0, 0), 1.0), ((0, 2, 2), 0.0)])
def test_gunslingers_who_win(shots, wins):
    state = stealing([inside(0), inside(1), inside(1)], (0, MOVE))
    state.round = PLAIN.max_rounds - 1
    state.shots = shots
    state.money = (5000, 0, 0)
    found = measured(state, "move to car 1")
    assert state.results[0] == WIN
    assert found["gunslinger_wins"] == [wins]


@pytest.mark.parametrize("n_players", [2, 3, 6])
def test_random_games_as_their_words_tell(n_players):
    state, log, found = random_game(ColtExpress(), "colt_express", n_players, 5)
    texts = [text for _player, text in log.actions]
    planned = sum(text.startswith(("play ", "cover with")) for text in texts)
    shots = sum(text.startswith("fire at") for text in texts)
    punches = sum(text.startswith("punch") for text in texts)
    others = sum(text.startswith(("move ", "change floor", "take loot")) for text in texts)
    assert state.title != "Pickpocketing"  # in which loot is taken without a card
    assert found["idle_cards"] == [pytest.approx(1 - (shots + punches + others) / planned)]
    assert (found["shots"], found["punches"]) == ([float(shots)], [float(punches)])
    bullets = sum(state.wounds)
    assert found["neutral_bullets"] == [float(bullets - shots)]
    assert 0.0 < found["loot_taken"][0] < 1.0
