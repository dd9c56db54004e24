"""Positions of Hearts, laid out by hand: cards are written as ``2c`` or ``Qs``."""

from tag import Rng, interned
from tag.engine.rules.trick_state import PlayCard
from tag.engine.rules.tricks import BIT, CARD_NAMES, N_RANKS
from tag.games.tricks.hearts import Hearts, HeartsParameters
from tag.games.tricks.hearts.actions import PassCard
from tag.games.tricks.hearts.data import PLAYING


def cards(names):
    """Return a set of cards: ``2c Qs``."""
    return sum(BIT[CARD_NAMES.index(name)] for name in names.split())


def position(*hands, player=0, taken=(), played=(), tricks=1, broken=False, points=(), **rules):
    """Return the model and a position in which ``player`` leads; the cards of the game are those that are named."""
    model = Hearts(HeartsParameters(**rules))
    n = len(hands)
    state = model.setup(n, Rng(1))
    state.shift = 0
    state.passed = (0,) * n
    state.phase = PLAYING
    state.hands = [cards(hand) for hand in hands]
    state.played = [cards(hand) for hand in played] or [0] * n
    state.taken = tuple(cards(hand) for hand in taken) or (0,) * n
    state.deck = sum(state.hands) + sum(state.played)
    state.tricks, state.broken = tricks, broken
    state.points = tuple(points) or (0,) * n
    state.current_player = state.turn_player = player
    return model, state


def passing(*hands, direction=0, **rules):
    """Return the model and a position before passing in a hand with this direction: left, right, across."""
    model, state = position(*hands, tricks=0, **rules)
    n = len(hands)
    state.phase, state.round = 0, direction
    state.shift = (1, n - 1, n // 2)[direction]
    return model, state


def play(model, state, names):
    """Play cards, each of which must be available."""
    for name in names.split():
        card = CARD_NAMES.index(name)
        action = interned(PlayCard(card) if state.phase == PLAYING else PassCard(card))
        assert action in model.available_actions(state), f"{action} is not available"
        model.next(state, action, Rng(1))
    return state


def legal(model, state):
    """Return the cards that may be chosen or played."""
    return " ".join(str(action).split()[-1] for action in model.available_actions(state))


def suit(names):
    """Return all cards of a suit: ``h``."""
    return " ".join(name for name in CARD_NAMES if name[-1] in names)


assert len(suit("h").split()) == N_RANKS
