"""The treatments of Virus! against the printed rules."""

import pytest
from virus_positions import (
    BLUE,
    CLEAN,
    GREEN,
    IMMUNE,
    LATEX_GLOVE,
    MEDICAL_ERROR,
    MEDICINE,
    ORGAN_THIEF,
    RED,
    SPREADING,
    TRANSPLANT,
    VIRUS,
    WILD,
    YELLOW,
    all_cards,
    body,
    discarded,
    offered,
    organ,
    play,
    position,
    random_positions,
    sick,
    vaccinated,
)

from tag.engine.results import LOSE, WIN
from tag.engine.rng import Rng
from tag.games.cards.virus import Virus, VirusParameters
from tag.games.cards.virus.actions import (
    Discard,
    KeepVirus,
    MoveVirus,
    PlayLatexGlove,
    PlaySpreading,
    StealOrgan,
    SwapBodies,
    Transplant,
    most_moves,
)

# --- transplant -------------------------------------------------------------------------------------------------------


def test_transplant_swaps_two_organs_with_what_lies_on_them():
    state = position([TRANSPLANT], {RED: sick(RED), BLUE: CLEAN}, {GREEN: vaccinated(GREEN)})
    play(state, Transplant(0, RED, 1, GREEN))
    assert state.bodies == [body({GREEN: vaccinated(GREEN), BLUE: CLEAN}), body({RED: sick(RED)})]
    assert discarded(state) == ["transplant"]


def test_transplant_may_swap_organs_of_one_colour_and_those_of_two_rivals():
    state = position([TRANSPLANT], {}, {RED: sick(RED)}, {RED: CLEAN})
    assert offered(state, Transplant) == [(1, RED, 2, RED)]
    play(state, Transplant(1, RED, 2, RED))
    assert (organ(state, 1, RED), organ(state, 2, RED)) == (CLEAN, sick(RED))


def test_transplant_may_not_leave_an_organ_twice_in_a_body():
    state = position([TRANSPLANT], {RED: CLEAN, GREEN: CLEAN}, {GREEN: CLEAN, BLUE: CLEAN})
    assert offered(state, Transplant) == [(0, RED, 1, BLUE), (0, GREEN, 1, GREEN)]


def test_transplant_does_not_affect_immunised_organs():
    state = position([TRANSPLANT], {RED: IMMUNE, GREEN: CLEAN}, {BLUE: CLEAN, YELLOW: IMMUNE})
    assert offered(state, Transplant) == [(0, GREEN, 1, BLUE)]


def test_multicoloured_organ_is_swapped_like_any_other():
    state = play(position([TRANSPLANT], {RED: CLEAN}, {WILD: CLEAN, RED: CLEAN}), Transplant(0, RED, 1, RED))
    assert offered(position([TRANSPLANT], {RED: CLEAN}, {WILD: CLEAN}), Transplant) == [(0, RED, 1, WILD)]
    assert state.bodies[0] == body({RED: CLEAN})


def test_transplant_that_completes_a_rivals_body_makes_the_rival_win():
    rival = {RED: sick(RED), GREEN: CLEAN, BLUE: CLEAN, YELLOW: CLEAN}
    state = play(position([TRANSPLANT], {}, {RED: CLEAN}, rival), Transplant(1, RED, 2, RED))
    assert state.results == (LOSE, LOSE, WIN)


# --- organ thief ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state_of_organ", [CLEAN, sick(RED), vaccinated(RED)])
def test_thief_takes_an_organ_with_what_lies_on_it(state_of_organ):
    state = play(position([ORGAN_THIEF], {}, {RED: state_of_organ, GREEN: CLEAN}), StealOrgan(1, RED))
    assert state.bodies == [body({RED: state_of_organ}), body({GREEN: CLEAN})]
    assert discarded(state) == ["organ thief"]


def test_thief_takes_no_immunised_organ_and_none_that_the_own_body_has():
    organs = {RED: IMMUNE, GREEN: CLEAN, BLUE: CLEAN, WILD: CLEAN}
    state = position([ORGAN_THIEF], {GREEN: sick(GREEN)}, organs, {GREEN: CLEAN, YELLOW: sick(YELLOW)})
    assert offered(state, StealOrgan) == [(1, BLUE), (1, WILD), (2, YELLOW)]


def test_stealing_the_fourth_organ_wins():
    own = {RED: CLEAN, GREEN: CLEAN, BLUE: CLEAN}
    assert play(position([ORGAN_THIEF], own, {YELLOW: CLEAN}), StealOrgan(1, YELLOW)).results == (WIN, LOSE)


# --- spreading --------------------------------------------------------------------------------------------------------


def spread(*bodies, **parameters):
    """Return the position after spreading has been played, before the first virus has moved."""
    return play(position([SPREADING], *bodies, **parameters), PlaySpreading())


def test_spreading_moves_every_virus_that_can_move_one_after_the_other():
    state = spread({RED: sick(RED), GREEN: sick(GREEN)}, {RED: CLEAN, GREEN: CLEAN})
    assert state.current_player == state.turn_player == 0
    play(state, MoveVirus(RED, 1, RED))
    assert state.current_player == 0
    play(state, MoveVirus(GREEN, 1, GREEN))
    assert state.bodies == [body({RED: CLEAN, GREEN: CLEAN}), body({RED: sick(RED), GREEN: sick(GREEN)})]
    assert discarded(state) == ["spreading"]
    assert state.current_player == 1
    assert len(state.hand(0)) == 3


def test_cards_are_drawn_and_the_turn_ends_only_after_the_last_virus():
    state = spread({RED: sick(RED)}, {RED: CLEAN})
    assert state.hand(0) == []
    assert state.turn == 0
    play(state, MoveVirus(RED, 1, RED))
    assert state.turn == 1


def test_spreading_goes_to_free_organs_of_others_that_the_virus_fits():
    others = [{RED: CLEAN, GREEN: CLEAN, WILD: CLEAN}, {RED: sick(RED)}, {RED: vaccinated(RED)}, {RED: CLEAN}]
    state = spread({RED: sick(RED)}, *others)
    moves = Virus().available_actions(state)
    assert [action.key() for action in moves] == [(RED, 1, RED), (RED, 1, WILD), (RED, 4, RED)]
    immune = position([SPREADING], {RED: sick(RED)}, {RED: IMMUNE, GREEN: CLEAN})
    assert offered(immune, PlaySpreading) == []


def test_colour_of_the_card_decides_where_a_virus_goes_not_the_organ_it_lies_on():
    state = spread({WILD: sick(RED)}, {RED: CLEAN, GREEN: CLEAN})
    assert offered(state, MoveVirus) == [(WILD, 1, RED)]
    state = spread({RED: sick(WILD)}, {GREEN: CLEAN, BLUE: CLEAN})
    assert offered(state, MoveVirus) == [(RED, 1, GREEN), (RED, 1, BLUE)]


def test_as_many_viruses_as_possible_move():
    # The red virus must leave the multicoloured organ to the green one, which fits nowhere else.
    state = spread({RED: sick(RED), GREEN: sick(GREEN)}, {RED: CLEAN, WILD: CLEAN})
    assert offered(state, MoveVirus) == [(RED, 1, RED)]
    assert offered(state, KeepVirus) == []
    play(state, MoveVirus(RED, 1, RED))
    assert offered(state, MoveVirus) == [(GREEN, 1, WILD)]


def test_where_not_all_viruses_can_move_the_player_chooses_which():
    organs = {RED: sick(RED), GREEN: sick(GREEN)}
    state = spread(organs, {WILD: CLEAN})
    assert offered(state, MoveVirus) == [(RED, 1, WILD)]
    assert offered(state, KeepVirus) == [(RED,)]
    kept = play(state.copy(), KeepVirus(RED))
    assert offered(kept, KeepVirus) == []
    play(kept, MoveVirus(GREEN, 1, WILD))
    assert organ(kept, 0, RED) == sick(RED)
    assert organ(kept, 1, WILD) == sick(GREEN)
    play(state, MoveVirus(RED, 1, WILD))
    assert state.current_player == 1
    assert organ(state, 0, GREEN) == sick(GREEN)


def test_a_virus_that_cannot_move_stays_without_a_decision():
    state = spread({RED: sick(RED), GREEN: sick(GREEN), BLUE: sick(BLUE)}, {GREEN: CLEAN})
    assert offered(state, MoveVirus) == [(GREEN, 1, GREEN)]
    play(state, MoveVirus(GREEN, 1, GREEN))
    assert state.current_player == 1
    assert organ(state, 0, RED) == sick(RED)


def test_getting_rid_of_viruses_wins():
    state = spread({RED: sick(RED), GREEN: CLEAN, BLUE: CLEAN, YELLOW: CLEAN}, {RED: CLEAN})
    assert play(state, MoveVirus(RED, 1, RED)).results == (WIN, LOSE)


def test_most_moves_is_the_largest_matching():
    rng = Rng(5)
    for _draw in range(300):
        viruses = [int(rng.below(3)) for _colour in range(5)]
        free = [int(rng.below(3)) for _colour in range(5)]
        cards = [colour for colour, count in enumerate(viruses) for _copy in range(count)][:5]
        places = [colour for colour, count in enumerate(free) for _copy in range(count)]
        counted = [cards.count(colour) for colour in range(5)]
        assert most_moves(counted, free) == largest_matching(cards, places)


def largest_matching(cards, places):
    """Return the most cards that fit different places, by trying everything."""
    if not cards:
        return 0
    best = largest_matching(cards[1:], places)
    for place in set(places):
        if cards[0] == place or WILD in (cards[0], place):
            rest = places[:]
            rest.remove(place)
            best = max(best, 1 + largest_matching(cards[1:], rest))
    return best


def test_every_choice_while_spreading_ends_with_the_same_number_of_viruses_moved():
    model = Virus(VirusParameters(spreadings=10, viruses=8, wild_viruses=6))
    rng = Rng(7)
    seen = 0
    for state in random_positions(4, 9, games=2, spreadings=10, viruses=8, wild_viruses=6):
        if PlaySpreading in [type(action) for action in model.available_actions(state)]:
            seen += 1
            moved = set()
            for _try in range(4):
                copy = state.copy()
                play(copy, PlaySpreading(), spreadings=10, viruses=8, wild_viruses=6)
                count = 0
                while copy.sequences:
                    action = rng.choice(model.available_actions(copy))
                    count += isinstance(action, MoveVirus)
                    model.next(copy, action, rng)
                moved.add(count)
            assert len(moved) == 1
            assert moved != {0}
    assert seen > 5


# --- latex glove ------------------------------------------------------------------------------------------------------


def test_glove_makes_all_others_discard_and_only_draw_in_their_next_turn():
    hands = [[RED, GREEN, VIRUS + RED], [BLUE, MEDICINE + BLUE, YELLOW]]
    state = play(position([LATEX_GLOVE, RED, RED], {}, {}, {}, hands=hands), PlayLatexGlove())
    assert [len(state.hand(player)) for player in range(3)] == [3, 0, 0]
    assert len(discarded(state)) == 7
    for player in (1, 2):
        assert state.current_player == player
        assert Virus().available_actions(state) == [Virus().available_actions(state)[0]]
        assert offered(state, Discard) == [()]
        play(state, Discard())
        assert len(state.hand(player)) == 3
    assert state.current_player == 0
    assert state.round == 1


def test_glove_needs_somebody_with_cards():
    assert offered(position([LATEX_GLOVE], {}, {}, {}, hands=[[], []]), PlayLatexGlove) == []
    assert offered(position([LATEX_GLOVE], {}, {}, {}, hands=[[], [RED]]), PlayLatexGlove) == [()]


# --- medical error ----------------------------------------------------------------------------------------------------


def test_medical_error_swaps_whole_bodies_immunised_organs_included():
    mine, theirs = {RED: sick(RED)}, {GREEN: IMMUNE, BLUE: vaccinated(BLUE), WILD: sick(YELLOW)}
    state = play(position([MEDICAL_ERROR], mine, {RED: CLEAN}, theirs), SwapBodies(2))
    assert state.bodies == [body(theirs), body({RED: CLEAN}), body(mine)]
    assert discarded(state) == ["medical error"]
    assert all_cards(state) == VirusParameters().deck()


def test_an_empty_body_may_be_swapped_but_not_for_another_empty_one():
    assert offered(position([MEDICAL_ERROR], {}, {}, {RED: CLEAN}), SwapBodies) == [(2,)]
    assert offered(position([MEDICAL_ERROR], {RED: CLEAN}, {}, {}), SwapBodies) == [(1,), (2,)]


# --- none -------------------------------------------------------------------------------------------------------------


def test_a_treatment_without_anything_to_act_on_can_only_be_discarded():
    state = position([TRANSPLANT, ORGAN_THIEF, SPREADING], {RED: sick(RED)}, {RED: IMMUNE})
    assert all(isinstance(action, Discard) for action in Virus().available_actions(state))
