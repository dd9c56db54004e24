"""Results, ordinals, tiebreaks, teams, sequences, pickles and hashes of states."""

import pickle
from enum import IntEnum
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mypy_extensions import i64
from play.toys import ADDS, PigState, Race

from tag import DISQUALIFIED, DRAW, LOSE, ONGOING, TIMEOUT, WIN, ExtendedSequence, GameState, Rng, make_game
from tag.catalogue.registry import game_names
from tag.engine.snapshot import field_values, freeze, restored, snapshot, state_hash


class Tied(PigState):
    """Totals with two tiers of tiebreaks: the player's last digit, then nothing."""

    def tiebreak(self, player: i64, tier: i64) -> float:
        return float(player) if tier == 1 else 0.0

    def tiebreak_tiers(self) -> i64:
        return 2


class Pairs(PigState):
    """Two teams: even and odd seats, who share their points."""

    def team(self, player: i64) -> i64:
        return player % 2

    def score(self, player: i64) -> float:
        return float(sum(self.totals[player % 2 :: 2]))


class Whispered(PigState):
    """Totals that only their players see."""

    __str__ = GameState.__str__

    def text(self, viewer: i64) -> str:
        return " ".join(str(n) if viewer in (-1, seat) else "?" for seat, n in enumerate(self.totals))


def at(kind, totals):
    state = kind(len(totals))
    state.totals = totals
    return state


def test_a_shared_first_place_is_a_draw():
    state = at(PigState, [3, 5, 5])
    state.end_by_score()
    assert state.results == (LOSE, DRAW, DRAW)
    assert [state.ordinal(p) for p in range(3)] == [3, 1, 1]


def test_tiebreaks_separate_equal_scores():
    state = at(Tied, [5, 5, 3])
    state.end_by_score()
    assert state.results == (LOSE, WIN, LOSE)
    assert [state.ordinal(p) for p in range(3)] == [2, 1, 3]


def test_a_team_wins_together():
    state = at(Pairs, [1, 9, 4, 0])
    state.end_by_score()
    assert state.results == (LOSE, WIN, LOSE, WIN)
    assert [state.ordinal(p) for p in range(4)] == [3, 1, 3, 1]
    other = at(Pairs, [0, 0, 0, 0])
    other.end_with_winner(2)
    assert other.results == (WIN, LOSE, WIN, LOSE)


def test_a_team_with_a_fault_does_not_win():
    state = at(Pairs, [9, 1, 4, 0])
    state.set_result(0, DISQUALIFIED)
    state.end_by_score()
    assert state.results == (DISQUALIFIED, WIN, LOSE, WIN)
    assert [state.ordinal(p) for p in range(4)] == [4, 1, 3, 1]


def test_who_was_disqualified_stays_so():
    state = at(PigState, [9, 5, 7])
    state.set_result(0, DISQUALIFIED)
    state.set_result(2, TIMEOUT)
    state.end_by_score()
    assert state.results == (DISQUALIFIED, WIN, TIMEOUT)
    assert [state.ordinal(p) for p in range(3)] == [3, 1, 2]


def test_results_before_the_end():
    state = at(PigState, [0, 0])
    assert [state.result(p) for p in range(2)] == [ONGOING, ONGOING]
    assert state.result_value(0) == 0.0


def test_everybody_can_win_or_lose_together():
    state = at(PigState, [0, 0])
    state.end_for_all(LOSE)
    assert state.results == (LOSE, LOSE)
    assert state.is_terminal


def test_pickles_keep_every_field():
    state = at(Tied, [1, 2])
    state.tick = 7
    state.set_result(1, LOSE)
    loaded = pickle.loads(pickle.dumps(state))
    assert type(loaded) is Tied
    assert loaded.snapshot() == state.snapshot()
    assert loaded.totals is not state.totals


def test_hashes_tell_positions_apart_and_ignore_the_watching():
    state = at(PigState, [1, 2])
    same = state.copy()
    same.recording = True
    assert state_hash(state) == state_hash(same)
    same.totals[0] = 2
    assert state_hash(state) != state_hash(same)


def test_freeze_is_hashable_for_all_plain_data():
    frozen = freeze({"b": [1, {2, 3}], "a": bytearray(b"x"), "c": None, "d": ADDS[0]})
    assert hash(frozen) == hash(freeze({"a": bytearray(b"x"), "b": [1, {3, 2}], "c": None, "d": ADDS[0]}))


class Duel(ExtendedSequence):
    """Asks two players for a number each, out of turn."""

    def __init__(self, players):
        self.players = list(players)
        self.seen = []

    def current_player(self, state):
        return self.players[0]

    def available_actions(self, state):
        return ADDS[:2]

    def after_action(self, state, action, rng):
        self.seen.append((self.players.pop(0), action))

    def is_complete(self, state):
        return not self.players

    def copy(self):
        other = Duel(self.players)
        other.seen = self.seen[:]
        return other


class Interrupted(Race):
    """A race in which the highest number leads to a duel of players 2 and 1."""

    def _after_action(self, state, action, rng):
        if action is ADDS[2] and state.phase == 0:
            state.phase = 1
            state.start_sequence(Duel([2, 1]))
        else:
            super()._after_action(state, action, rng)


def test_a_sequence_takes_over_and_gives_the_turn_back():
    model = Interrupted()
    rng = Rng(1)
    state = model.setup(3, rng)
    model.next(state, ADDS[2], rng)
    assert (state.current_player, state.turn_player) == (2, 0)
    assert model.available_actions(state) == ADDS[:2]
    copy = state.copy()
    model.next(state, ADDS[0], rng)
    assert state.current_player == 1
    assert copy.sequences[0].players == [2, 1]
    model.next(state, ADDS[1], rng)
    assert state.sequences == ()
    assert (state.current_player, state.turn_player, state.turn) == (1, 1, 1)
    model.next(copy, ADDS[0], rng)
    model.next(copy, ADDS[1], rng)
    assert copy.turn == 1


def test_a_state_is_shown_by_its_text_or_by_str():
    assert str(at(Whispered, [3, 5])) == "3 5"
    assert at(Whispered, [3, 5]).text(1) == "? 5"
    assert at(PigState, [3, 5]).text(1) == str(at(PigState, [3, 5])) == "3 5"
    bare = GameState(2)
    assert str(bare) == repr(bare)


def test_each_common_field_that_players_see_is_part_of_the_basic_knowledge():
    before = at(PigState, [3, 5])
    for change in ("current_player", "turn_player", "first_player", "turn", "round", "phase"):
        after = before.copy()
        setattr(after, change, 1)
        assert after.basic_knowledge(0) != before.basic_knowledge(0), change
    after = before.copy()
    after.end_with_draw()
    assert after.basic_knowledge(0) != before.basic_knowledge(0) != before.basic_knowledge(1)
    after = before.copy()
    after.tick = 1
    assert hash(after.basic_knowledge(0)) == hash(before.basic_knowledge(0))


class Tone(IntEnum):
    LOW = 3


class Assorted(GameState):
    """Every kind of value that a state can hold, in fields of an interpreted class."""

    def __init__(self, values: list[object]) -> None:
        super().__init__(2)
        for number, value in enumerate(values):
            setattr(self, f"field_{number}", value)


def test_slots_change_neither_hash_nor_pickle():
    def made(name: str, content: dict[str, object]) -> GameState:
        state = type(name, (GameState,), content)(2)
        state.cards, state.paid = [3, 1], (1,)
        return state

    plain, slotted = made("Cards", {}), made("Cards", {"__slots__": ("cards", "paid")})
    assert not hasattr(slotted, "__dict__")
    assert state_hash(plain) == state_hash(slotted)
    assert field_values(plain) == field_values(slotted)
    assert field_values(restored(type(slotted), field_values(slotted))) == field_values(slotted)


PLAIN = st.none() | st.booleans() | st.integers() | st.sampled_from([*Tone]) | st.floats() | st.text() | st.binary()
VALUES = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.integers() | st.text(), inner, max_size=3)
        | st.frozensets(PLAIN, max_size=3)
        | st.binary().map(bytearray)
        | st.just(ADDS[1])
    ),
    max_leaves=12,
)


@pytest.mark.flow
@given(st.lists(VALUES, max_size=5))
def test_the_hash_is_of_the_text_of_the_snapshot(values):
    state = Assorted(values)
    assert state_hash(state) == blake2b(repr(snapshot(state)).encode(), digest_size=8).hexdigest()


@pytest.mark.parametrize("name", game_names())
def test_the_hash_of_each_position_of_a_game_is_of_its_snapshot(name):
    model, rng = make_game(name), Rng(5)
    state = model.setup(model.game_type.min_players, rng)
    while not state.is_terminal and state.tick < 60:
        assert state_hash(state) == blake2b(repr(snapshot(state)).encode(), digest_size=8).hexdigest()
        model.next(state, rng.choice(model.available_actions(state)), rng)
