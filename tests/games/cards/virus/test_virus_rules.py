"""Virus! against the printed rules: one test per rule that can be got wrong; treatments have a file of their own."""

from itertools import combinations, combinations_with_replacement

import pytest
from virus_positions import (
    BLUE,
    CLEAN,
    GREEN,
    IMMUNE,
    MEDICINE,
    RED,
    VIRUS,
    WILD,
    YELLOW,
    all_cards,
    discarded,
    offered,
    organ,
    play,
    position,
    random_positions,
    set_deck,
    sick,
    vaccinated,
)

from tag.engine.results import LOSE, WIN
from tag.engine.rng import Rng
from tag.errors import PlayersError
from tag.games.cards.virus import Virus
from tag.games.cards.virus.actions import (
    DISCARDS,
    RANKS,
    Discard,
    PlayMedicine,
    PlayOrgan,
    PlayVirus,
    all_discards,
    discard_table,
)
from tag.games.cards.virus.data import IMMUNISED, N_KINDS, NO_CARD, cards_on

FULL = {RED: CLEAN, GREEN: CLEAN, BLUE: CLEAN, YELLOW: CLEAN}


def without(organs, colour):
    return {other: state for other, state in organs.items() if other != colour}


# --- set-up ---------------------------------------------------------------------------------------------------------


def test_the_deck_has_the_68_printed_cards():
    state = Virus().setup(4, Rng(1))
    organs, viruses, medicines, treatments = (all_cards(state)[first : first + 5] for first in (0, 5, 10, 15))
    assert organs == [5, 5, 5, 5, 1]
    assert viruses == [4, 4, 4, 4, 1]
    assert medicines == [4, 4, 4, 4, 4]
    assert treatments == [3, 3, 2, 1, 1]
    assert sum(all_cards(state)) == 68


@pytest.mark.parametrize("n_players", [2, 3, 4, 5, 6])
def test_everybody_is_dealt_three_cards_and_seat_0_starts(n_players):
    state = Virus().setup(n_players, Rng(1))
    assert [len(state.hand(player)) for player in range(n_players)] == [3] * n_players
    assert state.deck_size == sum(state.deck) == 68 - 3 * n_players
    assert state.bodies == [0] * n_players
    assert state.current_player == 0


@pytest.mark.parametrize("n_players", [1, 7])
def test_two_to_six_play(n_players):
    with pytest.raises(PlayersError):
        Virus().setup(n_players, Rng(1))


# --- turns ------------------------------------------------------------------------------------------------------------


def test_a_turn_is_one_card_then_drawing_up_to_three():
    state = play(position([RED, GREEN, VIRUS + RED], {}, {}), PlayOrgan(RED))
    assert len(state.hand(0)) == 3
    assert state.current_player == 1
    assert state.deck_size == 68 - 6 - 1
    assert discarded(state) == []


def test_one_to_three_cards_may_be_discarded_and_equal_choices_are_one():
    state = position([RED, RED, VIRUS + BLUE], {RED: CLEAN}, {})
    blue = VIRUS + BLUE
    assert offered(state, Discard) == [(RED,), (blue,), (RED, RED), (RED, blue), (RED, RED, blue)]
    play(state, Discard(RED, blue))
    assert discarded(state) == ["blue virus", "heart"]
    assert len(state.hand(0)) == 3


def test_a_turn_cannot_be_passed_without_playing_or_discarding():
    for state in random_positions(3, seed=2):
        if not state.is_terminal and state.hand(state.current_player):
            assert () not in offered(state, Discard)


def test_nothing_but_discarding_is_left_where_no_card_can_be_played():
    state = position([RED, MEDICINE + BLUE, VIRUS + BLUE], {RED: CLEAN}, {RED: CLEAN})
    assert all(isinstance(action, Discard) for action in Virus().available_actions(state))


def test_an_exhausted_deck_is_replaced_by_the_discard_pile_when_a_card_is_to_be_drawn():
    state = position([RED, GREEN, BLUE], {}, {})
    state.deck[YELLOW] -= 1
    set_deck(state, [int(card == YELLOW) for card in range(N_KINDS)], state.deck)
    play(state, Discard(RED))
    assert YELLOW in state.hand(0)
    assert state.deck_size == 0
    play(state, Discard(state.hand(1)[0]))
    assert sum(state.discards) == 0
    assert state.deck_size == sum(state.deck) == 68 - 6
    assert sum(all_cards(state)) == 68


def test_hands_stay_smaller_when_deck_and_discard_pile_are_empty():
    state = position([RED, GREEN, BLUE], {}, {})
    set_deck(state, [0] * N_KINDS, [0] * N_KINDS)
    play(state, PlayOrgan(RED))
    assert state.hand(0) == [GREEN, BLUE]
    assert state.hands[2] == NO_CARD


def test_the_discard_pile_is_drawn_from_by_chance():
    drawn = set()
    for seed in range(60):
        state = position([RED, GREEN, BLUE], {}, {})
        set_deck(state, [0] * N_KINDS, state.deck)
        Virus().next(state, Virus().available_actions(state)[0], Rng(seed))
        drawn.update(state.hand(0))
    assert len(drawn) > 10


# --- organs -----------------------------------------------------------------------------------------------------------


def test_an_organ_goes_into_the_own_body_free():
    state = play(position([RED, GREEN, BLUE], {}, {}), PlayOrgan(RED))
    assert organ(state, 0, RED) == CLEAN
    assert organ(state, 1, RED) == 0


def test_an_organ_is_never_twice_in_a_body():
    state = position([RED, GREEN, WILD], {RED: sick(RED)}, {})
    assert offered(state, PlayOrgan) == [(GREEN,), (WILD,)]
    assert offered(position([WILD, RED], {RED: CLEAN}, {}, wild_organs=2), PlayOrgan) == [(WILD,)]
    assert offered(position([WILD, RED], {WILD: CLEAN}, {}, wild_organs=2), PlayOrgan) == [(RED,)]


# --- winning ----------------------------------------------------------------------------------------------------------


def test_four_different_healthy_organs_win_at_once():
    state = play(position([YELLOW, RED, RED], without(FULL, YELLOW), {}), PlayOrgan(YELLOW))
    assert state.is_terminal
    assert state.results == (WIN, LOSE)


def test_vaccinated_and_immunised_organs_are_healthy():
    organs = {RED: IMMUNE, GREEN: vaccinated(GREEN), BLUE: CLEAN}
    assert play(position([YELLOW, RED], organs, {}), PlayOrgan(YELLOW)).results == (WIN, LOSE)


def test_an_infected_organ_does_not_count():
    organs = {RED: sick(RED), GREEN: CLEAN, BLUE: CLEAN}
    assert not play(position([YELLOW, RED], organs, {}), PlayOrgan(YELLOW)).is_terminal


def test_the_multicoloured_organ_counts_as_one():
    organs = {GREEN: CLEAN, BLUE: CLEAN, YELLOW: CLEAN}
    assert play(position([WILD, RED], organs, {}), PlayOrgan(WILD)).results == (WIN, LOSE)


def test_a_fifth_organ_may_be_infected():
    organs = {RED: sick(RED), GREEN: CLEAN, BLUE: CLEAN, YELLOW: CLEAN}
    assert play(position([WILD, RED], organs, {}), PlayOrgan(WILD)).results == (WIN, LOSE)


def test_curing_the_fourth_organ_wins():
    state = position([MEDICINE + RED, RED], {**FULL, RED: sick(RED)}, {})
    assert play(state, PlayMedicine(RED, RED)).results == (WIN, LOSE)


# --- viruses ----------------------------------------------------------------------------------------------------------


def test_a_virus_infects_a_free_organ_of_its_colour():
    state = position([VIRUS + RED, RED], {RED: CLEAN}, {RED: CLEAN, GREEN: CLEAN})
    assert offered(state, PlayVirus) == [(RED, 1, RED)]
    play(state, PlayVirus(RED, 1, RED))
    assert organ(state, 1, RED) == sick(RED)
    assert discarded(state) == []


def test_a_second_virus_destroys_the_organ_and_all_three_cards_are_discarded():
    state = position([VIRUS + RED, RED], {}, {RED: sick(WILD), GREEN: CLEAN})
    play(state, PlayVirus(RED, 1, RED))
    assert organ(state, 1, RED) == 0
    assert organ(state, 1, GREEN) == CLEAN
    assert discarded(state) == ["heart", "red virus", "wild virus"]


def test_a_virus_removes_a_medicine_of_its_colour_and_both_are_discarded():
    state = position([VIRUS + RED, RED], {}, {RED: vaccinated(RED)})
    play(state, PlayVirus(RED, 1, RED))
    assert organ(state, 1, RED) == CLEAN
    assert discarded(state) == ["red medicine", "red virus"]


def test_no_virus_affects_an_immunised_organ():
    state = position([VIRUS + RED, VIRUS + WILD], {}, {RED: IMMUNE})
    assert offered(state, PlayVirus) == []


def test_the_multicoloured_virus_affects_organs_and_medicines_of_all_colours():
    organs = {RED: CLEAN, GREEN: vaccinated(GREEN), BLUE: sick(BLUE), YELLOW: IMMUNE, WILD: vaccinated(RED)}
    state = position([VIRUS + WILD], {}, organs)
    assert offered(state, PlayVirus) == [(WILD, 1, colour) for colour in (RED, GREEN, BLUE, WILD)]


def test_all_viruses_affect_the_multicoloured_organ_and_two_colours_destroy_it():
    state = position([VIRUS + RED], {}, {WILD: CLEAN})
    play(state, PlayVirus(RED, 1, WILD))
    assert organ(state, 1, WILD) == sick(RED)
    state = position([VIRUS + BLUE], {}, {WILD: sick(RED)})
    play(state, PlayVirus(BLUE, 1, WILD))
    assert organ(state, 1, WILD) == 0
    assert discarded(state) == ["blue virus", "red virus", "wild organ"]


def test_a_medicine_on_the_multicoloured_organ_is_removed_by_its_own_colour_only():
    state = position([VIRUS + RED, VIRUS + BLUE, VIRUS + WILD], {}, {WILD: vaccinated(RED)})
    assert offered(state, PlayVirus) == [(RED, 1, WILD), (WILD, 1, WILD)]


def test_the_multicoloured_medicine_is_removed_by_a_virus_of_any_colour():
    state = position([VIRUS + BLUE], {}, {RED: vaccinated(WILD), WILD: vaccinated(GREEN)})
    assert offered(state, PlayVirus) == [(BLUE, 1, RED)]
    play(state, PlayVirus(BLUE, 1, RED))
    assert organ(state, 1, RED) == CLEAN
    assert discarded(state) == ["blue virus", "wild medicine"]


def test_an_organ_infected_by_the_multicoloured_virus_is_destroyed_by_its_own_colour_only():
    state = position([VIRUS + RED, VIRUS + BLUE], {}, {RED: sick(WILD)})
    assert offered(state, PlayVirus) == [(RED, 1, RED)]


def test_viruses_are_for_rivals_unless_own_viruses_are_allowed():
    state = position([VIRUS + RED], {RED: CLEAN}, {}, {RED: CLEAN})
    assert offered(state, PlayVirus) == [(RED, 2, RED)]
    assert offered(state, PlayVirus, own_viruses=True) == [(RED, 0, RED), (RED, 2, RED)]
    play(state, PlayVirus(RED, 0, RED), own_viruses=True)
    assert organ(state, 0, RED) == sick(RED)


# --- medicines --------------------------------------------------------------------------------------------------------


def test_a_medicine_cures_and_both_cards_are_discarded():
    state = play(position([MEDICINE + RED], {RED: sick(RED)}, {}), PlayMedicine(RED, RED))
    assert organ(state, 0, RED) == CLEAN
    assert discarded(state) == ["red medicine", "red virus"]


def test_a_medicine_vaccinates_a_free_organ_and_a_second_one_immunises_it():
    state = play(position([MEDICINE + RED, MEDICINE + WILD], {RED: CLEAN}, {}, hands=[[GREEN]]), PlayMedicine(RED, RED))
    assert organ(state, 0, RED) == vaccinated(RED)
    play(state, PlayOrgan(GREEN))
    play(state, PlayMedicine(WILD, RED))
    assert organ(state, 0, RED) >= IMMUNISED
    assert cards_on(organ(state, 0, RED)) == [MEDICINE + RED, MEDICINE + WILD]
    assert discarded(state) == []


def test_a_medicine_needs_an_organ_of_its_colour_of_ones_own():
    state = position([MEDICINE + RED], {GREEN: CLEAN, WILD: IMMUNE}, {RED: CLEAN})
    assert offered(state, PlayMedicine) == []


def test_the_multicoloured_medicine_affects_viruses_and_organs_of_all_colours():
    organs = {RED: sick(RED), GREEN: CLEAN, BLUE: vaccinated(BLUE), YELLOW: IMMUNE, WILD: sick(YELLOW)}
    state = position([MEDICINE + WILD], organs, {})
    assert offered(state, PlayMedicine) == [(WILD, colour) for colour in (RED, GREEN, BLUE, WILD)]


def test_the_multicoloured_organ_is_immunised_with_medicines_of_two_colours():
    state = play(position([MEDICINE + BLUE], {WILD: vaccinated(RED)}, {}), PlayMedicine(BLUE, WILD))
    assert cards_on(organ(state, 0, WILD)) == [MEDICINE + RED, MEDICINE + BLUE]


def test_a_virus_on_the_multicoloured_organ_is_cured_by_its_own_colour_only():
    hand = [MEDICINE + RED, MEDICINE + BLUE, MEDICINE + WILD]
    assert offered(position(hand, {WILD: sick(RED)}, {}), PlayMedicine) == [(RED, WILD), (WILD, WILD)]


def test_the_multicoloured_virus_is_cured_by_a_medicine_of_any_colour():
    state = position([MEDICINE + BLUE], {RED: sick(WILD)}, {})
    play(state, PlayMedicine(BLUE, RED))
    assert organ(state, 0, RED) == CLEAN
    assert discarded(state) == ["blue medicine", "wild virus"]


def test_a_second_medicine_must_fit_the_organ_not_the_first_medicine():
    state = position([MEDICINE + BLUE, MEDICINE + RED], {RED: vaccinated(WILD)}, {})
    assert offered(state, PlayMedicine) == [(RED, RED)]


# --- tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_hand_has_a_number_of_its_own(size):
    hands = list(combinations_with_replacement(range(NO_CARD + 1), size))
    numbers = {sum(RANKS[place * (NO_CARD + 1) + card] for place, card in enumerate(hand)) for hand in hands}
    assert numbers == set(range(len(hands))) == set(range(len(DISCARDS[discard_table(size, 3)])))


@pytest.mark.parametrize("most", [1, 2, 3, 5])
def test_discards_are_all_different_choices_the_fewest_first(most):
    for hand in combinations_with_replacement(range(4), 5):
        chosen = {cards for number in range(1, most + 1) for cards in combinations(hand, number)}
        expected = sorted(chosen, key=lambda cards: (len(cards), cards))
        assert [action.cards for action in all_discards(list(hand), most)] == expected
