"""Recordings: every game again, position by position, without its agents; what does not fit is named with its action."""

from dataclasses import replace

import pytest
from users_code import FAULTY_AGENTS

from tag import Game, Listener
from tag.catalogue.registry import game_names, make_agent, make_game
from tag.check.evidence.traces import Tracer
from tag.engine.results import DISQUALIFIED, TIMEOUT
from tag.errors import DataError, PlayersError
from tag.orders import Conditions, GameOrder, play_order, play_recording
from tag.playing.faults import FORFEIT, SUBSTITUTE, VOID, FaultPolicy
from tag.playing.recording import Recorder, Recording

pytestmark = pytest.mark.flow

#: Games that would take random agents thousands of actions.
SHORTER = {"uno": "uno:goal=50"}
TABLES = [
    (game, n)
    for game in game_names()
    for n in sorted({make_game(game).game_type.min_players, make_game(game).game_type.max_players})
]


def played(game, agents, seed=3, policy=None):
    """Play a game; return its record, recording and trace."""
    tracer = Tracer()
    conditions = Conditions(policy or FaultPolicy())
    record = play_order(GameOrder("b1-m2-s0", game, agents, seed, conditions, record_actions=True), [tracer])
    recording = Recording("b1-m2-s0", game, len(agents), seed, record.choices, record.forfeits, record.void)
    return record, recording, tracer.hashes


def same(record):
    """What has to be the same without the agents."""
    return replace(record, decisions=(), seconds=(), faults=[])


@pytest.mark.parametrize(("game", "n_players"), TABLES)
def test_every_game_is_the_same_at_each_position(game, n_players):
    spec = SHORTER.get(game, game)
    record, recording, hashes = played(spec, ("random",) * n_players)
    assert len(recording.choices) == record.ticks
    again = Tracer()
    assert same(play_recording(recording, [again])) == same(record)
    assert again.hashes == hashes


@pytest.mark.parametrize("agent", ["Raises", "Cheats", "FailsToStart"])
@pytest.mark.parametrize("what", [SUBSTITUTE, FORFEIT, VOID])
@pytest.mark.parametrize("game", ["love_letter", "pandemic"])
def test_games_with_faults_are_the_same(game, agent, what):
    policy = FaultPolicy(what, what)
    record, recording, hashes = played(game, ("random", f"{FAULTY_AGENTS}:{agent}"), policy=policy)
    assert record.faults
    assert bool(recording.forfeits) == (what == FORFEIT)
    assert record.void == (what == VOID)
    again = Tracer()
    assert same(play_recording(recording, [again])) == same(record)
    assert again.hashes == hashes or not record.choices  # whether somebody failed at the start is not recorded


def test_who_forfeits_and_with_what_is_recorded():
    late = FaultPolicy(time_out=FORFEIT, decision_seconds=0.02)
    assert played("tic_tac_toe", ("random", f"{FAULTY_AGENTS}:Slow"), policy=late)[0].forfeits == ((1, TIMEOUT),)
    both = played("love_letter", (f"{FAULTY_AGENTS}:FailsToStart", "random", f"{FAULTY_AGENTS}:FailsToStart"))[0]
    assert both.forfeits == ((0, DISQUALIFIED), (2, DISQUALIFIED))
    assert both.choices == ()


def test_a_game_that_nobody_wants_recorded_is_not():
    record = play_order(GameOrder("b1-m2-s0", "tic_tac_toe", ("random", "random"), 3))
    assert (record.ticks > 0, record.choices) == (True, ())


CHOICES = (0,) * 7  # fills the square row by row; the diagonal is complete with the seventh


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"choices": (0, 8)},
            "action 2 of the recording of b1-m2-s0 cannot be number 8; there are 0 to 7",
        ),
        (
            {"choices": (0, -1)},
            "action 2 of the recording of b1-m2-s0 cannot be number -1; there are 0 to 7",
        ),
        (
            {"choices": CHOICES[:4]},
            "the recording of b1-m2-s0 has 4 actions, after which the game is not over",
        ),
        (
            {"choices": (*CHOICES, 0, 0)},
            "action 7 of the recording of b1-m2-s0 ends the game, and there are 2 more",
        ),
    ],
)
def test_a_recording_that_does_not_fit_is_told_with_the_action(changes, sentence):
    fitting = Recording("b1-m2-s0", "tic_tac_toe", 2, 1, CHOICES)
    assert play_recording(fitting).ticks == 7
    with pytest.raises(DataError) as error:
        play_recording(replace(fitting, **changes))
    assert str(error.value) == sentence


def test_a_number_of_players_that_does_not_fit():
    with pytest.raises(PlayersError):
        play_recording(Recording("b1-m2-s0", "tic_tac_toe", 3, 1, CHOICES))


def test_a_game_that_is_only_recorded_makes_no_events():
    agents = [make_agent("random"), make_agent("random")]
    games = [Game(make_game("love_letter"), agents, 1, listeners=found) for found in ([], [Recorder()], [Listener()])]
    assert [game.state.recording for game in games] == [False, False, True]
