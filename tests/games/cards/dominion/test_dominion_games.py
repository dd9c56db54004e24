"""Dominion: whole games, beside an implementation of the card texts with lists."""

from collections import Counter

import pytest
from dominion_by_the_book import ACTIONS, COST, Book

from tag.engine.results import WIN
from tag.engine.rng import Rng
from tag.games.cards.dominion import Dominion, DominionParameters
from tag.games.cards.dominion.data import (
    BUY,
    DISCARDS,
    HAND,
    KINGDOMS,
    NAMES,
    OWNED,
    PILE,
    SPAN,
    WAY_BITS,
    listed,
)

pytestmark = pytest.mark.flow


class View:
    """A position as lists of names."""

    def __init__(self, state):
        self.state = state

    def names(self, basic, kingdom):
        return Counter(NAMES[kind] for kind in listed(self.state.kinds, basic, kingdom))

    def zone(self, seat, zone):
        at = SPAN * seat + zone
        return self.names(self.state.cards[at], self.state.cards[at + 1])

    def pile(self, seat):
        return self.zone(seat, PILE)

    def drawn(self, seat):
        """Return the cards in hand, and in the buy phase the treasures that were in it."""
        state, treasures = self.state, Counter()
        if state.phase == BUY and seat == state.turn_player:
            treasures = self.names(state.play_basic, 0)
        return self.zone(seat, HAND) + treasures

    def entries(self, entries):
        return [NAMES[self.state.kinds[entry >> WAY_BITS]] for entry in entries]


def assert_same(book, state, at_end):
    view = View(state)
    assert {name: n for name, n in book.supply.items() if n} == view.names(state.supply_basic, state.supply_kingdom)
    assert Counter(book.trash) == view.names(state.trash_basic, state.trash_kingdom)
    for seat, player in enumerate(book.players):
        assert Counter(player.hand) == view.zone(seat, HAND)
        assert Counter(player.deck) == view.zone(seat, PILE)
        assert Counter(player.discards) == view.zone(seat, DISCARDS)
        assert player.top == view.entries(state.tops[seat])
        assert book.points(player) == state.points(seat)
        assert Counter(book.cards_of(player)) == view.zone(seat, OWNED)
    if not at_end:
        assert (book.coins, book.actions, book.buys) == (state.coins, state.actions, state.buys)
        assert Counter(book.play_area) == view.names(state.play_basic, state.play_kingdom)
        assert Counter(book.aside) == view.names(0, state.aside)
        assert Counter(book.looked) == Counter(view.entries(state.looked))
        assert book.seat == state.turn_player


def play_beside_the_book(kingdom, n_players, seed, look=None):
    """Play a random game both ways, comparing positions and actions; return how often each action was taken.

    ``look`` is called at each decision with both.
    """
    rng = Rng(seed)
    model = Dominion(DominionParameters(kingdom=kingdom))
    state = model.setup(n_players, rng)
    book = Book(n_players, [NAMES[kind] for kind in state.kinds[7:]])
    book.follow = View(state)
    game = book.game()
    seat, options = next(game)
    total = sum(book.supply.values()) + 10 * n_players
    played = Counter()
    while True:
        assert_same(book, state, at_end=False)
        actions = model.available_actions(state)
        assert (seat, options) == (state.current_player, [str(action) for action in actions])
        owned = sum(sum(View(state).zone(player, OWNED).values()) for player in range(n_players))
        assert owned + sum(book.supply.values()) + len(book.trash) == total
        if look is not None:
            look(book, state)
        action = rng.choice(actions)
        played.update([str(action)])
        model.next(state, action, rng)
        try:
            seat, options = game.send(str(action))
        except StopIteration:
            break
    assert state.is_terminal
    assert_same(book, state, at_end=True)
    winners = [player for player in range(n_players) if state.ordinal(player) == 1]
    assert winners == book.winners
    assert [state.result(player) == WIN for player in range(n_players)] == [
        len(winners) == 1 and player in winners for player in range(n_players)
    ]
    return played


@pytest.mark.parametrize("kingdom", KINGDOMS)
@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_random_games_go_by_the_book(kingdom, n_players):
    for seed in range(2):
        play_beside_the_book(kingdom, n_players, seed)


def test_random_kingdoms_go_by_the_book():
    for seed in range(25):
        play_beside_the_book("random", 2 + seed % 3, seed)


@pytest.mark.slow
def test_two_thousand_random_games_go_by_the_book():
    taken = Counter()
    for seed in range(2_000):
        kingdom = [*KINGDOMS, "random"][seed % 7]
        taken += play_beside_the_book(kingdom, 2 + seed % 3, 1_000 + seed)
    assert {f"play {card}" for card in ACTIONS} | {f"buy {card}" for card in COST} <= set(taken)
    assert all(taken[f"play {card}"] > 100 for card in ACTIONS)
