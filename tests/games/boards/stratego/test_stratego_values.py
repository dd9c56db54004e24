"""The heuristic, features, metric, bots and table of Stratego."""

import pytest
from play.measuring import random_game, scripted
from play.telling import told
from stratego_positions import position, square

from tag import Game, Rng, make_agent, make_game
from tag.games.boards.stratego.data import PLAY
from tag.games.boards.stratego.values import distance

DRAWING = """
-F -B  .  .  .  .
 .  .  .  .  .  .
 . ~~  .  . ~~  .
 . ~~  .  . ~~  .
 .  .  .  .  .  .
 .  .  .  . +B +F
"""


def drawn(**pieces):
    """Return the drawing with pieces on squares."""
    rows = [line.split() for line in DRAWING.strip().splitlines()]
    for name, token in pieces.items():
        rows[6 - int(name[1])]["abcdef".index(name[0])] = token
    return "\n".join([" ".join(row) for row in rows])


def value(player=0, **pieces):
    model, state = position(drawn(**pieces))
    return model.heuristic().value(state, player)


def choice(bot, drawing, player=0):
    """Return the move of a bot as text."""
    model, state = position(drawing, player)
    agent = make_agent(f"stratego:{bot}")
    actions = model.available_actions(state)
    agent.player = player
    return str(agent.act(state.observation(player, Rng(1)), actions))


def test_positions_that_mirror_each_other_are_even():
    assert value(c2="+5", d5="-5") == pytest.approx(0.0)
    assert value(0, c2="+5") == pytest.approx(-value(1, c2="+5"))


def test_more_and_better_pieces_are_worth_more():
    assert value(c2="+9", d5="-5") > value(c2="+6", d5="-5") > 0.0


def test_hidden_pieces_and_pieces_far_ahead_are_worth_more():
    assert value(c2="+9", d5="-5") > value(c2="+9b", d5="-5")
    assert value(c2="+9m", d5="-5") < value(c2="+9", d5="-5")
    assert value(c4="+9", f5="-5") > value(c2="+9", f5="-5")


def test_a_spy_is_worth_more_beside_an_enemy_marshal():
    with_marshal = value(c2="+S", d5="-M") - value(d5="-M")
    with_general = value(c2="+S", d5="-9") - value(d5="-9")
    assert with_marshal > with_general


def test_distances_go_by_rows_and_columns():
    assert distance(square("a1"), square("c4")) == 5


def test_features_tell_what_is_known_only():
    model = make_game("stratego:variant=small")
    rng = Rng(4)
    state = model.setup(2, rng)
    features = model.features()
    while not state.is_terminal:
        for viewer in range(2):
            assert features.values(state, viewer) == features.values(state.observation(viewer, rng), viewer)
        model.next(state, rng.choice(model.available_actions(state)), rng)
    named = features.named(state, 0)
    assert named["own_hidden_still"] == 0.0
    assert named["my_turn"] + features.named(state, 1)["my_turn"] == 1.0


@pytest.mark.parametrize("bot", ["expected_fights", "rush"])
def test_bots_take_what_they_know_to_be_weaker(bot):
    assert choice(bot, drawn(c3="+9", c4="-5b", a1="+4")) == "c3 to c4"


def test_expected_fights_leaves_stronger_pieces_alone():
    assert choice("expected_fights", drawn(c3="+5", c4="-9b", a1="+4")) != "c3 to c4"


def test_expected_fights_steps_away_from_stronger_pieces():
    assert choice("expected_fights", drawn(c3="+9", c4="-Mb", b1="+4")).startswith("c3 to")


def test_expected_fights_counts_what_is_hidden():
    # what moves is the last hidden mover, a scout: even a miner may attack it
    assert choice("expected_fights", drawn(c3="+3", c4="-2m", a1="+4")) == "c3 to c4"


@pytest.mark.parametrize("bot", ["expected_fights", "rush"])
def test_bots_hide_the_flag_among_bombs(bot):
    model = make_game("stratego:setup=pieces")
    state = model.setup(2, Rng(1))
    agent = make_agent(f"stratego:{bot}")
    rng = Rng(1)
    while state.phase != PLAY:
        actions = model.available_actions(state)
        model.next(state, agent.act(state, actions), rng)
    flag = next(place for place in model.field.home(0) if state.board[place] & 15 == 12)
    assert flag < 10
    assert all(state.board[place] & 15 == 11 for place in model.field.near[flag])


@pytest.mark.flow
@pytest.mark.parametrize("bot", ["expected_fights", "rush"])
def test_bots_beat_random_players(bot):
    model = make_game("stratego:variant=small")
    won = 0
    for seed in range(20):
        agents = [make_agent(f"stratego:{bot}"), make_agent("random")]
        state = Game(model, agents[:: 1 if seed % 2 else -1], seed=seed).play()
        won += state.ordinal(1 - seed % 2) == 1
    assert won >= 13


# --- metric and events -------------------------------------------------------------------------------------------------


def test_the_metric_counts_moves_fights_and_how_games_end():
    model, state = position(drawn(c3="+9", c4="-5", a3="+2"))
    found = scripted(model, "stratego", state, "a3 to a5", "c4 to c3", "a5 to a6")
    assert (found["moves"], found["fights"], found["attacks_won"], found["runs"]) == ([3.0], [2.0], [0.5], [1.0])
    assert (found["flags"], found["blocked"]) == ([1.0], [0.0])
    model, state = position(drawn(c3="+9", c4="-5"))
    found = scripted(model, "stratego", state, "c3 to c4")
    assert (found["flags"], found["blocked"]) == ([0.0], [1.0])


def test_random_players_play_by_these_rules():
    state, log, found = random_game(make_game("stratego:variant=small"), "stratego", 2, 3)
    assert found["moves"][0] - state.turn in (0.0, 1.0)  # the last move may end no turn
    assert found["fights"] == [float(sum(event.name == "fought" for event in log.events))]


def test_fights_and_runs_are_told_to_both():
    model, state = position(drawn(c2="+2", c5="-5", a1="+4", f5="-2"))
    for viewer in range(2):
        who = "you" if viewer == 0 else "player 0"
        fight = told(model, state, "c2 to c5", viewer)
        assert len(fight) == 1
        assert fight[0].endswith("scout against lieutenant, the scout falls")
        assert any("scout by its run" in text for text in told(model, state, "c2 to c4", viewer)), who


def test_set_ups_are_told_to_their_player_only():
    model = make_game("stratego:variant=tiny")
    rng = Rng(2)
    state = model.setup(2, rng)
    for _choice in range(5):
        assert told(model, state, model.available_actions(state)[0], 1 - state.current_player) == []
        model.next(state, model.available_actions(state)[0], rng)
    texts = told(model, state, model.available_actions(state)[0], 0)
    assert "flag on" in texts[0]
    assert "flag" not in texts[1]
    assert "4 pieces" in texts[1]
