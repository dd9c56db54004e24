"""Turn orders: skipping, reversing, reacting, choosing at the same time."""

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag.agents.random import Random
from tag.engine.forward_model import ForwardModel, GameType
from tag.engine.results import LOSE
from tag.engine.rng import Rng
from tag.engine.rules import (
    Commit,
    ReactionSequence,
    ReversibleState,
    SimultaneousSequence,
    next_in_game,
    players_in_game,
)
from tag.engine.state import DO_NOTHING, Action, GameState, interned
from tag.playing.game import Game
from tag.playing.listener import Listener


class LogState(ReversibleState):
    """Players, a log of what happened, and what to start next."""

    __slots__ = ("log", "secret")

    def __init__(self, n_players):
        super().__init__(n_players)
        self.log = ()
        self.secret = [3] * n_players

    def copy(self):
        other = LogState(self.n_players)
        self.copy_to(other)
        other.log = self.log
        other.secret = self.secret[:]
        return other

    def redeterminise(self, player, rng):
        self.secret = [s if p == player else 1 + rng.below(4) for p, s in enumerate(self.secret)]


class Do(Action):
    """Log the player and a word; some words do more."""

    __slots__ = ("word",)

    def __init__(self, word):
        self.word = word

    def key(self):
        return (self.word,)

    def execute(self, state, rng):
        player = state.current_player
        state.log = (*state.log, (int(player), self.word))
        if self.word == "reverse":
            state.reverse()
        elif self.word == "leave":
            state.set_result(player, LOSE)
        elif self.word == "attack":
            state.start_sequence(Shield(players_in_game(state, (player + 1) % state.n_players)[:-1]))
        elif self.word == "everybody":
            state.start_sequence(Bids(players_in_game(state, player)))
        elif self.word.startswith("kill"):
            state.set_result(int(self.word[4:]) % state.n_players, LOSE)

    def __str__(self):
        return self.word


def do(word):
    return interned(Do(word))


class Shield(ReactionSequence):
    __slots__ = ()

    def copy(self):
        other = Shield(self.players)
        self.copy_to(other)
        return other

    def reactions(self, state, player):
        return [do("shield"), do("leave"), do("attack")]

    def closes(self, state, action):
        return action is do("shield")


class Bids(SimultaneousSequence):
    __slots__ = ()

    def copy(self):
        other = Bids(self.players)
        self.copy_to(other)
        return other

    def options(self, state, player):
        return [do(f"bid{n}") for n in range(state.secret[player])] + [do("attack"), do("leave"), do("kill2")]

    def resolution(self, state, player, action):
        return DO_NOTHING if action is do("bid0") else action


class Talk(ForwardModel):
    """Anything can be said, in ten turns."""

    game_type = GameType("Talk", 1, 5)

    def _setup(self, n_players, rng):
        return LogState(n_players)

    def _available_actions(self, state):
        return [do(word) for word in ("talk", "reverse", "leave", "attack", "everybody")]

    def _next_player(self, state):
        return next_in_game(state, state.turn_player, state.direction)

    def _after_action(self, state, action, rng):
        self.end_player_turn(state)
        if state.turn == 10 or len(players_in_game(state, 0)) < 2:
            state.end_by_score()


def played(n_players, *words):
    model = Talk()
    state = model.setup(n_players, Rng(1))
    for word in words:
        say(model, state, word)
    return model, state


def say(model, state, word):
    actions = {str(a.action if isinstance(a, Commit) else a): a for a in model.available_actions(state)}
    model.next(state, actions[word], Rng(1))


def speakers(state):
    return [player for player, _word in state.log]


# --- alternating and reversing -----------------------------------------------------------------------------------------


def test_players_alternate_and_those_who_are_out_are_skipped():
    _model, state = played(4, "talk", "leave", "talk", "talk", "talk", "talk", "talk")
    assert speakers(state) == [0, 1, 2, 3, 0, 2, 3]
    assert state.turn_player == 0


def test_the_direction_is_part_of_the_state():
    model, state = played(4, "talk", "reverse", "talk", "talk", "talk")
    copied = state.copy()
    say(model, copied, "reverse")
    assert speakers(state) == [0, 1, 0, 3, 2]
    assert (state.direction, copied.direction) == (-1, 1)
    assert (state.current_player, copied.current_player) == (1, 2)


@given(
    n=st.integers(1, 5), out=st.sets(st.integers(0, 4)), player=st.integers(0, 4), direction=st.sampled_from([1, -1])
)
@settings(derandomize=True, deadline=None)
def test_next_in_game_goes_round_exactly_those_in_the_game(n, out, player, direction):
    state = GameState(n)
    player %= n
    for other in out:
        if other < n:
            state.set_result(other, LOSE)
    inside = {p for p in range(n) if p not in out}
    visited, at = [], player
    for _step in range(len(inside)):
        at = next_in_game(state, at, direction)
        visited.append(at)
    assert not inside or set(visited) == inside
    order = players_in_game(state, player, direction)
    assert set(order) == inside
    if player in inside:
        assert order[0] == player
        assert list(order[1:]) == visited[:-1]
    if not inside:
        assert next_in_game(state, player, direction) == player


# --- reactions ---------------------------------------------------------------------------------------------------------


def test_everybody_else_is_asked_and_the_turn_goes_on_after_that():
    model, state = played(4, "talk", "attack")
    assert state.turn_player == 1
    assert state.current_player == 2
    assert model.available_actions(state)[0] is DO_NOTHING
    for player in (2, 3, 0):
        assert state.current_player == player
        assert state.turn == 1
        say(model, state, "pass")
    assert not state.sequences
    assert (state.turn, state.current_player) == (2, 2)


def test_a_reaction_can_close_the_window():
    _model, state = played(4, "attack", "pass", "shield")
    assert not state.sequences
    assert speakers(state) == [0, 2]
    assert state.current_player == 1


def test_who_leaves_while_reacting_does_not_make_the_next_be_skipped():
    model, state = played(4, "attack", "leave")
    assert state.current_player == 2
    say(model, state, "pass")
    say(model, state, "pass")
    assert not state.sequences
    assert state.current_player == 2


def test_a_reaction_to_a_reaction_is_dealt_with_first():
    model, state = played(3, "attack", "attack")
    assert len(state.sequences) == 2
    assert state.current_player == 2
    say(model, state, "leave")
    assert state.current_player == 0
    say(model, state, "pass")
    assert not state.sequences
    assert state.current_player == 1


# --- simultaneous ------------------------------------------------------------------------------------------------------


def test_choices_happen_in_order_when_all_have_chosen():
    model, state = played(3, "talk", "everybody")
    for player, word in ((1, "bid2"), (2, "bid1"), (0, "bid0")):
        assert state.current_player == player
        assert state.log == ((0, "talk"), (1, "everybody"))
        say(model, state, word)
    for player, action in ((1, do("bid2")), (2, do("bid1")), (0, DO_NOTHING)):
        assert state.current_player == player
        assert model.available_actions(state) == [action]
        model.next(state, action, Rng(1))
    assert state.log[2:] == ((1, "bid2"), (2, "bid1"))
    assert not state.sequences
    assert state.current_player == 2


def test_a_choice_can_start_a_sequence_and_the_others_wait_for_it():
    model, state = played(3, "everybody", "attack", "bid1", "bid2", "attack")
    assert len(state.sequences) == 2
    assert state.current_player == 1
    say(model, state, "pass")
    say(model, state, "pass")
    assert len(state.sequences) == 1
    say(model, state, "bid1")
    say(model, state, "bid2")
    assert speakers(state) == [0, 0, 1, 2]
    assert not state.sequences


def test_who_leaves_by_a_choice_and_who_is_thrown_out_before_it_happens():
    model, state = played(4, "everybody", "leave", "kill2", "bid1", "bid2")
    for word in ("leave", "kill2", "bid2"):
        say(model, state, word)
    assert state.log[1:] == ((0, "leave"), (1, "kill2"), (3, "bid2"))
    assert not state.sequences
    assert state.current_player == 1


def test_players_out_of_the_game_are_not_asked():
    model = Talk()
    state = model.setup(4, Rng(1))
    state.set_result(1, LOSE)
    state.set_result(3, LOSE)
    state.start_sequence(Bids((0, 1, 2, 3)))
    say(model, state, "bid1")
    assert state.current_player == 2
    say(model, state, "bid2")
    bids = state.sequences[0]
    assert bids.chosen == (do("bid1"), None, do("bid2"))
    assert bids.knowledge(0) == bids.knowledge(2) != Bids((0, 1, 2, 3)).knowledge(0)
    say(model, state, "bid1")
    say(model, state, "bid2")
    assert not state.sequences


def test_choices_of_others_are_hidden_until_all_have_chosen():
    model, state = played(3, "everybody", "bid1", "bid2")
    _model, twin = played(3, "everybody", "bid2", "bid2")
    mine, theirs = state.sequences[0], twin.sequences[0]
    assert mine.knowledge(1) == theirs.knowledge(1)
    assert mine.knowledge(0) != theirs.knowledge(0)
    seen = [state.observation(1, Rng(seed)) for seed in range(300)]
    assert {s.sequences[0].chosen[1] for s in seen} == {do("bid2")}
    hidden = {str(s.sequences[0].chosen[0]) for s in seen}
    assert hidden == {"bid0", "bid1", "bid2", "bid3", "attack", "leave", "kill2"}
    for s in seen:  # what is drawn fits the state as it is dealt again
        assert s.sequences[0].chosen[0] in s.sequences[0].options(s, 0)
    assert {s.sequences[0].chosen[0] for s in [state.observation(0, Rng(seed)) for seed in range(50)]} == {do("bid1")}
    assert state.sequences[0].chosen == (do("bid1"), do("bid2"))
    say(model, state, "bid0")
    assert state.observation(2, Rng(3)).sequences[0].chosen == (do("bid1"), do("bid2"), do("bid0"))
    assert state.sequences[0].knowledge(2) == state.sequences[0].knowledge(0)


def test_secret_choices_are_secret_in_words():
    state = LogState(2)
    choice = interned(Commit(1, do("bid1")))
    assert choice.text(state, 0) == "choose in secret"
    assert choice.text(state, 1) == choice.text(state, -1) == str(choice) == "choose to bid1"
    assert pickle.loads(pickle.dumps(choice)) is choice


def test_copies_of_sequences_are_apart():
    model, state = played(3, "everybody", "bid1")
    copied = state.copy()
    assert copied.snapshot() == state.snapshot()
    before = state.snapshot()
    say(model, copied, "bid2")
    say(model, copied, "bid0")
    assert state.snapshot() == before
    loaded = pickle.loads(pickle.dumps(state))
    assert loaded.snapshot() == before


class Recorder(Listener):
    def __init__(self):
        self.seen = []

    def on_action_chosen(self, state, player, action, actions, agent):
        self.seen.append((int(player), str(action), agent is not None))


@pytest.mark.parametrize("n_players", [2, 3, 5])
def test_whole_games_are_decided_by_the_seed(n_players):
    for seed in range(15):
        runs = []
        for _again in range(2):
            recorder = Recorder()
            final = Game(Talk(), [Random() for _seat in range(n_players)], seed, listeners=[recorder]).play()
            assert final.is_terminal
            runs.append((recorder.seen, final.snapshot()))
        assert runs[0] == runs[1]


def test_a_choice_that_happens_is_not_a_decision():
    recorder = Recorder()
    for seed in range(20):
        Game(Talk(), [Random() for _seat in range(3)], seed, listeners=[recorder]).play()
    assert all(not asked for _player, word, asked in recorder.seen if word.startswith("bid"))
    assert any(word.startswith("bid") for _player, word, _asked in recorder.seen)
