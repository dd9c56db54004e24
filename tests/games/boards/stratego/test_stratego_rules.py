"""The rules of Stratego that are easily got wrong: moves, fights, set-up, endless play, and the end."""

import pytest
from stratego_positions import at, moves, play, position

from tag import DRAW, LOSE, WIN, ParameterError, Rng, make_game
from tag.games.boards.stratego.data import BOMB, FLAG, KIND, LAKE, MARSHAL, NAMES, PLANS, PLAY, SIDE, beats
from tag.games.boards.stratego.plans import set_up

OPEN = """
-F  .  .  .  .  .
 .  .  .  .  .  .
 . ~~  .  . ~~  .
 . ~~  .  . ~~  .
 .  .  .  .  .  .
 .  .  .  .  . +F
"""


#: A chase round the four squares in the middle.
ROUND = ("c5-c4", "d4-d3", "c4-d4", "d3-c3", "d4-d3", "c3-c4", "d3-c3", "c4-d4")


def board(**pieces):
    """Return the open board with pieces on squares."""
    rows = [line.split() for line in OPEN.strip().splitlines()]
    for name, token in pieces.items():
        rows[6 - int(name[1])]["abcdef".index(name[0])] = token
    return "\n".join([" ".join(row) for row in rows])


def from_square(found, name):
    return {text.split(" to ")[1] for text in found if text.startswith(f"{name} to ")}


def test_pieces_move_one_square_and_not_diagonally_or_on_lakes():
    model, state = position(board(c3="+M", a6="-F", d6="-2"))
    assert from_square(moves(model, state), "c3") == {"c2", "c4", "d3"}


def test_scouts_run_any_distance_but_not_over_pieces_or_lakes():
    model, state = position(board(c2="+2", c5="-4", a2="+4", e6="-2"))
    found = from_square(moves(model, state), "c2")
    assert found == {"c1", "c3", "c4", "c5", "b2", "d2", "e2", "f2"}


def test_an_older_rule_keeps_scouts_from_running_and_attacking_at_once():
    spec = "stratego:variant=small,scout_attacks=false"
    model, state = position(board(c2="+2", c5="-4"), spec=spec)
    assert "c5" not in from_square(moves(model, state), "c2")
    play(model, state, "c2-c4", "c5-d5", "c4-c5")
    model, state = position(board(c4="+2", c5="-4"), spec=spec)
    assert "c5" in from_square(moves(model, state), "c4")


@pytest.mark.parametrize("kind", range(1, MARSHAL + 1))
def test_equal_ranks_both_fall_and_higher_ones_win(kind):
    assert beats(kind, kind) == 0
    assert all(beats(kind, lower) == 1 for lower in range(1, kind))
    assert all(beats(lower, kind) == -1 for lower in range(1, kind) if (lower, kind) != (1, MARSHAL))


def test_both_fall():
    model, state = position(board(c3="+9", c4="-9", e6="-2", a1="+2"))
    play(model, state, "c3-c4")
    assert (at(state, "c3"), at(state, "c4")) == (".", ".")


def test_a_spy_beats_the_marshal_only_when_it_attacks():
    model, state = position(board(c3="+S", c4="-M", e6="-2"))
    play(model, state, "c3-c4")
    assert at(state, "c4") == "+Sb"
    model, state = position(board(c3="+M", c4="-S", e6="-2"))
    play(model, state, "c3-c4")
    assert at(state, "c4") == "+Mb"


def test_bombs_stay_and_miners_take_them():
    model, state = position(board(c3="+M", c4="-B", e6="-2", a1="+2"))
    play(model, state, "c3-c4")
    assert (at(state, "c3"), at(state, "c4")) == (".", "-Bs")
    model, state = position(board(c3="+3", c4="-B", e6="-2"))
    play(model, state, "c3-c4")
    assert at(state, "c4") == "+3b"


@pytest.mark.parametrize("kind", range(1, MARSHAL + 1))
def test_only_miners_beat_bombs_and_all_take_the_flag(kind):
    assert beats(kind, BOMB) == (1 if NAMES[kind] == "miner" else -1)
    assert beats(kind, FLAG) == 1


def test_both_pieces_of_a_fight_are_shown():
    model, state = position(board(c3="+5", c4="-9", e6="-2", a1="+2"))
    play(model, state, "c3-c4")
    assert at(state, "c4") == "-9s"
    for seed in range(20):
        assert at(state.observation(0, Rng(seed)), "c4") == "-9s"


def test_the_winner_moves_in_and_a_defender_stays():
    model, state = position(board(c3="+9", c4="-5", e6="-2"))
    play(model, state, "c3-c4")
    assert (at(state, "c3"), at(state, "c4")) == (".", "+9b")


def test_a_run_shows_a_scout_and_a_step_does_not():
    model, state = position(board(c2="+2", e6="-2", a1="+2"))
    play(model, state, "c2-c3", "e6-d6")
    assert at(state, "c3") == "+2m"
    play(model, state, "a1-a3")
    assert at(state, "a3") == "+2b"
    assert at(state, "d6") == "-2m"


def test_a_piece_may_not_move_a_fourth_time_between_two_squares():
    model, state = position(board(c3="+5", a6="-F", d6="-5", d5="-5"))
    play(model, state, "c3-d3", "d6-e6", "d3-c3", "e6-f6", "c3-d3", "f6-e6")
    assert from_square(moves(model, state), "d3") == {"d2", "d4"}


def test_another_move_ends_the_count():
    model, state = position(board(c3="+5", a1="+4", d6="-5", d5="-5"))
    play(model, state, "c3-d3", "d6-e6", "d3-c3", "e6-f6", "c3-d3", "f6-e6", "a1-a2", "d5-c5")
    assert "c3" in from_square(moves(model, state), "d3")


def test_an_attack_counts_as_a_move_between_two_squares():
    model, state = position(board(c3="+9", e6="-5", d4="-4"))
    play(model, state, "c3-d3", "e6-f6", "d3-c3", "d4-d3", "c3-d3", "f6-f5")
    assert at(state, "d3") == "+9b"
    assert "c3" not in from_square(moves(model, state), "d3")


@pytest.mark.parametrize(("limit", "allowed"), [(2, 2), (3, 3), (5, 5), (0, 12)])
def test_as_many_moves_are_allowed_as_the_parameter_says(limit, allowed):
    model, state = position(board(c3="+5", c6="-5", e6="-5"), spec=f"stratego:variant=small,two_squares={limit}")
    others = ["c6-c5", "e6-e5", "c5-c6", "e5-e6"]
    count = 0
    while count < 12:
        step = "d3-c3" if count % 2 else "c3-d3"
        if step.replace("-", " to ") not in moves(model, state):
            break
        play(model, state, step, others[count % 4])
        count += 1
    assert count == allowed


def test_for_scouts_a_border_that_all_moves_cross_counts():
    model, state = position(board(a2="+2", d6="-5", d5="-5"))
    play(model, state, "a2-e2", "d6-e6", "e2-b2", "e6-f6", "b2-d2", "f6-e6")
    found = from_square(moves(model, state), "d2")
    assert found == {"e2", "f2", "d1", "d3", "d4", "d5"}


def test_a_chase_may_not_repeat_a_position():
    spec = "stratego:variant=small,two_squares=0"
    model, state = position(board(c3="+9", d4="-5", e6="-2", a1="+2"), spec=spec)
    play(model, state, "c3-d3", "d4-c4", "d3-c3", "c4-d4")
    assert "d3" in from_square(moves(model, state), "c3")  # back where it has come from
    model, state = position(board(c5="+9", d4="-5", e6="-2", a1="+2"))
    play(model, state, *ROUND)
    assert from_square(moves(model, state), "c3") == {"c2", "d3"}


def test_without_the_rule_a_chase_may_go_on():
    spec = "stratego:variant=small,chase=false"
    model, state = position(board(c5="+9", d4="-5", e6="-2", a1="+2"), spec=spec)
    play(model, state, *ROUND)
    assert from_square(moves(model, state), "c3") == {"c2", "c4", "d3"}


def test_a_chase_ends_when_nothing_flees():
    spec = "stratego:variant=small,two_squares=0"
    model, state = position(board(c3="+9", d4="-5", e6="-2", a1="+2"), spec=spec)
    play(model, state, "c3-c4", "d4-d3", "c4-c3", "e6-f6")
    assert state.chase(0) == ()


def test_a_fight_ends_a_chase():
    model, state = position(board(c3="+9", d4="-5", e6="-2", e5="+4"))
    play(model, state, "c3-c4", "d4-d3", "e5-e6")
    assert (state.chase(0), state.chase(1)) == ((), ())


def test_who_has_no_move_loses():
    model, state = position(board(c3="+9", c4="-5"))
    play(model, state, "c3-c4")
    assert state.results == (WIN, LOSE)


def test_a_blocked_player_loses():
    drawing = board(a1="+5", a2="+B", b1="+B", c4="-5")
    model, state = position(drawing, player=1)
    play(model, state, "c4-c3")
    assert state.results == (LOSE, WIN)


def test_it_is_a_draw_if_neither_has_a_move():
    model, state = position(board(c3="+9", c4="-9"))
    play(model, state, "c3-c4")
    assert state.results == (DRAW, DRAW)


def test_taking_the_flag_wins_and_shows_all_pieces():
    model, state = position(board(a5="+2", c4="-9"))
    play(model, state, "a5-a6")
    assert state.results == (WIN, LOSE)
    assert at(state, "c4") == "-9s"


def test_the_game_is_a_draw_after_the_last_move():
    model, state = position(board(c3="+9", c5="-5"), spec="stratego:variant=small,two_squares=0,max_moves=10")
    play(model, state, *["c3-d3", "c5-d5", "d3-c3", "d5-c5"] * 2, "c3-d3", "c5-d5")
    assert state.results == (DRAW, DRAW)


def test_lakes_are_closed():
    state = make_game("stratego").setup(2, Rng(1))
    lakes = {
        name
        for square, name in enumerate(f"{c}{r}" for r in range(1, 11) for c in "abcdefghij")
        if state.board[square] == LAKE
    }
    assert lakes == {"c5", "d5", "g5", "h5", "c6", "d6", "g6", "h6"}


def test_bombs_and_flags_never_move():
    model, state = position(board(c3="+B", f1="+F", a1="+2"))
    assert {text.split(" ")[0] for text in moves(model, state)} == {"a1"}


@pytest.mark.parametrize(
    ("variant", "number", "rows"), [("classic", 40, 4), ("barrage", 8, 4), ("small", 12, 2), ("tiny", 4, 1)]
)
@pytest.mark.parametrize("setup", ["plans", "pieces", "drawn"])
def test_all_pieces_stand_in_the_rows_of_their_player(variant, number, rows, setup):
    model = make_game(f"stratego:variant={variant},setup={setup}")
    rng = Rng(3)
    state = model.setup(2, rng)
    while state.phase != PLAY:
        model.next(state, rng.choice(model.available_actions(state)), rng)
    for player in range(2):
        squares = [
            square for square, cell in enumerate(state.board) if cell & KIND and bool(cell & SIDE) == bool(player)
        ]
        own_rows = {model.field.height - 1 - square // 10 if player else square // 10 for square in squares}
        assert len(squares) == number
        assert max(own_rows) < rows
        assert state.pieces_left(player) == list(model.army)
    assert (state.current_player, state.turn) == (0, 0)


def test_the_army_is_the_printed_one():
    army = make_game("stratego").army
    assert [army[kind] for kind in range(1, 13)] == [1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6, 1]


def test_a_plan_hides_the_flag_among_bombs_at_the_back():
    model = make_game("stratego")
    for seed in range(50):
        placed = set_up(model.field, model.army, (seed % 2, 0, seed % 3), Rng(seed))
        place = placed.index(FLAG)
        assert place < 10
        assert (place < 5) == (seed % 2 == 0)
        near = [place + 10, *([place - 1] if place else []), *([place + 1] if place < 9 else [])]
        assert all(placed[other] == BOMB for other in near)


def test_a_plan_puts_scouts_or_officers_in_front():
    model = make_game("stratego")
    for seed in range(20):
        assert set_up(model.field, model.army, (2, 2, 0), Rng(seed))[30:].count(2) >= 4 - 1
        officers = [kind for kind in set_up(model.field, model.army, (0, 0, 1), Rng(seed))[30:] if 7 <= kind <= MARSHAL]
        assert len(officers) >= 4


def test_each_arrangement_can_be_made_by_a_plan():
    model = make_game("stratego:variant=tiny")
    any_plan = tuple(len(choices) - 1 for choices in PLANS)
    found = {tuple(set_up(model.field, model.army, any_plan, Rng(seed))) for seed in range(400)}
    assert len(found) == 24


@pytest.mark.parametrize("rules", ["bombs=7", "variant=tiny,bombs=2", "variant=tiny,scouts=0,miners=0"])
def test_armies_that_do_not_fit_are_refused(rules):
    with pytest.raises(ParameterError, match="nearest value"):
        make_game(f"stratego:{rules}")
