"""Random games of 7 Wonders beside a separate implementation: cards, legal choices, payments, coins, and points."""

import pytest
from printed_seven_wonders import PrintedSevenWonders, deck

from tag import Rng, make_game
from tag.games.drafts.seven_wonders.actions import Build, BuildStage, Recover, SellCard
from tag.games.drafts.seven_wonders.data import (
    LEFT_SHIFT,
    N_KINDS,
    NAMES,
    PAY_MASK,
    RIGHT_SHIFT,
    WONDER_NAMES,
    age_deck,
    kinds_in,
)


def names(age, hand):
    return sorted(NAMES[kind] for kind in kinds_in(age, hand))


def in_words(state, action):
    """Return an action as the oracle calls it, with what is paid."""
    if isinstance(action, SellCard):
        return "sell", NAMES[action.card]
    if isinstance(action, (Build, BuildStage)):
        use = "stage" if isinstance(action, BuildStage) else "olympia" if action.way == 3 else "build"
        if use == "olympia":
            return use, NAMES[action.card]
        choice = state.choice(state.current_player, action.number)
        paid = (choice >> LEFT_SHIFT & PAY_MASK, choice >> RIGHT_SHIFT & PAY_MASK)
        return use, NAMES[action.card], *paid
    return "dig", NAMES[action.card] if isinstance(action, Recover) else None


def compare(state, other):
    for seat, city in enumerate(other.cities):
        built = sorted(NAMES[kind] for kind in range(N_KINDS) if state.has_built(seat, kind))
        assert built == sorted(city.cards)
        assert (state.coins[seat], state.stages[seat], state.defeats[seat]) == (city.coins, city.done, city.lost)
        assert state.victories[seat] == city.won
        assert state.points(seat) == other.points(seat)
        assert state.score(seat) == sum(other.points(seat))
    assert sorted(NAMES[kind] for kind in state.discarded()) == sorted(other.discards)


def side_by_side(n_players, least, builds=0, seed=0):
    """Play at least so many actions at random, and compare; ``builds`` of ten choices are no discards if possible."""
    model, played, seen = make_game("seven_wonders"), 0, set()
    while played < least:
        seed += 1
        rng = Rng(seed)
        state = model.setup(n_players, rng)
        hands = [names(0, hand) for hand in state.hands]
        other = PrintedSevenWonders([WONDER_NAMES[wonder] for wonder in state.wonders], hands)
        while not state.is_terminal:
            player = int(state.current_player)
            actions = model.available_actions(state)
            words = [in_words(state, action) for action in actions]
            assert len(set(words)) == len(words)
            legal = other.legal()
            assert set(words) == legal[player]
            active = [place for place, word in enumerate(words) if word[0] != "sell"]
            place = rng.choice(active) if active and rng.below(10) < builds else rng.below(len(words))
            age = state.age
            other.choose(player, *words[place])
            model.next(state, actions[place], rng)
            seen.add((words[place][0], len({word[2:] for word in words if word[:2] == words[place][:2]})))
            played += 1
            if state.age != age:
                assert other.stage == "deal"
                other.stage = "choose"
                other.deal([names(state.age, hand) for hand in state.hands])
            if not state.is_unresolved():
                compare(state, other)
                if not state.is_terminal:
                    assert [names(state.age, hand) for hand in state.hands] == other.hands
        assert other.stage == "over"
        totals = [(sum(other.points(seat)), other.cities[seat].coins) for seat in range(n_players)]
        assert [state.ordinal(seat) for seat in range(n_players)] == [1 + sum(b > a for b in totals) for a in totals]
    return seen


@pytest.mark.parametrize("n_players", range(3, 8))
@pytest.mark.parametrize("age", range(3))
def test_the_cards_of_each_age_are_the_printed_ones(age, n_players):
    cards = names(age, age_deck(age, n_players))
    assert cards == deck(age, n_players)
    assert len([name for name in cards if "Guild" not in name]) == 7 * n_players - (n_players + 2) * (age == 2)


@pytest.mark.parametrize("n_players", range(3, 8))
@pytest.mark.flow
def test_games_are_those_of_the_printed_rules(n_players):
    seen = side_by_side(n_players, 500, builds=8)
    assert {use for use, _ways in seen} >= {"build", "stage", "sell"}
    assert ("build", 3) in seen


@pytest.mark.slow
@pytest.mark.parametrize("n_players", range(3, 8))
def test_100000_actions_are_those_of_the_printed_rules(n_players):
    seen = set()
    for builds in (0, 6, 9):
        seen |= side_by_side(n_players, 7_000, builds, seed=1000 * builds)
    assert {use for use, _ways in seen} == {"build", "stage", "sell", "olympia", "dig"}
