"""Virus! against the printed rules: how games end, what they announce, and parameters; see `test_virus_rules.py`."""

import pickle

import pytest
from virus_positions import (
    BLUE,
    CLEAN,
    GREEN,
    LATEX_GLOVE,
    MEDICINE,
    RED,
    SPREADING,
    VIRUS,
    WILD,
    YELLOW,
    all_cards,
    offered,
    play,
    position,
    random_positions,
    sick,
    vaccinated,
)

from tag.engine.results import DRAW, LOSE, WIN
from tag.engine.rng import Rng
from tag.errors import ParameterError
from tag.games.cards.virus import Virus, VirusParameters
from tag.games.cards.virus.actions import Discard, PlayLatexGlove, PlayMedicine, PlayOrgan, PlayVirus
from tag.games.cards.virus.data import NAMES
from tag.table.events import event_texts

pytestmark = pytest.mark.flow

# --- the round limit --------------------------------------------------------------------------------------------------


def at_the_limit(*bodies):
    """Return a game in which the last turn of the only round has been taken."""
    state = position([SPREADING, LATEX_GLOVE], *bodies, max_rounds=1)
    for _player in range(len(bodies)):
        card = state.hand(state.current_player)[0]
        play(state, Discard(card), max_rounds=1)
    return state


def test_after_the_round_limit_most_healthy_organs_win():
    state = at_the_limit({RED: CLEAN, BLUE: sick(BLUE), GREEN: sick(GREEN)}, {RED: CLEAN, GREEN: CLEAN}, {})
    assert state.results == (LOSE, WIN, LOSE)
    assert [state.ordinal(player) for player in range(3)] == [2, 1, 3]


def test_of_equal_healthy_organs_most_organs_win_and_players_equal_in_both_draw():
    assert at_the_limit({RED: CLEAN, BLUE: sick(BLUE)}, {RED: CLEAN}).results == (WIN, LOSE)
    assert at_the_limit({RED: CLEAN}, {BLUE: vaccinated(BLUE)}, {}).results == (DRAW, DRAW, LOSE)


def test_the_report_limits_games_to_a_hundred_rounds():
    assert Virus().max_rounds == 100
    state = at_the_limit({}, {})
    assert state.round == 1
    assert not play(position([RED], {}, {}), PlayOrgan(RED)).is_terminal


# --- games ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_players", [2, 4, 6])
def test_no_card_is_lost_or_made_and_the_deck_is_counted_right(n_players):
    printed = VirusParameters().deck()
    for state in random_positions(n_players, seed=n_players):
        assert all_cards(state) == printed
        groups = [sum(state.deck[first : first + 5]) for first in (0, 5, 10)]
        assert [state.deck_organs, state.deck_viruses, state.deck_medicines] == groups
        assert state.deck_size == sum(state.deck)
        for player in range(n_players):
            first = player * 3
            assert state.hands[first : first + 3] == sorted(state.hands[first : first + 3])


def test_destroyed_and_immunised_organs_are_announced():
    state = position([VIRUS + RED], {}, {RED: sick(RED), GREEN: vaccinated(GREEN)}, hands=[[MEDICINE + GREEN]])
    state.recording = True
    play(state, PlayVirus(RED, 1, RED))
    play(state, PlayMedicine(GREEN, GREEN))
    found = [(event.name, event.player) for event in state.announced if event.name.startswith("organ")]
    assert found == [("organ destroyed", 1), ("organ immunised", 1)]
    assert event_texts(state.announced, 1) == [
        "player 1 loses the heart",
        "player 0 draws 3 cards",
        "the stomach of player 1 is immune for good",
        told_of_draws(state),
    ]


def told_of_draws(state):
    """Return what player 1 is told of the cards that the hand was filled with."""
    drawn = [event for event in state.announced if event.name == "drawn"][-1]
    assert (drawn.player, drawn.known_to(0).items) == (1, (None,) * len(drawn.items))
    assert sorted(drawn.items) == sorted(NAMES[card] for card in state.hand(1))
    return f"player 1 draws {', '.join(drawn.items)}"


def test_a_latex_glove_tells_what_is_discarded():
    state = position([LATEX_GLOVE], {}, {}, hands=[[RED, VIRUS + RED]])
    state.recording = True
    play(state, PlayLatexGlove())
    assert event_texts(state.announced, 0)[0] == "player 1 discards heart, red virus"


def test_a_long_game_survives_a_pickle_with_its_history():
    model = Virus()
    rng = Rng(2)
    state = model.setup(6, rng)
    state.recording = True
    actions = []
    while not state.is_terminal or len(actions) < 400:
        if state.is_terminal:
            state.is_terminal, state.results, state.bodies = False, (), [0] * 6
        actions.append(rng.choice(model.available_actions(state)))
        model.next(state, actions[-1], rng)
    entry = pickle.loads(pickle.dumps(state)).history
    for action in reversed(actions):
        assert entry.action is action
        entry = entry.earlier
    assert entry is None


# --- parameters -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"hand_size": 6}, "hand_size cannot be 6; the range is 1..5, the nearest value 5"),
        ({"medicines": -1}, "medicines cannot be -1; the range is 0..10, the nearest value 0"),
        (
            {"organs_to_win": 5, "wild_organs": 0},
            "organs_to_win cannot be 5 with no multicoloured organ; the nearest value is 4",
        ),
        (
            {"organs": 1, "viruses": 0, "medicines": 1, "hand_size": 5},
            "hand_size cannot be 5 with six players and a deck of 24 cards; the nearest value is 3",
        ),
    ],
)
def test_settings_that_cannot_be_played_are_refused(values, message):
    with pytest.raises(ParameterError) as caught:
        VirusParameters(**values)
    assert str(caught.value) == message


def test_a_deck_too_small_for_any_hand_is_refused():
    nothing = [name for name in VirusParameters().values() if name.startswith(("wild", "trans", "organ_th", "spread"))]
    nothing += ["viruses", "medicines", "latex_gloves", "medical_errors"]
    with pytest.raises(ParameterError, match="a deck of 4 cards; a deck has at least 7 cards"):
        VirusParameters(organs=1, hand_size=1, **dict.fromkeys(nothing, 0))


def test_hand_size_goal_and_discards_are_parameters():
    state = position([RED, GREEN, BLUE, YELLOW, WILD], {}, {}, hand_size=5, max_discards=2, organs_to_win=1)
    assert max(len(cards) for cards in offered(state, Discard, max_discards=2)) == 2
    assert len(offered(state, Discard, max_discards=5)) == 31
    assert len(Virus(VirusParameters(hand_size=2)).setup(2, Rng(1)).hand(0)) == 2
    assert play(state, PlayOrgan(RED), organs_to_win=1).results == (WIN, LOSE)


def test_games_with_random_parameters_end():
    rng = Rng(4)
    for _draw in range(8):
        chosen = VirusParameters.sample(rng)
        model = Virus(chosen)
        state = model.setup(2 + rng.below(5), rng)
        while not state.is_terminal:
            model.next(state, rng.choice(model.available_actions(state)), rng)
        assert all_cards(state) == chosen.deck()
        assert state.round <= chosen.max_rounds
