"""Positions of Hanabi, laid out by hand: cards are written as ``r1`` or ``b5``."""

from tag.engine.rng import Rng
from tag.engine.state import interned
from tag.games.cards.hanabi import Hanabi, HanabiParameters
from tag.games.cards.hanabi.actions import DiscardCard, PlayCard, TellColour, TellRank
from tag.games.cards.hanabi.data import EMPTY, ONE

LETTERS = "rygwbm"
ALL = "rygwb"


def card(name):
    """Return the number of a card."""
    return 5 * LETTERS.index(name[0]) + int(name[1]) - 1


def cards(names):
    """Return a set of cards: ``r1 r1 b5``."""
    return sum(ONE[card(name)] for name in names.split())


def rising(**heights):
    """Return the cards of fireworks by their heights: ``rising(r=2)``."""
    return " ".join(f"{letter}{rank}" for letter, height in heights.items() for rank in range(1, height + 1))


def position(*hands, fireworks="", discards="", deck=None, hints=8, fuses=3, player=0, last_turn=-1, **rules):
    """Return the model and a position in which ``player`` is to move; the deck is the rest, or as given."""
    model = Hanabi(HanabiParameters(**rules))
    state = model.setup(len(hands), Rng(1))
    state.hands = [EMPTY] * len(state.hands)
    state.marks = [0] * len(state.marks)
    state.fireworks, state.discards = cards(fireworks), cards(discards)
    state.deck = state.full - state.fireworks - state.discards
    for seat, hand in enumerate(hands):
        for place, name in enumerate(hand.split()):
            state.hands[seat * state.size + place] = card(name)
            state.marks[seat * state.size + place] = 3 * state.full_kinds()
            state.deck -= ONE[card(name)]
    if deck is not None:
        state.deck = cards(deck)
        held = sum(ONE[one] for one in state.hands if one != EMPTY)
        state.full = state.deck + state.fireworks + state.discards + held
    state.hints, state.fuses, state.last_turn = hints, fuses, last_turn
    state.current_player = state.turn_player = player
    return model, state


def act(model, state, action, seed=1):
    """Play an action, which must be available."""
    chosen = interned(action)
    assert chosen in model.available_actions(state), f"{action} is not available"
    model.next(state, chosen, Rng(seed))
    return state


def play(place):
    return PlayCard(place)


def discard(place):
    return DiscardCard(place)


def tell(player, what):
    """Return a hint: a letter for a colour, or a rank."""
    return TellRank(player, what) if isinstance(what, int) else TellColour(player, LETTERS.index(what))


def texts(model, state):
    """Return the available actions as text."""
    return [str(action) for action in model.available_actions(state)]


def marks(state, player):
    """Return the marks of a hand as letters and ranks."""
    return [state.mark_text(player * state.size + place) for place in range(state.held(player))]
