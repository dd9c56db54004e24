"""Hanabi beside OpenSpiel's, which plays the Hanabi Learning Environment, action by action.

The deals are ours; OpenSpiel gets them as chance outcomes. It differs in nothing under the default rules, nor with
``empty_hints`` off and other sizes; its score after the third fuse is 0, as ours by default.
"""

import re

import pytest

from tag import Rng, make_game
from tag.games.cards.hanabi.actions import DiscardCard, PlayCard
from tag.games.cards.hanabi.data import LETTERS, MOST_COLOURS, cards_in, size_of

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.flow

#: Our parameters and OpenSpiel's, with a number of players.
CASES = [
    ("hanabi", "players={}", 2),
    ("hanabi", "players={}", 3),
    ("hanabi", "players={}", 4),
    ("hanabi", "players={}", 5),
    (
        "hanabi:colours=3,ranks=4,hand_2=3,hints=4,fuses=2",
        "players={},colors=3,ranks=4,hand_size=3,max_information_tokens=4,max_life_tokens=2",
        3,
    ),
]


def short(card):
    """Return a card as OpenSpiel writes it: ``R1``."""
    return f"{LETTERS[card // 5]}{card % 5 + 1}"


def texts(state, action):
    """Return an action as OpenSpiel writes it."""
    if isinstance(action, PlayCard):
        return f"(Play {action.place})"
    if isinstance(action, DiscardCard):
        return f"(Discard {action.place})"
    offset = (action.player - state.current_player) % state.n_players
    if action.what < MOST_COLOURS:
        return f"(Reveal player +{offset} color {LETTERS[action.what]})"
    return f"(Reveal player +{offset} rank {action.what - MOST_COLOURS + 1})"


def deal(other, card):
    """Have OpenSpiel draw a card."""
    wanted = re.compile(rf"\(Deal {short(card)}\)")
    (outcome,) = [one for one, _chance in other.chance_outcomes() if wanted.fullmatch(other.action_to_string(one))]
    other.apply_action(outcome)


def hand(state, seat, is_own):
    lines = []
    for place in range(state.held(seat)):
        index = seat * state.size + place
        name = "XX" if is_own else short(state.hands[index])
        lines.append((name, state.mark_text(index)))
    return lines


def compare(state, other, viewer):
    """Compare what a player sees: table, hands and marks."""
    text = other.observation_string(viewer)
    number = lambda name: int(re.search(rf"{name}: (\d+)", text)[1])  # noqa: E731
    assert (number("Life tokens"), number("Info tokens")) == (state.fuses, state.hints)
    assert number("Deck size") == size_of(state.deck)
    heights = {name: int(height) for name, height in re.findall(r"([RYGWB])(\d)", text.split("\n")[2])}
    assert sum(heights.values()) == state.points()
    assert all(heights[short(card)[0]] >= card % 5 + 1 for card in cards_in(state.fireworks))
    discards = re.search(r"Discards:(.*)", text)[1].split()
    assert sorted(discards) == sorted(short(card) for card in cards_in(state.discards))
    hands = re.search(r"Hands:\n(.*)\nDeck size", text, re.DOTALL)[1].replace("Cur player\n", "").split("-----\n")
    for offset, lines in enumerate(hands):
        seat = (viewer + offset) % state.n_players
        found = re.findall(r"(..) \|\| (..)\|(\w+)", lines)
        assert [(name, marks) for name, _hinted, marks in found] == hand(state, seat, offset == 0)
        for place, (_name, hinted, _marks) in enumerate(found):
            assert hinted == "XX" or state.touched >> 8 * seat + place & 1, "a hinted card is marked"
            if hinted == "XX":
                assert not state.touched >> 8 * seat + place & 1


def in_lockstep(spec, parameters, n_players, actions, seed, looks):
    """Play random games in both until so many actions have been compared; observations at one in ``looks``."""
    model = make_game(spec)
    game = pyspiel.load_game(f"hanabi({parameters.format(n_players)})")
    rng, played = Rng(seed), 0
    while played < actions:
        state, other = model.setup(n_players, rng), game.new_initial_state()
        for card in state.hands:
            deal(other, card)
        while not state.is_terminal:
            assert other.current_player() == state.current_player
            available = model.available_actions(state)
            theirs = {other.action_to_string(one): one for one in other.legal_actions()}
            ours = {texts(state, one): one for one in available}
            assert ours.keys() == theirs.keys()
            # random play ends by fuses: most cards played are ones that fit
            action = rng.choice(available)
            if isinstance(action, PlayCard) and rng.below(4):
                card = state.hands[state.current_player * state.size + action.place]
                if not state.playable() >> 2 * card & 1:
                    continue
            deck = state.deck
            name = texts(state, action)
            model.next(state, action, rng)
            other.apply_action(theirs[name])
            for card in [] if state.is_terminal else cards_in(deck - state.deck):
                deal(other, card)  # we draw after the last action, too
            played += 1
            assert other.is_terminal() == state.is_terminal
            if not state.is_terminal and played % looks == 0:
                compare(state, other, int(rng.below(n_players)))
        assert other.returns() == [state.score(0)] * n_players
    return played


@pytest.mark.parametrize(("spec", "parameters", "n_players"), CASES)
def test_legal_actions_marks_ends_and_scores_are_those_of_open_spiel(spec, parameters, n_players):
    assert in_lockstep(spec, parameters, n_players, 400, 3, 2) >= 400


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "parameters", "n_players"), CASES)
def test_a_hundred_thousand_actions_are_those_of_open_spiel(spec, parameters, n_players):
    assert in_lockstep(spec, parameters, n_players, 25_000, 11, 5) >= 25_000
