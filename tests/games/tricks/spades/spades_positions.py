"""Positions of Spades, laid out by hand: cards are written as ``2c`` or ``Qs``."""

from tag import Rng, interned
from tag.engine.rules.trick_state import PlayCard
from tag.engine.rules.tricks import BIT, CARD_NAMES
from tag.games.tricks.spades import Spades, SpadesParameters
from tag.games.tricks.spades.actions import Bid
from tag.games.tricks.spades.data import BIDDING, PLAYING


def cards(names):
    """Return a set of cards: ``2c Qs``."""
    return sum(BIT[CARD_NAMES.index(name)] for name in names.split())


def position(*hands, player=0, bids=(1, 1, 1, 1), won=(0, 0, 0, 0), tricks=1, broken=False, **rules):
    """Return the model and a position in which ``player`` leads; the cards of the game are those that are named."""
    model = Spades(SpadesParameters(**rules))
    state = model.setup(4, Rng(1))
    state.phase = PLAYING
    state.hands = [cards(hand) for hand in hands]
    state.deck = sum(state.hands)
    state.bids, state.won, state.tricks, state.broken = tuple(bids), tuple(won), tricks, broken
    state.current_player = state.turn_player = player
    return model, state


def bid(model, state, *bids):
    """Make bids, each of which must be available."""
    for tricks in bids:
        assert state.phase == BIDDING
        action = interned(Bid(tricks))
        assert action in model.available_actions(state), f"{action} is not available"
        model.next(state, action, Rng(1))
    return state


def play(model, state, names):
    """Play cards, each of which must be available."""
    for name in names.split():
        action = interned(PlayCard(CARD_NAMES.index(name)))
        assert action in model.available_actions(state), f"{action} is not available"
        model.next(state, action, Rng(1))
    return state


def legal(model, state):
    """Return the cards that may be played."""
    return " ".join(str(action).split()[-1] for action in model.available_actions(state))


def last_trick(bids, won, *, points=(0, 0), bags=(0, 0), blind=0, **rules):
    """Return the state after a last trick that player 0 takes, with tricks that players have taken before."""
    hands = ["Ac", "2c", "3c", "4c"]
    model, state = position(*hands, bids=bids, won=won, **rules)
    state.points, state.bags, state.blind, state.deck = points, bags, blind, (1 << 52) - 1
    return play(model, state, " ".join(hands))
