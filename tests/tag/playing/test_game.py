"""The game loop: order of events, streams, faults and their policies, clocks."""

import signal
import sys
import time
from functools import partial

import pytest
from play.toys import ADDS, First, Race, Thirsty

from tag import DISQUALIFIED, LOSE, TIMEOUT, WIN, Agent, Clock, Game, GameType, Listener
from tag.catalogue.registry import make_agent, make_game
from tag.catalogue.version import is_compiled
from tag.engine.rng import Rng
from tag.engine.snapshot import state_hash
from tag.errors import ContractError, ParameterError, PlayersError, VoidGameError
from tag.playing.faults import (
    CLOCK_EXHAUSTED,
    EXCEPTION,
    FORFEIT,
    ILLEGAL_ACTION,
    SUBSTITUTE,
    TIME_OUT,
    VOID,
    FaultPolicy,
)
from tag.playing.game import Seat

pytestmark = pytest.mark.flow


class Diary(Listener):
    def __init__(self):
        self.lines = []

    def on_start(self, state):
        self.lines.append("start")

    def on_action_chosen(self, state, player, action, actions, agent):
        self.lines.append(f"chosen {player} {action!r} of {len(actions)} by {type(agent).__name__}")

    def on_action_taken(self, state, player, action):
        self.lines.append(f"taken {player}")

    def on_game_event(self, state, event):
        self.lines.append(f"event {event.name} {event.player} {event.value:g}")

    def on_turn_over(self, state):
        self.lines.append("turn")

    def on_round_over(self, state):
        self.lines.append("round")

    def on_end(self, state):
        self.lines.append("end")


def test_listeners_are_told_everything_in_order():
    diary = Diary()
    Game(Race(), [First(), First()], 1, listeners=[diary]).play()
    one_round = [
        *["chosen 0 Add(1) of 3 by First", "taken 0", "event added 0 1", "turn"],
        *["chosen 1 Add(1) of 3 by First", "taken 1", "event added 1 1", "turn", "round"],
    ]
    assert diary.lines == ["start", *one_round * 3, "end"]


def test_history_is_recorded_for_listeners_and_dropped_from_observations():
    game = Game(Race(), [First(), First()], 1, listeners=[Listener()])
    state = game.play()
    players = []
    entry = state.history
    while entry is not None:
        players.append(entry.player)
        entry = entry.earlier
    assert players == [1, 0] * 3
    assert state.observation(0, Rng(1)).history is None
    assert Game(Race(), [First(), First()], 1).play().history is None


def test_the_seed_decides_everything():
    one = Game(Race(), [First(), First()], 5).play()
    again = Game(Race(), [First(), First()], 5).play()
    other = Game(Race(), [First(), First()], 6).play()
    assert state_hash(one) == state_hash(again) != state_hash(other)


def test_an_agent_that_draws_numbers_changes_no_chance_outcome():
    plain = Game(Race(), [First(), First()], 5).play()
    thirsty = Game(Race(), [Thirsty(), Thirsty()], 5).play()
    assert state_hash(plain) == state_hash(thirsty)


def played(spec, agents, seed, **chosen):
    game = Game(make_game(spec), [make_agent(agent) for agent in agents], seed, **chosen)
    return game.play()


@pytest.mark.parametrize(
    ("spec", "source"),
    [
        (spec, source)
        for spec in ("colt_express:bandits=dealt,rounds=2", "pandemic", "exploding_kittens")
        for source in make_game(spec).game_type.chance_sources
    ],
)
def test_each_named_source_of_chance_can_be_held_fixed_while_the_rest_varies(spec, source):
    names = make_game(spec).game_type.chance_sources
    agents = ["random"] * 2

    def ends(seed, **seeds):
        return state_hash(played(spec, agents, seed, chance_seeds=seeds))

    rest = dict.fromkeys([name for name in names if name != source], 1)
    assert ends(1, **rest, **{source: 2}) == ends(1, **rest, **{source: 2})
    assert len({ends(1, **rest, **{source: seed}) for seed in range(12)}) > 1, "this source decides nothing"
    assert len({ends(seed, **{source: 2}) for seed in range(3)}) == 3, "the others are fixed, too"


def test_the_rounds_of_colt_express_are_the_same_with_equal_seeds_of_that_source():
    def events(seed, rounds):
        told = Rounds()
        played("colt_express", ["random"] * 3, seed, chance_seeds={"rounds": rounds}, listeners=[told])
        return told.titles

    assert events(1, 5) == events(2, 5) == events(3, 5)
    assert len({tuple(events(1, rounds)) for rounds in range(5)}) == 5


class Rounds(Listener):
    """Notes the round cards."""

    def __init__(self):
        self.titles = []

    def on_action_taken(self, state, player, action):
        if not self.titles or self.titles[-1] != state.title:
            self.titles.append(state.title)


def test_an_unknown_source_of_chance_is_refused_with_the_nearest_name():
    with pytest.raises(ParameterError, match=r"no source of chance 'round'; did you mean 'rounds'\?"):
        played("colt_express", ["random"] * 2, 1, chance_seeds={"round": 1})


def test_results_and_ordinals_by_score():
    state = Game(Race(), [First() for _ in range(4)], 3).play()
    best = max(range(4), key=lambda p: state.totals[p])
    assert state.result(best) == WIN
    assert state.ordinal(best) == 1
    assert [state.result(p) for p in range(4) if p != best] == [LOSE] * 3


def test_single_actions_are_not_asked_for():
    class OneWay(Race):
        def _available_actions(self, state):
            return ADDS[:1]

    class Asks(First):
        wants_single_actions = True

    game = Game(OneWay(), [First(), Asks()], 1)
    game.play()
    assert game.decisions == [0, 3]


class Cheat(Agent):
    def act(self, observation, actions):
        return None


class Crash(Agent):
    def act(self, observation, actions):
        raise ValueError("oh no")


class Quits(Agent):
    def act(self, observation, actions):
        raise SystemExit(3)


class FailsToStart(First):
    def start_game(self, observation):
        raise RuntimeError("no weights")


class FailsToEnd(First):
    def end_game(self, state):
        raise RuntimeError("nothing learned")


class Slow(Agent):
    def act(self, observation, actions):
        time.sleep(0.003)
        return actions[0]


class Ends:
    """Handlers of a signal that end the process."""

    def method(self, number, frame):
        raise SystemExit(1)

    def with_word(self, word, number, frame):
        sys.exit(word)


def is_interrupted(asked):
    """Say whether this agent is sent a signal as it is asked for so much."""

    def method(self, *arguments):
        signal.raise_signal(signal.SIGTERM)
        return arguments[-1][0] if asked == "act" else None

    return type("Interrupted", (First,), {asked: method})


@pytest.mark.parametrize("asked", ["start_game", "act", "end_game"])
@pytest.mark.parametrize("handler", [Ends().method, partial(Ends().with_word, "ended"), lambda *_: sys.exit(2)])
def test_a_signal_that_ends_the_process_is_not_the_fault_of_the_agent_that_it_meets(asked, handler):
    former = signal.signal(signal.SIGTERM, handler)
    try:
        with pytest.raises(SystemExit):
            Game(make_game("tic_tac_toe"), [First(), is_interrupted(asked)()], 1).play()
    finally:
        signal.signal(signal.SIGTERM, former)


@pytest.mark.parametrize(
    ("agent", "kind", "policy"),
    [
        (Cheat, ILLEGAL_ACTION, {"illegal_action": SUBSTITUTE}),
        (Crash, EXCEPTION, {"on_exception": SUBSTITUTE}),
        (Quits, EXCEPTION, {"on_exception": SUBSTITUTE}),
        (Slow, TIME_OUT, {"time_out": SUBSTITUTE, "decision_seconds": 0.001}),
    ],
)
def test_substitute_plays_on_with_random_actions(agent, kind, policy):
    game = Game(Race(), [agent(), First()], 1, policy=FaultPolicy(**policy))
    state = game.play()
    assert state.is_terminal
    assert [fault.kind for fault in game.faults] == [kind] * 3
    assert {fault.player for fault in game.faults} == {0}
    assert state.result(0) in (WIN, LOSE)


@pytest.mark.parametrize(
    ("agent", "kind", "result", "policy"),
    [
        (Cheat, ILLEGAL_ACTION, DISQUALIFIED, {"illegal_action": FORFEIT}),
        (Crash, EXCEPTION, DISQUALIFIED, {"on_exception": FORFEIT}),
        (Slow, TIME_OUT, TIMEOUT, {"time_out": FORFEIT, "decision_seconds": 0.001}),
    ],
)
def test_forfeit_is_last_place_and_the_others_are_ranked(agent, kind, result, policy):
    game = Game(Race(), [First(), agent(), First()], 1, policy=FaultPolicy(**policy))
    state = game.play()
    assert [fault.kind for fault in game.faults] == [kind]
    assert state.result(1) == result
    assert state.ordinal(1) == 3
    assert state.result(0) == WIN


@pytest.mark.parametrize(
    ("agent", "policy"),
    [
        (Cheat, {"illegal_action": VOID}),
        (Crash, {"on_exception": VOID}),
        (Slow, {"time_out": VOID, "decision_seconds": 0.001}),
    ],
)
def test_void_ends_without_a_result(agent, policy):
    game = Game(Race(), [agent(), First()], 1, policy=FaultPolicy(**policy))
    with pytest.raises(VoidGameError, match="of player 0"):
        game.play()
    assert len(game.faults) == 1


def test_an_agent_that_fails_before_the_start_forfeits():
    game = Game(Race(), [First(), FailsToStart()], 1, policy=FaultPolicy(on_exception=FORFEIT))
    state = game.play()
    assert state.results == (WIN, DISQUALIFIED)
    assert [fault.message for fault in game.faults] == ["RuntimeError: no weights"]


def test_an_agent_that_fails_after_the_end_keeps_its_result():
    game = Game(Race(), [FailsToEnd(), First()], 1)
    plain = Game(Race(), [First(), First()], 1).play()
    assert game.play().results == plain.results
    assert [(fault.kind, fault.message) for fault in game.faults] == [(EXCEPTION, "RuntimeError: nothing learned")]


def test_an_exhausted_clock_forfeits():
    game = Game(Race(), [Slow(), First()], 1, clock=Clock(0.007))
    state = game.play()
    assert [fault.kind for fault in game.faults] == [CLOCK_EXHAUSTED]
    assert state.result(0) == TIMEOUT
    assert state.result(1) == WIN


def test_increments_keep_a_clock_alive():
    clock = Clock(0.02, per_action=0.0, per_turn=1.0, per_round=2.0)
    game = Game(Race(), [First(), First()], 1, clock=clock)
    game.play()
    assert not game.faults
    assert game.clocks[0].remaining == pytest.approx(0.02 + 3 * 1.0 + 3 * 2.0, abs=0.01)
    assert clock.remaining == 0.02


def test_a_game_without_actions_breaks_the_contract():
    class Stuck(Race):
        def _available_actions(self, state):
            return []

    with pytest.raises(ContractError, match="no action is available to player 0"):
        Game(Stuck(), [First()], 1).play()


@pytest.mark.skipif(is_compiled(), reason="compiled code reads no constant that is replaced")
def test_a_game_that_never_ends_breaks_the_contract(monkeypatch):
    class Endless(Race):
        rounds = 0

    monkeypatch.setattr("tag.playing.game.MAX_TICKS", 50)
    with pytest.raises(ContractError, match="not over after 50 actions"):
        Game(Endless(), [First()], 1).play()


def test_too_many_players_are_refused():
    with pytest.raises(PlayersError, match="Race is for 1-4 players, not 5; the nearest number is 4"):
        Game(Race(), [First()] * 5, 1)


def test_game_type_can_be_found_on_the_class():
    assert isinstance(Race.game_type, GameType)


class Burns(First):
    def act(self, observation, actions):
        end = time.thread_time() + 0.002
        while time.thread_time() < end:
            pass
        return super().act(observation, actions)


class Sleeps(First):
    def act(self, observation, actions):
        time.sleep(0.002)
        return super().act(observation, actions)


def test_cpu_time_is_that_of_the_agent_alone():
    busy, asleep = [], []
    for seed in range(60):
        game = Game(Race(), [Burns(), Sleeps()], seed)
        game.play()
        busy.append(game.cpu_seconds[0] / game.decisions[0])
        asleep.append(game.cpu_seconds[1] / game.decisions[1])
        assert game.seconds[1] >= 0.002 * game.decisions[1]
    assert sum(busy) / 60 >= 0.001
    assert sum(asleep) < 0.5 * sum(busy)


def seat_of(agent):
    return Seat(agent, Race().search_model(), Rng(1), Rng(2))


def test_quick_decisions_are_sampled_without_bias():
    """Every decision has the same chance of being measured, whenever it comes in the game."""
    seat = seat_of(First())
    measuring, n = Rng(7), 64 * 400
    weights = [seat.weight(measuring) for _ in range(n)]
    assert sum(weights) == n
    early = sum(weights[start] for start in range(0, n, 64)) / 400
    assert sum(weight > 0 for weight in weights) == n // 64
    assert early == pytest.approx(1.0, abs=0.5)


def test_after_a_long_decision_all_are_measured():
    seat = seat_of(First())
    seat.spend(0.01, 0, 0.0)
    assert [seat.weight(Rng(1)) for _ in range(5)] == [1] * 5
    seat.spend(0.01, 1, 0.004)
    assert seat.cpu_seconds == pytest.approx(0.004)


def test_agents_that_search_are_measured_from_the_first_decision():
    seat = seat_of(make_agent("mcts"))
    assert seat.weight(Rng(1)) == 1
    seat.spend(1e-6, 1, 1e-6)  # a budget so small that it is quick after all
    assert seat.weight(Rng(1)) in (0, 64)
