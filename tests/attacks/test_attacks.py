"""Attacks of agents on the game, its deal, its budget and its results, in every game; the docs say what is guaranteed."""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tag.catalogue.registry import game_class, game_names, make_agent, make_game
from tag.engine import kept_actions
from tag.engine.forward_model import GameType
from tag.engine.rng import Rng, derive_seed, derive_seeds
from tag.engine.snapshot import field_values, state_hash
from tag.engine.state import GameState, History, is_among
from tag.isolation import close_processes
from tag.orders import Conditions, GameOrder, GameRecord, new_game, play_order
from tag.playing.faults import CHANGED_ACTION, CRASH, EXCEPTION, ILLEGAL_ACTION, OVER_BUDGET, SUBSTITUTE, FaultPolicy
from tag.playing.game import Game
from tag.playing.listener import Listener

pytestmark = pytest.mark.flow

FILE = Path(__file__).parent / "hostile_agents.py"
GOES_ON = FaultPolicy(on_exception=SUBSTITUTE, crash=SUBSTITUTE, hang=SUBSTITUTE)
MARK = str(os.getpid())
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
#: All games; Uno between random players takes hundreds of turns, up to 10 s interpreted.
#: Uno with the parameters that shorten it for checks: random players need hundreds of turns for a whole game.
UNO = f"uno:{game_class('uno').game_type.check_parameters}"
GAMES = [
    pytest.param(UNO, marks=pytest.mark.heavy, id=game) if game == "uno" else pytest.param(game, id=game)
    for game in game_names()
]


@pytest.fixture(scope="module", autouse=True)
def _own_processes() -> Iterator[None]:
    """End the processes of isolated agents and mark them, as other test processes may start some too."""
    close_processes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAG_TEST", MARK)
        yield
        close_processes()


def hostile(name: str) -> str:
    return f"{FILE}:{name}"


def play(*agents: str, game: str = "tic_tac_toe", isolate: bool = False, seed: int = 3, **more) -> GameRecord:
    conditions = Conditions(**{"policy": GOES_ON, "isolate": isolate, "hang_seconds": 20.0, **more})
    return play_order(GameOrder("g", game, agents, seed, conditions))


def seated(name: str, game: str, *, isolate: bool = False, **more) -> GameRecord:
    """Play a game with the agent in the first seat, and honest ones in the others."""
    others = [hostile("Honest")] * (kind_of(game).min_players - 1)
    return play(hostile(name), *others, game=game, isolate=isolate, **more)


def without_times(record: GameRecord) -> GameRecord:
    return replace(record, seconds=(), cpu_seconds=())


# --- knowing the deal -------------------------------------------------------------------------------------------------


def kind_of(game: str) -> GameType:
    """Return the type of the game of a spec."""
    return game_class(game.partition(":")[0]).game_type


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("isolate", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_no_agent_can_set_up_the_deal_from_its_stream(game: str, isolate: bool) -> None:
    kind = kind_of(game)
    agents = (hostile("ReadsTheDeal"), *[hostile("Honest")] * (kind.min_players - 1))
    order = GameOrder("g", game, agents, 3, Conditions(GOES_ON, isolate=isolate))
    playing = new_game(order)
    dealt = state_hash(playing.state)
    playing.play()
    told = [fault.message for fault in playing.faults if fault.player == 0]
    deals = {word for message in told for word in message.removeprefix("ValueError: ").split()}
    assert len(told) > 0
    beginnings = {state_hash(playing.model.setup(kind.min_players, Rng(seed))) for seed in range(100)}
    assert dealt not in deals or len(beginnings) < 100, "of few beginnings, one is soon guessed"


def test_the_seeds_of_seats_are_hashes_that_have_nothing_in_common() -> None:
    seeds = derive_seeds(40, 12345, "seats")
    assert len({*seeds}) == 40
    assert seeds[:7] == derive_seeds(7, 12345, "seats")
    assert min(seeds) >= 0
    assert max(seeds) < 1 << 63
    game = Game(make_game("love_letter"), [make_agent("random") for _seat in range(4)], 12345)
    game.start()
    seen = {agent.sim.rng.snapshot()[4:] for agent in game.agents}
    chance = Rng(derive_seed(12345, "game")).snapshot()[4:]
    assert len(seen) == 4
    assert chance not in seen


@pytest.mark.parametrize("game", GAMES)
def test_the_last_position_shows_an_agent_no_more_than_any_other(game: str) -> None:
    """Agents that remember what they are shown in the end would know the deal when they meet it again."""
    seen = []

    class Looks(type(make_agent(hostile("Honest")))):  # type: ignore[misc]
        def end_game(self, state):
            seen.append(state)

    agents = [Looks() for _seat in range(kind_of(game).min_players)]
    playing = Game(make_game(game), agents, 5)
    playing.play()
    assert not [state for state in seen if state is playing.state]
    assert [state.knowledge(seat) for seat, state in enumerate(seen)] == [
        playing.state.knowledge(seat) for seat in range(len(agents))
    ]


# --- changing the game ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_nothing_that_an_agent_can_reach_changes_the_game_or_later_ones(game: str) -> None:
    expected = without_times(seated("Honest", game))
    attacked = seated("Vandal", game)
    assert without_times(replace(attacked, faults=[])) == replace(expected, faults=[])
    assert without_times(seated("Honest", game)) == expected


class _SharesNothing(Listener):
    """Looks in every position for what a player's observation shares with it and can be changed."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self._rng = Rng(9)

    def on_action_taken(self, state: GameState, player: int, action: object) -> None:
        own: dict[int, object] = {}
        _reach(state, own)
        for seat in range(state.n_players):
            theirs: dict[int, object] = {}
            _reach(state.observation(seat, self._rng), theirs)
            self.found |= {type(thing).__name__ for number, thing in theirs.items() if number in own and changes(thing)}


def _reach(thing: object, reached: dict[int, object]) -> None:
    if id(thing) in reached or isinstance(thing, bool | int | float | str | bytes | type | None | History):
        return
    reached[id(thing)] = thing
    if isinstance(thing, dict):
        parts = [*thing.keys(), *thing.values()]
    else:
        is_plain = isinstance(thing, list | tuple | set | frozenset)
        parts = list(thing) if is_plain else list(field_values(thing).values())
    for part in parts:
        _reach(part, reached)


def changes(thing: object) -> bool:
    """Say whether a thing can be changed, by giving each of its fields the value that it has."""
    if isinstance(thing, list | dict | set | bytearray):
        return True
    for name, value in field_values(thing).items():
        try:
            setattr(thing, name, value)
        except AttributeError:
            continue
        return True
    return False


@pytest.mark.parametrize("game", GAMES)
def test_observations_share_nothing_that_can_be_changed(game: str) -> None:
    kind = kind_of(game)
    for players in {kind.min_players, kind.max_players}:
        listener = _SharesNothing()
        play_order(GameOrder("g", game, ("random",) * players, 4), [listener])
        assert listener.found == set()


@pytest.mark.parametrize("game", GAMES)
def test_forged_results_count_for_nothing(game: str) -> None:
    assert without_times(seated("Forges", game)) == without_times(seated("Honest", game))


@pytest.mark.parametrize("game", game_names())
def test_what_is_shared_refuses_changes(game: str) -> None:
    model = make_game(game)
    state = model.setup(model.game_type.min_players, Rng(1))
    for action in model.available_actions(state):
        for name in getattr(type(action), "__mypyc_attrs__", ()) or _slots(type(action)):
            with pytest.raises(AttributeError, match="cannot be changed"):
                setattr(action, name, 0)
    for dimension in model.parameters.dimensions():
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(model.parameters, dimension.name, 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_in_which_an_action_was_changed_is_void_and_names_the_agent(game: str) -> None:
    clean = without_times(seated("Honest", game))
    record = seated("ChangesItsAction", game)
    named = {fault.player for fault in record.faults if fault.kind == CHANGED_ACTION}
    assert (record.void, named) == (True, {0}) or without_times(record) == clean  # some games have no two such actions
    assert without_times(seated("Honest", game)) == clean, "the change has lasted"


def test_most_games_have_actions_that_can_be_changed() -> None:
    void = [game for game in game_names() if seated("ChangesItsAction", game).void]
    assert len(void) >= 12


@pytest.mark.parametrize("game", GAMES)
def test_an_action_changed_for_later_games_changes_none_that_counts(game: str) -> None:
    players = kind_of(game).min_players
    clean = [without_times(play(*["random"] * players, game=game, seed=seed)) for seed in range(6)]
    record = seated("ChangesActionsForLater", game)
    named = {fault.player for fault in record.faults if fault.kind == CHANGED_ACTION}
    assert record.void == (0 in named)  # some games have no two such actions
    for seed, expected in enumerate(clean):
        assert without_times(play(*["random"] * players, game=game, seed=seed)) == expected


def test_an_action_of_another_game_is_as_it_was_when_that_begins() -> None:
    clean = without_times(play("random", "random", game="uno", seed=1))
    changed = 0
    for kept in kept_actions._GROUPS["tag.games.cards.uno"]:
        for name, value in field_values(kept.action).items():
            if type(value) is int:
                object.__setattr__(kept.action, name, value + 1)
                changed += 1
    assert changed > 20
    seated("Honest", "tic_tac_toe")  # an agent of a user, which may have done it
    assert without_times(play("random", "random", game="uno", seed=1)) == clean


def _slots(cls: type) -> list[str]:
    return [name for base in cls.__mro__ for name in base.__dict__.get("__slots__", ())]


def test_agents_have_rules_of_their_own() -> None:
    order = GameOrder("g", "pandemic", ("random", hostile("Honest")), 1)
    games = [new_game(order) for _game in range(2)]
    for game in games:
        game.start()
    models = [agent.sim.model for agent in games[0].agents]
    assert len({id(model) for model in (*models, games[0].model)}) == 3
    assert len({id(model.parameters) for model in (*models, games[0].model)}) == 3


# --- budgets, clocks, exceptions, answers -----------------------------------------------------------------------------


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize("name", ["Overspends", "ReplacesItsBudget"])
def test_spending_more_than_the_budget_is_a_fault(name: str, isolate: bool) -> None:
    record = seated(name, "connect_four", isolate=isolate)
    (fault,) = record.faults
    assert (fault.kind, fault.player) == (OVER_BUDGET, 0)
    assert fault.message == "20 forward-model calls for a decision, with a budget of 5"


@pytest.mark.parametrize("agent", ["mcts:budget=20", "rhea:budget=20", "rmhc:budget=20", "osla"])
@pytest.mark.parametrize("kind", ["forward_model_calls", "copies"])
def test_those_who_keep_to_their_budget_are_not_charged(agent: str, kind: str) -> None:
    spec = agent if kind == "forward_model_calls" else f"{agent}{',' if ':' in agent else ':'}budget_type=copies"
    assert play(spec, "random", game="love_letter").faults == []


def test_no_agent_can_turn_its_clock_back() -> None:
    record = seated("TurnsTheClockBack", "tic_tac_toe", clock_seconds=0.05)
    assert [fault.kind for fault in record.faults] == ["clock exhausted"]


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize("error", ["SystemExit", "GeneratorExit", "Own", "Mute", "Gone", "Remote", "Long"])
def test_whatever_an_agent_raises_is_its_fault_alone(error: str, isolate: bool) -> None:
    record = seated(f"Raises{error}", "tic_tac_toe", isolate=isolate)
    assert {(fault.kind, fault.player) for fault in record.faults} == {(EXCEPTION, 0)}
    assert len(record.faults) == record.decisions[0] > 0
    assert max(len(fault.message) for fault in record.faults) <= 400


def test_an_isolated_agent_cannot_pass_for_somebody_at_the_keyboard() -> None:
    record = seated("RaisesKeyboardInterrupt", "tic_tac_toe", isolate=True)
    assert {(fault.kind, fault.player) for fault in record.faults} == {(EXCEPTION, 0)}


@pytest.mark.parametrize("isolate", [False, True])
def test_failing_to_name_a_budget_is_a_fault(isolate: bool) -> None:
    record = seated("FailsToBudget", "tic_tac_toe", isolate=isolate)
    assert {(fault.kind, fault.player) for fault in record.faults} <= {(EXCEPTION, 0)}
    assert record.faults


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize("name", ["Lies", "Endless"])
def test_what_equals_an_action_is_none(name: str, isolate: bool) -> None:
    record = seated(name, "tic_tac_toe", isolate=isolate)
    assert {(fault.kind, fault.player) for fault in record.faults} == {(ILLEGAL_ACTION, 0)}
    assert max(len(fault.message) for fault in record.faults) <= 400
    liar = type("Liar", (), {"__eq__": lambda self, other: True, "__hash__": lambda self: 0})()
    assert not is_among(liar, make_game("tic_tac_toe").available_actions(make_game("tic_tac_toe").setup(2, Rng(1))))


# --- processes --------------------------------------------------------------------------------------------------------


def test_forged_answers_of_a_process_harm_itself_alone() -> None:
    record = seated("AnswersTwice", "tic_tac_toe", isolate=True)
    assert {(fault.kind, fault.player) for fault in record.faults} == {(CRASH, 0)}


def test_output_of_a_process_goes_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    expected = without_times(seated("Honest", "tic_tac_toe", isolate=True))
    assert without_times(seated("Prints", "tic_tac_toe", isolate=True)) == expected
    assert capfd.readouterr() == ("", "")


@LINUX
def test_nobody_thinks_in_the_time_of_others() -> None:
    record = play(hostile("Ponders"), hostile("Sleeps"), isolate=True)
    (fault,) = record.faults
    assert float(fault.message.removeprefix("ValueError: ")) > 0.09


@LINUX
def test_no_process_that_an_agent_leaves_thinks_in_the_time_of_others() -> None:
    (fault,) = play(hostile("Escapes"), hostile("Sleeps"), isolate=True).faults
    assert float(fault.message.removeprefix("ValueError: ")) > 0.09


@LINUX
def test_a_forged_clock_and_a_child_hide_no_time() -> None:
    record = play(hostile("ForgesItsClock"), hostile("ForgesItsClock"), isolate=True)
    assert not record.faults
    for seconds, decisions in zip(record.cpu_seconds, record.decisions, strict=True):
        assert seconds / decisions > 0.02  # those of ended children are told in hundredths of a second


def _landlock() -> int:
    """Return the version of Landlock that the system has; 0 or less for none."""
    return ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1) if sys.platform == "linux" else 0


@pytest.mark.skipif(_landlock() < 2, reason="the system has no Landlock")
def test_no_process_lets_an_agent_read_its_memory_or_signal_it() -> None:
    faults = play(hostile("Intrudes"), hostile("Intrudes"), isolate=True).faults
    assert len(faults) == 2
    for fault in faults:
        memory, signals, _of, others = fault.message.removeprefix("ValueError: ").split()
        assert int(others) > 2  # the game's, the template's, and the opponent's
        assert int(memory) == 0
        assert int(signals) == 0 or _landlock() < 6


def test_what_keeps_agents_apart_lets_them_move_their_files() -> None:
    assert without_times(seated("MovesAFile", "tic_tac_toe", isolate=True)).faults == []


@LINUX
def test_processes_that_leave_the_group_are_ended_with_it() -> None:
    before = {entry.name for entry in Path("/proc").iterdir() if entry.name.isdigit()}
    seated("Multiplies", "tic_tac_toe", isolate=True)
    end = time.monotonic() + 10.0
    while (left := _of_ours(before)) and time.monotonic() < end:
        time.sleep(0.05)
    assert left == []


def _of_ours(before: set[str]) -> list[str]:
    """Return new processes forked from the template, but not that itself, which this process has started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and entry.name not in before:
            try:
                words = (entry / "stat").read_text().rpartition(")")[2].split()
                is_forked = (
                    b"tag.isolation._template" in (entry / "cmdline").read_bytes() and int(words[1]) != os.getpid()
                )
                if is_forked and f"TAG_TEST={MARK}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(entry.name)
            except OSError:
                continue
    return found
