"""Restricted forward models."""

import pytest

from tag.agents.random import Random
from tag.engine.forward_model import ForwardModel, GameType
from tag.engine.rng import Rng
from tag.engine.rules import Commit, SimultaneousSequence
from tag.engine.state import DO_NOTHING, Action, DoNothing, GameState, interned
from tag.errors import PlayersError, UnknownNameError
from tag.games.abstract.tic_tac_toe import Mark, TicTacToe, TicTacToeParameters
from tag.playing.agent import Agent
from tag.playing.decorators import (
    ROUND,
    TURN,
    ActionFilter,
    EpsilonRandom,
    ExcludeActions,
    FirstMovesRandom,
    OnlyActions,
    RestrictedForwardModel,
)
from tag.playing.game import Game


class NoCorners(ActionFilter):
    def keep(self, state, action):
        return action.cell not in (0, 2, 6, 8)


class Spy(Agent):
    """Notes what it may do, and what it may do when it looks ahead."""

    def start_game(self, observation):
        self.offered = []
        self.searched = []

    def act(self, observation, actions):
        self.offered.append({action.cell for action in actions})
        self.searched.append({action.cell for action in self.sim.available_actions(observation)})
        return self.sim.rng.choice(actions)


def spied(model, seed=1):
    spies = [Spy(), Spy()]
    game = Game(model, spies, seed)
    game.play()
    assert game.faults == []
    return spies


def cells(*lists):
    return set().union(*lists)


def test_only_the_named_player_is_restricted_and_only_while_something_else_is_left():
    for seed in range(10):
        restricted, free = spied(RestrictedForwardModel(TicTacToe(), [NoCorners()], player=0), seed)
        for offered in restricted.offered:
            assert not offered & {0, 2, 6, 8} or offered <= {0, 2, 6, 8}
        assert free.offered[0] & {0, 2, 6, 8}
    restricted, free = spied(RestrictedForwardModel(TicTacToe(), [NoCorners()]))
    assert not cells(restricted.offered[0], free.offered[0]) & {0, 2, 6, 8}


def test_when_nothing_would_be_left_all_stay():
    model = RestrictedForwardModel(TicTacToe(), [ExcludeActions((Mark,))])
    state = model.setup(2, Rng(1))
    assert model.available_actions(state) == TicTacToe().available_actions(state)


def test_the_game_type_is_that_of_the_rules_within():
    model = RestrictedForwardModel(RestrictedForwardModel(TicTacToe(), [NoCorners()]), [NoCorners()])
    assert model.game_type is TicTacToe.game_type
    assert model.search_model().game_type is TicTacToe.game_type


def test_filters_are_applied_one_after_another():
    class LowOnly(ActionFilter):
        def keep(self, state, action):
            return action.cell < 3

    model = RestrictedForwardModel(TicTacToe(), [NoCorners(), LowOnly()])
    assert [action.cell for action in model.available_actions(model.setup(2, Rng(1)))] == [1]


def test_agents_search_with_the_restriction_or_without():
    restricted, _free = spied(RestrictedForwardModel(TicTacToe(), [NoCorners()], player=0))
    assert restricted.searched == restricted.offered
    restricted, _free = spied(RestrictedForwardModel(TicTacToe(), [NoCorners()], player=0, decision_only=True))
    assert restricted.searched[0] == set(range(9))
    assert restricted.offered[0] == {1, 3, 4, 5, 7}


def test_restrictions_of_several_players():
    class CornersOnly(ActionFilter):
        def keep(self, state, action):
            return action.cell in (0, 2, 6, 8)

    inner = RestrictedForwardModel(TicTacToe(), [NoCorners()], player=0, decision_only=True)
    model = RestrictedForwardModel(inner, [CornersOnly()], player=1)
    one, other = spied(model)
    assert one.offered[0] == {1, 3, 4, 5, 7}
    assert other.offered[0] == {0, 2, 6, 8}
    assert one.searched[0] == set(range(9))
    assert other.searched[0] == {0, 2, 6, 8}


def test_parameters_and_numbers_of_players_are_those_of_the_rules():
    inner = TicTacToe(TicTacToeParameters(size=4))
    model = RestrictedForwardModel(inner, [])
    assert model.parameters is inner.parameters
    with pytest.raises(PlayersError, match="Tic-tac-toe is for 2 players, not 3"):
        model.setup(3, Rng(1))
    assert len(model.available_actions(model.setup(2, Rng(1)))) == 16


def test_without_filters_nothing_changes():
    plain = Game(TicTacToe(), [Random(), Random()], 5).play()
    wrapped = Game(RestrictedForwardModel(TicTacToe(), []), [Random(), Random()], 5).play()
    assert plain.snapshot() == wrapped.snapshot()


# --- classes of actions ------------------------------------------------------------------------------------------------


class Say(Action):
    __slots__ = ("word",)

    def __init__(self, word):
        self.word = word

    def key(self):
        return (self.word,)

    def execute(self, state, rng):
        pass


class Shout(Say):
    __slots__ = ()


class Both(SimultaneousSequence):
    __slots__ = ()

    def copy(self):
        other = Both(self.players)
        self.copy_to(other)
        return other

    def options(self, state, player):
        return [DO_NOTHING, interned(Say("a")), interned(Shout("A"))]


class TalkState(GameState):
    __slots__ = ()

    def copy(self):
        other = TalkState(self.n_players)
        self.copy_to(other)
        return other


class Talk(ForwardModel):
    game_type = GameType("Talk", 2, 2)

    def _setup(self, n_players, rng):
        return TalkState(n_players)

    def _available_actions(self, state):
        return [DO_NOTHING, interned(Say("a")), interned(Shout("A"))]


@pytest.mark.parametrize("secret", [False, True])
@pytest.mark.parametrize(
    ("action_filter", "left"),
    [
        (ExcludeActions((Say,)), ["DoNothing()"]),
        (ExcludeActions((Shout, DoNothing)), ["Say('a')"]),
        (OnlyActions((Shout,)), ["Shout('A')"]),
        (OnlyActions((Say,)), ["Say('a')", "Shout('A')"]),
        (OnlyActions((Mark,)), ["DoNothing()", "Say('a')", "Shout('A')"]),
    ],
)
def test_classes_also_in_sequences_and_in_secret(action_filter, left, secret):
    model = RestrictedForwardModel(Talk(), [action_filter])
    state = model.setup(2, Rng(1))
    if secret:
        state.start_sequence(Both((0, 1)))
    actions = model.available_actions(state)
    assert all(isinstance(action, Commit) == secret for action in actions)
    assert [repr(action.action if secret else action) for action in actions] == left
    assert {model.random_action(state, Rng(seed)) for seed in range(30)} == set(actions)


# --- random openings ---------------------------------------------------------------------------------------------------


def first_actions(action_filter, ticks):
    model = TicTacToe()
    restricted = RestrictedForwardModel(model, [action_filter])
    state = model.setup(2, Rng(1))
    counts = []
    for _tick in range(ticks):
        actions = restricted.available_actions(state)
        assert restricted.available_actions(state) == actions
        counts.append((len(actions), actions[0].cell))
        model.next(state, actions[0], Rng(1))
    return counts


def test_first_moves_are_random():
    assert [count for count, _cell in first_actions(FirstMovesRandom(3, 1), 5)] == [1, 1, 1, 6, 5]
    with pytest.raises(UnknownNameError, match="no unit named 'turns'; did you mean 'turn'"):
        FirstMovesRandom(3, 1, "turns")
    openings = {first_actions(FirstMovesRandom(1, seed), 1)[0] for seed in range(200)}
    assert openings == {(1, cell) for cell in range(9)}
    assert first_actions(FirstMovesRandom(3, 9), 4) == first_actions(FirstMovesRandom(3, 9), 4)
    assert [count for count, _cell in first_actions(FirstMovesRandom(2, 1, TURN), 4)] == [1, 1, 7, 6]
    assert [count for count, _cell in first_actions(FirstMovesRandom(1, 1, ROUND), 4)] == [1, 1, 1, 1]


def test_now_and_then_random():
    shares = [first_actions(EpsilonRandom(0.3, seed), 1)[0][0] == 1 for seed in range(1000)]
    assert 0.25 < sum(shares) / 1000 < 0.35
    assert [count for count, _cell in first_actions(EpsilonRandom(0.0, 1), 4)] == [9, 8, 7, 6]
    assert [count for count, _cell in first_actions(EpsilonRandom(1.0, 1), 4)] == [1, 1, 1, 1]
